package assistant_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// noon is a Saturday, half past five in the afternoon in the store.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const (
	tenant = "demo"
	asha   = "919876543210"
)

var allTables = []tables.Table{
	tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs, tables.Stores, tables.Products,
	tables.Orders, tables.Sessions, tables.RateLimits, tables.Metrics,
}

const catalogue = `product_id,name,name_local,category,brand,unit,pack_size,price,stock,keywords
RICE-1,Kolam Rice (loose),कोलम चावल (खुला),Rice,,kg,,62,80,chawal
RICE-2,Daawat Basmati Rice,दावत बासमती चावल,Rice,Daawat,packet,1 kg,165,20,chawal
RICE-3,Daawat Basmati Rice,दावत बासमती चावल,Rice,Daawat,packet,5 kg,780,0,chawal
DAL-1,Tur Dal,तुअर दाल,Pulses,,kg,,160,5,arhar
SALT-1,Catch Salt,कैच नमक,Salt,Catch,packet,1 kg,27,50,namak
SPICE-1,Coriander Powder,धनिया पाउडर,Spices,,kg,,200,6,dhaniya
`

// house is a store with the rooms around it, on one engine.
type house struct {
	t     testing.TB
	db    *dynamotest.DB
	rooms *messaging.Domain
	shop  *commerce.Domain
	now   time.Time
	said  int
}

// on returns the domain on a client of an engine.
func on(t testing.TB, db *dynamotest.DB, client *dynamo.Client, now time.Time) *house {
	h := &house{t: t, db: db, now: now}
	h.rooms = messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return h.now }, DefaultTenant: tenant,
		NewToken: func() string { return "token" }, NewID: dynamotest.IDs("01a1fbae-3de3-707d-9ea6-%012d"),
	})
	h.shop = commerce.New(commerce.Config{
		DB: client, Now: h.rooms.Now, NewID: h.rooms.NewID,
		Sender: h.rooms.Sender, Numbers: h.rooms.Numbers, Inbox: h.rooms.Inbox, Contacts: h.rooms.Contacts,
		Addresses: h.rooms, Forms: h.rooms.Forms,
	})
	h.rooms.Join(h.shop.Part())
	h.rooms.React(h.shop.Subscriptions()...)
	return h
}

// newHouse returns a store that is open, with what change makes of its settings.
func newHouse(t testing.TB, change func(s *commercemodel.Store)) *house {
	t.Helper()
	db := dynamotest.Start(t, allTables...)
	h := on(t, db, db.Client, noon)
	h.furnish(change)
	return h
}

func (h *house) furnish(change func(s *commercemodel.Store)) commercemodel.Store {
	h.t.Helper()
	h.db.Seed(h.t, tables.Messages,
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: "PHONE", PhoneNumberID: wt.Phone, TenantID: tenant,
			WABAMetaID: wt.WABA, DisplayPhoneNumber: "1"})
	store := commercemodel.Store{
		TenantID: tenant, Name: "Rao Kirana", Status: commercemodel.StoreActive,
		PhoneNumberIDs: []model.PhoneNumberID{wt.Phone},
		Settings:       commercemodel.Settings{Assistant: true, Confirmation: commercemodel.ConfirmAutomatic},
	}
	if change != nil {
		change(&store)
	}
	store, err := h.shop.Stores.Create(h.t.Context(), store, "seed", idempotency.Request{})
	h.must(err)
	report, err := h.shop.Catalogue.Import(h.t.Context(), store, []byte(catalogue), true)
	h.must(err)
	if report.Faulty > 0 || report.Stored != 6 {
		h.t.Fatalf("%+v", report)
	}
	return store
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// messages returns the webhook entries of what a customer says, in order.
func (h *house) messages(says ...string) []model.WebhookEvent {
	h.t.Helper()
	var bodies [][]byte
	for _, text := range says {
		h.said++
		id, at := fmt.Sprintf("wamid.%03d", h.said), h.now.Add(time.Duration(h.said)*time.Second-time.Minute)
		message := wt.Text(asha, id, text, at)
		if payload, tapped := strings.CutPrefix(text, "tap "); tapped {
			button, under := h.button(payload)
			message = wt.Tap(asha, id, button, payload, under, at)
		}
		if article, cart := strings.CutPrefix(text, "cart "); cart {
			article, note, _ := strings.Cut(article, " with ")
			message = wt.Message(asha, id, "order", at,
				wt.Object{"order": wt.Object{"catalog_id": "c1", "text": note, "product_items": wt.List{
					wt.Object{"product_retailer_id": article, "quantity": "2", "item_price": 1, "currency": "INR"},
					wt.Object{"product_retailer_id": "", "quantity": "many"},
				}}})
		}
		switch text {
		case "voice":
			message = wt.Message(asha, id, "audio", at,
				wt.Object{"audio": wt.Object{"id": "media-1", "mime_type": "audio/ogg", "voice": true}})
		case "location":
			message = wt.Message(asha, id, "location", at,
				wt.Object{"location": wt.Object{"latitude": 22.75, "longitude": 75.89}})
		}
		if text == "cart of 101 lines" {
			lines := slices.Repeat(wt.List{wt.Object{"product_retailer_id": "RICE-1", "quantity": "1"}}, 101)
			message = wt.Message(asha, id, "order", at,
				wt.Object{"order": wt.Object{"catalog_id": "c1", "product_items": lines}})
		}
		bodies = append(bodies, wt.Body(wt.Messages(wt.List{wt.Contact(asha, "Asha Rao")}, message)))
	}
	events := h.logged(bodies...)
	return events[len(events)-len(says):]
}

