package main

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// comes has the function take a notice of a message that has come in, and the domains read the message from the log.
func comes(t testing.TB, rooms *messaging.Domain, h handler, notice json.RawMessage, id model.EventID) {
	t.Helper()
	if _, err := h.Handle(t.Context(), notice); err != nil {
		t.Fatal(err)
	}
	entry, err := rooms.Log.Entry(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := rooms.Arrivals.Reader(rooms.Subscriptions).Apply(t.Context(), entry); err != nil {
		t.Fatal(err)
	}
}

// A text comes by SNS, maybe twice. It is in the log once, with the time of its first notice, and names the person as
// WhatsApp knows them. It becomes a turn of the assistant, whose answer goes out by SMS.
func TestATextThatComesInIsAnsweredBySMS(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	now := noon
	rooms := registry.Reacting(registry.Open(messaging.Config{
		DB: db.Client, Now: func() time.Time { return now }, NewToken: func() string { return "token" }}))
	key := writes(t, db, "hello")
	log := slog.New(slog.DiscardHandler)
	lane := newHandler(rooms, clients{}, log)
	notice, err := json.Marshal(events.SNSEvent{Records: []events.SNSEventRecord{{
		EventSource: "aws:sns", SNS: events.SNSEntity{Timestamp: noon, Message: `{"inboundMessageId":"1",` +
			`"originationNumber":"+447700900555","destinationNumber":"+447700900444",` +
			`"messageBody":"What is the salary?"}`}}}})
	if err != nil {
		t.Fatal(err)
	}
	h, id := handler{lane.Handle, rooms.Mailing, takingOf(rooms), nil, log}, arrivals.ID("sms", "+447700900444", "1")
	for range 2 {
		now = now.Add(time.Minute)
		comes(t, rooms, h, notice, id)
	}
	m, err := rooms.Arrivals.Get(t.Context(), id)
	if err != nil || m.Outcome != arrivals.Claimed || m.ReceivedAt != model.At(noon) || m.CustomerID != "447700900555" {
		t.Errorf("%+v %v", m, err)
	}
	for range 2 {
		now = now.Add(10 * time.Minute)
		answers(t, db, lane)
	}
	var texts []string
	for _, event := range eventsOf(t, db, "sms.message") {
		texts = append(texts, string(event.Payload))
	}
	_, c := heard(t, db, key)
	if len(texts) != 1 || !strings.Contains(texts[0], "18,000") ||
		!strings.Contains(texts[0], `"from":"+447700900444"`) || c.Entries != 3 {
		t.Errorf("%d entries, %v", c.Entries, texts)
	}
}

// A person who stops before the assistant has answered gets nothing, and nobody is asked to answer.
func TestWhoStopsBySMSGetsNoAnswer(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	rooms := registry.Reacting(registry.Open(messaging.Config{DB: db.Client, Now: func() time.Time { return noon }}))
	key := writes(t, db, "What is the salary?")
	if err := rooms.Suppressed.Decide(t.Context(), "demo", "+447700900555", true, model.At(noon)); err != nil {
		t.Fatal(err)
	}
	answers(t, db, newHandler(rooms, clients{}, slog.New(slog.DiscardHandler)))
	_, c := heard(t, db, key)
	turns, texts := eventsOf(t, db, "conversations.turn"), eventsOf(t, db, "sms.message")
	if len(texts) != 0 || len(turns) != 1 || turns[0].Status != model.OutboxSent ||
		c.Status != conversationsmodel.AwaitingReply {
		t.Errorf("%d texts, %+v, %s", len(texts), turns, c.Status)
	}
}

// writes is says by SMS.
func writes(t testing.TB, db *dynamotest.DB, text string) keys.Key {
	t.Helper()
	db.Seed(t, tables.Messages, model.Sender{
		PK: keys.Sender("+447700900444").Partition, ItemType: model.ItemSender, TenantID: "demo", CompanyID: "ci-1"})
	return says(t, db, text, func(c *conversationsmodel.Conversation) {
		c.ChannelMethod, c.RecipientTel, c.Customer = model.ChannelSMS, "+447700900555", "447700900555"
		c.ChannelConfig = model.Document(`{"company_sms_number":"+447700900444"}`)
		c.CreatedAt, c.Assisted = model.At(noon.Add(-time.Minute)), &conversationsmodel.Assisted{Introduced: true}
	})
}

// answers delivers the turns that wait.
func answers(t testing.TB, db *dynamotest.DB, lane dispatch.Handler) {
	t.Helper()
	for _, event := range eventsOf(t, db, "conversations.turn") {
		if event.Status != model.OutboxPending {
			continue
		}
		if err := lane.Relay.Deliver(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
}

// eventsOf returns the events of the outbox of a type.
func eventsOf(t testing.TB, db *dynamotest.DB, kind string) (all []model.OutboxEvent) {
	t.Helper()
	for _, item := range db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			t.Fatal(err)
		}
		if event.EventType == kind {
			all = append(all, event)
		}
	}
	return all
}
