package messagingapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/objects/objectstest"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/webpush"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// minutesAgo is a time within the customer service window.
func minutesAgo(minutes int) time.Time { return noon.Add(-time.Duration(minutes) * time.Minute) }

var apiTables = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs}

// world is the API on an engine of its own.
type world struct {
	t      testing.TB
	db     *dynamotest.DB
	now    time.Time // a test moves it between requests
	rooms  *messaging.Domain
	bucket *objects.Bucket
	mux    *http.ServeMux
	api    huma.API

	server *apitest.Server
}

func newWorld(t testing.TB) *world {
	db := dynamotest.Start(t, apiTables...)
	return worldOn(t, db, db.Client)
}

// worldOn is the API on a client of an engine that runs already.
func worldOn(t testing.TB, db *dynamotest.DB, client *dynamo.Client) *world {
	return worldWith(t, db, client, dynamotest.IDs("queued-%03d"))
}

func worldWith(t testing.TB, db *dynamotest.DB, client *dynamo.Client, newID func() string) *world {
	w := &world{t: t, db: db, now: noon, mux: http.NewServeMux()}
	w.rooms = messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return w.now }, NewID: newID, NewToken: func() string { return "token" },
	})
	w.rooms.NumberSettings.Vault, w.rooms.EventSubscriptions.Vault, w.rooms.Pushes.Vault = vault{}, vault{}, vault{}
	w.rooms.Pushes.NewKeys = samePushKeys
	w.bucket = objectstest.Bucket(w.rooms.Now)
	w.api = New(w.mux, w.rooms, w.bucket, slog.New(slog.DiscardHandler))
	httpapi.ServeDescription(w.mux, w.api)
	w.server = &apitest.Server{API: w.api, Handler: httpapi.NewHandler(apitest.Cursors().On(w.mux), API)}
	return w
}

// vault seals so that the same secret is always sealed alike, and cannot be read.
type vault struct{}

func (vault) Seal(_ context.Context, secret, _ string, of map[string]string) (string, error) {
	return "sealed:" + idempotency.Hash(secret, fmt.Sprint(of)), nil
}

func (vault) Open(context.Context, string, map[string]string) (string, error) {
	return "", errors.New("nobody opens a secret here")
}

// samePushKeys makes keys that are the same each time.
func samePushKeys() (webpush.Keys, error) {
	return webpush.Keys{Private: "private", Public: "public"}, nil
}

// The requests of the tests, as apitest makes them.
type (
	caller  = apitest.Caller
	request = apitest.Request
	answer  = apitest.Answer
)

// allScopes are the scopes of the API.
var allScopes = httpapi.ScopeNames()

// operator is a person of a tenant who may do everything.
func operator(tenant string) *caller { return apitest.Operator(tenant) }

// platformOperator is one of the platform's own.
func platformOperator() *caller { return apitest.PlatformOperator() }

// do calls the API as a gateway does: the path decoded, headers in lower case, the claims beside the request.
func (w *world) do(r request) answer {
	w.t.Helper()
	a, err := w.try(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

func (w *world) try(ctx context.Context, r request) (answer, error) { return w.server.Try(ctx, r) }

func (w *world) get(by *caller, path string, query url.Values) answer {
	w.t.Helper()
	return w.do(request{By: by, Method: http.MethodGet, Path: path, Query: query})
}

func (w *world) post(by *caller, path string, body any) answer {
	w.t.Helper()
	r := request{By: by, Method: http.MethodPost, Path: path}
	if body != nil {
		r.Body = encode(w.t, body)
	}
	return w.do(r)
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
		PK: keys.Phone(model.PhoneNumberID(phone)).Partition, ItemType: model.ItemPhone,
		PhoneNumberID: model.PhoneNumberID(phone),
		TenantID:      model.TenantID(tenant), WABAMetaID: model.WABAID(waba),
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
	log := webhooklog.Appender{DB: w.db.Client, Now: w.rooms.Now}
	if err := log.Append(w.t.Context(), entries); err != nil {
		w.t.Fatal(err)
	}
	event, err := w.rooms.Entry(w.t.Context(), model.EventID(entries[0].ID))
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
		"messaging_product": "whatsapp",
		"metadata":          wt.Object{"phone_number_id": phone, "display_phone_number": "1555"},
		"contacts":          wt.List{contact}, "messages": list,
	})
	if err := w.rooms.MessageReader().Apply(w.t.Context(), event); err != nil {
		w.t.Fatal(err)
	}
	return event
}

// answering is what WhatsApp says to a send.
type answering func(phone string, message json.RawMessage) (string, error)

func (p answering) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	id, err := p(r.PhoneNumberID, r.Body)
	return whatsapp.Taken{ID: id}, err
}

// takes has WhatsApp take a message under an id.
func takes(wamid string) answering {
	return func(string, json.RawMessage) (string, error) { return wamid, nil }
}

// refuses has WhatsApp refuse with an error code that is not worth another try.
func refuses(string, json.RawMessage) (string, error) {
	return "", &whatsapp.SendError{
		Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 131026, Message: "Message undeliverable"}}
}

// relays makes one attempt at an event of the outbox.
func (w *world) relays(eventID string, to answering) {
	w.t.Helper()
	event := w.event(eventID)
	relay := &outbox.Relay{
		Outbox: outbox.Outbox{DB: w.db.Client, Now: w.rooms.Now}, Handlers: w.rooms.Handlers(to), Owner: "test",
		Log:   slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return context.Canceled },
	}
	if err := relay.Deliver(w.t.Context(), event); err != nil {
		w.t.Fatal(err)
	}
}

// observes has statuses come in and end the outbox's events.
func (w *world) observes(statuses wt.Object) {
	w.t.Helper()
	relay := &outbox.Relay{
		Outbox: outbox.Outbox{DB: w.db.Client, Now: w.rooms.Now}, Handlers: w.rooms.Handlers(nil), Owner: "test",
		Log: slog.New(slog.DiscardHandler),
	}
	event := w.logs(waba, "messages", statuses)
	if err := w.rooms.StatusReader(w.rooms.SettleByStatus(relay)).Apply(w.t.Context(), event); err != nil {
		w.t.Fatal(err)
	}
}

// event reads an event of the outbox.
func (w *world) event(id string) model.OutboxEvent {
	w.t.Helper()
	store := outbox.Outbox{DB: w.db.Client, Now: w.rooms.Now}
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
		if event.EventType != sending.EventMessage && event.EventType != sending.EventRead {
			continue
		}
		var payload struct{ Request json.RawMessage }
		if err := json.Unmarshal(event.Payload, &payload); err != nil {
			w.t.Fatal(err)
		}
		bodies[event.EventID] = payload.Request
	}
	return bodies
}
