package cost

import (
	"context"
	"log/slog"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// gathering is an event bus that takes everything. An endpoint costs the same: what differs is no unit of DynamoDB's.
type gathering struct{ told int }

func (b *gathering) Put(context.Context, subscriptions.BusEvent) error { b.told++; return nil }

// listened has one place outside be told of messages.
func (s *system) listened() {
	s.known()
	s.db.Seed(s.t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA})
	_, err := s.rooms().EventSubscriptions.Put(s.flow(), "demo", "bus",
		subscriptions.Wanted{Kinds: []string{inbox.EventReceived}, Enabled: true})
	s.must(err)
	s.slow(&gathering{})
	s.now = s.now.Add(time.Minute)
}

// slow has the slow lane do what waits about subscriptions, and what follows from it.
func (s *system) slow(bus subscriptions.Bus) {
	relay := &outbox.Relay{
		Outbox: *s.rooms().Outbox(), Lane: keys.LaneSlow, Owner: "TCMYMFBRAHUWPJWEA6KFTJMZZH",
		Handlers: s.rooms().EventSubscriptions.Handlers(nil, bus), Log: slog.New(slog.DiscardHandler),
		Sleep: dynamo.Sleep,
	}
	for range 2 { // replaces the stream
		for _, item := range s.db.Items(s.t, tables.Outbox) {
			var event model.OutboxEvent
			s.must(dynamo.Unmarshal(item, &event))
			if event.Status == model.OutboxPending && keys.LaneOf(event.EventID) == keys.LaneSlow {
				s.must(relay.Deliver(s.flow(), event))
			}
		}
	}
}

// subscriptionFlows returns what it costs beside that somebody outside is told.
func subscriptionFlows() []flow {
	return []flow{
		{name: "an inbound text of which somebody outside is told, and telling it", max: 32, before: (*system).listened,
			run: func(s *system) {
				s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, 2))))
				s.consume()
				bus := &gathering{}
				if s.slow(bus); bus.told != 1 {
					s.t.Errorf("told %d times", bus.told)
				}
			}},
	}
}
