package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/infra/local/files"
	"github.com/haatline/haatline/shared/community/communitymodel"
	communityfiles "github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/pictures"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

var (
	withChats = append([]tables.Table{
		tables.GroupChats, tables.PrivateChats, tables.Communities, tables.CommunityNotifications}, together...)
	chat = communitymodel.ChatRef{
		Kind: communitymodel.Group, ID: communitymodel.GroupChatID("community", "chat")}
)

// unsent puts a file into the bucket that no message has, and one that a message has, with their records. It returns
// the drafts of the events by which they go.
func (w *world) unsent(t testing.TB, db *dynamotest.DB) (drafts []outbox.Draft) {
	t.Helper()
	for id, message := range map[model.Name]model.Name{"waits": "", "sent": "message"} {
		key := keys.ChatFile(chat.Key(), id)
		db.Seed(t, tables.GroupChats, communitymodel.File{
			PK: key.Partition, SK: key.Sort, ID: id, Author: "asha", Type: "image/png", MessageID: message})
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPut,
			w.bucket+"/"+files.Bucket+"/"+communityfiles.ObjectKey("demo", chat.ID, id), strings.NewReader(picture))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatal(err, response)
		}
		response.Body.Close()
		payload, err := json.Marshal(communityfiles.Going{Kind: chat.Kind, Chat: chat.ID, File: id})
		if err != nil {
			t.Fatal(err)
		}
		drafts = append(drafts, outbox.Draft{
			Type: communityfiles.GoingType, Tenant: "demo", EntityType: keys.EntityFile, EntityID: string(id),
			Payload: payload})
	}
	return drafts
}

// unshown returns the drafts of the events by which pictures go: one of a person's that is not shown, and one of a
// community's that is.
func (w *world) unshown(t testing.TB, db *dynamotest.DB) (drafts []outbox.Draft) {
	t.Helper()
	face, sign := keys.PictureOfUser("asha", "face"), keys.PictureOfCommunity("community", "sign")
	db.Seed(t, tables.CommunityNotifications, communitymodel.PictureFile{
		PK: face.Partition, SK: face.Sort, ID: "face", Type: "image/png"})
	db.Seed(t, tables.Communities, communitymodel.PictureFile{
		PK: sign.Partition, SK: sign.Sort, ID: "sign", Type: "image/png", ShownAs: communitymodel.Avatar})
	for _, of := range []pictures.Going{{User: "asha", Picture: "face"}, {Community: "community", Picture: "sign"}} {
		payload, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		drafts = append(drafts, outbox.Draft{
			Type: pictures.GoingType, Tenant: "demo", EntityType: keys.EntityFile, EntityID: string(of.Picture),
			Payload: payload})
	}
	return drafts
}

// oneIsLeft fails the test unless the file that a message has is left, with its record, and no other.
func (w *world) oneIsLeft(t *testing.T) {
	t.Helper()
	for id, want := range map[model.Name]string{"waits": "", "sent": picture} {
		if got := w.stored(t, communityfiles.ObjectKey("demo", chat.ID, id)); got != want {
			t.Errorf("the bucket has %d bytes of the file that %s, want %d", len(got), id, len(want))
		}
	}
}

func TestAFileThatNoMessageHasGoesHoweverTheFunctionDies(t *testing.T) {
	w := newWorld(t)
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: withChats, Ignore: tried,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			store := outbox.Outbox{DB: db.Client, Now: func() time.Time { return noon.Add(-time.Hour) }}
			for _, draft := range append(w.unsent(t, db), w.unshown(t, db)...) {
				plan, err := store.Plan(draft, model.At(noon))
				if err == nil {
					err = db.Transact(t.Context(), []dynamo.Write{plan})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			at := noon.Add(time.Minute + time.Duration(run)*15*time.Minute)
			return dynamotest.Reported(w.relay(client, at).Handle(ctx,
				json.RawMessage(`{"detail-type":"slow-lane-sweep"}`)))
		},
	})
	if t.Logf("%d crash points", points); points == 0 {
		t.Error("nothing was broken")
	}
	w.oneIsLeft(t)
}

func TestAFileThatNoMessageHasGoesHoweverTheStreamComes(t *testing.T) {
	w := newWorld(t)
	dynamotest.StreamReplay(t, dynamotest.Replay{
		Tables: withChats, Ignore: tried, Unordered: true,
		Seed: func(t testing.TB, db *dynamotest.DB) []dynamo.Item {
			store := outbox.Outbox{DB: db.Client, Now: func() time.Time { return noon },
				NewToken: func() string { return "token" }}
			for _, draft := range append(w.unsent(t, db), w.unshown(t, db)...) {
				_, writes, err := store.Append(t.Context(), nil, draft)
				if err == nil {
					err = db.Transact(t.Context(), writes)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			return db.Items(t, tables.Outbox)
		},
		Handle: func(ctx context.Context, client *dynamo.Client,
			event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
			raw, err := json.Marshal(event)
			if err != nil {
				return events.DynamoDBEventResponse{}, err
			}
			return w.relay(client, noon.Add(time.Minute)).Handle(ctx, raw)
		},
	})
	w.oneIsLeft(t)
}
