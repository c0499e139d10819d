package cards_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/delivery"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/recorded"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var allTables = []tables.Table{
	tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs, tables.CardUsers, tables.CardScores,
	tables.Cards, tables.CardRequests,
	tables.CardTransactions, tables.CardIdempotency, tables.WhatsAppNotifications, tables.WhatsAppInbound,
	tables.PendingApprovals,
}

const (
	tenant = "demo"
	ashaWA = "919876543210"
	ravi   = "919811111111" // the admins
	meena  = "919822222222"
	joao   = "5511987654321" // in the form with the ninth digit
)

// house is the domain with the rooms it needs, on one engine.
type house struct {
	t     testing.TB
	db    *dynamotest.DB
	rooms *messaging.Domain
	cards *cards.Domain
	now   time.Time
	ids   atomic.Int64
	// sameIDs has every new id be one, whichever attempt commits.
	sameIDs bool
	posts   int
}

func newHouse(t testing.TB) *house {
	t.Helper()
	h := on(t, dynamotest.Start(t, allTables...), nil)
	h.furnish()
	return h
}

// on returns the domain on a client of an engine; nil for the engine's own.
func on(t testing.TB, db *dynamotest.DB, client *dynamo.Client) *house {
	h := &house{t: t, db: db, now: noon}
	if client == nil {
		client = db.Client
	}
	h.rooms = messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return h.now }, DefaultTenant: tenant,
		NewToken: func() string { return "token" },
		NewID: func() string {
			if h.sameIDs {
				return "01a1fbae-3de3-707d-9ea6-999999999999"
			}
			return fmt.Sprintf("01a1fbae-3de3-707d-9ea6-%012d", h.ids.Add(1))
		},
	})
	h.cards = cards.New(cards.Config{
		DB: client, Now: h.rooms.Now, NewID: h.rooms.NewID,
		Sender: h.rooms.Sender, Numbers: h.rooms.Numbers, Inbox: h.rooms.Inbox, Contacts: h.rooms.Contacts,
		Publisher: h.rooms.Publisher, Heard: h.rooms.Tenants.Subscribed,
	})
	h.rooms.Join(h.cards.Part())
	h.rooms.React(h.cards.Subscriptions()...)
	return h
}

func program() cardsmodel.Program {
	return cardsmodel.Program{
		TenantID: tenant, PhoneNumberID: wt.Phone, Language: "en", Policy: policy.Default(),
		Admins: []cardsmodel.Admin{
			{ID: "ravi", Name: "Ravi", Phone: "+" + ravi},
			{ID: "meena", Name: "Meena", Phone: "+" + meena, Language: "hi"},
			{ID: "joao", Name: "João", Phone: "+" + joao}},
	}
}

var boss = changes.By{
	Via: cardsmodel.ViaAPI, Decides: true,
	Actor: audit.Actor{Subject: "boss", Name: "boss@example.com", RequestID: "r1"}}

// furnish gives the tenant its number and its program.
func (h *house) furnish() {
	h.t.Helper()
	h.db.Seed(h.t, tables.Messages,
		model.Phone{PK: keys.Phone(wt.Phone).Partition, ItemType: "PHONE", PhoneNumberID: wt.Phone, TenantID: tenant})
	p, err := h.cards.Programs.Set(h.t.Context(), program(), boss)
	if err != nil || p.Version != 1 {
		h.t.Fatalf("%+v, %v", p, err)
	}
}

// key is a request with an idempotency key.
func key(t testing.TB, operation, key string, body any) idempotency.Request {
	t.Helper()
	request, err := idempotency.NewRequest(idempotency.API, tenant, "somebody", operation, key, body)
	if err != nil {
		t.Fatal(err)
	}
	return request
}

// user creates a user with a score and a number.
func (h *house) user(score int, phone string) cardsmodel.User {
	h.t.Helper()
	user, err := h.cards.Users.Create(h.t.Context(), users.New{
		Tenant: tenant, FirebaseUID: model.Name(fmt.Sprint("uid-", h.ids.Add(1))), Name: "Asha", Phone: phone,
		Language: "en", Role: cardsmodel.RoleUser, Score: score,
	}, idempotency.Request{}, boss)
	if err != nil {
		h.t.Fatal(err)
	}
	return user
}

