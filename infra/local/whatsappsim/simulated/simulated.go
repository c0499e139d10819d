// Package simulated is for the tests of rooms that ask Meta: a simulated WhatsApp, and the clock of it and the test.
package simulated

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/eventually"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// WhatsApp is a simulated WhatsApp with the account and the number of whatsapptest, and the clock of it and the test.
type WhatsApp struct {
	*testing.T
	Graph whatsapp.Graph // asks it

	url    string
	mu     sync.Mutex // the simulator reads the time and posts beside the test
	now    time.Time
	posted [][]byte // the webhooks
	heard  int      // how many of them Next has returned
}

// Start starts a simulated WhatsApp at a time.
func Start(t *testing.T, at time.Time) *WhatsApp {
	t.Helper()
	s := &WhatsApp{T: t, now: at}
	webhook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.posted = append(s.posted, body)
	}))
	sim, err := whatsappsim.New(whatsappsim.Options{
		AppSecret: "secret", AccessToken: "token", PhoneNumbers: map[string]string{wt.Phone: wt.Display},
		WABAID: wt.WABA, Now: s.Clock, Logger: slog.New(slog.DiscardHandler), WebhookURL: webhook.URL})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(sim)
	t.Cleanup(func() { server.Close(); sim.Close(); webhook.Close() })
	s.url = server.URL
	s.Graph = whatsapp.Graph{URL: s.url + "/v25.0", HTTP: http.DefaultClient,
		Token: func(context.Context) (string, error) { return "token", nil }}
	return s
}

// Clock returns the time.
func (s *WhatsApp) Clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Passes lets time pass.
func (s *WhatsApp) Passes(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// Webhooks returns what WhatsApp has posted so far.
func (s *WhatsApp) Webhooks() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.posted)
}

// Next waits for the next webhook, and returns it.
func (s *WhatsApp) Next() []byte {
	s.Helper()
	eventually.Holds(s, "a webhook", func() bool { return len(s.Webhooks()) > s.heard })
	s.heard++
	return s.Webhooks()[s.heard-1]
}

// Control calls the simulator's control API, and returns its answer.
func (s *WhatsApp) Control(method, path, body string) []byte {
	s.Helper()
	request, err := http.NewRequestWithContext(s.Context(), method, s.url+"/simulator"+path, strings.NewReader(body))
	s.Must(err)
	response, err := http.DefaultClient.Do(request)
	s.Must(err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusMultipleChoices {
		s.Fatalf("%s %s: %s %s, %v", method, path, response.Status, answer, err)
	}
	return answer
}

// Must ends the test if there is an error.
func (s *WhatsApp) Must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// Settles has the slow lane find what is due, so many times, each a minute later.
func (s *WhatsApp) Settles(box *outbox.Outbox, handlers map[string]outbox.Handler, times int) {
	s.Helper()
	relay := &outbox.Relay{
		Outbox: *box, Lane: keys.LaneSlow, Owner: "slow", Log: slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return nil }, Handlers: handlers}
	for range times {
		s.Passes(time.Minute)
		s.Must(relay.Sweep(s.Context()))
	}
}

// Reads logs a webhook, and has a reader apply its entries.
func (s *WhatsApp) Reads(db *dynamo.Client, reader webhooklog.Reader, body []byte) {
	s.Helper()
	for _, entry := range messagingtest.Append(s, webhooklog.Appender{DB: db, Now: s.Clock}, body) {
		var event model.WebhookEvent
		s.Must(db.Get(s.Context(), tables.Messages, keys.WebhookEvent(model.EventID(entry.ID)), &event))
		s.Must(reader.Apply(s.Context(), event))
	}
}
