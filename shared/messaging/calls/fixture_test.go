package calls_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/eventually"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/calls"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const asha = "919876543210"

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

// theNumber is the shop's.
var theNumber = model.Phone{
	PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
	WABAMetaID: wt.WABA}

// shop has a number that customers call.
type shop struct {
	*testing.T
	db     *dynamotest.DB
	mu     sync.Mutex // the simulator reads the time beside the test
	now    time.Time
	rooms  *messaging.Domain
	graph  whatsapp.Graph
	url    string      // of the simulator
	posted chan []byte // the webhooks that WhatsApp posts
	asked  int         // how often Meta was asked
}

func opened(t *testing.T) *shop {
	t.Helper()
	s := &shop{T: t, db: dynamotest.Start(t, used...), now: noon, posted: make(chan []byte, 100)}
	webhook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.posted <- body
	}))
	sim, err := whatsappsim.New(whatsappsim.Options{
		AppSecret: "secret", AccessToken: "token", PhoneNumbers: map[string]string{wt.Phone: wt.Display},
		WABAID: wt.WABA, Now: s.clock, Logger: slog.New(slog.DiscardHandler), WebhookURL: webhook.URL})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(sim)
	t.Cleanup(func() { server.Close(); sim.Close(); webhook.Close() })
	s.url = server.URL
	s.graph = whatsapp.Graph{URL: s.url + "/v25.0", HTTP: http.DefaultClient,
		Token: func(context.Context) (string, error) { return "token", nil }}
	s.rooms = roomsOn(s.db.Client, s.clock)
	s.db.Seed(t, tables.Messages, theNumber)
	return s
}

func roomsOn(client *dynamo.Client, now func() time.Time) *messaging.Domain {
	return messaging.New(messaging.Config{DB: client, Now: now, NewToken: func() string { return "token" }})
}

// AboutNumber asks the simulated WhatsApp.
func (s *shop) AboutNumber(ctx context.Context, phone string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	s.asked++
	return s.graph.AboutNumber(ctx, phone, call)
}

// does has Asha do something about a call, and returns its id.
func (s *shop) does(what string, id model.Name) model.Name {
	s.Helper()
	var answer struct{ CallID model.Name }
	s.control("/calls", `{"from":"`+asha+`","does":"`+what+`","callId":"`+string(id)+`"}`, &answer)
	return answer.CallID
}

// control calls the simulator's control API.
func (s *shop) control(path, body string, answer any) {
	s.Helper()
	response, err := http.Post(s.url+"/simulator"+path, "application/json", strings.NewReader(body))
	s.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		s.Fatal(response.Status, string(text), err)
	}
	s.must(json.Unmarshal(text, answer))
}

// calls has Asha call, and the call be known.
func (s *shop) calls() model.Name {
	s.Helper()
	id := s.does("call", "")
	s.hears()
	return id
}

// hears waits for a webhook, reads it, and returns it.
func (s *shop) hears() []byte {
	s.Helper()
	select {
	case body := <-s.posted:
		s.reads(body)
		return body
	case <-time.After(eventually.Limit):
		s.Fatal("no webhook came")
		return nil
	}
}

func (s *shop) reads(body []byte) {
	s.Helper()
	entries, err := whatsapp.DecodeWebhook(body)
	if err == nil {
		err = (webhooklog.Appender{DB: s.rooms.DB, Now: s.clock}).Append(s.Context(), entries)
	}
	s.must(err)
	for _, entry := range entries {
		var event model.WebhookEvent
		s.must(s.rooms.DB.Get(s.Context(), tables.Messages, keys.WebhookEvent(model.EventID(entry.ID)), &event))
		s.must(s.rooms.Calls.Reader().Apply(s.Context(), event))
	}
}

// settles has the slow lane ask Meta.
func (s *shop) settles() {
	s.Helper()
	relay := &outbox.Relay{
		Outbox: *s.rooms.Outbox(), Lane: keys.LaneSlow, Owner: "slow", Log: slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return nil },
		Handlers: map[string]outbox.Handler{
			calls.EventAsk: s.rooms.Calls.Handler(s, sending.AsFailure)},
	}
	for range 3 {
		s.passes(time.Minute)
		s.must(relay.Sweep(s.Context()))
	}
}

func (s *shop) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *shop) get(id model.Name) model.Call {
	s.Helper()
	c, err := s.rooms.Calls.Get(s.Context(), id)
	s.must(err)
	return c
}

// answered returns the texts that were sent to Asha.
func (s *shop) answered() (texts []string) {
	s.Helper()
	for _, item := range s.db.Items(s.T, tables.Messages) {
		if dynamo.Text(item, "itemType") == model.ItemMessage {
			texts = append(texts, dynamo.Text(item, "textBody"))
		}
	}
	return texts
}

// clock returns the time of the shop.
func (s *shop) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// passes lets time pass.
func (s *shop) passes(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}
