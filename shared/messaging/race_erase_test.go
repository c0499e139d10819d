package messaging_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// erased repeats an erasure until it is complete.
func (r *round) erased(customer model.CustomerID) {
	r.t.Helper()
	for range 5 {
		done, err := r.Erase(r.t.Context(),
			erasure.Request{
				Tenant: "demo", Phone: r.phone, Customer: customer, Reason: "asked",
				By: audit.Actor{Subject: "user-1"}})
		if err != nil {
			r.t.Fatal(err)
		}
		if done.CompletedAt != "" {
			return
		}
	}
	r.t.Error("an erasure that is repeated does not come to its end")
}

// wantsNothingLeft fails the test if a table holds anything of an erased round's customers except tombstones and the
// audit record.
func (r *round) wantsNothingLeft() {
	r.t.Helper()
	for _, table := range []tables.Table{tables.Messages, tables.Outbox} {
		for _, item := range r.db.Items(r.t, table) {
			tombstone := dynamo.Text(item, "erasedAt") != "" &&
				(dynamo.Text(item, "itemType") == model.ItemErased || len(item) == 4)
			switch dynamo.Text(item, "itemType") {
			case model.ItemPhone, model.ItemSearchIndex: // they name the number, and no customer
				continue
			}
			if tombstone {
				continue
			}
			if text := string(wt.Encode(item)); strings.Contains(text, string(r.phone)) {
				r.t.Errorf("something is left: %.300s", text)
			}
		}
	}
}

// statusOf returns the receipt of a status of a message. It settles the message's event, if the callback identifies it.
func (r *round) statusOf(wamid, status string, accepted *sending.Accepted) operation {
	more := wt.Object{}
	if accepted != nil {
		more["biz_opaque_callback_data"] = accepted.OutboxEventID + ".token"
	}
	event := model.WebhookEvent{
		EventID: model.EventID(r.id("status-" + status)), EventType: whatsapp.KindStatus, PhoneNumberID: r.phone,
		ReceivedAt: model.At(noon),
		Payload:    wt.Encode(wt.Statuses(wt.Status(wamid, status, numberA, ago(1), more))["value"]),
	}
	return func(ctx context.Context, s *messaging.Domain) error {
		relay := &outbox.Relay{
			Outbox: outbox.Outbox{DB: s.DB, Now: s.Now}, Owner: "status", Log: slog.New(slog.DiscardHandler),
			Sleep:    func(context.Context, time.Duration) error { return context.Canceled },
			Handlers: s.Handlers(fakeWhatsApp(func(string) string { return "" })),
		}
		return s.StatusReader(s.SettleByStatus(relay)).Apply(ctx, event)
	}
}

// An erasure removes everything from before it, and a repeated call completes it, whatever runs at the same time.
func TestAnErasureRaces(t *testing.T) {
	t.Parallel()
	for name, race := range map[string]func(r *round){
		"with a message": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.erases(numberA), r.shows(numberA, "", "m2", 9))
			r.threads(shown...)
		},
		"with a message that shows another identifier": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.erases(numberA), r.shows(numberA, "IN.1", "m2", 9))
			r.threads(shown...)
		},
		"with a send": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.erases(numberA), r.sends(numberA, nil))
			all := r.threads(shown...)
			if len(all) > 0 {
				r.wants(all, "queued")
			}
		},
		"with a read receipt": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			errs := r.raceAnyhow(r.erases(numberA), r.reads(numberA))
			if errs[0] != nil || errs[1] != nil && errs[1] != inbox.ErrNoConversation {
				r.t.Error(errs)
			}
		},
		"with a status of a message that was sent": func(r *round) {
			var accepted sending.Accepted
			r.first(r.shows(numberA, "", "m1", 90), r.sends(numberA, &accepted))
			r.first(r.statusOf(r.id("sent"), "sent", &accepted))
			r.race(r.erases(numberA), r.statusOf(r.id("sent"), "delivered", &accepted))
		},
		"with the status that shows that a message was sent": func(r *round) {
			var accepted sending.Accepted
			r.first(r.shows(numberA, "", "m1", 90), r.sends(numberA, &accepted))
			r.race(r.erases(numberA), r.statusOf(r.id("sent"), "sent", &accepted))
		},
	} {
		t.Run(name, func(t *testing.T) {
			races(t, func(r *round) {
				race(r)
				r.erased(numberA)
				r.wantsNothingLeft()
			})
		})
	}
	t.Run("with a merge", func(t *testing.T) {
		races(t, func(r *round) {
			r.twoConversations()
			r.race(r.erases(numberA), r.merges())
			r.threads(shown...)
			r.erased(numberA)
			r.threads(shown...)
			for _, name := range []string{"m1", "m3"} {
				if _, err := r.Message(t.Context(), model.MessageID(r.id(name))); err == nil {
					t.Errorf("%s is left", name)
				}
			}
		})
	})
}
