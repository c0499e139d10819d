package messaging_test

import (
	"errors"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func ago(minutes int) time.Time { return noon.Add(-time.Duration(minutes) * time.Minute) }

// fixture is the domain on an engine, with a clock that stands at noon.
type fixture struct {
	*messaging.Domain
	t    *testing.T
	db   *dynamotest.DB
	seen map[model.EventID]bool
	// tells says that what comes is published as well, where somebody outside is told.
	tells bool
}

var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	return fixtureOn(t, dynamotest.Start(t, used...))
}

func fixtureOn(t *testing.T, db *dynamotest.DB) *fixture {
	return &fixture{t: t, db: db, seen: map[model.EventID]bool{}, Domain: messaging.New(messaging.Config{
		DB: db.Client, Now: func() time.Time { return noon },
		NewID:    dynamotest.IDs("queued-%d"),
		NewToken: func() string { return "token" },
	})}
}

// post logs changes as one body and processes them as the functions do. It returns the error of parked entries.
func (w *fixture) post(changes ...wt.Object) error {
	w.t.Helper()
	return w.postBody(wt.Body(changes...))
}

func (w *fixture) postBody(body []byte) error {
	w.t.Helper()
	entries, err := whatsapp.DecodeWebhook(body)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := (webhooklog.Appender{DB: w.DB, Now: w.Now}).Append(w.t.Context(), entries); err != nil {
		w.t.Fatal(err)
	}
	var parked []error
	for _, entry := range entries {
		var event model.WebhookEvent
		if err := w.DB.Get(w.t.Context(), tables.Messages, keys.WebhookEvent(model.EventID(entry.ID)),
			&event); err != nil {
			w.t.Fatal(err)
		}
		if w.seen[event.EventID] || event.ProcessingError != "" {
			continue
		}
		w.seen[event.EventID] = true
		parked = append(parked, w.process(event))
	}
	return errors.Join(parked...)
}

func (w *fixture) process(event model.WebhookEvent) error {
	w.t.Helper()
	reactions := []inbound.Subscription{w.OptOut()}
	if w.tells {
		reactions = w.Subscriptions()
	}
	for _, reader := range append(w.Readers(), w.MessageReader(reactions...)) {
		if !reader.Reads(event) {
			continue
		}
		err := reader.Apply(w.t.Context(), event)
		if err != nil && !dynamo.Permanent(err) {
			w.t.Fatal(err)
		}
		return err
	}
	return nil
}

// says receives a text of a customer who shows a number and a name.
func (w *fixture) says(from, id, text string, minutesAgo int) {
	w.t.Helper()
	if err := w.post(
		wt.Messages(wt.List{wt.Contact(from, "Asha")}, wt.Text(from, id, text, ago(minutesAgo)))); err != nil {
		w.t.Fatal(err)
	}
}

func (w *fixture) conversation(customer model.CustomerID) model.Conversation {
	w.t.Helper()
	c, err := w.Domain.Conversation(w.t.Context(), wt.Phone, customer)
	if err != nil {
		w.t.Fatalf("conversation with %s: %v", customer, err)
	}
	return c
}

func (w *fixture) message(id model.MessageID) model.Message {
	w.t.Helper()
	m, err := w.Domain.Message(w.t.Context(), id)
	if err != nil {
		w.t.Fatalf("message %s: %v", id, err)
	}
	return m
}

// inbox lists the customers in the inbox, newest first.
func (w *fixture) inbox() []model.CustomerID {
	w.t.Helper()
	rows, _, err := w.Conversations(w.t.Context(), []model.PhoneNumberID{wt.Phone}, inbox.Filter{}, 100,
		inbox.Position{})
	if err != nil {
		w.t.Fatal(err)
	}
	var customers []model.CustomerID
	for _, row := range rows {
		_, customer, _ := keys.ConversationIDs(row.PK)
		customers = append(customers, customer)
	}
	return customers
}

// timeline lists the ids of a conversation's messages, newest first.
func (w *fixture) timeline(customer model.CustomerID) []model.MessageID {
	w.t.Helper()
	messages, _, err := w.Timeline(w.t.Context(), w.conversation(customer), 100, inbox.Position{})
	if err != nil {
		w.t.Fatal(err)
	}
	var ids []model.MessageID
	for _, m := range messages {
		id, _ := keys.MessageIDOf(m.PK)
		ids = append(ids, id)
	}
	return ids
}

// accept sends a template to a customer, as the API does.
func (w *fixture) accept(customer model.CustomerID) sending.Accepted {
	w.t.Helper()
	accepted, err := w.Accept(w.t.Context(), sending.Outgoing{
		Tenant: "demo", Phone: wt.Phone, Customer: customer, SentBy: "user-1",
		Content:        content.Template{Name: "hello_world", Language: "en_US"},
		OverrideOptOut: true,
	}, idempotency.Request{})
	if err != nil {
		w.t.Fatal(err)
	}
	return accepted
}

// settled settles the event of an accepted message as sent under a wamid.
func (w *fixture) settled(accepted sending.Accepted, wamid model.MessageID) {
	w.t.Helper()
	w.settle(accepted, outbox.Outcome{ExternalID: string(wamid), At: model.At(noon)})
}

// settle records how the send of a message has ended.
func (w *fixture) settle(accepted sending.Accepted, outcome outbox.Outcome) {
	w.t.Helper()
	events := outbox.Outbox{DB: w.DB, Now: w.Now}
	event, err := events.Get(w.t.Context(), accepted.OutboxEventID)
	if err != nil {
		w.t.Fatal(err)
	}
	writes, err := w.Handlers(nil)["whatsapp.message"].Settle(w.t.Context(), event, outcome)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.DB.Transact(w.t.Context(), writes); err != nil {
		w.t.Fatal(err)
	}
}

// auditLog returns the audit records.
func (w *fixture) auditLog() *audit.Log { return &audit.Log{DB: w.DB, Now: w.Now, NewID: w.NewID} }

// anHourLater advances the clock by an hour.
func (w *fixture) anHourLater() {
	w.set(func(c *messaging.Config) { c.Now = func() time.Time { return noon.Add(time.Hour) } })
}

// set rewires the domain with another configuration.
func (w *fixture) set(change func(c *messaging.Config)) { w.Domain = w.With(change) }

// now returns the current place in the order of events.
func (w *fixture) now() model.Order { return model.OrderOf(model.At(w.Now()), 0) }
