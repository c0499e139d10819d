package registry_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/delivery"
	"github.com/haatline/haatline/shared/messaging/forms"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// These tests join a small domain, echo, which answers PING with buttons, keeps a row of it, learns how its answer
// ends, and exports and erases its rows. Its part holds everything that a part can hold. join_rest_test.go tests what
// an answer does not need.

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const asha = "919876543210"

// preparer is what echo needs of sending.
type preparer interface {
	Refs(out sending.Outgoing) []dynamo.Ref
	Prepare(ctx context.Context, out sending.Outgoing, found dynamo.Found) (sending.Prepared, error)
}

type echo struct {
	db     *dynamo.Client
	sender preparer
	log    *webhooklog.Log
	heard  *[]string // what the domain was told of beside messages
}

func rowKey(reference string) keys.Key {
	return keys.Key{PartitionName: "ecosystemId", Partition: "demo", SortName: "requestId", Sort: reference}
}

func (e echo) subscription() inbound.Subscription {
	return inbound.Subscription{
		Domain: "echo", Claims: true, React: e.answer,
		Wants: func(m inbound.Message) bool { return m.Live && m.Text == "PING" },
	}
}

// errDaily is what the domain's schedule returns.
var errDaily = errors.New("a day has passed")

func (e echo) join() domain.Part {
	return domain.Part{
		Name:      "echo",
		Readers:   []webhooklog.Reader{e.log.ReaderOf(webhooklog.Fields("echoes"), e.entry)},
		Handlers:  map[string]outbox.Handler{"echo.note": {Send: e.note}},
		Hook:      &sending.Hook{Domain: "echo", Settle: e.settle, Status: e.status},
		Templates: []whatsapp.OwnTemplate{{Name: "echo_heard", Languages: []string{"en"}}},
		Wordings:  []sms.Wording{{Name: "echo_heard_sms", Texts: map[string]string{"en": "Heard {what:30}."}}},
		Schedules: map[string]func(context.Context) error{
			"echo-daily": func(context.Context) error { return errDaily }},
		Rekey:    e.rekey,
		Suspends: e.suspends,
		Owned:    e.owned,
		Paid:     e.paid, Refunded: e.refunded,
		Choices: []string{"echo:"},
		Events:  []publishing.Kind{{Name: "echo.heard", Means: "Somebody has said something."}}, Heard: e.listens,
		Audiences: map[string]campaigns.Audience{"echo_heard": func(_ context.Context, _ model.Phone, _ campaigns.Ask,
			add func(model.CustomerID, string) error) error {
			return errors.Join(add(asha, "Asha"), add(asha, "Asha"))
		}},
		Forms: map[string]forms.Form{"echo.form": func(_ context.Context, of model.OpenForm, ask forms.Ask) (
			forms.Screen, error) {
			return forms.Screen{Name: string(of.About) + ask.Screen}, nil
		}},
		Lookups: []lookup.Lookup{{Name: "echo_last", Of: func(context.Context, lookup.Person) (string, error) {
			return "PING", nil
		}}},
		Marks: []beside.Mark{{Name: "echoed", Scope: "inbox.read"}},
		Beside: []beside.Section{
			{Name: "echoes", Scope: "inbox.read", Of: func(_ context.Context, p lookup.Person) (beside.Shown, error) {
				return beside.Shown{Entries: []beside.Entry{{Title: string(p.At)}}}, nil
			}},
			{Name: "silence", Scope: "inbox.read", Of: func(context.Context, lookup.Person) (beside.Shown, error) {
				return beside.Shown{}, errDaily
			}},
		},
		Eraser: &erasure.Eraser{Domain: "echo", Counts: []string{"echoes"}, Erase: e.erase},
		Exporter: &export.Exporter{
			Domain: "echo", Lists: []export.List{{Kind: "echo", PerNumber: true, Read: e.export}}},
	}
}

