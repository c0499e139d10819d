package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/assistant/callback"
	"github.com/haatline/haatline/shared/conversations/calling"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outward"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
)

const aSecret = "a secret that only the two of us know"

// server is a company's own server. It answers with the statuses in turn, and then with 200.
type server struct {
	url   string
	hosts []string
	inner *callback.Runner
	vault *secrets.Vault

	mu       sync.Mutex
	statuses []int
	calls    []callback.Call
	problems []string
}

func newServer(t *testing.T, statuses ...int) *server {
	t.Helper()
	s := &server{statuses: statuses, vault: vaultOf(aKey)}
	web := httptest.NewTLSServer(s)
	t.Cleanup(web.Close)
	_, port, _ := net.SplitHostPort(web.Listener.Addr().String())
	s.hosts, s.url = []string{"localhost:" + port}, "https://localhost:"+port+"/hook"
	transport := web.Client().Transport.(*http.Transport).Clone()
	transport.TLSClientConfig.ServerName = "example.com" // whom the test's certificate is for
	s.inner = callback.New(netip.Addr.IsLoopback, transport)
	return s
}

const aKey = "key of the tests"

// vaultOf returns a vault with a key.
func vaultOf(key string) *secrets.Vault {
	return secrets.OpenVault("", func(name string) string { return map[string]string{"CURSOR_KEYS": key}[name] })
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	var call callback.Call
	if err := json.Unmarshal(body, &call); err != nil || r.Header.Get("Idempotency-Key") != call.ID || call.ID == "" ||
		!callback.Verify([]byte(aSecret), r.Header.Get(callback.Header), body, time.Now()) {
		s.problems = append(s.problems, string(body))
	}
	s.calls = append(s.calls, call)
	if len(s.statuses) > 0 {
		status := s.statuses[0]
		s.statuses = s.statuses[1:]
		w.WriteHeader(status)
		return
	}
	_, _ = io.WriteString(w, `{"text":"Come on Monday at nine."}`)
}

// calls is one process of the function at a time, which reaches the server. Its rooms have the time of noon.
func (w *world) calls(client *dynamo.Client, later time.Duration, s *server) dispatch.Handler {
	handler := newHandler(roomsAt(client, noon), clients{functions: s.inner, hosts: s.hosts, vault: s.vault},
		slog.New(slog.DiscardHandler))
	handler.Relay.Sleep = func(context.Context, time.Duration) error { return nil }
	handler.Relay.Now = func() time.Time { return noon.Add(later) }
	return handler
}

// applies has Asha say the last thing that the project asks for. The project has a function at the server.
func applies(t testing.TB, db *dynamotest.DB, s *server, change ...func(*conversationsmodel.Function)) keys.Key {
	t.Helper()
	key := says(t, db, "2", func(c *conversationsmodel.Conversation) {
		c.Assisted = &conversationsmodel.Assisted{
			Asked: "shift", Times: 1, Introduced: true, Values: map[string]string{"city": "Pune"}}
	})
	f := conversationsmodel.Function{Name: "submit_application", URL: s.url, Secret: aSecret}
	f.Parameters = model.Document(
		`{"type":"object","properties":{"city":{"enum":["Pune"]},"shift":{"type":"string"}},"required":["city"]}`)
	for _, c := range change {
		c(&f)
	}
	p := conversationsmodel.Project{Company: "ci-1", Project: "pi-1",
		ProjectStatus: conversationsmodel.ProjectActive, AIConfig: model.Document(aTalk), Function: &f}
	p.SetKey()
	db.Seed(t, tables.Conversations, p)
	return key
}

// ending returns the event of the call; the zero value for none.
func ending(t testing.TB, db *dynamotest.DB) (event model.OutboxEvent) {
	t.Helper()
	for _, item := range db.Items(t, tables.Outbox) {
		if dynamo.Text(item, "eventType") == calling.EventType {
			if err := dynamo.Unmarshal(item, &event); err != nil {
				t.Fatal(err)
			}
		}
	}
	return event
}