// asks makes a request for a card.
func (h *house) asks(user cardsmodel.User) (cardsmodel.Request, error) {
	h.t.Helper()
	return h.cards.Requests.Make(h.t.Context(), requests.Ask{
		Tenant: tenant, User: user.EcosystemID, Product: "standard", By: boss,
		Key: key(h.t, "request-card", string(user.EcosystemID)+"k1", nil),
	})
}

func (h *house) asked(user cardsmodel.User) cardsmodel.Request {
	h.t.Helper()
	request, err := h.asks(user)
	if err != nil {
		h.t.Fatal(err)
	}
	return request
}

// log puts messages into the log, and returns its entries.
func (h *house) log(messages ...wt.Object) []model.WebhookEvent {
	h.t.Helper()
	return logged(h.t, h.db, h.now, messages...)
}

func logged(t testing.TB, db *dynamotest.DB, now time.Time, messages ...wt.Object) []model.WebhookEvent {
	t.Helper()
	var events []model.WebhookEvent
	for _, message := range messages {
		body := wt.Body(wt.Messages(nil, message))
		for _, entry := range messagingtest.Append(t,
			webhooklog.Appender{DB: db.Client, Now: func() time.Time { return now }}, body) {
			var event model.WebhookEvent
			if err := db.Get(t.Context(), tables.Messages, keys.WebhookEvent(model.EventID(entry.ID)),
				&event); err != nil {
				t.Fatal(err)
			}
			events = append(events, event)
		}
	}
	return events
}

