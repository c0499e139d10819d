package conversationsapi

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var apiTables = []tables.Table{
	tables.Messages, tables.AuditLogs, tables.RateLimits, tables.Conversations, tables.Outbox, tables.OutboxSequences}

// The requests of the tests, as apitest makes them.
type (
	request = apitest.Request
	answer  = apitest.Answer
)

// world is the API on an engine.
type world struct {
	t      testing.TB
	db     *dynamotest.DB
	now    time.Time
	rooms  *messaging.Domain
	domain *conversations.Domain
	server *apitest.Server
	sent   int
}

// worldWith returns the API on a client of an engine.
func worldWith(t testing.TB, db *dynamotest.DB, client *dynamo.Client, newID func() string) *world {
	w := &world{t: t, db: db, now: noon}
	w.rooms = registry.Reacting(registry.Open(messaging.Config{
		DB: client, Now: func() time.Time { return w.now }, NewID: newID, NewToken: func() string { return "token" }}))
	w.domain = registry.Conversations(w.rooms)
	w.domain.CallLimit = ratelimit.Limit{}
	w.domain.Companies.Vault = secrets.OpenVault("", func(name string) string {
		return map[string]string{"CURSOR_KEYS": "keys of the tests"}[name]
	})
	mux := http.NewServeMux()
	api := New(mux, w.domain, slog.New(slog.DiscardHandler))
	w.server = &apitest.Server{API: api, Handler: httpapi.NewHandler(apitest.Cursors().On(mux), API)}
	return w
}

func newWorld(t testing.TB) *world {
	db := dynamotest.Start(t, tables.All()...)
	return worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea0-%012d"))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// do makes a request as somebody of the first tenant who may do everything.
func (w *world) do(method, path, key, body string) answer {
	w.t.Helper()
	path, query, _ := strings.Cut(path, "?")
	return w.server.Do(w.t, request{
		By: apitest.Operator(apitest.TenantOf("1")), Method: method, Path: path, RawQuery: query, Body: body,
		Headers: map[string]string{"idempotency-key": key}})
}

// accepts has WhatsApp take every message.
type accepts struct{ w *world }

func (a accepts) Send(context.Context, whatsapp.Request) (whatsapp.Taken, error) {
	a.w.sent++
	return whatsapp.Taken{ID: "wamid.sent-" + string(rune('0'+a.w.sent))}, nil
}

// deliver sends an event of the outbox.
func (w *world) deliver(id string) model.OutboxEvent {
	w.t.Helper()
	relay := &outbox.Relay{
		Outbox: *w.rooms.Outbox(), Handlers: w.rooms.Handlers(accepts{w}), Owner: "test",
		Log: slog.New(slog.DiscardHandler), Sleep: func(context.Context, time.Duration) error { return nil },
	}
	event, err := relay.Get(w.t.Context(), id)
	w.must(err)
	w.must(relay.Deliver(w.t.Context(), event))
	event, err = relay.Get(w.t.Context(), id)
	w.must(err)
	return event
}

// belongings are what a tenant has, as somebody may have come to know it.
type belongings struct {
	tenant, company, project, phone, number, recipient, request string
}

// of returns what the tenant with a digit has.
func of(digit string) belongings {
	return belongings{
		tenant: apitest.TenantOf(digit), company: "ci-aaa-00" + digit, project: "pi-aaa-00" + digit,
		phone: "10654035224292" + digit, number: "+44758871381" + digit, recipient: "+91987654321" + digit,
		request: "req12" + digit,
	}
}

// furnish gives a tenant two companies, of which one has two projects and three conversations with a person.
func (w *world) furnish(digit string) belongings {
	w.t.Helper()
	b, secret := of(digit), apitest.SecretOf(digit)
	phone := model.PhoneNumberID(b.phone)
	w.db.Seed(w.t, tables.Messages, model.Phone{
		PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone,
		TenantID: model.TenantID(b.tenant), DisplayPhoneNumber: b.number})
	ctx := w.t.Context()
	for _, id := range []string{b.company, b.company + "-second"} {
		c := conversationsmodel.Company{
			Company: model.Name(id), TenantID: model.TenantID(b.tenant), CompanyName: secret, Active: true,
			CompanyRep: model.Document(`{"name":"` + secret + `"}`)}
		if id == b.company {
			c.ChannelConfig = model.Document(`{"company_whatsapp_number":"` + b.number + `"}`)
		}
		_, err := w.domain.Companies.Create(ctx, c)
		w.must(err)
	}
	for _, id := range []string{b.project, b.project + "-second"} {
		_, err := w.domain.Companies.SetProject(ctx, conversationsmodel.Project{
			Company: model.Name(b.company), Project: model.Name(id), ProjectName: secret,
			ProjectStatus:   conversationsmodel.ProjectActive,
			AllowedChannels: []model.Channel{model.ChannelWhatsApp},
			Opening:         conversationsmodel.Opening{Template: "hello_world", Language: "en_US", Text: secret},
		}, 0)
		w.must(err)
	}
	for _, id := range []string{b.request, b.request + "-second", b.request + "-third"} {
		_, err := w.domain.Opening.Open(ctx, w.requested(b, id), noKey)
		w.must(err)
	}
	// the person has written, so that they may be answered
	w.db.Seed(w.t, tables.Messages, model.Conversation{
		PK: keys.Conversation(phone, model.CustomerID(b.recipient[1:])).Partition, ItemType: model.ItemConversation,
		InboxPK: keys.InboxConversations(phone), ReceivedAt: model.At(noon), From: b.recipient[1:],
		WindowExpiresAt: model.At(noon.Add(time.Hour))})
	return b
}