// logged returns the entries of the log, with those of more bodies.
func (h *house) logged(bodies ...[]byte) []model.WebhookEvent {
	h.t.Helper()
	var events []model.WebhookEvent
	for _, image := range messagingtest.Logged(h.t, h.db, func() time.Time { return h.now }, bodies...) {
		var event model.WebhookEvent
		h.must(dynamo.Unmarshal(image, &event))
		events = append(events, event)
	}
	return events
}

func (h *house) receive(ctx context.Context, events []model.WebhookEvent) error {
	for _, event := range events {
		if err := h.rooms.MessageReader(h.rooms.Subscriptions()...).Apply(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

// answers returns what the assistant has said, in order.
func (h *house) answers() []model.Message {
	h.t.Helper()
	var all []model.Message
	for _, item := range h.db.Items(h.t, tables.Messages) {
		var m model.Message
		if !messagingtest.IsOurs(item) {
			continue
		}
		h.must(dynamo.Unmarshal(item, &m))
		at := 0
		for at < len(all) && all[at].Order() < m.Order() {
			at++
		}
		all = append(all[:at], append([]model.Message{m}, all[at:]...)...)
	}
	return all
}

// button returns the payload of a button or row of the last answer, by the beginning of its title, and the id of the
// answer.
func (h *house) button(title string) (payload, under string) {
	h.t.Helper()
	all := h.answers()
	last := all[len(all)-1]
	content := string(last.Content)
	for _, part := range strings.Split(content, "{") {
		if strings.Contains(part, `"title":"`+title) {
			_, id, _ := strings.Cut(part, `"id":"`)
			id, _, _ = strings.Cut(id, `"`)
			answer, _ := keys.MessageIDOf(last.PK)
			return id, string(answer)
		}
	}
	h.t.Fatalf("no button %q in %s", title, content)
	return "", ""
}

// say has the customer say something and returns what the assistant answers; "" for nothing.
func (h *house) say(text string) string {
	h.t.Helper()
	before := len(h.answers())
	h.must(h.receive(h.t.Context(), h.messages(text)))
	all := h.answers()
	if len(all) == before {
		return ""
	}
	if len(all) != before+1 {
		h.t.Fatalf("%d answers to one message", len(all)-before)
	}
	last := all[len(all)-1]
	if last.TextBody != "" {
		return last.TextBody
	}
	return whatsapp.Text(last.Content).Object().Object("interactive").Object("body").Text("text")
}

func (h *house) orders() []commercemodel.Order {
	h.t.Helper()
	var all []commercemodel.Order
	for _, item := range h.db.Items(h.t, tables.Orders) {
		var o commercemodel.Order
		h.must(dynamo.Unmarshal(item, &o))
		all = append(all, o)
	}
	return all
}

// furnished returns the store.
func (h *house) furnished() commercemodel.Store {
	h.t.Helper()
	var store commercemodel.Store
	h.must(dynamo.Unmarshal(h.db.Items(h.t, tables.Stores)[0], &store))
	return store
}

var store100 = decimal.NewFromInt(100)
