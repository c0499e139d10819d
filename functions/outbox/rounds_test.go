package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// counting is a transport that counts calls in a row while it is on.
type counting struct {
	http.RoundTripper
	on atomic.Bool
}

func (c *counting) RoundTrip(request *http.Request) (*http.Response, error) {
	if c.on.Load() {
		return c.RoundTripper.RoundTrip(request)
	}
	return dynamotest.Transport().RoundTrip(request)
}

// A message that nothing competes with goes out after two calls in a row to DynamoDB: first the tokens of its number
// and of its conversation, with the turn, and then the lease. That holds for a process that has sent nothing yet, and
// for one that has.
func TestAMessageGoesOutAfterTwoCallsInARow(t *testing.T) {
	for name, before := range map[string]int{"the first of a process": 0, "a later one": 2} {
		t.Run(name, func(t *testing.T) {
			dynamotest.InARow(t, 2, func(through http.RoundTripper) {
				count, answer := &counting{RoundTripper: through}, &answering{sends: map[string]int{}}
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					count.on.Store(false)
					answer.ServeHTTP(w, r)
				}))
				defer server.Close()
				db, now := dynamotest.Start(t, together...), noon
				rooms := messaging.New(messaging.Config{
					DB: db.Through(count), Now: func() time.Time { return now }, NewID: rand.Text})
				graph := &whatsapp.Graph{URL: server.URL, HTTP: &http.Client{},
					Token: func(context.Context) (string, error) { return "token", nil }}
				h := dispatch.Handler{Relay: &outbox.Relay{
					Outbox: *rooms.Outbox(), Handlers: rooms.Handlers(graph), Log: slog.New(slog.DiscardHandler),
					Sleep: dynamo.Sleep}}
				for i := range before + 1 {
					now = now.Add(time.Second)
					_, err := rooms.Accept(t.Context(), sending.Outgoing{
						Tenant: "demo", Phone: wt.Phone, Customer: parse(fmt.Sprint(919876543210 + i)),
						SentBy: "user-1", Content: content.Template{Name: "hello_world", Language: "en_US"},
					}, idempotency.Request{})
					if err != nil {
						t.Fatal(err)
					}
					var unsent []dynamo.Item
					for _, item := range db.Items(t, tables.Outbox) {
						if dynamo.Text(item, "status") == "pending" {
							unsent = append(unsent, item)
						}
					}
					count.on.Store(i == before)
					if _, err := h.Handle(t.Context(), streamEvent(t, unsent)); err != nil {
						t.Fatal(err)
					}
				}
				if len(answer.sends) != before+1 {
					t.Errorf("%d were sent", len(answer.sends))
				}
			})
		})
	}
}
