package khataapi

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/claims"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects/objectstest"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var apiTables = []tables.Table{
	tables.Messages, tables.AuditLogs, tables.Stores, tables.Orders, tables.RateLimits, tables.KhataTransactions,
	tables.CustomerBalances, tables.IdempotencyKeys,
	tables.Outbox, tables.OutboxSequences, tables.PaymentReminders,
}

// The requests of the tests, as apitest makes them.
type (
	request = apitest.Request
	answer  = apitest.Answer
)

// world is the API on an engine.
type world struct {
	t      testing.TB
	db     *dynamotest.DB
	rooms  *messaging.Domain
	khata  *khata.Domain
	server *apitest.Server
}

// worldWith returns the API on a client of an engine.
func worldWith(t testing.TB, db *dynamotest.DB, client *dynamo.Client, newID func() string) *world {
	w := &world{t: t, db: db}
	w.rooms = messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return noon }, NewID: newID, NewToken: func() string { return "token" }})
	w.khata = registry.Khata(w.rooms)
	w.khata.CallLimit = ratelimit.Limit{}
	mux := http.NewServeMux()
	api := New(mux, w.khata, objectstest.Bucket(w.rooms.Now), slog.New(slog.DiscardHandler))
	w.server = &apitest.Server{API: api, Handler: httpapi.NewHandler(apitest.Cursors().On(mux), API)}
	return w
}

