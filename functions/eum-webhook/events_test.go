package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/eum/eumtest"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func appender(client *dynamo.Client) webhooklog.Appender {
	return webhooklog.Appender{DB: client, Now: func() time.Time { return noon }, Sources: &webhooklog.Sources{}}
}

func handler(client *dynamo.Client) Handler {
	return Handler{Log: appender(client), Logger: slog.New(slog.DiscardHandler)}
}

// batch returns a batch of messages. Their ids are their places.
func batch(bodies ...string) (all events.SQSEvent) {
	for i, body := range bodies {
		all.Records = append(all.Records, events.SQSMessage{MessageId: fmt.Sprint(i), Body: body})
	}
	return all
}

// failures returns the ids of the messages that an answer has the queue bring again.
func failures(t *testing.T, h Handler, in events.SQSEvent) (ids []string) {
	t.Helper()
	answer, err := h.Handle(t.Context(), in)
	if err != nil || answer.BatchItemFailures == nil { // Lambda takes null for a failure of the whole batch
		t.Fatalf("%+v, %v", answer, err)
	}
	for _, failed := range answer.BatchItemFailures {
		ids = append(ids, failed.ItemIdentifier)
	}
	return ids
}

// kinds returns the kinds of the entries in the log, in order.
func kinds(t *testing.T, db *dynamotest.DB) (all []string) {
	t.Helper()
	for _, item := range db.Items(t, tables.Messages) {
		if kind := dynamo.Text(item, "eventType"); kind != "" {
			all = append(all, kind)
		}
	}
	slices.Sort(all)
	return all
}

func TestSampleEventsAreLogged(t *testing.T) {
	cases := map[string][]string{
		"text-message": {"message"}, "raw-delivery": {"status"}, "several": {"message", "status"}}
	samples := dynamotest.Samples[events.SQSEvent](t, "eum-webhook", cases)
	for name, want := range cases {
		db := dynamotest.Start(t, tables.Messages)
		if failed := failures(t, handler(db.Client), samples[name]); failed != nil {
			t.Errorf("%s: messages that come again: %v", name, failed)
		}
		if diff := cmp.Diff(want, kinds(t, db)); diff != "" {
			t.Errorf("%s: entries:\n%s", name, diff)
		}
	}
}

// The queue brings what cannot be read again, until it is in the dead letter queue. The others are done.
func TestAMessageThatCannotBeReadComesAgainAlone(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	notice := func(name string) string { return eumtest.Wrapped(eumtest.Notice(eumtest.Entries(bodies()[name])[0])) }
	failed := failures(t, handler(db.Client), batch(notice("a template"), "hello", notice("a message and a status")))
	if diff := cmp.Diff([]string{"1"}, failed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"message", "status", "template"}, kinds(t, db)); diff != "" {
		t.Error(diff)
	}
}

// bodies are bodies of Meta's with one entry each.
func bodies() map[string][]byte {
	contact := wt.List{wt.Contact("919876543210", "Asha")}
	return map[string][]byte{
		"a message and a status": wt.Body(wt.Messages(contact, wt.Text("919876543210", "wamid.1", "हाँ, 2 kg", noon)),
			wt.Statuses(wt.Status("wamid.2", "sent", "919876543210", noon, nil))),
		"what is stored in chunks": wt.Body(
			wt.Messages(nil, wt.Text("919876543210", "wamid.LARGE", strings.Repeat("long ", 100_000), noon))),
		"a template":        wt.BodyAt(noon, wt.TemplateStatus("order_ready", "en", "APPROVED")),
		"a wrong shape":     wt.Body(wt.Object{"field": "messages", "value": 7}),
		"an unknown change": wt.Body(wt.Change("something_new", wt.Object{"a": 1})),
	}
}

// One path leads from the log on, so the log has to be the same.
func TestTheLogIsAsTheWebhookWritesIt(t *testing.T) {
	for name, body := range bodies() {
		entries, err := whatsapp.DecodeWebhook(body)
		if err != nil {
			t.Fatal(err)
		}
		direct, queued := dynamotest.Start(t, tables.Messages), dynamotest.Start(t, tables.Messages)
		if err := appender(direct.Client).Append(t.Context(), entries); err != nil {
			t.Fatal(err)
		}
		notice := eumtest.Wrapped(eumtest.Notice(eumtest.Entries(body)[0]))
		if failed := failures(t, handler(queued.Client), batch(notice)); failed != nil {
			t.Errorf("%s: %v", name, failed)
		}
		if diff := cmp.Diff(direct.Dump(t), queued.Dump(t)); diff != "" {
			t.Errorf("%s: items by the webhook, and by the queue:\n%s", name, diff)
		}
	}
}

func TestWhatComesBothWaysIsLoggedOnce(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	for name, body := range bodies() {
		entries, err := whatsapp.DecodeWebhook(body)
		if err != nil {
			t.Fatal(err)
		}
		if err := appender(db.Client).Append(t.Context(), entries); err != nil {
			t.Fatal(err)
		}
		before := db.Dump(t)
		notice := eumtest.Notice(eumtest.Entries(body)[0])
		if failed := failures(t, handler(db.Client), batch(notice, eumtest.Wrapped(notice))); failed != nil {
			t.Errorf("%s: %v", name, failed)
		}
		if diff := cmp.Diff(before, db.Dump(t)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// A queue brings a message again until the function has taken it.
func TestTheFunctionSurvivesEveryCrashPoint(t *testing.T) {
	var messages []string
	for _, name := range []string{"a message and a status", "what is stored in chunks"} {
		messages = append(messages, eumtest.Wrapped(eumtest.Notice(eumtest.Entries(bodies()[name])[0])))
	}
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Messages},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			answer, err := handler(client).Handle(ctx, batch(messages...))
			if len(answer.BatchItemFailures) > 0 {
				err = errors.Join(err, errors.New("messages come again"))
			}
			return err
		},
	})
	t.Logf("%d crash points", points)
}