// answer commits the answer and the row in one transaction. Its condition is that there is no row.
func (e echo) answer(ctx context.Context, m inbound.Message) (bool, error) {
	tenant, err := m.Tenant(ctx)
	if err != nil {
		return false, err
	}
	reference := string(m.Customer) + "." + string(m.ID)
	row := dynamo.Ref{Table: tables.CardRequests, Key: rowKey(reference)}
	out := sending.Outgoing{
		Tenant: tenant, Phone: m.Phone, Customer: m.Customer, SentBy: "echo", ReplyTo: m.ID,
		Purpose: model.PurposeOf("echo", reference),
		Content: content.Buttons{
			Frame: content.Frame{Body: "PONG"}, Buttons: []content.Button{{ID: "echo:again", Title: "Again"}}},
	}
	return true, dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		found, err := e.db.BatchGet(ctx, append(e.sender.Refs(out), row))
		if err != nil || row.Found(found) != nil {
			return err
		}
		prepared, err := e.sender.Prepare(ctx, out, found)
		if err != nil {
			return err
		}
		item := dynamo.Item{
			"ecosystemId": dynamo.S("demo"), "requestId": dynamo.S(reference), "state": dynamo.S("answered")}
		put := dynamo.Put{Table: tables.CardRequests, Item: item, If: "attribute_not_exists(requestId)"}
		return dynamo.Conflict(e.db.Transact(ctx, append(prepared.Writes, put)))
	})
}

func set(reference, state string) dynamo.Update {
	return dynamo.Update{
		Table: tables.CardRequests, Key: rowKey(reference), Do: "SET #state = :state",
		If:     "attribute_exists(requestId)",
		Values: dynamo.Item{":state": dynamo.S(state)},
	}
}

func (e echo) settle(_ context.Context, reference string, _ model.OutboxEvent,
	outcome outbox.Outcome) ([]dynamo.Write, error) {
	if outcome.Failure != nil {
		return []dynamo.Write{set(reference, "failed")}, nil
	}
	return []dynamo.Write{set(reference, "sent")}, nil
}

func (e echo) status(ctx context.Context, reference string, _ model.MessageID, status model.DeliveryStatus,
	_ *model.Problem) error {
	if status.Rank() <= model.Sent.Rank() {
		return nil // settling has said so
	}
	err := e.db.Update(ctx, set(reference, string(status)))
	return dynamo.IgnoreConditionFailed(err)
}

func (e echo) erase(ctx context.Context, of erasure.Subject,
	count func(string, int) []dynamo.Write) (func(model.CustomerID) []dynamo.Write, error) {
	for _, customer := range of.Keys {
		page, err := e.db.Query(ctx, rowsOf(of.Tenant, customer))
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			remove := dynamo.Delete{
				Table: tables.CardRequests, Key: rowKey(dynamo.Text(item, "requestId")),
				If: "attribute_exists(requestId)"}
			if err := e.db.Transact(ctx, append(count("echoes", 1), remove)); err != nil {
				return nil, dynamo.Conflict(err)
			}
		}
	}
	return nil, nil
}

// rowsOf returns the query for the rows of a customer, which are erased and exported.
func rowsOf(tenant model.TenantID, customer model.CustomerID) dynamo.Query {
	return dynamo.Query{
		Table: tables.CardRequests, Where: "ecosystemId = :tenant AND begins_with(requestId, :customer)",
		Values: dynamo.Item{":tenant": dynamo.S(tenant), ":customer": dynamo.S(string(customer) + ".")},
	}
}

func (e echo) export(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	var parts []export.Part
	for _, customer := range of.Keys {
		parts = append(parts, export.Query{DB: e.db, Of: rowsOf(of.Tenant, customer)}.Under(string(customer)))
	}
	return export.Parts(ctx, parts, after, limit)
}

var echoTables = []tables.Table{
	tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs, tables.CardRequests}

// house is messaging with echo, and behind it a subscription that notes what it sees.
func house(db *dynamo.Client, seen *[]string) *messaging.Domain {
	rooms := messaging.New(messaging.Config{
		DB: db, Now: func() time.Time { return noon }, DefaultTenant: "demo",
		NewToken: func() string { return "token" },
		NewID:    func() string { return "queued-1" }, // the same, whichever attempt commits
	})
	joins := echo{db, rooms.Sender, rooms.Log, seen}
	rooms.Join(joins.join())
	rooms.React(joins.subscription(), inbound.Subscription{
		Domain: "last", Wants: func(inbound.Message) bool { return true },
		React: func(_ context.Context, m inbound.Message) (bool, error) {
			*seen = append(*seen, m.Text)
			return false, nil
		},
	})
	return rooms
}

