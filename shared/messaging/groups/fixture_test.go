package groups_test

import (
	"context"
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
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	asha = "919876543210"
	ravi = "919876543211"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

// theNumber is the shop's.
var theNumber = model.Phone{
	PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
	WABAMetaID: wt.WABA}

// meta is the simulated WhatsApp, asked over HTTP.
type meta struct {
	whatsapp.Graph
	asked []string
}

func (m *meta) AboutNumber(ctx context.Context, phone string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	m.asked = append(m.asked, strings.TrimSpace(call.Method+" "+call.Edge))
	return m.Graph.AboutNumber(ctx, phone, call)
}

func (m *meta) AboutGroup(ctx context.Context, _, id string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	m.asked = append(m.asked, strings.TrimSpace(call.Method+" group "+call.Edge))
	return m.Graph.AboutGroup(ctx, id, call)
}

// shop has a number with groups.
type shop struct {
	*testing.T
	db     *dynamotest.DB
	mu     sync.Mutex // the simulator reads the time beside the test
	now    time.Time
	rooms  *messaging.Domain
	meta   *meta
	url    string      // of the simulator
	posted chan []byte // the webhooks that WhatsApp posts
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
	s.meta = &meta{Graph: whatsapp.Graph{URL: s.url + "/v25.0", HTTP: http.DefaultClient,
		Token: func(context.Context) (string, error) { return "token", nil }}}
	s.rooms = roomsOn(s.db.Client, s.clock)
	s.db.Seed(t, tables.Messages, theNumber)
	return s
}

func roomsOn(client *dynamo.Client, now func() time.Time) *messaging.Domain {
	return messaging.New(messaging.Config{DB: client, Now: now, NewToken: func() string { return "token" }})
}

// control calls the simulator's control API.
func (s *shop) control(path, body string) {
	s.Helper()
	response, err := http.Post(s.url+"/simulator"+path, "application/json", strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		text, _ := io.ReadAll(response.Body)
		s.Fatalf("%s: %s %s", path, response.Status, text)
	}
}

// does has somebody do something about a group.
func (s *shop) does(id model.Name, who, what string) {
	s.Helper()
	s.control("/groups", `{"groupId":"`+string(id)+`","who":"`+who+`","does":"`+what+`"}`)
}

// hears waits for webhooks, and reads them as the function does.
func (s *shop) hears(n int) {
	s.Helper()
	for range n {
		select {
		case body := <-s.posted:
			s.reads(body)
		case <-time.After(eventually.Limit):
			s.Fatal("no webhook came")
		}
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
		s.must(s.rooms.Groups.Reader().Apply(s.Context(), event))
	}
}

// settles has the slow lane ask Meta until nothing waits but what is due later.
func (s *shop) settles() {
	s.Helper()
	for range 3 {
		s.sweeps()
	}
}

// sweeps has the slow lane ask Meta once.
func (s *shop) sweeps() {
	s.Helper()
	relay := &outbox.Relay{
		Outbox: *s.rooms.Outbox(), Lane: keys.LaneSlow, Owner: "slow", Log: slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return nil },
		Handlers: map[string]outbox.Handler{
			groups.EventAsk: s.rooms.Groups.Handler(s.meta, sending.AsFailure)},
	}
	s.passes(time.Minute)
	s.must(relay.Sweep(s.Context()))
}

func (s *shop) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// request is a keyed request for a group.
func (s *shop) request(key string, of groups.New) idempotency.Request {
	s.Helper()
	request, err := idempotency.NewRequest(idempotency.API, "demo", "user-1", "create-group", key, of)
	s.must(err)
	return request
}

// wants has Meta asked for a group, and returns the id of the request.
func (s *shop) wants(name, mode string) model.Name {
	s.Helper()
	of := groups.New{Name: name, Description: "On Mondays", JoinApprovalMode: mode, By: "user-1"}
	g, err := s.rooms.Groups.Create(s.Context(), theNumber, of, s.request(name, of))
	s.must(err)
	return model.Name(g.GroupID)
}

// has makes a group, and returns its id.
func (s *shop) has(name, mode string) model.Name {
	s.Helper()
	id := s.wants(name, mode)
	s.settles()
	s.hears(1)
	became := s.get(id).BecameID
	if became == "" {
		s.Fatalf("%s is not made: %+v", name, s.get(id).Asked)
	}
	s.meta.asked = nil
	return became
}

// asks has Meta asked about a group.
func (s *shop) asks(id model.Name, wanted model.GroupAsked) {
	s.Helper()
	wanted.By = "user-1"
	_, err := s.rooms.Groups.Ask(s.Context(), "demo", id, wanted)
	s.must(err)
	s.settles()
}

func (s *shop) get(id model.Name) model.Group {
	s.Helper()
	g, err := s.rooms.Groups.Get(s.Context(), id)
	s.must(err)
	return g
}

// is fails unless a request was answered, without a problem if that is "".
func (s *shop) is(id model.Name, problem string) model.Group {
	s.Helper()
	g := s.get(id)
	if a := g.Asked; a == nil || a.AnsweredAt == "" || !strings.Contains(a.Problem, problem) ||
		(problem == "") != (a.Problem == "") {
		s.Errorf("%+v, want the problem %q", g.Asked, problem)
	}
	return g
}

// in returns who is in a group.
func in(g model.Group) string {
	var all []string
	for _, p := range g.Participants {
		if !p.Left {
			all = append(all, string(p.ID))
		}
	}
	return strings.Join(all, " ")
}

// asking returns who asks to join a group.
func asking(g model.Group) (ids []model.Name) {
	for _, j := range g.JoinRequests {
		if !j.Gone {
			ids = append(ids, j.ID)
		}
	}
	return ids
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
