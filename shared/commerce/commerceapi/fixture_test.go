package commerceapi

import (
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/tables"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var apiTables = []tables.Table{
	tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs, tables.Stores, tables.Products,
	tables.Orders, tables.Sessions, tables.Metrics, tables.RateLimits,
}

// world is the API on an engine.
type world struct {
	t      testing.TB
	db     *dynamotest.DB
	now    time.Time
	shop   *commerce.Domain
	server *apitest.Server
}

// The requests of the tests, as apitest makes them.
type (
	request = apitest.Request
	answer  = apitest.Answer
)

// worldWith returns the API on a client of an engine, with a limit on calls.
func worldWith(t testing.TB, db *dynamotest.DB, client *dynamo.Client, newID func() string,
	limit ratelimit.Limit) *world {
	w := &world{t: t, db: db, now: noon}
	rooms := messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return w.now }, NewID: newID, NewToken: func() string { return "token" }})
	w.shop = commerce.New(commerce.Config{
		DB: client, Now: rooms.Now, NewID: newID,
		Sender: rooms.Sender, Numbers: rooms.Numbers, Inbox: rooms.Inbox, Contacts: rooms.Contacts,
	})
	w.shop.CallLimit = limit
	mux := http.NewServeMux()
	api := New(mux, w.shop, slog.New(slog.DiscardHandler))
	w.server = &apitest.Server{API: api, Handler: httpapi.NewHandler(apitest.Cursors().On(mux), API)}
	return w
}

