package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func customer(n int) string { return fmt.Sprintf("9190000000%02d", n) }

// delayed is a transport that delays each call.
type delayed time.Duration

func (d delayed) RoundTrip(request *http.Request) (*http.Response, error) {
	time.Sleep(time.Duration(d))
	return http.DefaultTransport.RoundTrip(request)
}

const customers = 25

// seedNumber stores the number that the bodies are about, whose first message costs more than the others.
func seedNumber(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA, DisplayPhoneNumber: wt.Display})
}

func batchOfCustomers(t testing.TB) (*dynamotest.DB, events.DynamoDBEvent) {
	t.Helper()
	db := dynamotest.Start(t, tables.Messages)
	seedNumber(t, db)
	var bodies [][]byte
	for n := range customers {
		bodies = append(bodies,
			wt.Body(wt.Messages(wt.List{wt.Contact(customer(n), "Asha")},
				wt.Text(customer(n), fmt.Sprint("wamid.", n), "hello", at(n)))))
	}
	return db, events.DynamoDBEvent{Records: dynamotest.Records(t, messagingtest.Logged(t, db, clock, bodies...))}
}

func work(t testing.TB, db *dynamo.Client, batch events.DynamoDBEvent) {
	t.Helper()
	handler := NewHandler(messaging.Receiving(messaging.Config{DB: db, Now: clock, DefaultTenant: "demo"}),
		slog.New(slog.DiscardHandler))
	response, err := handler.Handle(t.Context(), batch)
	if err != nil || len(response.BatchItemFailures) > 0 {
		t.Fatalf("%+v, %v", response, err)
	}
}

// Customers do not wait for one another: a batch takes as many calls in a row as its slowest customer.
func TestABatchOfManyCustomersTakesFiveCallsInARow(t *testing.T) {
	dynamotest.InARow(t, 5, func(through http.RoundTripper) {
		db, batch := batchOfCustomers(t)
		work(t, db.Through(through), batch)
	})
}

func BenchmarkABatchOfManyCustomers(b *testing.B) {
	const each = 10 * time.Millisecond
	took := time.Duration(0)
	for range b.N {
		db, batch := batchOfCustomers(b)
		client := db.Through(delayed(each))
		began := time.Now()
		work(b, client, batch)
		took += time.Since(began)
	}
	b.ReportMetric(float64(took)/float64(b.N)/float64(each), "calls/batch")
}

// Two messages of one customer keep their order, whatever identifiers they have.
func TestABatchKeepsACustomersMessagesInOrder(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	var bodies [][]byte
	for n := range 20 {
		message := wt.Text("919876543210", fmt.Sprintf("wamid.%02d", n), fmt.Sprint("line ", n), at(1))
		if n%2 == 1 {
			message = wt.Object{
				"from_user_id": "IN.7", "id": fmt.Sprintf("wamid.%02d", n), "type": "text",
				"timestamp": message["timestamp"], "text": message["text"]}
		}
		if n == 0 {
			message["from_user_id"] = "IN.7"
		}
		bodies = append(bodies, wt.Body(wt.Messages(nil, message)))
	}
	first := messagingtest.Logged(t, db, clock, bodies[0])
	rest := messagingtest.Logged(t, db, clock, bodies[1:]...)
	for _, images := range [][]dynamo.Item{first, rest} {
		if response, err := consume(t.Context(), db.Client,
			events.DynamoDBEvent{Records: dynamotest.Records(t, images)}); err != nil ||
			len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
	}
	var c model.Conversation
	if err := db.Get(t.Context(), tables.Messages, keys.Conversation(wt.Phone, "919876543210"), &c); err != nil ||
		c.UnreadCount != 20 {
		t.Errorf("%+v, %v", c, err)
	}
}