// receive has logged messages read, as the inbound function does.
func (h *house) receive(ctx context.Context, events ...model.WebhookEvent) error {
	for _, event := range events {
		if err := h.rooms.MessageReader(h.rooms.Subscriptions()...).Apply(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

// says has somebody write.
func (h *house) says(from, text string) string {
	h.t.Helper()
	h.posts++
	id := fmt.Sprintf("wamid.SAYS%d", h.posts)
	h.takes(wt.Text(from, id, text, h.now))
	return id
}

// taps has somebody tap a button of a template, in the message with an id. If that message is not known, the tap is
// read again when nobody waits for it any more.
func (h *house) taps(from, payload string, under model.MessageID) {
	h.t.Helper()
	h.posts++
	tapped := h.log(tap(from, fmt.Sprintf("wamid.TAPS%d", h.posts), payload, under, h.now))
	err := h.receive(h.t.Context(), tapped...)
	if errors.Is(err, dynamo.ErrStuck) {
		h.now = h.now.Add(11 * time.Minute)
		err = h.receive(h.t.Context(), tapped...)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

func tap(from, id, payload string, under model.MessageID, at time.Time) wt.Object {
	return wt.Message(from, id, "button", at,
		wt.Object{"button": wt.Object{"payload": payload, "text": "Approve"},
			"context": wt.Object{"id": string(under)}})
}

// questionTo returns the id of the message that asks an admin about a request.
func questionTo(admin string, request cardsmodel.Request) model.MessageID {
	return model.MessageID(string(request.RequestID) + "." + cardsmodel.NotifyApprovalRequest + "." + admin + ".0")
}

func (h *house) takes(message wt.Object) {
	h.t.Helper()
	if err := h.receive(h.t.Context(), h.log(message)...); err != nil {
		h.t.Fatal(err)
	}
}

// sent is a message as WhatsApp got it.
type sent struct{ to, template, text, callback string }

// phones stands for WhatsApp: it takes everything, or refuses it with an error.
type phones struct {
	taken  recorded.List[sent]
	refuse error
}

func (p *phones) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	var m struct {
		To       string
		Template struct{ Name string }
		Text     struct{ Body string }
	}
	if err := json.Unmarshal(r.Body, &m); err != nil {
		return whatsapp.Taken{}, err
	}
	if p.refuse != nil {
		return whatsapp.Taken{}, p.refuse
	}
	n := p.taken.Add(sent{strings.TrimPrefix(m.To, "+"), m.Template.Name, m.Text.Body, r.CallbackData})
	return whatsapp.Taken{ID: fmt.Sprintf("wamid.OUT%d", n)}, nil
}

// sends has the outbox send everything that waits, and returns what WhatsApp got.
func (h *house) sends(p *phones) []sent {
	h.t.Helper()
	relay := &outbox.Relay{
		Outbox: *h.rooms.Outbox(), Handlers: h.rooms.Handlers(p), Owner: "test", Log: slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return nil },
	}
	before := p.taken.Len()
	for _, item := range h.db.Items(h.t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			h.t.Fatal(err)
		}
		if event.Status != model.OutboxPending {
			continue
		}
		if err := relay.Deliver(h.t.Context(), event); err != nil {
			h.t.Fatal(err)
		}
	}
	return p.taken.All()[before:]
}

// status has WhatsApp report on a message.
func (h *house) status(wamid, status, to string, more wt.Object) {
	h.t.Helper()
	body := wt.Body(wt.Statuses(wt.Status(wamid, status, to, h.now, more)))
	for _, entry := range messagingtest.Append(h.t, webhooklog.Appender{DB: h.db.Client, Now: h.rooms.Now}, body) {
		var event model.WebhookEvent
		if err := h.db.Get(h.t.Context(), tables.Messages, keys.WebhookEvent(model.EventID(entry.ID)),
			&event); err != nil {
			h.t.Fatal(err)
		}
		if err := h.rooms.StatusReader(delivery.TellDomains(h.rooms.Hooks)).Apply(h.t.Context(), event); err != nil {
			h.t.Fatal(err)
		}
	}
}

// all returns the items of a table as entities.
func all[T any](h *house, table tables.Table, has string) []T {
	h.t.Helper()
	var list []T
	for _, item := range h.db.Items(h.t, table) {
		if item[has] == nil {
			continue
		}
		var one T
		if err := dynamo.Unmarshal(item, &one); err != nil {
			h.t.Fatal(err)
		}
		list = append(list, one)
	}
	return list
}

func (h *house) notifications() []cardsmodel.Notification {
	return all[cardsmodel.Notification](h, tables.WhatsAppNotifications, "notificationId")
}

func (h *house) commands() []cardsmodel.Inbound {
	return all[cardsmodel.Inbound](h, tables.WhatsAppInbound, "processedStatus")
}

// records returns the actions in the audit log, but for the program's.
func (h *house) records() []string {
	var actions []string
	for _, record := range all[model.AuditLog](h, tables.AuditLogs, "action") {
		if record.TargetType == changes.TargetRequest {
			actions = append(actions, record.Action)
		}
	}
	return actions
}

func (h *house) read(user model.Name) cardsmodel.User {
	h.t.Helper()
	u, err := h.cards.Users.Get(h.t.Context(), user)
	if err != nil {
		h.t.Fatal(err)
	}
	return u
}

func amount(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

// summed fails the test unless a user's summary is the sum of their cards.
func (h *house) summed(user model.Name) {
	h.t.Helper()
	var want cardsmodel.CardSummary
	held, _, err := h.cards.Issued.Of(h.t.Context(), user, "", "", 100, "")
	if err != nil {
		h.t.Fatal(err)
	}
	for _, card := range held {
		if card.Status == cardsmodel.CardActive {
			want.ActiveCards++
		}
		if card.Status != cardsmodel.CardCancelled {
			want.TotalBalance.Decimal, want.TotalLimit.Decimal = want.TotalBalance.Add(card.Balance.Decimal),
				want.TotalLimit.Add(card.Limit.Decimal)
		}
		if !card.Balance.Add(card.AvailableCredit.Decimal).Equal(card.Limit.Decimal) ||
			card.AvailableCredit.IsNegative() {
			h.t.Errorf("the card has %s of %s and owes %s", card.AvailableCredit, card.Limit, card.Balance)
		}
	}
	got := h.read(user).CardSummary
	if got.ActiveCards != want.ActiveCards || !got.TotalBalance.Equal(want.TotalBalance.Decimal) ||
		!got.TotalLimit.Equal(want.TotalLimit.Decimal) {
		h.t.Errorf("the summary is %+v, the sum of the cards %+v", got, want)
	}
}

// refusedBy is WhatsApp's refusal with a code.
func refusedBy(code int64) error {
	return &whatsapp.SendError{Meta: whatsapp.Error{Code: code, Message: "no"}, Class: whatsapp.ClassOf(code, 400)}
}
