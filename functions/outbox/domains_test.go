package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// domainEvents fill the tables for an event of a domain's own and return its draft, by the type of the event. The file
// of each domain adds its own.
var domainEvents = map[string]func(t testing.TB, db *dynamotest.DB) outbox.Draft{
	contacts.EventRekey: func(testing.TB, *dynamotest.DB) outbox.Draft {
		return outbox.Draft{
			EntityType: contacts.EntityRekey, EntityID: "919876543210",
			Payload: model.Document(`{"phoneNumberId":"` + string(wt.Phone) + `","keys":["918888888888"],"passed":["917"]}`),
		}
	},
}

// follows says which of these events write further events. The next sweep handles these.
var follows = map[string]bool{}

// appended puts an event of a type into the outbox, and returns the records of the stream.
func appended(t testing.TB, db *dynamotest.DB, kind string) []dynamo.Item {
	t.Helper()
	draft := domainEvents[kind](t, db)
	draft.Type, draft.Tenant = kind, "demo"
	store := outbox.Outbox{DB: db.Client, Now: func() time.Time { return noon },
		NewToken: func() string { return "token" }}
	_, writes, err := store.Append(t.Context(), nil, draft)
	if err == nil {
		err = db.Transact(t.Context(), writes)
	}
	if err != nil {
		t.Fatal(err)
	}
	return db.Items(t, tables.Outbox)
}

// relayOfAll is one process of the function with every domain. A re-run comes minutes later, by the sweep.
func relayOfAll(client *dynamo.Client, run int) dispatch.Handler {
	now := func() time.Time { return noon.Add(time.Minute + time.Duration(run)*3*time.Minute) }
	same := func() string { return "01a1fbae-3de3-707d-9ea6-999999999999" } // whichever attempt commits
	rooms := registry.Open(messaging.Config{DB: client, NewID: same, NewToken: same,
		Now: func() time.Time { return noon.Add(time.Minute) }}) // in whichever run an event is handled
	handlers := rooms.Handlers(nil)
	// An event that sends by WhatsApp appends another event. Other tests cover that one.
	handlers[sending.EventMessage] = outbox.Handler{Still: func(context.Context, model.OutboxEvent) (string, error) {
		return "other tests tell", nil
	}}
	return dispatch.Handler{Relay: &outbox.Relay{
		Outbox: outbox.Outbox{DB: client, Now: now}, Handlers: handlers, Owner: rand.Text(),
		Log: slog.New(slog.DiscardHandler), Sleep: func(context.Context, time.Duration) error { return nil },
	}}
}

// An event of a domain's own ends once, whatever fails and however the stream delivers it.
func TestTheDomainsOwnEventsSurviveCrashesAndReplays(t *testing.T) {
	for kind := range registry.Open(messaging.Config{}).Others {
		if domainEvents[kind] == nil {
			t.Errorf("no test sends %s: functions/outbox/{domain}_test.go adds it to domainEvents", kind)
			continue
		}
		t.Run(kind+" crashes", func(t *testing.T) {
			var images []dynamo.Item
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: tables.All(), Ignore: append([]string{"failureCode", "failuresByClass"}, tried...),
				Seed: func(t testing.TB, db *dynamotest.DB) { images = appended(t, db, kind) },
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					event := json.RawMessage(`{"detail-type":"outbox-sweep"}`)
					if run == 0 {
						event = streamEvent(t, images)
					}
					err := dynamotest.Reported(relayOfAll(client, run).Handle(ctx, event))
					if err == nil && follows[kind] {
						sweep := json.RawMessage(`{"detail-type":"outbox-sweep"}`)
						err = dynamotest.Reported(relayOfAll(client, run+1).Handle(ctx, sweep))
					}
					return err
				},
			})
			t.Logf("%d crash points", points)
		})
		t.Run(kind+" replays", func(t *testing.T) {
			dynamotest.StreamReplay(t, dynamotest.Replay{
				Tables: tables.All(), Ignore: tried,
				Seed: func(t testing.TB, db *dynamotest.DB) []dynamo.Item { return appended(t, db, kind) },
				Handle: func(ctx context.Context, client *dynamo.Client,
					event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
					raw, err := json.Marshal(event)
					if err != nil {
						return events.DynamoDBEventResponse{}, err
					}
					return relayOfAll(client, 0).Handle(ctx, raw)
				},
			})
		})
	}
}
