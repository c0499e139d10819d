package cost

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// forty is a text of 40 ASCII characters.
const forty = "Two kilos of basmati rice and one salt ."

// wamid returns a message id as long as Meta's.
func wamid(n int) string {
	return fmt.Sprintf("wamid.HBgMOTE5ODc2NTQzMjEwFQIAEhgWM0EBMjM0NTY3ODk%08d", n)
}

// flow is one thing that the system does. at counts seconds, so that every step has a later time.
type flow struct {
	name string
	max  float64 // maximum write units
	// tables are those that the flow uses beside the messages and the outbox.
	tables []tables.Table
	// before prepares the tables for the flow. It is not counted.
	before func(s *system)
	run    func(s *system)
	stores bool // the report says how many bytes it leaves, because the bill needs them
}

// measured is a domain with its flows.
type measured struct {
	name  string
	flows func() []flow
}

// system runs the functions' work without Lambda's events.
type system struct {
	t      *testing.T
	db     *dynamotest.DB
	client *dynamo.Client // counts units
	now    time.Time
	seen   map[string]bool
	kept   *messaging.Domain
	sent   int
	// campaigned is the campaign that a flow has started.
	campaigned model.Name
}

// store is shared by all flows, as in a process: what it does once per number is no cost of a flow.
func (s *system) rooms() *messaging.Domain {
	if s.kept == nil {
		s.kept = registry.Reacting(registry.Open(messaging.Config{
			DB: s.client, Now: func() time.Time { return s.now },
			NewToken: func() string { return "YD5MR3BXKQHKQ2UQ7C3L5Z6NWA" },
			NewID:    dynamotest.IDs("01a1fbae-3de3-707d-9ea6-5db5e19f%04d")}))
	}
	return s.kept
}

func (s *system) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// flow returns a context with a correlation id, as in the functions, because the id is stored.
func (s *system) flow() context.Context {
	return telemetry.WithCorrelation(s.t.Context(), "JKJaXmPLvHcESHA=JKJaXmPLvHcESHA=")
}

// post does what the webhook function does with a body.
func (s *system) post(body []byte) {
	s.t.Helper()
	entries, err := whatsapp.DecodeWebhook(body)
	s.must(err)
	s.must(webhooklog.Appender{DB: s.client, Now: s.rooms().Now}.Append(s.flow(), entries))
}

// consume does what inbound and status do with the entries posted since the last call.
func (s *system) consume() {
	s.t.Helper()
	rooms := s.rooms()
	relay := s.relay()
	for _, item := range s.db.Items(s.t, tables.Messages) { // replaces the stream, which costs no units
		var event model.WebhookEvent
		if dynamo.Text(item, "itemType") != model.ItemWebhookEvent || s.seen[dynamo.Text(item, "pk")] {
			continue
		}
		s.seen[dynamo.Text(item, "pk")] = true
		s.must(dynamo.Unmarshal(item, &event))
		for _, reader := range append(rooms.Readers(rooms.SettleByStatus(relay)),
			rooms.MessageReader(rooms.Subscriptions()...), rooms.Arrivals.Reader(rooms.Subscriptions)) {
			if reader.Reads(event) {
				s.must(reader.Apply(s.flow(), event))
				break
			}
		}
		s.must(rooms.MarkProcessed(s.flow(), event.EventID))
	}
}

// accepting is a sender whose messages are always accepted.
type accepting struct{ s *system }

func (a accepting) Send(context.Context, whatsapp.Request) (whatsapp.Taken, error) {
	a.s.sent++
	return whatsapp.Taken{ID: wamid(9000 + a.s.sent)}, nil
}

func (s *system) relay() *outbox.Relay {
	return &outbox.Relay{
		Outbox: outbox.Outbox{DB: s.client, Now: s.rooms().Now}, Handlers: s.rooms().Handlers(accepting{s}),
		Owner: "TCMYMFBRAHUWPJWEA6KFTJMZZH", Log: slog.New(slog.DiscardHandler), Sleep: dynamo.Sleep,
	}
}