// says returns the entries of the log of texts.
func says(t testing.TB, db *dynamotest.DB, texts ...string) []model.WebhookEvent {
	t.Helper()
	var messages []wt.Object
	for i, text := range texts {
		messages = append(messages, wt.Text(asha, fmt.Sprint("wamid.", i), text, noon.Add(-time.Minute)))
	}
	return logged(t, db, messages...)
}

// logged returns the entries of the log of messages, each of an entry of its own.
func logged(t testing.TB, db *dynamotest.DB, messages ...wt.Object) []model.WebhookEvent {
	t.Helper()
	var bodies [][]byte
	for _, message := range messages {
		bodies = append(bodies, wt.Body(wt.Messages(nil, message)))
	}
	var events []model.WebhookEvent
	for _, image := range messagingtest.Logged(t, db, func() time.Time { return noon }, bodies...) {
		var event model.WebhookEvent
		if err := dynamo.Unmarshal(image, &event); err != nil {
			t.Fatal(err)
		}
		events = append(events, event)
	}
	return events
}

func receive(ctx context.Context, rooms *messaging.Domain, events []model.WebhookEvent) error {
	for _, event := range events {
		if err := rooms.MessageReader(rooms.Subscriptions()...).Apply(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

type accepts struct{}

func (accepts) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	if !strings.Contains(string(r.Body), `"interactive"`) {
		return whatsapp.Taken{}, errors.New("not the answer")
	}
	return whatsapp.Taken{ID: "wamid.pong"}, nil
}

func state(t *testing.T, db *dynamotest.DB) string {
	t.Helper()
	rows := db.Items(t, tables.CardRequests)
	if len(rows) == 0 {
		return "no row"
	}
	return dynamo.Text(rows[0], "state")
}

func TestADomainAnswersLearnsHowItEndedExportsAndErases(t *testing.T) {
	db := dynamotest.Start(t, echoTables...)
	var seen []string
	rooms := house(db.Client, &seen)
	if err := receive(t.Context(), rooms, says(t, db, "hello", "PING")); err != nil {
		t.Fatal(err)
	}
	if got := state(t, db); got != "answered" || fmt.Sprint(seen) != "[hello]" {
		t.Errorf("the row says %s, and the last domain sees %v", got, seen)
	}
	c, err := rooms.CurrentConversation(t.Context(), wt.Phone, asha)
	if err != nil {
		t.Fatal(err)
	}
	timeline, _, err := rooms.Timeline(t.Context(), c, 10, inbox.Position{})
	if err != nil || len(timeline) != 3 || timeline[0].SentBy != "echo" || timeline[0].TextBody != "PONG" ||
		timeline[0].DeliveryStatus != model.Queued {
		t.Fatalf("%+v, %v", timeline, err)
	}

	relay := relayOf(rooms, accepts{})
	event, err := relay.Get(t.Context(), timeline[0].OutboxEventID)
	if err != nil {
		t.Fatal(err)
	}
	if err := relay.Deliver(t.Context(), event); err != nil || state(t, db) != "sent" {
		t.Errorf("after the send the row says %s, %v", state(t, db), err)
	}

	messagingtest.Append(t, webhooklog.Appender{DB: db.Client, Now: rooms.Now},
		wt.Body(wt.Statuses(wt.Status("wamid.pong", "delivered", asha, noon, nil))))
	for _, item := range db.Items(t, tables.Messages) {
		var entry model.WebhookEvent
		if dynamo.Text(item, "eventType") != whatsapp.KindStatus {
			continue
		}
		if err := dynamo.Unmarshal(item, &entry); err != nil {
			t.Fatal(err)
		}
		if err := rooms.StatusReader(delivery.TellDomains(rooms.Hooks)).Apply(t.Context(), entry); err != nil {
			t.Fatal(err)
		}
	}
	if got := state(t, db); got != "delivered" {
		t.Errorf("after the status the row says %s", got)
	}

	rows := 0
	for _, record := range exports(t, rooms, 2, export.Named{Phone: wt.Phone, Customer: asha}) {
		if record.Domain == "echo" && strings.Contains(string(record.Data), `"state":"delivered"`) {
			rows++
		}
	}
	if rows != 1 {
		t.Errorf("%d rows are exported", rows)
	}

	done, err := rooms.Erase(t.Context(),
		erasure.Request{
			Tenant: "demo", Phone: wt.Phone, Customer: asha, By: audit.Actor{Subject: "operator"}, Reason: "asked"})
	if err != nil || done.CompletedAt == "" || done.Counts["echoes"] != 1 || state(t, db) != "no row" {
		t.Errorf("%+v, %v; the row says %s", done, err, state(t, db))
	}
}

// If a domain cannot record a result, the message is not sent again, and the customer's next one does not wait.
func TestASendIsSettledWithoutWhatItsDomainCannotRecord(t *testing.T) {
	for name, settle := range map[string]func(context.Context, string, model.OutboxEvent,
		outbox.Outcome) ([]dynamo.Write, error){
		"its condition never holds": func(_ context.Context, reference string, _ model.OutboxEvent,
			_ outbox.Outcome) ([]dynamo.Write, error) {
			return []dynamo.Write{set(reference, "sent")}, nil // and there is no row
		},
		"it writes one item twice": func(_ context.Context, reference string, _ model.OutboxEvent,
			_ outbox.Outcome) ([]dynamo.Write, error) {
			return []dynamo.Write{set(reference, "sent"), set(reference, "sent")}, nil
		},
		"it fails": func(context.Context, string, model.OutboxEvent, outbox.Outcome) ([]dynamo.Write, error) {
			return nil, errors.New("in trouble")
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, echoTables...)
			var seen []string
			rooms := house(db.Client, &seen)
			rooms.Hooks[0].Settle = settle
			if err := receive(t.Context(), rooms, says(t, db, "hello")); err != nil {
				t.Fatal(err)
			}
			sends := 0
			relay := relayOf(rooms, sending.WhatsApp(counting{&sends}))
			for _, id := range []string{"queued-1", "queued-2"} {
				rooms.Sender.NewID = func() string { return id }
				accepted, err := rooms.Accept(t.Context(), sending.Outgoing{
					Tenant: "demo", Phone: wt.Phone, Customer: asha, SentBy: "echo", Content: content.Text{Body: id},
					Purpose: model.PurposeOf("echo", "gone"),
				}, idempotency.Request{})
				if err != nil {
					t.Fatal(err)
				}
				event, err := relay.Get(t.Context(), accepted.OutboxEventID)
				if err != nil {
					t.Fatal(err)
				}
				if err := relay.Deliver(t.Context(), event); err != nil {
					t.Error(err)
				}
				if event, err = relay.Get(t.Context(), event.EventID); err != nil || event.Status != model.OutboxSent {
					t.Errorf("%s is %s, %v", id, event.Status, err)
				}
			}
			if sends != 2 {
				t.Errorf("%d sends of two messages", sends)
			}
		})
	}
}

