package messaging_test

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
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

// The number of schedules for a race of two operations, and of three, if that many exist. Most pairs have fewer and run
// under all. `make soak` runs many more: go test ./shared/messaging -run Race -schedules 1000
var (
	schedulesOfTwo = flag.Int("schedules", 60,
		"orders of calls that each race of two operations tries; one of three tries half as many")
	schedulesOfThree = func() int { return *schedulesOfTwo / 2 }
)

// round is one history, such as one schedule of a race. It has its own business number, so that many rounds can share
// an engine.
type round struct {
	*messaging.Domain
	*dynamotest.Schedule
	t     *testing.T
	db    *dynamotest.DB
	phone model.PhoneNumberID
	said  int // number of messages so far; they are logged one millisecond apart
	ran   int // number of operations so far outside races
}

// raceDB starts an engine for rounds. Tests run in parallel, because they mostly wait.
func raceDB(t *testing.T) *dynamotest.DB {
	t.Helper()
	t.Parallel()
	return raceEngine(t)
}

// roundsAlike returns a function that begins a round of a test. The rounds begin alike, each with empty tables, so the
// engine is asked what a round has in common with an earlier one only once.
func roundsAlike(t *testing.T) func() *round {
	t.Helper()
	t.Parallel()
	db := raceEngine(t)
	again := db.Again(t)
	return func() *round {
		again()
		return roundOn(t, db, 1)
	}
}

func raceEngine(t *testing.T) *dynamotest.DB {
	t.Helper()
	messages := dynamotest.Indexed(tables.Messages, tables.IndexTenant,
		tables.IndexFrom, tables.IndexConversation, tables.IndexInbox,
		tables.IndexWABAItemType, tables.IndexCustomerPhone, tables.IndexWebhookEvent)
	return dynamotest.Start(t, messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs)
}

// races runs a race of two operations under many schedules, each in a round of its own.
func races(t *testing.T, race func(r *round)) {
	t.Helper()
	racesUnder(t, *schedulesOfTwo, race)
}

// racesOfThree runs a race of three operations.
func racesOfThree(t *testing.T, race func(r *round)) {
	t.Helper()
	racesUnder(t, schedulesOfThree(), race)
}

// each runs named races, all under the schedules of two operations or of three.
func each(t *testing.T, under func(*testing.T, func(r *round)), all map[string]func(r *round)) {
	t.Helper()
	for name, race := range all {
		t.Run(name, func(t *testing.T) { under(t, race) })
	}
}

func racesUnder(t *testing.T, schedules int, race func(r *round)) {
	t.Helper()
	begin := roundsAlike(t)
	dynamotest.Schedules(t, schedules, func(s *dynamotest.Schedule) {
		r := begin()
		r.Schedule = s
		race(r)
	})
}

// roundOn returns one of a test's rounds on a shared engine.
func roundOn(t *testing.T, db *dynamotest.DB, number int) *round {
	r := &round{t: t, db: db, phone: model.PhoneNumberID(fmt.Sprintf("%d%04d", 10000+crcOf(t.Name()), number))}
	r.Domain = r.on(db.Client, "")
	return r
}

