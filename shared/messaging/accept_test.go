package messaging_test

import (
	"sync"
	"testing"

	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A campaign, two operators and an order notice may write to one customer at the same time.
func TestAHundredConcurrentSendsIntoOneConversationAreAllAccepted(t *testing.T) {
	const sends = 100
	for name, c := range map[string]struct {
		open bool // true: the customer has written, and texts may be sent; false: templates open the conversation
		out  sending.Outgoing
	}{
		"templates to somebody new": {
			false, sending.Outgoing{Content: content.Template{Name: "hello_world", Language: "en_US"}}},
		"texts into an open window": {true, sending.Outgoing{Content: content.Text{Body: "Your order is ready"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits
			w := newFixture(t)
			if c.open {
				w.says("919876543210", "wamid.1", "hello", 5)
			}
			w.set(func(c *messaging.Config) { c.DB, _ = w.db.Conflicting(7) })
			c.out.Tenant, c.out.Phone, c.out.Customer, c.out.SentBy = "demo", wt.Phone, "919876543210", "user-1"
			var all sync.WaitGroup
			accepted := make([]sending.Accepted, sends)
			for i := range accepted {
				all.Go(func() {
					var err error
					if accepted[i], err = w.Accept(t.Context(), c.out, idempotency.Request{}); err != nil {
						t.Errorf("send %d: %v", i, err)
					}
				})
			}
			all.Wait()
			w.set(func(c *messaging.Config) { c.DB = w.db.Client })
			w.eachHasItsOwnNumber(accepted)
		})
	}
}

// eachHasItsOwnNumber checks that the outbox events of sends into one conversation are numbered without gaps.
func (w *fixture) eachHasItsOwnNumber(accepted []sending.Accepted) {
	w.t.Helper()
	events := outbox.Outbox{DB: w.DB, Now: w.Now}
	seen := map[int64]model.MessageID{}
	for _, a := range accepted {
		event, err := events.Get(w.t.Context(), a.OutboxEventID)
		if err != nil {
			w.t.Fatalf("event of %s: %v", a.MessageID, err)
		}
		if other, taken := seen[event.SequenceNumber]; taken {
			w.t.Errorf("%s and %s have the number %d", other, a.MessageID, event.SequenceNumber)
		}
		seen[event.SequenceNumber] = a.MessageID
	}
	for number := range int64(len(accepted)) {
		if _, ok := seen[number+1]; !ok {
			w.t.Errorf("nothing has the number %d", number+1)
		}
	}
	var sequence model.OutboxSequence
	ref := outbox.SequenceRef("demo", "whatsapp", keys.WhatsAppEntityID(wt.Phone, "919876543210"))
	if err := w.DB.Get(w.t.Context(), tables.OutboxSequences, ref.Key, &sequence); err != nil ||
		sequence.Current != int64(len(accepted)) {
		w.t.Errorf("the sequence stands at %d: %v", sequence.Current, err)
	}
	messages := 0
	for _, item := range w.db.Items(w.t, tables.Messages) {
		if messagingtest.IsOurs(item) {
			messages++
		}
	}
	if messages != len(accepted) {
		w.t.Errorf("%d messages are in the timeline, want %d", messages, len(accepted))
	}
}
