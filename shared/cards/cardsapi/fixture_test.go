package cardsapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/issued"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/delivery"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var apiTables = []tables.Table{
	tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs, tables.CardUsers, tables.CardScores,
	tables.Cards, tables.CardRequests,
	tables.CardTransactions, tables.CardIdempotency, tables.WhatsAppNotifications, tables.WhatsAppInbound,
	tables.PendingApprovals,
}

// world is the API on an engine of its own.
type world struct {
	t      testing.TB
	db     *dynamotest.DB
	now    time.Time // a test moves it between requests
	rooms  *messaging.Domain
	cards  *cards.Domain
	api    huma.API
	server *apitest.Server
}

func newWorld(t testing.TB) *world {
	db := dynamotest.Start(t, apiTables...)
	return worldWith(t, db, db.Client, counting("0"))
}

// counting returns a source of ids that sort by time, which tell by a digit whose they are.
func counting(digit string) func() string {
	return dynamotest.IDs("01a1fbae-3de3-707d-9ea" + digit + "-%012d")
}

func worldWith(t testing.TB, db *dynamotest.DB, client *dynamo.Client, newID func() string) *world {
	w := &world{t: t, db: db, now: noon}
	w.rooms = messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return w.now }, NewID: newID, NewToken: func() string { return "token" },
	})
	w.cards = cards.New(cards.Config{
		DB: client, Now: w.rooms.Now, NewID: newID,
		Sender: w.rooms.Sender, Numbers: w.rooms.Numbers, Inbox: w.rooms.Inbox, Contacts: w.rooms.Contacts,
	})
	w.rooms.Join(w.cards.Part())
	w.rooms.React(w.cards.Subscriptions()...)
	mux := http.NewServeMux()
	w.api = New(mux, w.cards, slog.New(slog.DiscardHandler))
	w.server = &apitest.Server{API: w.api, Handler: httpapi.NewHandler(apitest.Cursors().On(mux), API)}
	return w
}

// The requests of the tests, as apitest makes them.
type (
	caller  = apitest.Caller
	request = apitest.Request
	answer  = apitest.Answer
)

func operator() *caller { return apitest.Operator(apitest.TenantOf("1")) }

// cardholder is a person who signs in for themself, and belongs to no tenant.
func cardholder(uid string) *caller {
	return &caller{Subject: uid, Groups: []string{"cardholder"}, Scopes: httpapi.ScopeNames()}
}

func (w *world) get(by *caller, path string, query url.Values) answer {
	w.t.Helper()
	return w.server.Do(w.t, request{By: by, Method: http.MethodGet, Path: path, Query: query})
}

// post makes a request under an idempotency key; "" for one that has none.
func (w *world) post(by *caller, path, key, body string) answer {
	w.t.Helper()
	r := request{By: by, Method: http.MethodPost, Path: path, Body: body}
	if key != "" {
		r.Headers = map[string]string{"idempotency-key": key}
	}
	return w.server.Do(w.t, r)
}

// boss changes things beside the API.
var boss = changes.By{
	Via: cardsmodel.ViaAPI, Decides: true, Actor: audit.Actor{Subject: "boss", Name: "boss@example.com"}}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// opens gives a tenant a number, and a program with two admins.
func (w *world) opens(digit string) {
	w.t.Helper()
	tenant, phone := model.TenantID(apitest.TenantOf(digit)), model.PhoneNumberID("70000000000000"+digit)
	w.db.Seed(w.t, tables.Messages,
		model.Phone{PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: tenant})
	_, err := w.cards.Programs.Set(w.t.Context(), cardsmodel.Program{
		TenantID: tenant, PhoneNumberID: phone, Language: "en", Policy: policy.Default(),
		Admins: []cardsmodel.Admin{
			{ID: "ravi", Name: "Ravi " + apitest.SecretOf(digit), Phone: "+9198111111" + digit + "1"},
			{ID: "meena", Name: "Meena " + apitest.SecretOf(digit), Phone: "+9198111111" + digit + "2"},
		},
	}, boss)
	w.must(err)
}

// passesOn gives an admin a number which then passes to somebody else.
func (w *world) passesOn(admin model.Name, number model.CustomerID) {
	w.t.Helper()
	p, err := w.cards.Programs.Get(w.t.Context(), model.TenantID(apitest.TenantOf("1")))
	w.must(err)
	for i := range p.Admins {
		if p.Admins[i].ID == admin {
			p.Admins[i].Phone = "+" + string(number)
		}
	}
	w.now = noon.Add(-time.Hour)
	_, err = w.cards.Programs.Set(w.t.Context(), p, changes.By{Own: true})
	w.must(err)
	w.now = noon
	w.db.Seed(w.t, tables.Messages, model.Alias{
		PK: keys.Alias(p.PhoneNumberID, number).Partition, ItemType: model.ItemAlias, Version: 1,
		Owners: []model.Owner{
			{CustomerID: number},
			{CustomerID: number + "~1", Since: model.OrderOf(model.At(noon.Add(-time.Minute)), 0)}},
	})
}

// user creates a user of a tenant.
func (w *world) user(digit, uid, phone string, score int) cardsmodel.User {
	w.t.Helper()
	user, err := w.cards.Users.Create(w.t.Context(), users.New{
		Tenant: model.TenantID(apitest.TenantOf(digit)), FirebaseUID: model.Name(uid),
		Name: "Asha " + apitest.SecretOf(digit), Phone: phone, Role: cardsmodel.RoleUser, Score: score,
	}, idempotency.Request{}, boss)
	w.must(err)
	return user
}

// asks has a user ask for a card.
func (w *world) asks(user cardsmodel.User) cardsmodel.Request {
	w.t.Helper()
	made, err := w.cards.Requests.Make(w.t.Context(),
		requests.Ask{Tenant: user.TenantID, User: user.EcosystemID, Product: "standard", By: boss})
	w.must(err)
	return made
}