// counting accepts everything and counts it.
type counting struct{ sends *int }

func (c counting) Send(context.Context, whatsapp.Request) (whatsapp.Taken, error) {
	*c.sends++
	return whatsapp.Taken{ID: fmt.Sprint("wamid.", *c.sends)}, nil
}

func relayOf(rooms *messaging.Domain, whatsApp sending.WhatsApp) *outbox.Relay {
	return &outbox.Relay{
		Outbox: *rooms.Outbox(), Handlers: rooms.Handlers(whatsApp), Owner: "test", Log: slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return nil },
	}
}

// Whatever call fails, there is one answer and one row.
func TestADomainsReactionSurvivesEveryCrashPoint(t *testing.T) {
	var events []model.WebhookEvent
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: echoTables,
		Seed:   func(t testing.TB, db *dynamotest.DB) { events = says(t, db, "PING") },
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			var seen []string
			return receive(ctx, house(client, &seen), events)
		},
	})
	t.Logf("%d crash points", points)
}

func TestADomainsMessageIsAcceptedWithAKey(t *testing.T) {
	db := dynamotest.Start(t, echoTables...)
	var seen []string
	rooms := house(db.Client, &seen)
	if err := receive(t.Context(), rooms, says(t, db, "hello")); err != nil {
		t.Fatal(err)
	}
	request, err := idempotency.NewRequest(idempotency.API, "demo", "echo", "send", "k1", "PONG")
	if err != nil {
		t.Fatal(err)
	}
	out := sending.Outgoing{
		Tenant: "demo", Phone: wt.Phone, Customer: asha, SentBy: "echo", Content: content.Text{Body: "PONG"}}
	first, err := rooms.Accept(t.Context(), out, request)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := rooms.Accept(t.Context(), out, request); err != nil || again != first {
		t.Errorf("%+v and then %+v, %v", first, again, err)
	}
}
