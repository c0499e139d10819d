package conversations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	tenant = "demo"
	phone  = "106540352242922"
	waba   = "102290129340398"
	owner  = "919811100001"
	// aMessage is how much later each message comes: nobody writes more than the assistant answers.
	aMessage = 7 * time.Second
)

// house is a store with everything behind it, on an engine of its own.
type house struct {
	engine *engine.Engine
	db     *dynamo.Client
	rooms  *messaging.Domain
	shop   *commerce.Domain
	store  commercemodel.Store
	relay  *outbox.Relay
	now    atomic.Int64
	sent   []sent
	made   map[model.Name]int64 // the versions of orders that were followed
	said   int
}

// sent is a message that WhatsApp has taken.
type sent struct {
	id, to string
	body   map[string]any
}

// clientOf returns a client of an engine. The test has one that takes less time.
var clientOf = engine.Client

var silent = slog.New(slog.DiscardHandler)

// open starts the engine and furnishes the store.
func open(ctx context.Context, catalogue []byte) (*house, error) {
	root, err := engine.Root()
	if err != nil {
		return nil, err
	}
	h := &house{made: map[model.Name]int64{}}
	h.now.Store(time.Now().UnixNano())
	if h.engine, err = engine.Start(ctx, engine.Options{Root: root}); err != nil {
		return nil, err
	}
	all := tables.Read(tables.All()...)
	for i := range all {
		all[i].Stream = tables.NoStream // what follows from orders is brought here
	}
	client := clientOf(h.engine.Endpoint)
	if err := engine.CreateTables(ctx, client, all, tables.Dev); err != nil {
		h.engine.Stop()
		return nil, err
	}
	h.db = dynamo.Wrap(client, tables.Dev)
	h.rooms = registry.Reacting(registry.Open(messaging.Config{DB: h.db, Now: h.clock, DefaultTenant: tenant}))
	h.shop = registry.Commerce(h.rooms)
	h.relay = &outbox.Relay{
		Outbox: *h.rooms.Outbox(), Handlers: h.rooms.Handlers(h), Owner: "conversations", Log: silent,
		Sleep: func(_ context.Context, d time.Duration) error { h.now.Add(int64(d)); return nil },
	}
	if err := h.furnish(ctx, catalogue); err != nil {
		h.engine.Stop()
		return nil, err
	}
	return h, nil
}

func (h *house) clock() time.Time { return time.Unix(0, h.now.Add(int64(time.Millisecond))).UTC() }

// furnish makes the store: always open, it confirms orders itself, takes cash, UPI and credit, and its owner writes
// entries by chat.
func (h *house) furnish(ctx context.Context, catalogue []byte) error {
	if _, err := h.rooms.GiveNumber(ctx, numberOf()); err != nil {
		return err
	}
	hours := map[string]commercemodel.Hours{}
	for _, day := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		hours[day] = commercemodel.Hours{Open: "00:00", Close: "23:59"}
	}
	store, err := h.shop.Stores.Create(ctx, commercemodel.Store{
		TenantID: tenant, Name: "Sunita Store", OwnerName: "Sunita", Status: commercemodel.StoreActive,
		StoreType: "kirana", PhoneNumberIDs: []model.PhoneNumberID{phone},
		Address:     commercemodel.Address{Street: "12 Station Road", City: "Indore", State: "MP", Pincode: "452001"},
		ContactInfo: commercemodel.ContactInfo{Phone: "+" + owner, WhatsApp: "+" + owner},
		Settings: commercemodel.Settings{
			BusinessHours: hours, PaymentMethods: []string{"cod", "upi", "credit"},
			Confirmation: commercemodel.ConfirmByShop, Assistant: true,
			Credit: &commercemodel.Credit{
				Commands: true, DefaultLimit: &model.Amount{Decimal: decimal.NewFromInt(5000)}, VPA: "sunita@upi"},
		},
	}, "conversations", idempotency.Request{})
	if err != nil {
		return err
	}
	report, err := h.shop.Catalogue.Import(ctx, store, catalogue, true)
	if err == nil && report.Faulty > 0 {
		err = errors.New(report.Faults[0].Detail)
	}
	h.store = store
	return err
}

