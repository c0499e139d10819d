package messaging

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// Under how many schedules a race of two operations runs, and one of three, where there are as many. Most pairs have fewer,
// and run under all.
const (
	schedulesOfTwo   = 100
	schedulesOfThree = 40
)

// round is one schedule of a race. It has a business number of its own, so that many rounds share an engine.
type round struct {
	*Store
	*dynamotest.Schedule
	t     *testing.T
	db    *dynamotest.DB
	phone model.PhoneNumberID
	said  int // messages so far, which are logged one millisecond after the other
	ran   int // operations so far that were in no race
}

// raceDB is an engine for all races of a test, which run side by side with those of other tests: mostly they wait. Its tables have no streams: nobody reads them, and they slow the engine down.
func raceDB(t *testing.T) *dynamotest.DB {
	t.Helper()
	t.Parallel()
	list := []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs}
	for i := range list {
		list[i].Stream = ""
	}
	return dynamotest.Start(t, list...)
}

// races runs a race of two operations under many schedules, each in a round of its own.
func races(t *testing.T, db *dynamotest.DB, race func(r *round)) []*round {
	t.Helper()
	return racesUnder(t, db, schedulesOfTwo, race)
}

// racesOfThree runs a race of three operations.
func racesOfThree(t *testing.T, db *dynamotest.DB, race func(r *round)) []*round {
	t.Helper()
	return racesUnder(t, db, schedulesOfThree, race)
}

func racesUnder(t *testing.T, db *dynamotest.DB, schedules int, race func(r *round)) (rounds []*round) {
	t.Helper()
	t.Parallel()
	dynamotest.Schedules(t, schedules, func(s *dynamotest.Schedule) {
		r := roundOn(t, db, s.Number)
		r.Schedule = s
		rounds = append(rounds, r)
		race(r)
	})
	return rounds
}

// roundOn is one of a test's rounds on an engine that several share.
func roundOn(t *testing.T, db *dynamotest.DB, number int) *round {
	r := &round{t: t, db: db, phone: model.PhoneNumberID(fmt.Sprintf("%d%04d", 10000+crcOf(t.Name()), number))}
	r.Store = r.on(db.Client, "")
	return r
}

