package messagingapi

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// writing is one way to call an operation that writes: what must be there, and the request, which the caller repeats
// until it is answered. Where repeating it would do it twice, it has an idempotency key.
type writing struct {
	name    string
	prepare func(w *world) (id string) // fills {eventId}
	path    string
	key     string
	body    string
}

// traces has Asha leave what a customer can: a conversation that took in another, aliases, an entry of the log that she
// shares with Ravi, a photo, and in the outbox a sent message, a dead letter, and one that waits.
func traces(w *world) string {
	merged(w)
	w.receives(number, waba, wt.Contact("918888888888", "Ravi"), wt.Text("918888888888", "wamid.RAVI1", "hi", minutesAgo(3)),
		wt.Message(asha, "wamid.ASHA2", "image", minutesAgo(2), wt.Object{"image": wt.Object{"id": "media-2", "mime_type": "image/jpeg"}}))
	sent(w, takes("wamid.OUT1"), refuses, nil)
	return ""
}

// writings are, by operation, the ways to call it. An operation that writes and is not here has not been broken.
func writings() map[string][]writing {
	unread := func(*world) string { return "" }
	marked := func(mark string) func(w *world) string {
		return func(w *world) string {
			w.post(operator(shop), toAsha+"/"+mark, nil).want(w.t, http.StatusNoContent)
			return ""
		}
	}
	deadReceipt := func(w *world) string {
		w.post(operator(shop), toAsha+"/read", nil).want(w.t, http.StatusNoContent)
		id := slices.Collect(maps.Keys(w.sendings()))[0]
		w.relays(id, refuses)
		return id
	}
	return map[string][]writing{
		"mark-conversation-read": {
			{name: "unread", prepare: unread, path: toAsha + "/read"},
			{name: "read already", prepare: marked("read"), path: toAsha + "/read"},
		},
		"mark-conversation-unread": {
			{name: "unread already", prepare: unread, path: toAsha + "/unread"},
			{name: "read", prepare: marked("read"), path: toAsha + "/unread"},
		},
		"erase-customer": {
			{name: "with all that a customer can leave, by another name", prepare: traces,
				path: "/v1/conversations/" + number + ":IN.77/erase", body: `{"reason":"asked for it"}`},
			{name: "erased already", prepare: func(w *world) string {
				w.post(operator(shop), toAsha+"/erase", wt.Object{"reason": "asked for it"}).want(w.t, http.StatusOK)
				return ""
			}, path: toAsha + "/erase", body: `{"reason":"again"}`},
		},
		"resume-number":          {{name: "a stopped one", prepare: func(w *world) string { w.stops(); return "" }, path: "/v1/numbers/" + number + "/resume"}},
		"record-export":          {{name: "of a tenant", prepare: unread, path: "/v1/tenants/" + shop + "/exports"}},
		"archive-conversation":   {{name: "in the inbox", prepare: unread, path: toAsha + "/archive"}},
		"unarchive-conversation": {{name: "in the archive", prepare: marked("archive"), path: toAsha + "/unarchive"}},
		"send-text": {
			{name: "first", prepare: unread, path: sendPath, key: "k1", body: `{"body":"hello"}`},
			{name: "as an answer, in line behind another", prepare: func(w *world) string { sent(w, nil); return "" },
				path: sendPath, key: "k1", body: `{"body":"hello","replyTo":"wamid.ASHA1"}`},
			{name: "into a conversation that was merged", prepare: func(w *world) string { merged(w); return "" },
				path: "/v1/conversations/" + number + ":IN.77/messages/text", key: "k1", body: `{"body":"hello"}`},
		},
		"send-template": {
			{name: "into a conversation", prepare: unread, path: templating, key: "k1", body: `{"name":"offer","language":"en","body":[{"text":"Asha"}]}`},
			{name: "to a customer never seen", prepare: unread, path: "/v1/conversations/" + number + ":917777777777/messages/template",
				key: "k1", body: `{"name":"offer","language":"en"}`},
		},
		"replay-outbox-event": {
			{name: "a message", prepare: func(w *world) string { return sent(w, refuses)[0].OutboxEventID }, path: "/v1/outbox/{eventId}/replay", key: "k1"},
			{name: "a read receipt", prepare: deadReceipt, path: "/v1/outbox/{eventId}/replay", key: "k1"},
		},
		"dismiss-outbox-event": {
			{name: "a dead letter", prepare: func(w *world) string { return sent(w, refuses)[0].OutboxEventID }, path: "/v1/outbox/{eventId}/dismiss", body: `{"reason":"the customer called"}`},
		},
		"replay-outbox-events": {
			{name: "a page of them", prepare: func(w *world) string { laterDead(w, refuses, refuses, nil); return "" }, path: "/v1/outbox-replays", key: "k1", body: `{"code":"131026"}`},
		},
		"continue-outbox-replay": {
			{name: "one that was left off", prepare: func(w *world) string {
				laterDead(w, refuses)
				return leftOff(w)
			}, path: "/v1/outbox-replays/{eventId}/continue"},
		},
		"replay-webhook-event": {
			{name: "a processed one", path: "/v1/webhook-events/{eventId}/replay", prepare: func(w *world) string {
				event := w.logs(waba, "messages", wt.Object{"metadata": metadata(number), "messages": wt.List{wt.Text(asha, "wamid.1", "hi", noon)}})
				if err := w.store.MarkProcessed(w.t.Context(), event.EventID); err != nil {
					w.t.Fatal(err)
				}
				return string(event.EventID)
			}},
		},
	}
}

func TestEveryOperationThatWritesIsBroken(t *testing.T) {
	var want []string
	for id, op := range operationsOf(newWorld(t)) {
		if op.Method != http.MethodGet {
			want = append(want, id)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(writings()))); diff != "" {
		t.Errorf("operations that write, and those the test breaks:\n%s", diff)
	}
}

func TestOperationsSurviveEveryCrashPoint(t *testing.T) {
	for operation, ways := range writings() {
		for _, way := range ways {
			t.Run(operation+" "+way.name, func(t *testing.T) {
				t.Logf("%d crash points", dynamotest.EveryCrashPoint(t, way.crash()))
			})
		}
	}
}

// request is the request, about an event where its path names one.
func (c writing) request(id string) request {
	r := request{by: operator(shop), method: http.MethodPost, path: strings.ReplaceAll(c.path, "{eventId}", id), body: c.body}
	if c.key != "" {
		r.headers = map[string]string{"idempotency-key": c.key}
	}
	return r
}

// crash is the operation to be broken. A caller repeats until the answer is a success, and it must be the same answer,
// whatever went wrong before.
func (c writing) crash() dynamotest.Crash {
	var id string
	var clean *answer
	return dynamotest.Crash{
		Tables: apiTables,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			w := worldOn(t, db, db.Client)
			w.ours(shop, number, waba)
			w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA1", "2 kg rice chahiye", minutesAgo(1)))
			id = c.prepare(w)
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			w := worldOn(nil, nil, client)
			*w.store = *w.store.With(func(c *messaging.Config) {
				c.NewID = func() string { return "queued-by-the-broken-one" } // the same, whichever attempt commits
			})
			got, err := w.try(ctx, c.request(id))
			switch {
			case err != nil:
				return err
			case got.status >= 300:
				return fmt.Errorf("answered %d: %s", got.status, got.body)
			case clean == nil:
				clean = &got
			case got.status != clean.status || got.body != clean.body:
				return fmt.Errorf("answered %d: %s; a clean run answers %d: %s", got.status, got.body, clean.status, clean.body)
			}
			return nil
		},
	}
}