func newWorld(t testing.TB) *world {
	db := dynamotest.Start(t, apiTables...)
	return worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea0-%012d"))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// call makes a request as somebody with a role in the first tenant.
func (w *world) call(role, method, path, key, body string) answer {
	w.t.Helper()
	by := apitest.Operator(apitest.TenantOf("1"))
	if role != "" {
		by = &apitest.Caller{
			Subject: "somebody", Scopes: httpapi.ScopeNames(),
			Groups: []string{"tenant:" + apitest.TenantOf("1"), role}}
	}
	path, query, _ := strings.Cut(path, "?")
	return w.server.Do(w.t,
		request{By: by, Method: method, Path: path, RawQuery: query, Body: body,
			Headers: map[string]string{"idempotency-key": key}})
}

// belongings are what a tenant has, as somebody may have come to know it.
type belongings struct {
	tenant, store, phone, customer, sale, payment string
	reminder                                      string // one that a person has asked for
	other                                         string // another customer
	writes                                        string // a customer who has written
	claim, doubted                                string // what that customer says that they have paid
}

const customerOf = "91987654321"

// furnish gives a tenant a store and a customer with a ledger.
func (w *world) furnish(digit string) belongings {
	w.t.Helper()
	limit, phone := amount("1000"), model.PhoneNumberID("10654035224292"+digit)
	w.db.Seed(w.t, tables.Messages,
		model.Phone{
			PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone,
			TenantID: model.TenantID(apitest.TenantOf(digit))})
	store, err := registry.Commerce(w.rooms).Stores.Create(w.t.Context(), commercemodel.Store{
		TenantID: model.TenantID(apitest.TenantOf(digit)), Name: "Store " + apitest.SecretOf(digit),
		Status: commercemodel.StoreActive, PhoneNumberIDs: []model.PhoneNumberID{phone},
		Settings: commercemodel.Settings{
			PaymentConfiguration: "upi-main",
			Credit: &commercemodel.Credit{
				DefaultLimit: &limit, Reminders: true, VPA: "shop@bank", Quiet: true}},
	}, "seed "+digit, idempotency.Request{})
	w.must(err)
	b := belongings{
		tenant: apitest.TenantOf(digit), store: string(store.ID), phone: string(phone),
		customer: "+" + customerOf + digit}
	b.sale = w.wrote(b, "sale",
		ledger.Draft{
			Type: khatamodel.CreditSale, Amount: amount("500"), Name: apitest.SecretOf(digit),
			Notes: apitest.SecretOf(digit)})
	b.payment = w.wrote(b, "payment",
		ledger.Draft{
			Type: khatamodel.Payment, Amount: amount("120.50"), Reference: apitest.SecretOf(digit), Method: "upi"})
	other := b
	other.customer = "+" + customerOf + digit + "0"
	w.wrote(other, "other", ledger.Draft{Type: khatamodel.CreditSale, Amount: amount("70")})
	w.wrote(belongings{store: b.store, customer: other.customer + "0"}, "third",
		ledger.Draft{Type: khatamodel.CreditSale, Amount: amount("70")})
	b.other = other.customer + "0"
	b.writes = b.customer + "7"
	w.wrote(belongings{store: b.store, customer: b.writes}, "writes",
		ledger.Draft{Type: khatamodel.CreditSale, Amount: amount("250.50")})
	w.hasWritten(b)
	b.claim = w.claims(b, "100.50", apitest.SecretOf(digit))
	b.doubted = w.claims(b, "20", "")
	shop, err := w.khata.Shops.Shop(w.t.Context(), store.ID)
	w.must(err)
	for _, of := range []string{b.customer, other.customer} {
		one, err := w.khata.Reminders.Ask(w.t.Context(), shop, model.Name(of), idempotency.Request{})
		w.must(err)
		b.reminder = string(one.ReminderID)
	}
	return b
}

// hasWritten has the customer who writes have written a moment ago.
func (w *world) hasWritten(b belongings) {
	w.t.Helper()
	phone, customer := model.PhoneNumberID(b.phone), model.CustomerID(strings.TrimPrefix(b.writes, "+"))
	w.db.Seed(w.t, tables.Messages, model.Conversation{
		PK: keys.Conversation(phone, customer).Partition, ItemType: model.ItemConversation, InboxPK: string(phone),
		From: string(customer), ReceivedAt: model.At(noon), WindowExpiresAt: model.At(noon.Add(23 * time.Hour)),
		FirstOrder: model.OrderOf(model.At(noon.Add(-time.Hour)), 0)})
}

// claims has the customer who writes say that they have paid.
func (w *world) claims(b belongings, paid, reference string) string {
	w.t.Helper()
	shop, err := w.khata.Shops.Shop(w.t.Context(), model.Name(b.store))
	w.must(err)
	claim, open, err := w.khata.Claims.Open(shop, claims.Said{
		Customer: model.Name(b.writes), Amount: amount(paid), Reference: reference, At: model.At(noon),
		Message: model.MessageID("wamid." + b.writes + "." + paid), Phone: model.PhoneNumberID(b.phone)})
	w.must(err)
	w.must(w.khata.DB.Transact(w.t.Context(), []dynamo.Write{open}))
	return string(claim.ClaimID)
}

// sets changes a store.
func (w *world) sets(b belongings, change func(*commercemodel.Store)) {
	w.t.Helper()
	stores := registry.Commerce(w.rooms).Stores
	store, err := stores.Get(w.t.Context(), model.Name(b.store))
	w.must(err)
	_, err = stores.Update(w.t.Context(), store.ID, store.Version, change)
	w.must(err)
}

func amount(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

// wrote adds an entry and returns its id.
func (w *world) wrote(b belongings, key string, d ledger.Draft) string {
	w.t.Helper()
	store, err := w.khata.Shops.Shop(w.t.Context(), model.Name(b.store))
	w.must(err)
	request, err := ledger.Request(store, idempotency.API, key, nil)
	w.must(err)
	d.Customer, d.By = model.Name(b.customer), "clerk"
	entry, err := w.khata.Ledger.Add(w.t.Context(), store, d, request)
	w.must(err)
	return string(entry.TransactionID)
}

func nothing() belongings {
	return belongings{
		tenant: apitest.TenantOf("9"), phone: "106540352242929", store: "STR-000000", customer: "+" + customerOf + "9",
		sale: "txn-20261121-00000000ABCDEF", payment: "txn-20261121-00000000ABCDEG",
		reminder: "rem-20261121-000000000000", other: "+" + customerOf + "900", writes: "+" + customerOf + "97",
		claim: "clm-20261121-120000000000000", doubted: "clm-20261121-120000000000001",
	}
}