func newWorld(t testing.TB) *world {
	db := dynamotest.Start(t, apiTables...)
	return worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea0-%012d"), ratelimit.Limit{})
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// call makes a request as the operator of the first tenant.
func (w *world) call(method, path, body string) answer {
	w.t.Helper()
	return w.server.Do(w.t, request{
		By: apitest.Operator(apitest.TenantOf("1")), Method: method, Path: path, Body: body,
		Headers: map[string]string{"idempotency-key": "key of " + path + body},
	})
}

// belongings are what a tenant has, as somebody may have come to know it.
type belongings struct {
	tenant, phone, store, owner, order, moving, sold, billed, customer, session string
}

const customerOf = "91987654321"

// furnish gives a tenant a store with two products and two orders, and a customer with whom a person speaks.
func (w *world) furnish(digit string) belongings {
	w.t.Helper()
	b := belongings{
		tenant: apitest.TenantOf(digit), phone: "70000000000000" + digit, owner: "OWNER-" + digit,
		customer: customerOf + digit}
	phone := model.PhoneNumberID(b.phone)
	w.db.Seed(w.t, tables.Messages,
		model.Phone{
			PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone,
			TenantID: model.TenantID(b.tenant)})
	store := w.opens(b, "seed "+digit)
	b.store = string(store.ID)
	w.opens(belongings{tenant: b.tenant, owner: b.owner}, "other "+digit)
	report, err := w.shop.Catalogue.Import(w.t.Context(), store,
		[]byte("product_id,name,category,brand,unit,pack_size,price,stock\n"+
			"RICE,Rice "+apitest.SecretOf(digit)+
			",Staples,Haat,kg,,60,100\nSALT,Salt,Staples,Haat,packet,1 kg,25.50,10\n"), true)
	w.must(err)
	if report.Faulty > 0 {
		w.t.Fatal(report.Faults)
	}
	for _, code := range []model.Name{"DIWALI10", "EID5"} {
		_, err := w.shop.Codes.Set(w.t.Context(), store, code, 0, func(c *commercemodel.Code) {
			ten := whole(10)
			c.Discount.Percent = &ten
		})
		w.must(err)
	}
	b.order, b.moving = w.ordered(store, b, "first "+digit), w.ordered(store, b, "second "+digit)
	b.sold, b.billed = w.refunded(store, b, "third "+digit), w.refunded(store, b, "fourth "+digit)
	billed, err := w.shop.Orders.Get(w.t.Context(), store.ID, model.Name(b.billed))
	w.must(err)
	_, err = w.shop.Invoices.Credit(w.t.Context(), store, billed) // and the invoice
	w.must(err)
	for version := range int64(2) { // two changes of an order wait
		key := keys.FollowUp(store.ID, model.Name(b.order), version+1)
		w.db.Seed(w.t, tables.Metrics, commercemodel.FollowUp{
			PK: key.Partition, SK: key.Sort, Failures: 1, FirstFailedAt: model.At(noon),
			LastError: "no store " + apitest.SecretOf(digit), GSI1PK: keys.FollowUpsParked, GSI1SK: model.At(noon),
			Change: commercemodel.OrderChange{
				StoreID: store.ID, OrderID: model.Name(b.order), Date: "2026-11-21", Version: version + 1},
		})
	}
	s, err := w.shop.Assistant.TakeOver(w.t.Context(), store, phone, model.CustomerID(b.customer))
	w.must(err)
	b.session = string(s.SessionID)
	return b
}

// refunded returns an order that was delivered and refunded.
func (w *world) refunded(store commercemodel.Store, b belongings, seed string) string {
	w.t.Helper()
	id := w.ordered(store, b, seed)
	for _, to := range []commercemodel.OrderStatus{"confirmed", "preparing", "ready", "delivered", "refunded"} {
		_, err := w.shop.Orders.Move(w.t.Context(), store.ID, model.Name(id), orders.Move{To: to, Reason: "bad rice"})
		w.must(err)
	}
	return id
}

// opens creates a store.
func (w *world) opens(b belongings, seed string) commercemodel.Store {
	w.t.Helper()
	var phones []model.PhoneNumberID
	if b.phone != "" {
		phones = []model.PhoneNumberID{model.PhoneNumberID(b.phone)}
	}
	store, err := w.shop.Stores.Create(w.t.Context(), commercemodel.Store{
		TenantID: model.TenantID(b.tenant), OwnerID: model.Name(b.owner), Name: "Store " + b.tenant,
		Status:         commercemodel.StoreActive,
		PhoneNumberIDs: phones, Address: commercemodel.Address{City: "Pune"},
	}, seed, idempotency.Request{})
	w.must(err)
	return store
}

// passesOn gives a store a number of its own, which then passes to somebody else.
func (w *world) passesOn(b belongings, number model.CustomerID) {
	w.t.Helper()
	w.now = noon.Add(-time.Hour)
	store, err := w.shop.Stores.Get(w.t.Context(), model.Name(b.store))
	w.must(err)
	_, err = w.shop.Stores.Update(w.t.Context(), store.ID, store.Version,
		func(s *commercemodel.Store) { s.ContactInfo.WhatsApp = "+" + string(number) })
	w.must(err)
	w.now = noon
	w.db.Seed(w.t, tables.Messages, model.Alias{
		PK: keys.Alias(model.PhoneNumberID(b.phone), number).Partition, ItemType: model.ItemAlias, Version: 1,
		Owners: []model.Owner{
			{CustomerID: number},
			{CustomerID: number + "~1", Since: model.OrderOf(model.At(noon.Add(-time.Minute)), 0)}},
	})
}

// ordered makes an order of two kilos of rice.
func (w *world) ordered(store commercemodel.Store, b belongings, seed string) string {
	w.t.Helper()
	order, err := w.shop.Orders.Create(w.t.Context(), store, orders.Draft{
		Who: orders.Who{
			Customer: model.CustomerID(b.customer), Name: "Asha " + apitest.SecretOf(b.customer[len(b.customer)-1:])},
		Channel: commercemodel.Web,
		Wanted:  []orders.Wanted{{Product: "RICE", Quantity: whole(2)}}, By: "somebody", Seed: seed, At: w.now,
	}, idempotency.Request{})
	w.must(err)
	return string(order.ID)
}

// nothing are names of things that are not there, of the same forms.
func nothing() belongings {
	return belongings{
		tenant: apitest.TenantOf("9"), phone: "700000000000009", store: "STR-000000", owner: "OWNER-9",
		order: "ORD-20261121-00000000", moving: "ORD-20261121-00000001",
		sold: "ORD-20261121-00000002", billed: "ORD-20261121-00000003",
		customer: customerOf + "9", session: "sess-0000000000000000",
	}
}