// needsPerson reports whether the inbox shows that Asha waits for a person.
func needsPerson(t testing.TB, db *dynamotest.DB) bool {
	t.Helper()
	var c model.Conversation
	if err := db.Get(t.Context(), tables.Messages, keys.Conversation(phone, asha), &c); err != nil {
		t.Fatal(err)
	}
	return c.NeedsPersonSince != ""
}

func TestTheCompanysServerDoesWhatFollowsOnce(t *testing.T) {
	w, db, s := newWorld(t), dynamotest.Start(t, withTalks...), newServer(t, 503)
	key := applies(t, db, s)
	for _, later := range []time.Duration{2 * time.Minute, 3 * time.Minute, time.Hour, 2 * time.Hour} {
		if err := w.calls(db.Client, later, s).Relay.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.calls) != 2 || s.calls[0].ID != s.calls[1].ID || len(s.problems) > 0 {
		t.Fatalf("called %+v, wrong %q", s.calls, s.problems)
	}
	if call := s.calls[1]; call.Function != "submit_application" || call.Company != "ci-1" || call.Project != "pi-1" ||
		string(call.Arguments) != `{"city":"Pune","shift":"Night"}` {
		t.Errorf("%+v %s", call, call.Arguments)
	}
	sent, c := heard(t, db, key)
	if !strings.Contains(sent, "Thank") || strings.Count(sent, "Come on Monday at nine.|") != 1 ||
		strings.Count(sent, "|") != 2 {
		t.Errorf("sent %q", sent)
	}
	last := c.Messages[len(c.Messages)-1]
	if c.Status != conversationsmodel.Completed || !c.FunctionCall || *c.FunctionCallType != "submit_application" ||
		c.FunctionCalledAt == "" || last.Content != "Come on Monday at nine." ||
		!slices.Equal(last.SourceIDs(), []string{"submit_application"}) {
		t.Errorf("%+v", c)
	}
	if event := ending(t, db); event.Status != model.OutboxSent || needsPerson(t, db) ||
		strings.Contains(string(event.Payload), "Pune") || strings.Contains(string(event.Payload), aSecret) {
		t.Errorf("%+v", event)
	}
}

// seals has the vault with a key seal the secret of a function, as the API does.
func seals(t testing.TB, key string) func(*conversationsmodel.Function) {
	t.Helper()
	sealed, err := vaultOf(key).Seal(t.Context(), aSecret, "",
		map[string]string{"tenant": "demo", "company": "ci-1", "project": "pi-1"})
	if err != nil {
		t.Fatal(err)
	}
	return func(f *conversationsmodel.Function) { f.Secret = sealed }
}

