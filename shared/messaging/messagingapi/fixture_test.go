package messagingapi

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/delivery"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// minutesAgo is a time within the customer service window.
func minutesAgo(minutes int) time.Time { return noon.Add(-time.Duration(minutes) * time.Minute) }

var apiTables = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs}

// world is the API on an engine of its own.
type world struct {
	t     testing.TB
	db    *dynamotest.DB
	now   time.Time // a test moves it between requests
	store *messaging.Domain
	mux   *http.ServeMux
	api   huma.API

	requests atomic.Int64
}

func newWorld(t testing.TB) *world {
	db := dynamotest.Start(t, apiTables...)
	return worldOn(t, db, db.Client)
}

// worldOn is the API on a client of an engine that runs already.
func worldOn(t testing.TB, db *dynamotest.DB, client *dynamo.Client) *world {
	w := &world{t: t, db: db, now: noon, mux: http.NewServeMux()}
	var ids atomic.Int64
	w.store = messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return w.now },
		NewID:    func() string { return fmt.Sprintf("queued-%03d", ids.Add(1)) },
		NewToken: func() string { return "token" },
	})
	w.api = New(w.mux, w.store, slog.New(slog.DiscardHandler))
	httpapi.ServeDescription(w.mux, w.api)
	return w
}

// allScopes are the scopes of the API.
var allScopes = httpapi.ScopeNames()

// caller is who holds a token.
type caller struct {
	subject string
	groups  []string
	scopes  []string
	use     string // what the token is for; "" for access
}

// operator is a person of a tenant who may do everything.
func operator(tenant string) *caller {
	return &caller{subject: "operator-of-" + tenant, groups: []string{"tenant:" + tenant, "administrator"}, scopes: allScopes}
}

// platformOperator is one of the platform's own.
func platformOperator() *caller {
	return &caller{subject: "platform-operator", groups: []string{"platform"}, scopes: allScopes}
}

// claims are a token's as the gateway hands them on: everything is text, a list is [a b].
func (c *caller) claims() map[string]string {
	return map[string]string{
		"sub": c.subject, "cognito:groups": "[" + strings.Join(c.groups, " ") + "]", "scope": strings.Join(c.scopes, " "), "token_use": cmp.Or(c.use, "access"),
		"username": c.subject,
	}
}

// request is one call of the API.
type request struct {
	by     *caller // nil without a token
	method string
	path   string // escaped, as a client writes it
	query  url.Values
	// rawQuery is a query as it is written, in place of one.
	rawQuery string
	headers  map[string]string
	body     string
}

type answer struct {
	status  int
	headers map[string]string
	body    string
}

// do calls the API as a gateway does: the path decoded, headers in lower case, the claims beside the request.
func (w *world) do(r request) answer {
	w.t.Helper()
	a, err := w.try(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

func (w *world) try(ctx context.Context, r request) (answer, error) {
	path, err := url.PathUnescape(r.path)
	if err != nil {
		return answer{}, err
	}
	event := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "ANY " + path, RawPath: path, RawQueryString: cmp.Or(r.rawQuery, r.query.Encode()),
		Headers: map[string]string{"host": "api.example.com", "x-forwarded-proto": "https"}, Body: r.body,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			DomainName: "api.example.com", RequestID: fmt.Sprint("request-", w.requests.Add(1)),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: r.method, Path: path, Protocol: "HTTP/1.1", SourceIP: "203.0.113.7"},
		},
	}
	if r.body != "" {
		event.Headers["content-type"] = "application/json"
	}
	maps.Copy(event.Headers, r.headers)
	if r.by != nil {
		event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
			JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{Claims: r.by.claims()},
		}
	}
	response, err := httpapi.NewHandler(w.mux, API)(ctx, event)
	return answer{response.StatusCode, response.Headers, response.Body}, err
}

func (w *world) get(by *caller, path string, query url.Values) answer {
	w.t.Helper()
	return w.do(request{by: by, method: http.MethodGet, path: path, query: query})
}

func (w *world) post(by *caller, path string, body any) answer {
	w.t.Helper()
	r := request{by: by, method: http.MethodPost, path: path}
	if body != nil {
		r.body = encode(w.t, body)
	}
	return w.do(r)
}

// want fails the test unless the answer has the status, and decodes its body into what is given.
func (a answer) want(t testing.TB, status int, into ...any) {
	t.Helper()
	if a.status != status {
		t.Fatalf("answered %d, want %d: %s", a.status, status, a.body)
	}
	for _, target := range into {
		if err := json.Unmarshal([]byte(a.body), target); err != nil {
			t.Fatalf("%v in %s", err, a.body)
		}
	}
}

// wantProblem fails the test unless the answer is a problem with the status, and returns it.
func (a answer) wantProblem(t testing.TB, status int) huma.ErrorModel {
	t.Helper()
	var p huma.ErrorModel
	a.want(t, status, &p)
	if got := a.headers["content-type"]; got != "application/problem+json" {
		t.Errorf("content type %q of a problem", got)
	}
	if p.Status != status || p.Title == "" {
		t.Errorf("a problem without its status or title: %s", a.body)
	}
	return p
}

