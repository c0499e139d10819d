package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/delivery"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const batchSize = 25

func customer(n int) string { return fmt.Sprintf("9190000000%02d", n) }

func wamid(n int) string { return fmt.Sprintf("wamid.%02d", n) }

// sentTo stores one sent message for each customer.
func sentTo(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	for n := range batchSize {
		db.Seed(t, tables.Messages, model.Message{
			PK: keys.Message(model.MessageID(wamid(n))).Partition, ItemType: model.ItemMessage,
			Direction:      model.Outbound,
			ConversationPK: keys.Conversation(wt.Phone, model.CustomerID(customer(n))).Partition,
			DeliveryStatus: model.Queued,
		})
	}
}

// unansweredTo adds an outbox event for each customer and returns the events.
func unansweredTo(t testing.TB, db *dynamotest.DB) []model.OutboxEvent {
	t.Helper()
	relay := outbox.Outbox{DB: db.Client, Now: clock}
	var all []model.OutboxEvent
	for n := range batchSize {
		rooms := messaging.New(messaging.Config{
			DB: db.Client, Now: clock, NewID: func() string { return fmt.Sprint("queued-", n) }})
		accepted, err := rooms.Accept(t.Context(), sending.Outgoing{
			Tenant: "demo", Phone: wt.Phone, Customer: model.CustomerID(customer(n)), SentBy: "user-1",
			Content: content.Template{Name: "hello_world", Language: "en_US"},
		}, idempotency.Request{})
		if err != nil {
			t.Fatal(err)
		}
		event, err := relay.Get(t.Context(), accepted.OutboxEventID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, event)
	}
	return all
}

// delivered returns a delivered status for each customer's message. more, if not nil, adds fields to each.
func delivered(more func(n int) wt.Object) []wt.Object {
	var statuses []wt.Object
	for n := range batchSize {
		var extra wt.Object
		if more != nil {
			extra = more(n)
		}
		statuses = append(statuses, wt.Status(wamid(n), "delivered", customer(n), at(n), extra))
	}
	return statuses
}

// consumeThrough processes statuses, all in one body or each in its own, through a transport.
func consumeThrough(
	t *testing.T, db *dynamotest.DB, through http.RoundTripper, inOneBody bool, statuses []wt.Object) {
	t.Helper()
	bodies := [][]byte{}
	if inOneBody {
		bodies = append(bodies, wt.Body(wt.Statuses(statuses...)))
	} else {
		for _, status := range statuses {
			bodies = append(bodies, wt.Body(wt.Statuses(status)))
		}
	}
	images := messagingtest.Logged(t, db, clock, bodies...)
	response, err := consume(t.Context(), db.Through(through),
		events.DynamoDBEvent{Records: dynamotest.Records(t, images)})
	if err != nil || len(response.BatchItemFailures) > 0 {
		t.Fatalf("%+v, %v", response, err)
	}
}

// Messages do not wait for one another: each state is written in one call. A status that settles a send takes five.
func TestStatusesOfDifferentMessagesAreAppliedConcurrently(t *testing.T) {
	for _, inOneBody := range []bool{false, true} {
		t.Run(fmt.Sprintf("in one body %v", inOneBody), func(t *testing.T) {
			var db *dynamotest.DB
			most := 2
			if inOneBody {
				most = 3 // 24 messages, sixteen at once
			}
			dynamotest.InARow(t, most, func(through http.RoundTripper) {
				db = dynamotest.Start(t, together...)
				sentTo(t, db)
				consumeThrough(t, db, through, inOneBody, delivered(nil))
			})
			for n := range batchSize {
				var m model.Message
				if err := db.Get(t.Context(), tables.Messages, keys.Message(model.MessageID(wamid(n))),
					&m); err != nil || m.DeliveryStatus != model.Delivered {
					t.Errorf("message %d is %s, %v", n, m.DeliveryStatus, err)
				}
			}
		})
	}
}

