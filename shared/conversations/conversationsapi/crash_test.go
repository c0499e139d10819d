package conversationsapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/mailing/posting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// tried lists the attributes that say how often and when something was tried. They may differ after a crash.
var tried = []string{
	"retryCount", "lastError", "possibleDuplicate", "sentAt", "failedAt", "expiresAtEpochSeconds", "pacedTo",
	"deliveryStatusHistory", "unordered", "processing_time_ms", "updated_at", "failureCode", "failuresByClass"}

// takesOrRefuses takes each message under the same id, or refuses all.
type takesOrRefuses struct{ refuses bool }

func (f takesOrRefuses) Send(context.Context, whatsapp.Request) (whatsapp.Taken, error) {
	if f.refuses {
		return whatsapp.Taken{}, &whatsapp.SendError{
			Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 131026}}
	}
	return whatsapp.Taken{ID: "wamid.opening"}, nil
}

// The conversation and its message end alike, wherever the send or what settles it dies.
func TestAnOpeningSettlesOnceWhateverFails(t *testing.T) {
	// a later run plans the conversation's end for later
	tried := append([]string{"createdAt", "createdAt#eventId", "nextRetryAt#eventId", "notBefore"}, tried...)
	for _, refuses := range []bool{false, true} {
		t.Run(fmt.Sprint("refuses ", refuses), func(t *testing.T) {
			id := ""
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: tables.All(), Ignore: tried,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					w := firmOn(t, db)
					w.begins(asha, "r1", "")
					id = w.stored(asha, "r1").OutboxEventID
				},
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					w := worldWith(nil, nil, client, dynamotest.IDs("01a1fbae-3de3-707d-9ea1-%012d"))
					w.now = noon.Add(time.Minute + time.Duration(run)*3*time.Minute)
					relay := &outbox.Relay{
						Outbox: *w.rooms.Outbox(), Handlers: w.rooms.Handlers(takesOrRefuses{refuses}),
						Owner: fmt.Sprint("test ", run), Log: slog.New(slog.DiscardHandler),
						Sleep: func(context.Context, time.Duration) error { return nil },
					}
					if run > 0 {
						return relay.Sweep(ctx)
					}
					event, err := relay.Get(ctx, id)
					if err != nil {
						return err
					}
					return relay.Deliver(ctx, event)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}

// An address from which an email has come back is suppressed, and its conversation has failed, wherever that dies.
func TestAnEmailThatComesBackSurvivesEveryCrashPoint(t *testing.T) {
	told := notices.Notice{Kind: notices.Bounced, Permanent: true, Recipients: []string{ashaMail}}
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: tables.All(), Ignore: tried,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			w := mailing(firmOn(t, db))
			w.mails("r1", `{"email":"`+ashaMail+`","firstName":"Asha"}`)
			event := w.mailed("r1").OutboxEventID
			w.posts(&poster{}, event)
			told.Event = posting.Tag(event)
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			w := worldWith(nil, nil, client, nil)
			return posting.Told(ctx, w.rooms.Mailing, told)
		},
	})
	t.Logf("%d crash points", points)
}

// firmOn is firm on an engine.
func firmOn(t testing.TB, db *dynamotest.DB) *world {
	return firmIn(worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea0-%012d")))
}

// long has Asha write so much that a part of the conversation is in continuations.
func (w *world) long() {
	w.t.Helper()
	for i := range 12 {
		w.says(w.text(asha, fmt.Sprintf("wamid.long.%d", i), strings.Repeat("yes ", 100)))
	}
	if w.stored(asha, "r1").Continuations == 0 {
		w.t.Fatal("nothing has moved")
	}
}

// An erasure ends with nothing left of the person, wherever it dies.
func TestAnErasureOfConversationsSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Conversations, tables.AuditLogs, tables.Outbox, tables.OutboxSequences},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			whole := dynamotest.Start(t, tables.All()...)
			w := firmOn(t, whole)
			w.begins(asha, "r1", "")
			w.begins("919811111111", "r1", "")
			w.deliver(w.stored(asha, "r1").OutboxEventID)
			w.long()
			for _, table := range []tables.Table{tables.Conversations, tables.Outbox} {
				for _, item := range whole.Items(t, table) {
					if err := db.Put(t.Context(),
						dynamo.Put{Table: table, Item: item, If: dynamo.Unconditional}); err != nil {
						t.Fatal(err)
					}
				}
			}
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			w := worldWith(nil, nil, client, nil)
			of := erasure.SubjectOf(model.TenantID(apitest.TenantOf("1")), contacts.KnownByKey(wt.Phone, asha))
			counted := func(string, int) []dynamo.Write { return nil }
			_, err := w.domain.Part().Eraser.Erase(ctx, of, counted)
			if errors.Is(err, dynamo.ErrConflict) {
				return fmt.Errorf("again: %w", err)
			}
			return err
		},
	})
	t.Logf("%d crash points", points)
}

// While a conversation is open, its person is erased. What comes late is not written down again.
func TestAnErasureWithAnOpenConversation(t *testing.T) {
	w := firm(t)
	w.begins(asha, "r1", "")
	w.begins("919811111111", "r1", "")
	event := w.stored(asha, "r1").OutboxEventID
	w.long()
	done, err := w.rooms.Erase(t.Context(), erasure.Request{
		Tenant: model.TenantID(apitest.TenantOf("1")), Phone: wt.Phone, Customer: asha,
		By: audit.Actor{Subject: "operator"}, Reason: "asked"})
	if err != nil || done.CompletedAt == "" {
		t.Fatalf("%+v %v", done, err)
	}
	if _, err := w.rooms.Outbox().Get(t.Context(), event); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("the opening message is still there: %v", err)
	}
	w.says(w.text(asha, "wamid.long.3", "yes"), w.text(asha, "wamid.after", "hello again"))
	for _, item := range w.db.Items(t, tables.Conversations) {
		if strings.Contains(fmt.Sprint(item), asha) {
			t.Errorf("there is %v", item)
		}
	}
	if w.stored("919811111111", "r1").Status != conversationsmodel.Processing {
		t.Error("another person's conversation has changed")
	}
}

// A person is known by a user id first, and by the number of a conversation later: it is one person's.
func TestAConversationFollowsAMergeOfItsPerson(t *testing.T) {
	w := firm(t)
	first := w.text("", "wamid.1", "hello")
	delete(first, "from")
	first["from_user_id"] = "IN.77"
	w.says(first)
	w.begins(asha, "r1", "")
	w.deliver(w.stored(asha, "r1").OutboxEventID)
	w.now = w.now.Add(time.Minute)
	both := w.text(asha, "wamid.2", "this is my number")
	both["from_user_id"] = "IN.77"
	w.says(both)
	w.now = w.now.Add(time.Minute)
	alone := w.text("", "wamid.3", "and more")
	delete(alone, "from")
	alone["from_user_id"] = "IN.77"
	w.says(alone)
	if got := said(w.talk(asha, "r1")); !strings.HasSuffix(got, "user: this is my number; user: and more") {
		t.Error(got)
	}
	done, err := w.rooms.Erase(t.Context(), erasure.Request{
		Tenant: model.TenantID(apitest.TenantOf("1")), Phone: wt.Phone, Customer: "IN.77",
		By: audit.Actor{Subject: "operator"}, Reason: "asked"})
	if err != nil || done.Counts["companyConversations"] != 1 {
		t.Errorf("%+v %v", done, err)
	}
}