func encode(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ours gives a number to a tenant.
func (w *world) ours(tenant, phone, waba string) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.Phone{
		PK: keys.Phone(model.PhoneNumberID(phone)).Partition, ItemType: model.ItemPhone, PhoneNumberID: model.PhoneNumberID(phone),
		TenantID: model.TenantID(tenant), WABAMetaID: model.WABAID(waba),
	})
}

// logs puts one change of Meta's into the log and returns the entry.
func (w *world) logs(waba, field string, value wt.Object) model.WebhookEvent {
	w.t.Helper()
	return w.logsRaw(wt.Encode(wt.Object{"object": "whatsapp_business_account", "entry": wt.List{
		wt.Object{"id": waba, "changes": wt.List{wt.Change(field, value)}},
	}}))
}

func (w *world) logsRaw(body []byte) model.WebhookEvent {
	w.t.Helper()
	entries, err := whatsapp.DecodeWebhook(body)
	if err != nil || len(entries) != 1 {
		w.t.Fatalf("%d entries, %v", len(entries), err)
	}
	log := webhooklog.Appender{DB: w.db.Client, Now: w.store.Now}
	if err := log.Append(w.t.Context(), entries); err != nil {
		w.t.Fatal(err)
	}
	event, err := w.store.Entry(w.t.Context(), model.EventID(entries[0].ID))
	if err != nil {
		w.t.Fatal(err)
	}
	return event
}

// receives has a customer's messages come in on a number, and returns the log entry they came with.
func (w *world) receives(phone, waba string, contact wt.Object, messages ...wt.Object) model.WebhookEvent {
	w.t.Helper()
	list := wt.List{}
	for _, m := range messages {
		list = append(list, m)
	}
	event := w.logs(waba, "messages", wt.Object{
		"messaging_product": "whatsapp", "metadata": wt.Object{"phone_number_id": phone, "display_phone_number": "1555"},
		"contacts": wt.List{contact}, "messages": list,
	})
	if err := w.store.MessageReader().Apply(w.t.Context(), event); err != nil {
		w.t.Fatal(err)
	}
	return event
}

// answering is what WhatsApp says to a send.
type answering func(phone string, message json.RawMessage) (string, error)

func (p answering) Send(_ context.Context, phone string, message json.RawMessage, _ string) (string, error) {
	return p(phone, message)
}

// takes has WhatsApp take a message under an id.
func takes(wamid string) answering {
	return func(string, json.RawMessage) (string, error) { return wamid, nil }
}

// refuses has WhatsApp refuse with an error code that is not worth another try.
func refuses(string, json.RawMessage) (string, error) {
	return "", &whatsapp.SendError{Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 131026, Message: "Message undeliverable"}}
}

// relays makes one attempt at an event of the outbox.
func (w *world) relays(eventID string, to answering) {
	w.t.Helper()
	event := w.event(eventID)
	relay := &outbox.Relay{
		Store: outbox.Store{DB: w.db.Client, Now: w.store.Now}, Handlers: w.store.Handlers(to), Owner: "test",
		Log: slog.New(slog.DiscardHandler), Sleep: func(context.Context, time.Duration) error { return context.Canceled },
	}
	if err := relay.Deliver(w.t.Context(), event); err != nil {
		w.t.Fatal(err)
	}
}

// observes has statuses come in and end the outbox's events.
func (w *world) observes(statuses wt.Object) {
	w.t.Helper()
	relay := &outbox.Relay{
		Store: outbox.Store{DB: w.db.Client, Now: w.store.Now}, Handlers: w.store.Handlers(nil), Owner: "test", Log: slog.New(slog.DiscardHandler),
	}
	event := w.logs(waba, "messages", statuses)
	if err := w.store.StatusReader(delivery.SettleByStatus(relay)).Apply(w.t.Context(), event); err != nil {
		w.t.Fatal(err)
	}
}

// event reads an event of the outbox.
func (w *world) event(id string) model.OutboxEvent {
	w.t.Helper()
	store := outbox.Store{DB: w.db.Client, Now: w.store.Now}
	event, err := store.Get(w.t.Context(), id)
	if err != nil {
		w.t.Fatalf("outbox event %s: %v", id, err)
	}
	return event
}

// sendings are the bodies the outbox holds for WhatsApp, by event.
func (w *world) sendings() map[string]json.RawMessage {
	w.t.Helper()
	bodies := map[string]json.RawMessage{}
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			w.t.Fatal(err)
		}
		var payload struct{ Request json.RawMessage }
		if err := json.Unmarshal(event.Payload, &payload); err != nil {
			w.t.Fatal(err)
		}
		bodies[event.EventID] = payload.Request
	}
	return bodies
}