func TestStatusesThatSettleDifferentSendsTakeFiveCallsInARow(t *testing.T) {
	var db *dynamotest.DB
	var sends []model.OutboxEvent
	dynamotest.InARow(t, 5, func(through http.RoundTripper) {
		db = dynamotest.Start(t, together...)
		sends = unansweredTo(t, db)
		consumeThrough(t, db, through, false, delivered(func(n int) wt.Object {
			return wt.Object{"biz_opaque_callback_data": outbox.Callback(sends[n])}
		}))
	})
	store := outbox.Outbox{DB: db.Client, Now: clock}
	for n, send := range sends {
		if event, err := store.Get(t.Context(), send.EventID); err != nil || event.Status != model.OutboxSent ||
			event.ExternalID != wamid(n) {
			t.Errorf("event %d is %s %q, %v", n, event.Status, event.ExternalID, err)
		}
	}
}

// The statuses of one message are applied in order, within a value and across values, also for two copies of one event.
func TestStatusesOfOneMessageKeepTheirOrder(t *testing.T) {
	db := dynamotest.Start(t, together...)
	sentTo(t, db)
	var bodies [][]byte
	var want []string
	for n := range 20 { // none of these is a state, so only the order distinguishes them
		name := fmt.Sprintf("note-%02d", n)
		want = append(want, name)
		bodies = append(bodies, wt.Body(wt.Statuses(
			wt.Status(wamid(1), name, customer(1), at(1), nil), wt.Status(wamid(2), name, customer(2), at(1), nil),
			wt.Status(wamid(1), name+"b", customer(1), at(1), nil),
		)))
		want = append(want, name+"b")
	}
	images := messagingtest.Logged(t, db, clock, bodies...)
	if response, err := consume(t.Context(), db.Client,
		events.DynamoDBEvent{Records: dynamotest.Records(t, images)}); err != nil ||
		len(response.BatchItemFailures) > 0 {
		t.Fatalf("%+v, %v", response, err)
	}
	var m model.Message
	if err := db.Get(t.Context(), tables.Messages, keys.Message(model.MessageID(wamid(1))), &m); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, update := range m.DeliveryStatusHistory {
		got = append(got, update.Status)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the history is %v", got)
	}
}

// A failing status affects no other status of its value. Only for it the value is delivered again.
func TestAFailingStatusAffectsNoOtherOfItsValue(t *testing.T) {
	db := dynamotest.Start(t, together...)
	sentTo(t, db)
	images := messagingtest.Logged(t, db, clock, wt.Body(wt.Statuses(
		wt.Status(wamid(1), "delivered", customer(1), at(1), nil),
		wt.Status(wamid(2), "delivered", customer(2), at(1), nil),
		wt.Status(wamid(1), "read", customer(1), at(2), nil),
	)))
	troubled := true
	rooms := messaging.New(messaging.Config{DB: db.Client, Now: clock})
	worker := rooms.Worker(webhooklog.Status, slog.New(slog.DiscardHandler),
		rooms.StatusReader(delivery.OnDelivery{
			Name: "troubled", React: func(_ context.Context, d delivery.Delivery) error {
				if troubled && d.MessageID == model.MessageID(wamid(1)) {
					return errors.New("in trouble")
				}
				return nil
			}}))
	state := func(n int) model.DeliveryStatus {
		var m model.Message
		if err := db.Get(t.Context(), tables.Messages, keys.Message(model.MessageID(wamid(n))), &m); err != nil {
			t.Fatal(err)
		}
		return m.DeliveryStatus
	}
	run := func() error {
		return worker.Work(t.Context(), images, nil)[0]
	}
	if err := run(); err == nil || dynamo.Permanent(err) {
		t.Errorf("it is done: %v", err)
	}
	if state(1) != model.Delivered || state(2) != model.Delivered {
		t.Errorf("the states are %s and %s", state(1), state(2))
	}
	troubled = false
	if err := run(); err != nil || state(1) != model.Read {
		t.Errorf("%s, %v", state(1), err)
	}
}