// A call whose secret cannot be opened waits: the key may come back.
func TestACallIsSignedWithASealedSecret(t *testing.T) {
	for key, want := range map[string]model.OutboxStatus{aKey: model.OutboxSent, "another key": model.OutboxFailed} {
		w, db, s := newWorld(t), dynamotest.Start(t, withTalks...), newServer(t)
		applies(t, db, s, seals(t, key))
		for _, later := range []time.Duration{2 * time.Minute, 3 * time.Minute} {
			if err := w.calls(db.Client, later, s).Relay.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		event := ending(t, db)
		if signed := key == aKey; event.Status != want || len(s.problems) > 0 || (len(s.calls) == 1) != signed ||
			!signed && event.LastError != "the secret of the function cannot be opened" {
			t.Errorf("called %+v, wrong %q, %+v", s.calls, s.problems, event)
		}
	}
}

// A call that nobody takes is a dead letter, and a person of the company gets to know it.
func TestACallThatCannotBeMadeIsAPersons(t *testing.T) {
	for name, c := range map[string]struct {
		statuses []int
		change   func(*conversationsmodel.Function)
		inside   bool
		reason   string
		calls    int
	}{
		"refused": {statuses: []int{422}, reason: "HTTP 422", calls: 1},
		"another host": {reason: "address",
			change: func(f *conversationsmodel.Function) { f.URL = "https://other.example/hook" }},
		"http": {reason: "address",
			change: func(f *conversationsmodel.Function) { f.URL = "http://localhost/hook" }},
		"an address inside the network": {inside: true, reason: "inside"},
	} {
		t.Run(name, func(t *testing.T) {
			w, db, s := newWorld(t), dynamotest.Start(t, withTalks...), newServer(t, c.statuses...)
			if c.inside {
				s.inner = callback.New(outward.Public, &http.Transport{})
			}
			if c.change == nil {
				c.change = func(*conversationsmodel.Function) {}
			}
			key := applies(t, db, s, c.change)
			for _, later := range []time.Duration{2 * time.Minute, time.Hour, 24 * time.Hour} {
				if err := w.calls(db.Client, later, s).Relay.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			event := ending(t, db)
			if event.Status != model.OutboxDeadLetter || !strings.Contains(event.LastError, c.reason) ||
				len(s.calls) != c.calls || !needsPerson(t, db) || strings.Contains(event.LastError, aSecret) {
				t.Errorf("called %d times: %+v", len(s.calls), event)
			}
			if sent, talk := heard(t, db, key); strings.Count(sent, "|") != 1 || talk.FunctionCalledAt != "" {
				t.Errorf("sent %q: %+v", sent, talk)
			}
		})
	}
}

// A server that is down for a day: the call is given up after hours, not after minutes.
func TestACallIsTriedForHours(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, withTalks...)
	s := newServer(t, slices.Repeat([]int{500}, 100)...)
	applies(t, db, s)
	given := time.Duration(0)
	for later := 2 * time.Minute; given == 0 && later < 48*time.Hour; later += 5 * time.Minute {
		if err := w.calls(db.Client, later, s).Relay.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if ending(t, db).Status == model.OutboxDeadLetter {
			given = later
		} else if needsPerson(t, db) {
			t.Fatalf("after %v nobody has given up", later)
		}
	}
	if given < 6*time.Hour || given > 24*time.Hour || !needsPerson(t, db) {
		t.Errorf("given up after %v and %d calls", given, len(s.calls))
	}
}

// If what is known does not fit the function's schema, nothing is called, and a person goes on.
func TestWhatDoesNotFitTheSchemaGoesToAPerson(t *testing.T) {
	w, db, s := newWorld(t), dynamotest.Start(t, withTalks...), newServer(t)
	key := applies(t, db, s, func(f *conversationsmodel.Function) {
		f.Parameters = model.Document(`{"type":"object","properties":{"city":{"enum":["Mumbai"]}}}`)
	})
	if err := w.calls(db.Client, 2*time.Minute, s).Relay.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	sent, c := heard(t, db, key)
	if ending(t, db).EventID != "" || len(s.calls) > 0 || c.Status != conversationsmodel.WithPerson ||
		*c.HandOffReason != "not_allowed" || c.FunctionCall || !strings.Contains(sent, "A person") {
		t.Errorf("sent %q: %+v", sent, c)
	}
}

// The server gets one call by one id, and Asha hears of it once, wherever the turn or the call dies.
func TestACallSurvivesEveryCrashPoint(t *testing.T) {
	w, s := newWorld(t), newServer(t)
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: withTalks, Ignore: tried,
		Seed: func(t testing.TB, db *dynamotest.DB) { applies(t, db, s) },
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			for step := range 2 { // the turn, and then the call
				later := 2*time.Minute + time.Duration(run)*time.Hour + time.Duration(step)*time.Minute
				if err := w.calls(client, later, s).Relay.Sweep(ctx); err != nil {
					return err
				}
			}
			return nil
		},
	})
	t.Logf("%d crash points", points)
	for _, call := range s.calls {
		if call.ID != s.calls[0].ID {
			t.Fatal("the call has several ids")
		}
	}
	if len(s.problems) > 0 {
		t.Error(s.problems)
	}
}