// buys makes a purchase.
func (w *world) buys(user cardsmodel.User, card model.Name, amount int64) cardsmodel.Transaction {
	w.t.Helper()
	made, err := w.cards.Issued.Transact(w.t.Context(), issued.Move{
		Tenant: user.TenantID, User: user.EcosystemID, Card: card, Type: cardsmodel.Purchase,
		Amount:   model.Amount{Decimal: decimal.NewFromInt(amount)},
		Merchant: "Haat " + strings.ToUpper(string(user.TenantID)), By: changes.By{Own: true},
	})
	w.must(err)
	return made.Transaction
}

// answering is what WhatsApp says to a send.
type answering func(phone string) (string, error)

func (p answering) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	id, err := p(r.PhoneNumberID)
	return whatsapp.Taken{ID: id}, err
}

// taken has every message get an id of its own.
var taken atomic.Int64

// takes has WhatsApp take every message.
func takes() answering {
	ids := counting(fmt.Sprint(taken.Add(1)))
	return func(string) (string, error) { return "wamid." + ids(), nil }
}

// refuses has WhatsApp refuse for good.
func refuses(string) (string, error) {
	return "", &whatsapp.SendError{
		Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 131026, Message: "Message undeliverable"}}
}

// relays has the outbox make one attempt at everything that waits.
func (w *world) relays(to answering) {
	w.t.Helper()
	relay := &outbox.Relay{
		Outbox: *w.rooms.Outbox(), Handlers: w.rooms.Handlers(to), Owner: "test", Log: slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return context.Canceled },
	}
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		var event model.OutboxEvent
		w.must(dynamo.Unmarshal(item, &event))
		if event.Status == model.OutboxPending {
			w.must(relay.Deliver(w.t.Context(), event))
		}
	}
}

// belongings are what a tenant has, as somebody may have come to know it.
type belongings struct {
	tenant, phone                    string
	user, phoneOfUser                string // who has two requests and no card
	approving, rejecting             string // pending requests
	other                            string // whose the second one is
	holder, card, spare, transaction string
	notification                     string // which has failed
}

// shared is the firebaseUid of a user of every tenant.
const shared = "uid-of-a-user-of-everybody"

// furnish gives a tenant a program, three users, two pending requests, two cards, transactions, scores, and
// notifications that have failed.
func (w *world) furnish(digit string) belongings {
	w.t.Helper()
	w.opens(digit)
	b := belongings{
		tenant: apitest.TenantOf(digit), phone: "70000000000000" + digit, phoneOfUser: "+9198765432" + digit + "0"}
	user, other, holder := w.user(digit, shared, b.phoneOfUser, 600), w.user(digit, "", "+9198765432"+digit+"1", 450),
		w.user(digit, "", "", 800)
	approving := w.asks(user)
	w.now = w.now.Add(time.Millisecond)
	rejecting := w.asks(other)
	w.relays(refuses)
	card, spare := w.asks(holder), w.asks(holder)
	bought := w.buys(holder, card.ResultingCardID, 1000)
	w.buys(holder, card.ResultingCardID, 100_000) // more than the limit
	for _, value := range []int{810, 820} {
		w.now = w.now.Add(time.Millisecond)
		_, err := w.cards.Users.ChangeScore(w.t.Context(), holder.EcosystemID,
			users.ScoreChange{Value: value, Reason: apitest.SecretOf(digit), Source: cardsmodel.ScoreByAdmin},
			idempotency.Request{}, boss)
		w.must(err)
	}
	w.now = noon
	b.user, b.other, b.holder = string(user.EcosystemID), string(other.EcosystemID), string(holder.EcosystemID)
	b.approving, b.rejecting = string(approving.RequestID), string(rejecting.RequestID)
	b.card, b.spare, b.transaction = string(card.ResultingCardID), string(spare.ResultingCardID),
		string(bought.TransactionID)
	b.notification = b.rejecting + ".approval_request.ravi"
	return b
}

// nothing are names of things that are not there, of the same forms.
func nothing() belongings {
	id := func(n int) string { return fmt.Sprintf("01a1fbae-3de3-707d-9ea9-%012d", n) }
	return belongings{
		tenant: apitest.TenantOf("9"), phone: "700000000000009", phoneOfUser: "+919876543290", user: id(1),
		other: id(2), holder: id(3),
		approving: id(4), rejecting: id(5), card: id(6), spare: id(7), transaction: id(8),
		notification: id(5) + ".approval_request.ravi",
	}
}

// failsForNow has WhatsApp take everything that waits, and say afterwards that it could not be delivered today.
func (w *world) failsForNow() {
	w.t.Helper()
	phones, next := map[string]string{}, takes()
	w.relays(func(phone string) (string, error) {
		id, err := next(phone)
		phones[id] = phone
		return id, err
	})
	for id, phone := range phones {
		failed := wt.Body(wt.Change("messages", wt.Object{
			"messaging_product": "whatsapp",
			"metadata":          wt.Object{"phone_number_id": phone, "display_phone_number": "1555"},
			"statuses": wt.List{
				wt.Status(id, "failed", "919811111111", w.now,
					wt.Object{"errors": wt.List{wt.Object{"code": 131049, "title": "Not today"}}})},
		}))
		for _, entry := range messagingtest.Append(w.t, webhooklog.Appender{DB: w.db.Client, Now: w.rooms.Now},
			failed) {
			event, err := w.rooms.Entry(w.t.Context(), model.EventID(entry.ID))
			w.must(err)
			w.must(w.rooms.StatusReader(delivery.TellDomains(w.rooms.Hooks)).Apply(w.t.Context(), event))
		}
	}
}
