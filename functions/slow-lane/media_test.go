package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// ask commits the writes that ask for the messages' file.
func ask(
	t testing.TB, db *dynamotest.DB,
	writes func(context.Context, media.Orders, ...model.Message) ([]dynamo.Write, error), messages ...model.Message,
) {
	t.Helper()
	orders, err := roomsAt(db.Client, noon).Files.Orders(t.Context(), phone, []model.MediaID{fileID})
	if err != nil {
		t.Fatal(err)
	}
	all, err := writes(t.Context(), orders, messages...)
	if err == nil {
		err = db.Transact(t.Context(), all)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// erase replaces the file's record by a tombstone.
func erase(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	writes, err := roomsAt(db.Client, noon).Files.EraseWrites(t.Context(), phone, []model.MediaID{fileID})
	if err == nil {
		err = db.Transact(t.Context(), writes)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func record(t testing.TB, db *dynamotest.DB) model.Media {
	t.Helper()
	r, err := roomsAt(db.Client, noon).Files.Record(t.Context(), fileID)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func keyOn(t testing.TB, db *dynamotest.DB, id model.MessageID) string {
	t.Helper()
	var m model.Message
	if err := db.Get(t.Context(), tables.Messages, keys.Message(id), &m); err != nil {
		t.Fatal(err)
	}
	return m.S3Key
}

var tried = []string{
	"retryCount", "lastError", "possibleDuplicate", "sentAt", "expiresAtEpochSeconds", "uploadedAt", "unordered",
	"failureCode", "failuresByClass",
}

func TestAFileIsFetchedHoweverTheFunctionDies(t *testing.T) {
	w := newWorld(t)
	w.survives(t, tried, waiting)
	if w.stored(t, key) != picture || w.stored(t, key+".thumbnail") == "" {
		t.Error("the file is not in the bucket, or its thumbnail is not")
	}
}

func TestAFileIsFetchedHoweverTheStreamComes(t *testing.T) {
	w := newWorld(t)
	dynamotest.StreamReplay(t, dynamotest.Replay{
		Tables: together, Ignore: tried, Unordered: true, Seed: waiting,
		Handle: func(ctx context.Context, client *dynamo.Client,
			event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
			raw, err := json.Marshal(event)
			if err != nil {
				return events.DynamoDBEventResponse{}, err
			}
			return w.relay(client, noon.Add(time.Minute)).Handle(ctx, raw)
		},
	})
}

func TestSampleEventsFetchTheFile(t *testing.T) {
	samples := dynamotest.Samples[json.RawMessage](t, "slow-lane", map[string]bool{
		"file": true, "search-gathering": true, "sweep": true})
	for name, sample := range samples {
		t.Run(name, func(t *testing.T) {
			w, db := newWorld(t), dynamotest.Start(t, together...)
			images := waiting(t, db)
			if id := dynamo.Text(images[0], "eventId"); !strings.Contains(string(samples["file"]), id) {
				t.Errorf("the sample's event has another id than %s", id)
			}
			response, err := w.relay(db.Client, noon.Add(time.Minute)).Handle(t.Context(), sample)
			if err != nil || len(response.BatchItemFailures) > 0 {
				t.Fatalf("%+v, %v", response, err)
			}
			r := record(t, db)
			if r.S3Key != key || r.S3Bucket == "" || r.ContentLength != int64(len(picture)) ||
				r.DetectedType != "image/png" || r.UploadedAt == "" || r.TTL != 0 {
				t.Errorf("%+v", r)
			}
			if w.stored(t, key) != picture || keyOn(t, db, shown) != key || keyOn(t, db, shownToo) != key {
				t.Error("the file is not in the bucket, or not on its messages")
			}
		})
	}
}

// A failed file is tried again and says why. A file that may not be stored never reaches the bucket.
func TestAFailureIsTriedAgainUntilMetaForgetsTheFile(t *testing.T) {
	db := dynamotest.Start(t, together...)
	waiting(t, db)
	for _, c := range []struct {
		name, why string
		change    func(m *meta)
		fetched   bool
	}{
		{"an expired address, then a new one", "", func(m *meta) { m.expired = 1 }, true},
		{"a hash in base64", "", func(m *meta) { m.hash = base64.StdEncoding.EncodeToString(sumOfPicture()) }, true},
		{"a download that is cut off", "interrupted", func(m *meta) { m.cut = 1 }, false},
		{"another file", "not the one", func(m *meta) { m.hash = strings.Repeat("0", 64) }, false},
		{"another host", "not on one of Meta's hosts",
			func(m *meta) { m.host = "https://lookaside.fbsbx.com.evil.example" }, false},
		{"plain HTTP", "not on one of Meta's hosts", func(m *meta) { m.host = "http://lookaside.fbsbx.com" }, false},
		{"a redirection", "not on one of Meta's hosts", func(m *meta) { m.to = "http://localhost:1/file" }, false},
		{"an id that is not known", "no file under this id", func(m *meta) { m.unknown = true }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			restore(t, db)
			c.change(w.meta)
			w.sweep(t, db, noon.Add(time.Minute))
			r := record(t, db)
			if fetched := r.S3Key != ""; fetched != c.fetched || fetched != (w.stored(t, key) == picture) ||
				!strings.Contains(r.FetchFailure, c.why) || r.ForgottenAt != "" {
				t.Fatalf("%+v", r)
			}
			if c.fetched {
				return
			}
			w.unknown, w.hash, w.host, w.to = false, "", "", ""
			w.sweep(t, db, noon.Add(10*time.Minute))
			if r := record(t, db); r.S3Key != key || r.FetchFailure != "" || r.TTL != 0 || keyOn(t, db, shown) != key {
				t.Errorf("in the next attempt: %+v", r)
			}
		})
	}
}

func TestAForgottenFileIsNoDeadLetterAndCanBeAskedForAgain(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, together...)
	images := waiting(t, db)
	w.unknown = true
	for at := noon.Add(time.Minute); at.Before(noon.Add(7*24*time.Hour + time.Hour)); at = at.Add(90 * time.Minute) {
		w.sweep(t, db, at)
	}
	r := record(t, db)
	if r.ForgottenAt == "" || !strings.Contains(r.FetchFailure, "no file") || w.asked < 100 ||
		r.TTL <= noon.Add(30*24*time.Hour).Unix() {
		t.Errorf("asked %d times: %+v", w.asked, r)
	}
	event, err := (&outbox.Outbox{DB: db.Client}).Get(t.Context(), dynamo.Text(images[0], "eventId"))
	if err != nil || event.Status != model.OutboxSent {
		t.Errorf("%+v, %v", event.Status, err)
	}
	again := noon.Add(8 * 24 * time.Hour)
	refetch := func() {
		if err := roomsAt(db.Client, again).Files.Refetch(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		w.sweep(t, db, again.Add(time.Minute))
	}
	before := w.asked
	if refetch(); w.asked != before+1 {
		t.Errorf("asked %d times more, want once", w.asked-before)
	}
	w.unknown = false
	if refetch(); record(t, db).S3Key != key || record(t, db).ForgottenAt != "" {
		t.Errorf("%+v", record(t, db))
	}
}

func TestAnErasedFileLeavesTheBucketAlsoIfItIsErasedDuringTheDownload(t *testing.T) {
	db := dynamotest.Start(t, together...)
	waiting(t, db)
	t.Run("after it was fetched", func(t *testing.T) {
		w := newWorld(t)
		w.sweep(t, db, noon.Add(time.Minute))
		if w.stored(t, key) == "" || w.stored(t, key+".thumbnail") == "" {
			t.Fatal("not fetched")
		}
		erase(t, db)
		w.sweep(t, db, noon.Add(2*time.Minute))
		if w.stored(t, key) != "" || w.stored(t, key+".thumbnail") != "" || record(t, db).ErasedAt == "" {
			t.Errorf("%+v", record(t, db))
		}
	})
	t.Run("during the download", func(t *testing.T) {
		w := newWorld(t)
		restore(t, db)
		w.meta.during = func() { erase(t, db) }
		w.sweep(t, db, noon.Add(time.Minute))
		if r := record(t, db); w.stored(t, key) != "" || w.stored(t, key+".thumbnail") != "" || r.ErasedAt == "" ||
			r.S3Key != "" {
			t.Errorf("%+v", r)
		}
	})
}

// restore brings the tables back to what waiting has stored.
func restore(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	for _, table := range []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences} {
		for _, item := range db.Items(t, table) {
			key := keys.ByPK(dynamo.Text(item, "pk"))
			if table.ID != tables.Messages.ID {
				key = keys.Key{PartitionName: table.Partition.Name, Partition: dynamo.Text(item, table.Partition.Name)}
			}
			if err := db.Transact(t.Context(), []dynamo.Write{dynamo.Delete{Table: table, Key: key}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	waiting(t, db)
}
