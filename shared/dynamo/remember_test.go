package dynamo_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func refOf(id model.MessageID) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)}
}

func TestWhatWasReadAheadIsNotReadAgain(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	put(t, db, messageItem("1", dynamo.Item{"n": dynamo.N(1)}))
	put(t, db, messageItem("3", dynamo.Item{"n": dynamo.N(3)}))
	client, meter := db.Metered(t)
	ctx := dynamo.Remember(t.Context())
	calls := func(want int, of string, read func() error) {
		t.Helper()
		meter.Reset()
		if err := read(); err != nil {
			t.Fatalf("%s: %v", of, err)
		}
		if trips := meter.Cost().RoundTrips; trips != want {
			t.Errorf("%s took %d calls, want %d", of, trips, want)
		}
	}
	batch := func(ctx context.Context, ids ...model.MessageID) func() error {
		return func() error {
			var refs []dynamo.Ref
			for _, id := range ids {
				refs = append(refs, refOf(id))
			}
			found, err := client.BatchGet(ctx, refs)
			for _, ref := range refs {
				if there := ref.Key.Partition != keys.Message("2").Partition; (ref.Found(found) != nil) != there {
					t.Errorf("%s was found: %v", ref.Key.Partition, !there)
				}
			}
			return err
		}
	}
	get := func(ctx context.Context, id model.MessageID, want error) func() error {
		return func() error {
			var got struct {
				PK string `dynamodbav:"pk"`
			}
			err := client.Get(ctx, tables.Messages, keys.Message(id), &got)
			if !errors.Is(err, want) || want == nil && got.PK != keys.Message(id).Partition {
				t.Errorf("%s: %q, %v", id, got.PK, err)
			}
			return nil
		}
	}
	calls(1, "two items", batch(ctx, "1", "2"))
	calls(0, "an item that is there", get(ctx, "1", nil))
	calls(0, "an item that is absent", get(ctx, "2", dynamo.ErrNotFound))
	calls(1, "one more", batch(ctx, "1", "2", "3"))
	calls(0, "all three", batch(ctx, "3", "2", "1"))
	calls(1, "another context", batch(t.Context(), "1", "2"))
	calls(1, "and its next read", get(t.Context(), "1", nil))
}

func TestAWriteForgetsWhatWasRead(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	ctx := dynamo.Remember(t.Context())
	value := func() int64 {
		t.Helper()
		found, err := db.BatchGet(ctx, []dynamo.Ref{refOf("1")})
		if err != nil {
			t.Fatal(err)
		}
		return dynamo.Int(refOf("1").Found(found), "n")
	}
	number := func(n int) dynamo.Item { return messageItem("1", dynamo.Item{"n": dynamo.N(n)}) }
	update := dynamo.Update{Table: tables.Messages, Key: keys.Message("1"), Do: "SET n = :n",
		Values: dynamo.Item{":n": dynamo.N(3)}, If: dynamo.IfPresent}
	failing := dynamo.Put{Table: tables.Messages, Item: number(9), If: dynamo.IfAbsent}
	elsewhere := func() error { put(t, db, number(7)); return nil }
	for name, c := range map[string]struct {
		write  func() error
		fails  bool
		writes int64
	}{
		"a put": {func() error {
			return db.Put(ctx, dynamo.Put{Table: tables.Messages, Item: number(2), If: dynamo.Unconditional})
		}, false, 2},
		"an update":     {func() error { return db.Update(ctx, update) }, false, 3},
		"a transaction": {func() error { return db.Transact(ctx, []dynamo.Write{update}) }, false, 3},
		"a put that fails": {func() error {
			return errors.Join(elsewhere(), db.Put(ctx, failing))
		}, true, 7},
		"a transaction that fails": {func() error {
			return errors.Join(elsewhere(), db.Transact(ctx, []dynamo.Write{failing}))
		}, true, 7},
		"somebody else's, and then a wait": {func() error {
			return errors.Join(elsewhere(), dynamo.Sleep(ctx, time.Nanosecond))
		}, false, 7},
	} {
		put(t, db, number(1))
		if err := dynamo.Sleep(ctx, time.Nanosecond); err != nil {
			t.Fatal(err)
		}
		if n := value(); n != 1 {
			t.Fatalf("%s: it begins with %d", name, n)
		}
		if err := c.write(); (err != nil) != c.fails {
			t.Errorf("%s: %v", name, err)
		}
		if n := value(); n != c.writes {
			t.Errorf("after %s, %d is read, want %d", name, n, c.writes)
		}
	}
}

// during runs something after a read has been answered, before its caller gets the answer.
type during struct{ run func() }

func (d *during) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if d.run != nil && strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".BatchGetItem") {
		run := d.run
		d.run = nil
		run()
	}
	return answer, err
}

func TestAReadDuringAWriteIsNotRemembered(t *testing.T) {
	for _, reads := range []string{"one", "a batch"} {
		db := dynamotest.Start(t, tables.Messages)
		between := &during{}
		client := db.Through(between)
		ctx := dynamo.Remember(t.Context())
		put(t, db, messageItem("1", dynamo.Item{"n": dynamo.N(1)}))
		between.run = func() {
			write := dynamo.Put{Table: tables.Messages, Item: messageItem("1", dynamo.Item{"n": dynamo.N(2)}),
				If: dynamo.Unconditional}
			if err := client.Put(ctx, write); err != nil {
				t.Error(err)
			}
		}
		read := func() int64 {
			t.Helper()
			var got struct {
				N int64 `dynamodbav:"n"`
			}
			if reads == "one" {
				if err := client.Get(ctx, tables.Messages, keys.Message("1"), &got); err != nil {
					t.Fatal(err)
				}
				return got.N
			}
			found, err := client.BatchGet(ctx, []dynamo.Ref{refOf("1")})
			if err != nil {
				t.Fatal(err)
			}
			return dynamo.Int(refOf("1").Found(found), "n")
		}
		if n := read(); n != 1 {
			t.Errorf("%s before the write: %d", reads, n)
		}
		if n := read(); n != 2 {
			t.Errorf("%s after the write: %d", reads, n)
		}
	}
}
