package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var (
	noon     = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	together = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}
)

// answering answers sends. The message id is made from the callback data, so that a message that is sent twice gets the
// same id here. Refusals depend on the recipient.
type answering struct {
	mu    sync.Mutex
	sends map[string]int // by callback data
}

func (p *answering) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		To       string
		Callback string `json:"biz_opaque_callback_data"`
	}
	text, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(text, &body)
	p.mu.Lock()
	p.sends[body.Callback]++
	p.mu.Unlock()
	if body.To == "910000000000" {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":{"code":131026,"message":"Message undeliverable"}}`)
		return
	}
	fmt.Fprintf(w, `{"messages":[{"id":"wamid.%s"}]}`, body.Callback)
}

// waiting puts messages to three customers into the outbox: two for one of them, and one for a number that is refused.
func waiting(t testing.TB, db *dynamotest.DB) []dynamo.Item {
	t.Helper()
	customers := []string{"919876543210", "918888888888", "919876543210", "910000000000"}
	for i, customer := range customers {
		rooms := messaging.New(messaging.Config{
			DB: db.Client, Now: func() time.Time { return noon.Add(time.Duration(i) * time.Second) },
			NewID: func() string { return fmt.Sprintf("queued-%d", i) }, NewToken: func() string { return "token" }})
		_, err := rooms.Accept(t.Context(), sending.Outgoing{
			Tenant: "demo", Phone: wt.Phone, Customer: parse(customer), SentBy: "user-1",
			Content: content.Template{Name: "hello_world", Language: "en_US"},
		}, idempotency.Request{})
		if err != nil {
			t.Fatal(err)
		}
	}
	return db.Items(t, tables.Outbox)
}

// relay is one process of the function, a moment after noon, or minutes later for a re-run.
func relay(client *dynamo.Client, url string, run int) dispatch.Handler {
	now := func() time.Time { return noon.Add(time.Minute + time.Duration(run)*3*time.Minute) }
	rooms := messaging.New(messaging.Config{DB: client, Now: now})
	graph := &whatsapp.Graph{
		URL: url, HTTP: &http.Client{}, Token: func(context.Context) (string, error) { return "token", nil }}
	return dispatch.Handler{Relay: &outbox.Relay{
		Outbox: outbox.Outbox{DB: client, Now: now}, Handlers: rooms.Handlers(graph), Owner: rand.Text(),
		Log: slog.New(slog.DiscardHandler), Sleep: func(context.Context, time.Duration) error { return nil },
	}}
}

// tried lists the attributes that say how often and when something was tried. They may differ after a crash.
var tried = []string{
	"retryCount", "lastError", "possibleDuplicate", "sentAt", "failedAt", "expiresAtEpochSeconds", "pacedTo",
	"deliveryStatusHistory", "unordered"}

func streamEvent(t testing.TB, images []dynamo.Item) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(events.DynamoDBEvent{Records: dynamotest.Records(t, images)})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The sweep finds what a crash left behind. It is the re-run.
func TestOutboxSurvivesEveryCrashPoint(t *testing.T) {
	for name, first := range map[string]string{"on the stream": "stream", "in a sweep": "sweep"} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(&answering{sends: map[string]int{}})
			defer server.Close()
			var images []dynamo.Item
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: together, Ignore: tried,
				Seed: func(t testing.TB, db *dynamotest.DB) { images = waiting(t, db) },
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					h := relay(client, server.URL, run)
					event := json.RawMessage(`{"detail-type":"outbox-sweep"}`)
					if run == 0 && first == "stream" {
						event = streamEvent(t, images)
					}
					return dynamotest.Reported(h.Handle(ctx, event))
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}

func TestOutboxEndsTheSameHoweverTheStreamComes(t *testing.T) {
	server := httptest.NewServer(&answering{sends: map[string]int{}})
	defer server.Close()
	dynamotest.StreamReplay(t, dynamotest.Replay{
		Tables: together, Ignore: tried, Unordered: true, Seed: waiting,
		Handle: func(ctx context.Context, client *dynamo.Client,
			event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
			raw, err := json.Marshal(event)
			if err != nil {
				return events.DynamoDBEventResponse{}, err
			}
			return relay(client, server.URL, 0).Handle(ctx, raw)
		},
	})
}

func TestNothingIsSentTwiceWithoutACrash(t *testing.T) {
	p := &answering{sends: map[string]int{}}
	server := httptest.NewServer(p)
	defer server.Close()
	db := dynamotest.Start(t, together...)
	images := waiting(t, db)
	var group sync.WaitGroup
	for i := range 4 { // the stream twice and two sweeps, concurrently
		group.Go(func() {
			event := streamEvent(t, images)
			if i%2 == 1 {
				event = json.RawMessage(`{"detail-type":"outbox-sweep"}`)
			}
			if _, err := relay(db.Client, server.URL, 0).Handle(t.Context(), event); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for callback, times := range p.sends {
		if times != 1 {
			t.Errorf("%s was sent %d times", callback, times)
		}
	}
	if len(p.sends) != len(images) {
		t.Errorf("%d of %d were sent", len(p.sends), len(images))
	}
}

func parse(customer string) model.CustomerID { return model.CustomerID(customer) }