func (s *system) text(from string, n int) map[string]any {
	return wt.Text(from, wamid(n), forty, s.now)
}

const customer = "919876543210"

func (s *system) known() {
	s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, 1))))
	s.consume()
	s.now = s.now.Add(time.Minute)
}

func (s *system) accept() sending.Accepted { return s.acceptAs(false) }

func (s *system) acceptAs(quiet bool) sending.Accepted {
	accepted, err := s.rooms().Accept(s.flow(), sending.Outgoing{
		Tenant: "demo", Phone: wt.Phone, Customer: customer, SentBy: "0192-user", Content: content.Text{Body: forty},
		Quiet: quiet,
	}, idempotency.Request{})
	s.must(err)
	return accepted
}

// sentAndRead has a text go out and be read.
func (s *system) sentAndRead(quiet bool) {
	accepted := s.acceptAs(quiet)
	s.deliver(accepted.OutboxEventID)
	for _, status := range []string{"sent", "delivered", "read"} {
		s.status(status, accepted.OutboxEventID+".YD5MR3BXKQHKQ2UQ7C3L5Z6NWA")
	}
}

func (s *system) deliver(eventID string) {
	event, err := s.relay().Get(s.flow(), eventID)
	s.must(err)
	s.must(s.relay().Deliver(s.flow(), event))
}

func (s *system) status(status, callback string) {
	s.now = s.now.Add(time.Second)
	s.post(wt.Body(
		wt.Statuses(wt.Status(wamid(9001), status, customer, s.now, wt.Object{"biz_opaque_callback_data": callback}))))
	s.consume()
}

func TestCost(t *testing.T) {
	var report strings.Builder
	var flows []flow
	for _, domain := range domains {
		own := domain.flows()
		if len(own) == 0 {
			t.Errorf("nobody measures what %s costs: %[1]sFlows has no flow", domain.name)
		}
		flows = append(flows, own...)
	}
	for _, f := range flows {
		t.Run(f.name, func(t *testing.T) {
			cost, left := measureStored(t, f)
			fmt.Fprintf(&report, "%s\n%s%s\n", f.name, cost, left)
			if total := dynamotest.Total(cost.Write); total > f.max {
				t.Errorf("costs %g write units, %g at most:\n%s", total, f.max, cost)
			}
		})
	}
	t.Log("\n" + report.String())
	golden.Compare(t, "testdata/cost.golden", report.String())
}

func measure(t *testing.T, f flow) dynamotest.Cost {
	t.Helper()
	cost, _ := measureStored(t, f)
	return cost
}

// measureStored returns what a flow costs, and what it leaves in the tables.
func measureStored(t *testing.T, f flow) (cost dynamotest.Cost, left string) {
	t.Helper()
	used := append([]tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}, f.tables...)
	db := dynamotest.StartWhole(t, used...)
	client, meter := db.Metered(t)
	s := &system{t: t, db: db, client: client, now: noon, seen: map[string]bool{}}
	if f.before != nil {
		f.before(s)
	}
	var before map[string]int
	if f.stores {
		before = s.stored(used)
	}
	meter.Reset()
	f.run(s)
	cost = meter.Cost()
	if f.stores {
		left = storedLines(before, s.stored(used))
	}
	return cost, left
}

// A status that names an already settled event must not even read the outbox.
func TestAStatusOfASettledMessageReadsNoOutbox(t *testing.T) {
	var callback string
	cost := measure(t, flow{
		before: func(s *system) {
			s.known()
			accepted := s.accept()
			s.deliver(accepted.OutboxEventID)
			callback = accepted.OutboxEventID + ".YD5MR3BXKQHKQ2UQ7C3L5Z6NWA"
		},
		run: func(s *system) { s.status("sent", callback) },
	})
	if units := cost.Read[tables.Outbox.Name(tables.Dev)]; units > 0 {
		t.Errorf("reads %g units of the outbox", units)
	}
}