// conversationOf returns the conversation that an identifier means.
func (r *round) conversationOf(customer model.CustomerID) model.Conversation {
	r.t.Helper()
	c, err := r.CurrentConversation(r.t.Context(), r.phone, customer)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// crcOf derives a small number from a name, so that the races of one engine have different business numbers.
func crcOf(name string) int {
	sum := 0
	for _, c := range name {
		sum = (sum*31 + int(c)) % 89999
	}
	return sum
}

// on returns the domain on a client. Its ids are unique to the round and the operation.
func (r *round) on(db *dynamo.Client, operation string) *messaging.Domain {
	return messaging.New(messaging.Config{
		DB: db, Now: func() time.Time { return noon }, NewToken: func() string { return "token" },
		NewID: dynamotest.IDs(fmt.Sprintf("queued-%s-%s-%%d", r.phone, operation)),
	})
}

// operation is an operation to race, on a domain of its own.
type operation func(ctx context.Context, s *messaging.Domain) error

// race runs operations concurrently. All must succeed.
func (r *round) race(operations ...operation) {
	r.t.Helper()
	if err := dynamotest.Fails(r.raceAnyhow(operations...)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *round) raceAnyhow(operations ...operation) []error {
	r.t.Helper()
	gated := make([]dynamotest.Operation, len(operations))
	for i, o := range operations {
		gated[i] = func(ctx context.Context, client *dynamo.Client) error {
			return o(ctx, r.on(client, string(rune('A'+i))))
		}
	}
	return r.Run(r.t, r.db, gated...)
}

// first runs operations one after the other, before or after a race.
func (r *round) first(operations ...operation) {
	r.t.Helper()
	for _, o := range operations {
		r.ran++
		if err := o(r.t.Context(), r.on(r.db.Client, fmt.Sprint(r.ran))); err != nil {
			r.t.Fatal(err)
		}
	}
}

// id returns a message's id in this round.
func (r *round) id(name string) string { return name + "." + string(r.phone) }

// says returns the receipt of a text of a customer who shows a number, a user id, or both.
func (r *round) says(number, userID, name, text string, minutesAgo int) operation {
	return r.receives(r.text(number, userID, name, text, minutesAgo))
}

func (r *round) shows(number, userID, name string, minutesAgo int) operation {
	return r.says(number, userID, name, "hello "+name, minutesAgo)
}

func (r *round) text(number, userID, name, text string, minutesAgo int) wt.Object {
	m := wt.Text(number, r.id(name), text, ago(minutesAgo))
	if number == "" {
		delete(m, "from")
	}
	if userID != "" {
		m["from_user_id"] = userID
	}
	return m
}

// notice returns the receipt of a notice that a number has changed.
func (r *round) notice(name string, minutesAgo int, from, to string) operation {
	return r.receives(
		wt.Message(from, r.id(name), "system", ago(minutesAgo),
			wt.Object{"system": wt.Object{"type": "user_changed_number", "wa_id": to}}))
}

// revokes returns the receipt of a customer's deletion of a message.
func (r *round) revokes(number, userID, name, original string, minutesAgo int) operation {
	m := r.text(number, userID, name, "", minutesAgo)
	m["type"], m["revoke"] = "revoke", wt.Object{"original_message_id": r.id(original)}
	delete(m, "text")
	return r.receives(m)
}

// receives returns the receipt of messages in one body. Bodies are logged in the order of the calls of receives.
func (r *round) receives(messages ...wt.Object) operation {
	return r.logs(wt.Messages(nil, messages...))
}

// logs returns the receipt of a change of messages.
func (r *round) logs(change wt.Object) operation {
	r.said++
	event := model.WebhookEvent{
		EventID: model.EventID(r.id(fmt.Sprint("e", r.said))), EventType: whatsapp.KindMessage, PhoneNumberID: r.phone,
		ReceivedAt: model.At(noon.Add(time.Duration(r.said-100) * time.Millisecond)),
		Payload:    wt.Encode(change["value"]),
	}
	return func(ctx context.Context, s *messaging.Domain) error {
		return s.MessageReader(s.OptOut()).Apply(ctx, event)
	}
}

func (r *round) reads(customer model.CustomerID) operation {
	return func(ctx context.Context, s *messaging.Domain) error {
		return s.MarkRead(ctx, "demo", r.phone, customer)
	}
}

func (r *round) unreads(customer model.CustomerID) operation {
	return func(ctx context.Context, s *messaging.Domain) error { return s.MarkUnread(ctx, r.phone, customer) }
}

func (r *round) archives(customer model.CustomerID) operation {
	return func(ctx context.Context, s *messaging.Domain) error {
		return s.SetArchived(ctx, r.phone, customer, true)
	}
}

// sends returns an operator's send of a template. It stores the accepted message in accepted, if that is not nil.
func (r *round) sends(customer model.CustomerID, accepted *sending.Accepted) operation {
	return func(ctx context.Context, s *messaging.Domain) error {
		got, err := s.Accept(ctx, sending.Outgoing{
			Tenant: "demo", Phone: r.phone, Customer: customer, SentBy: "user-1",
			Content:        content.Template{Name: "hello_world", Language: "en_US"},
			OverrideOptOut: true,
		}, idempotency.Request{})
		if accepted != nil {
			*accepted = got
		}
		return err
	}
}

// erases returns a call that erases a customer. It may end before the erasure is complete.
func (r *round) erases(customer model.CustomerID) operation {
	return func(ctx context.Context, s *messaging.Domain) error {
		_, err := s.Erase(ctx,
			erasure.Request{
				Tenant: "demo", Phone: r.phone, Customer: customer, Reason: "asked",
				By: audit.Actor{Subject: "user-1"}})
		return err
	}
}

// relayed reads the outbox event of an accepted message.
func (r *round) relayed(accepted sending.Accepted) model.OutboxEvent {
	r.t.Helper()
	event, err := (&outbox.Outbox{DB: r.DB, Now: r.Now}).Get(r.t.Context(), accepted.OutboxEventID)
	if err != nil {
		r.t.Fatal(err)
	}
	return event
}