// say brings a message to the store and does all that follows from it. content is that of a webhook.
func (h *house) say(ctx context.Context, person string, content map[string]any) error {
	h.now.Add(int64(aMessage))
	h.said++
	at := h.clock()
	content["from"], content["id"], content["timestamp"] = person, fmt.Sprintf("wamid.in.%06d", h.said),
		strconv.FormatInt(at.Unix(), 10)
	body, err := json.Marshal(map[string]any{
		"object": "whatsapp_business_account",
		"entry": []any{map[string]any{"id": waba, "changes": []any{map[string]any{
			"field": "messages", "value": map[string]any{
				"messaging_product": "whatsapp",
				"metadata":          map[string]any{"display_phone_number": "15550783881", "phone_number_id": phone},
				"contacts":          []any{map[string]any{"wa_id": person, "profile": map[string]any{"name": "Asha"}}},
				"messages":          []any{content},
			},
		}}}}})
	if err != nil {
		return err
	}
	entries, err := whatsapp.DecodeWebhook(body)
	if err != nil {
		return err
	}
	if err := (webhooklog.Appender{DB: h.db, Now: h.clock}).Append(ctx, entries); err != nil {
		return err
	}
	reader := h.rooms.MessageReader(h.rooms.Subscriptions()...)
	for _, entry := range entries {
		ref := dynamo.Ref{Table: tables.Messages, Key: keys.WebhookEvent(model.EventID(entry.ID))}
		found, err := h.db.BatchGet(ctx, []dynamo.Ref{ref})
		if err != nil {
			return err
		}
		var event model.WebhookEvent
		if err := dynamo.Unmarshal(ref.Found(found), &event); err != nil {
			return err
		}
		if err := reader.Apply(ctx, event); err != nil {
			return err
		}
	}
	return h.settle(ctx)
}

// settle brings changes of orders to what follows them, and sends what waits, until nothing is left.
func (h *house) settle(ctx context.Context) error {
	for range 20 {
		followed, err := h.follow(ctx)
		if err != nil {
			return err
		}
		pending, _, err := h.relay.List(ctx, "", model.OutboxPending, 100, "")
		if err != nil {
			return err
		}
		// fetching files is not part of this
		pending = slices.DeleteFunc(pending, func(e model.OutboxEvent) bool { return keys.LaneOf(e.EventID) != "" })
		if len(pending) == 0 && !followed {
			return nil
		}
		slices.Reverse(pending)
		for _, event := range pending {
			if err := h.relay.Deliver(ctx, event); err != nil {
				return err
			}
		}
	}
	return errors.New("the outbox does not become empty")
}

// latestOrders is how many orders are looked at for changes. A conversation has fewer.
const latestOrders = 6

// follow does what follows from the orders that have changed.
func (h *house) follow(ctx context.Context) (bool, error) {
	latest, err := h.db.Query(ctx, dynamo.Query{
		Table: tables.Orders, Index: tables.IndexOrdersByTime, Where: "store_id = :store", Limit: latestOrders,
		Values: dynamo.Item{":store": dynamo.S(h.store.ID)}, Backwards: true,
	})
	if err != nil {
		return false, err
	}
	var records []events.DynamoDBEventRecord
	for i, row := range latest.Items {
		id, version := model.Name(dynamo.Text(row, "id")), dynamo.Int(row, "version")
		if h.made[id] == version {
			continue
		}
		h.made[id] = version
		records = append(records, events.DynamoDBEventRecord{EventName: "MODIFY", Change: events.DynamoDBStreamRecord{
			SequenceNumber: strings.Repeat("9", 21) + strconv.Itoa(i), NewImage: stream.Image(row),
		}})
	}
	if len(records) == 0 {
		return false, nil
	}
	response, err := h.shop.Following(silent, nil).Handle(ctx, events.DynamoDBEvent{Records: records})
	if err == nil && len(response.BatchItemFailures) > 0 {
		err = errors.New("what follows from an order has failed")
	}
	return true, err
}

// Send takes every message, as WhatsApp.
func (h *house) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	one := sent{id: fmt.Sprintf("wamid.out.%06d", len(h.sent)+1)}
	if err := json.Unmarshal(r.Body, &one.body); err != nil {
		return whatsapp.Taken{}, err
	}
	if one.body["status"] == "read" {
		return whatsapp.Taken{}, nil
	}
	to, _ := one.body["to"].(string)
	one.to = strings.TrimPrefix(to, "+")
	h.sent = append(h.sent, one)
	return whatsapp.Taken{ID: one.id}, nil
}

// answers returns what a person was sent since a place in all that was sent.
func (h *house) answers(person string, since int) []sent {
	var all []sent
	for _, one := range h.sent[since:] {
		if one.to == person && one.body["type"] != "reaction" {
			all = append(all, one)
		}
	}
	return all
}

// price sets the price of a product and returns the one it had.
func (h *house) price(ctx context.Context, product, price string) (string, error) {
	value, err := decimal.NewFromString(price)
	if err != nil {
		return "", err
	}
	was, err := h.shop.Catalogue.Get(ctx, h.store.ID, model.Name(product))
	if err != nil {
		return "", err
	}
	h.now.Add(int64(10 * time.Second)) // the index is built anew by then
	_, err = h.shop.Catalogue.Set(ctx, h.store, was.ProductID, was.Version,
		func(p *commercemodel.Product) { p.Price = model.Amount{Decimal: value} })
	return was.Price.String(), err
}

func numberOf() tenancy.NumberChange {
	return tenancy.NumberChange{
		Phone: phone, Tenant: tenant, WABA: waba, By: audit.Actor{Subject: "local"}, Reason: "the store's number"}
}