// conversationOf is the conversation that a customer's identifier means.
func (r *round) conversationOf(customer model.CustomerID) model.Conversation {
	r.t.Helper()
	c, err := r.standing(r.t.Context(), r.phone, customer)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// crcOf makes a small number of a name, so that the races of one engine have different business numbers.
func crcOf(name string) int {
	sum := 0
	for _, c := range name {
		sum = (sum*31 + int(c)) % 89999
	}
	return sum
}

// on is the domain on a client. Its ids are of this round and of one operation.
func (r *round) on(db *dynamo.Client, operation string) *Store {
	ids := 0
	return &Store{
		DB: db, Now: func() time.Time { return noon }, NewToken: func() string { return "token" },
		NewID: func() string { ids++; return fmt.Sprintf("queued-%s-%s-%d", r.phone, operation, ids) },
	}
}

// operation is something that races, on a domain of its own.
type operation func(ctx context.Context, s *Store) error

// race runs operations side by side. All of them succeed, whatever they meet.
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

// first runs operations one after the other, before a race or after it.
func (r *round) first(operations ...operation) {
	r.t.Helper()
	for _, o := range operations {
		r.ran++
		if err := o(r.t.Context(), r.on(r.db.Client, fmt.Sprint(r.ran))); err != nil {
			r.t.Fatal(err)
		}
	}
}

// id is a message's id in this round.
func (r *round) id(name string) string { return name + "." + string(r.phone) }

// says is the arrival of a text of a customer who shows a number, a user id, or both.
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

// notice is the arrival of a notice that a number has changed.
func (r *round) notice(name string, minutesAgo int, from, to string) operation {
	return r.receives(wt.Message(from, r.id(name), "system", ago(minutesAgo), wt.Object{"system": wt.Object{"type": "user_changed_number", "wa_id": to}}))
}

// revokes is the arrival of a customer's deletion of a message.
func (r *round) revokes(number, userID, name, original string, minutesAgo int) operation {
	m := r.text(number, userID, name, "", minutesAgo)
	m["type"], m["revoke"] = "revoke", wt.Object{"original_message_id": r.id(original)}
	delete(m, "text")
	return r.receives(m)
}

// receives is the arrival of messages in one body. Bodies are logged in the order of the calls of receives.
func (r *round) receives(messages ...wt.Object) operation {
	r.said++
	event := model.WebhookEvent{
		EventID: model.EventID(r.id(fmt.Sprint("e", r.said))), EventType: whatsapp.KindMessage, PhoneNumberID: r.phone,
		ReceivedAt: model.At(noon.Add(time.Duration(r.said-100) * time.Millisecond)),
		Payload:    wt.Encode(wt.Messages(nil, messages...)["value"]),
	}
	return func(ctx context.Context, s *Store) error { return s.Receive(ctx, event, []Reaction{s.OptOut()}) }
}

func (r *round) reads(customer model.CustomerID) operation {
	return func(ctx context.Context, s *Store) error { return s.MarkRead(ctx, "demo", r.phone, customer) }
}

func (r *round) unreads(customer model.CustomerID) operation {
	return func(ctx context.Context, s *Store) error { return s.MarkUnread(ctx, r.phone, customer) }
}

func (r *round) archives(customer model.CustomerID) operation {
	return func(ctx context.Context, s *Store) error { return s.SetArchived(ctx, r.phone, customer, true) }
}

// sends is an operator's template to a customer. The id under which it shows is left in accepted, where that is not nil.
func (r *round) sends(customer model.CustomerID, accepted *Accepted) operation {
	return func(ctx context.Context, s *Store) error {
		got, err := s.Accept(ctx, Outgoing{
			Tenant: "demo", Phone: r.phone, Customer: customer, SentBy: "user-1", Template: &whatsapp.Template{Name: "hello_world", Language: "en_US"},
		})
		if accepted != nil {
			*accepted = got
		}
		return err
	}
}

// erases is a call that erases a customer. It may end before it is complete.
func (r *round) erases(customer model.CustomerID) operation {
	return func(ctx context.Context, s *Store) error {
		_, err := s.Erase(ctx, Erasure{Tenant: "demo", Phone: r.phone, Customer: customer, Reason: "asked", By: audit.Actor{Subject: "user-1"}})
		return err
	}
}

// thread is a conversation as the API shows it.
type thread struct {
	model.Conversation
	messages []model.Message // oldest first
}

// threads lists all conversations that stand, in the order of their first message, and checks what always holds.
func (r *round) threads(identifiers ...model.CustomerID) []thread {
	r.t.Helper()
	var all []thread
	in := map[string]string{}
	for _, archived := range []bool{false, true} {
		rows, _, err := r.Inbox(r.t.Context(), r.phone, Filter{Archived: archived}, 100, nil)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, row := range rows {
			_, customer, _ := keys.ConversationIDs(row.PK)
			c, err := r.Store.Conversation(r.t.Context(), r.phone, customer)
			if err != nil || c.MergedInto != "" {
				r.t.Errorf("the inbox lists %s: %+v, %v", row.PK, c, err)
			}
			messages, _, err := r.Timeline(r.t.Context(), c, 100, Position{})
			if err != nil {
				r.t.Fatal(err)
			}
			slices.Reverse(messages)
			all = append(all, thread{c, messages})
			for _, m := range messages {
				if in[m.PK] != "" {
					r.t.Errorf("%s is in %s and in %s", m.PK, in[m.PK], c.PK)
				}
				in[m.PK] = c.PK
			}
			r.consistent(c, messages)
		}
	}
	r.led(identifiers, all)
	slices.SortFunc(all, func(a, b thread) int { return strings.Compare(string(a.FirstOrder), string(b.FirstOrder)) })
	return all
}

// consistent checks that a conversation shows the newest of its messages.
func (r *round) consistent(c model.Conversation, messages []model.Message) {
	r.t.Helper()
	if len(messages) == 0 {
		return
	}
	last := messages[len(messages)-1]
	if c.LastMessagePK != last.PK || c.LastPreview != last.Preview || c.LastOrder != orderOf(last) {
		r.t.Errorf("%s shows %s (%s) as its last message, and that is %s", c.PK, c.LastMessagePK, c.LastPreview, last.PK)
	}
	if c.FirstOrder != orderOf(messages[0]) {
		r.t.Errorf("%s begins at %s, and its first message is of %s", c.PK, c.FirstOrder, orderOf(messages[0]))
	}
}

// led checks that every owner of every identifier leads to a conversation that stands, or to nobody, and that what was
// merged is out of the inbox.
func (r *round) led(identifiers []model.CustomerID, all []thread) {
	r.t.Helper()
	l := r.lookUp(r.phone, nil)
	if err := l.identifiers(r.t.Context(), identifiers); err != nil {
		r.t.Fatal(err)
	}
	stands := func(pk string) bool { return slices.ContainsFunc(all, func(c thread) bool { return c.PK == pk }) }
	for _, id := range identifiers {
		o, err := l.ownership(id)
		if err != nil {
			r.t.Fatal(err)
		}
		own, err := asConversation(l.items[l.conversationKey(id).Partition])
		switch first := o.owners[0].CustomerID; {
		case err != nil:
			r.t.Fatal(err)
		case own == nil:
		case own.MergedInto != "" && own.InboxPK != "":
			r.t.Errorf("%s is merged and in the inbox", own.PK)
		case own.MergedInto == "" && first != id && !isStranger(first):
			r.t.Errorf("%s stands, and its alias leads to %s", own.PK, first)
		}
		for _, owner := range o.owners {
			led, err := l.follow(r.t.Context(), []model.CustomerID{owner.CustomerID})
			if err != nil {
				r.t.Fatalf("%s: %v", id, err)
			}
			if c := led[owner.CustomerID].conversation; c != nil && !stands(c.PK) {
				r.t.Errorf("%s leads to %s, which does not stand", id, c.PK)
			}
		}
	}
}

// wants fails the test where the conversations that stand do not hold exactly these messages, oldest first. A conversation
// is written as the names of its messages with spaces between; "queued" is a message of ours.
func (r *round) wants(threads []thread, want ...string) {
	r.t.Helper()
	var got []string
	for _, thread := range threads {
		var names []string
		for _, m := range thread.messages {
			name := strings.TrimSuffix(strings.TrimPrefix(m.PK, "MSG#"), "."+string(r.phone))
			if strings.HasPrefix(name, "queued-") {
				name = "queued"
			}
			names = append(names, name)
		}
		got = append(got, strings.Join(names, " "))
	}
	if !slices.Equal(got, want) {
		r.t.Errorf("conversations %q, want %q", got, want)
	}
}

// wantsOne is wants where one person has one conversation, which it returns.
func (r *round) wantsOne(identifiers []model.CustomerID, want string, unread int) thread {
	r.t.Helper()
	all := r.threads(identifiers...)
	r.wants(all, want)
	if len(all) != 1 {
		r.t.FailNow()
	}
	if all[0].UnreadCount != unread {
		r.t.Errorf("%d unread, want %d", all[0].UnreadCount, unread)
	}
	return all[0]
}

// relayed is the event of an accepted message, as the outbox holds it.
func (r *round) relayed(accepted Accepted) model.OutboxEvent {
	r.t.Helper()
	event, err := (&outbox.Store{DB: r.DB, Now: r.Now}).Get(r.t.Context(), accepted.OutboxEventID)
	if err != nil {
		r.t.Fatal(err)
	}
	return event
}
