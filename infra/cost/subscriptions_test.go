package cost

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/pushes"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webpush"
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
	s.relays(s.rooms().EventSubscriptions.Handlers(nil, bus))
}

// relays has the slow lane do what waits, and what follows from it.
func (s *system) relays(handlers map[string]outbox.Handler) {
	relay := &outbox.Relay{
		Outbox: *s.rooms().Outbox(), Lane: keys.LaneSlow, Owner: "TCMYMFBRAHUWPJWEA6KFTJMZZH", Handlers: handlers,
		Log: slog.New(slog.DiscardHandler), Sleep: dynamo.Sleep,
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

// browsers is a push service that takes everything, and a vault that opens everything.
type browsers struct{ told int }

func (b *browsers) Post(context.Context, webpush.Browser, webpush.Message) (webpush.Answer, error) {
	b.told++
	return webpush.Answer{Status: http.StatusCreated}, nil
}

func (b *browsers) Seal(_ context.Context, secret, _ string, _ map[string]string) (string, error) {
	return secret, nil
}

func (b *browsers) Open(_ context.Context, stored string, _ map[string]string) (string, error) {
	return stored, nil
}

// watched has one colleague be notified in one browser.
func (s *system) watched() {
	s.known()
	device := model.PushDevice{
		PK: keys.PushDevice("demo", "sunita", "laptop").Partition, ItemType: model.ItemPushDevice, TenantID: "demo",
		Subject: "sunita", DeviceID: "laptop",
		Endpoint: "https://fcm.googleapis.com/fcm/send/" + strings.Repeat("d", 150),
		P256dh:   strings.Repeat("k", 87), Auth: strings.Repeat("a", 22), Wants: []string{pushes.Unassigned},
		Language: "hi", CreatedAt: model.At(s.now), ChangedAt: model.At(s.now), Roles: []string{"operator"},
		ConfirmedAt: model.At(s.now), Version: 1}
	s.db.Seed(s.t, tables.Messages, device,
		model.Person{
			PK: keys.Person("sunita").Partition, ItemType: model.ItemPerson, Subject: "sunita", Name: "Sunita Sharma",
			Roles: []string{"operator"}, Tenants: 1},
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
			WABAMetaID: wt.WABA, Subscribed: true},
		model.Member{
			PK: keys.Member("sunita", "demo").Partition, ItemType: model.ItemMember, Subject: "sunita",
			TenantID: "demo", FromPK: keys.TenantsOf("sunita"), ReceivedAt: model.At(s.now), GivenAt: model.At(s.now)},
		model.PushKey{
			PK: keys.PushKey("demo").Partition, ItemType: model.ItemPushKey, PublicKey: strings.Repeat("p", 87),
			PrivateKey: strings.Repeat("s", 60), CreatedAt: model.At(s.now)})
}

// notified has the slow lane notify browsers.
func (s *system) notified() {
	b := &browsers{}
	rooms := s.rooms()
	rooms.Pushes.Vault = b
	handlers := rooms.EventSubscriptions.Handlers(nil, nil)
	maps.Copy(handlers, rooms.Pushes.Handlers(b))
	if s.relays(handlers); b.told != 1 {
		s.t.Errorf("notified %d times", b.told)
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
		{name: "an inbound text of which a colleague is notified in a browser, and notifying them", max: 34,
			before: (*system).watched, run: func(s *system) {
				s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, 2))))
				s.consume()
				s.notified()
			}},
	}
}
