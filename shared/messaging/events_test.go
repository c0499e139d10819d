package messaging_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// listens has somebody outside be told events of the number's tenant.
func listens(t testing.TB, db *dynamotest.DB) {
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA, Subscribed: true})
}

// published lists the events that are told outside: the kind of each, and its data. The test fails if an event names a
// person.
func published(t testing.TB, db *dynamotest.DB) (all []string) {
	t.Helper()
	for _, item := range db.Items(t, tables.Outbox) {
		if dynamo.Text(item, "eventType") != publishing.EventPublish {
			continue
		}
		var event model.OutboxEvent
		var p publishing.Published
		if err := dynamo.Unmarshal(item, &event); err != nil || json.Unmarshal(event.Payload, &p) != nil {
			t.Fatal(err, string(event.Payload))
		}
		if text := strings.ToLower(fmt.Sprint(item, string(event.Payload))); strings.Contains(text, payer) ||
			strings.Contains(text, "asha") || strings.Contains(text, "rice") {
			t.Errorf("it names somebody, or says what they have written: %s", text)
		}
		all = append(all, p.Kind+" "+string(p.Data))
	}
	slices.Sort(all)
	return all
}

// stored returns such a list as the outbox has it, whose documents have their names in order.
func stored(t testing.TB, list []string) (all []string) {
	t.Helper()
	for _, line := range list {
		kind, data, _ := strings.Cut(line, " ")
		var fields map[string]any
		if err := json.Unmarshal([]byte(data), &fields); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(fields)
		all = append(all, kind+" "+string(text))
	}
	slices.Sort(all)
	return all
}

func is(state model.WorkState) *model.WorkState { return &state }

// An event of a conversation is published once if somebody listens to the number, and not at all if nobody does.
func TestWhatHappensIsPublishedWhereSomebodyListens(t *testing.T) {
	const number = `"phoneNumberId":"` + wt.Phone + `"`
	me, nobody := "0192-user", ""
	for name, c := range map[string]struct {
		do   func(w *fixture)
		want []string
	}{
		"a message": {func(w *fixture) {
			w.says(payer, "wamid.1", "2 kg rice", 5)
			w.says(payer, "wamid.1", "2 kg rice", 5) // Meta posts it again
		}, []string{`message.received {` + number + `,"messageId":"wamid.1","kind":"text"}`}},
		"a reaction": {func(w *fixture) {
			err := w.post(wt.Messages(nil, wt.Message(payer, "wamid.2", "reaction", ago(1),
				wt.Object{"reaction": wt.Object{"message_id": "wamid.0", "emoji": "👍"}})))
			if err != nil {
				t.Fatal(err)
			}
		}, nil},
		"an opt-out, and its end": {func(w *fixture) {
			w.says(payer, "wamid.1", "STOP", 5)
			w.says(payer, "wamid.2", "STOP", 4)
			w.says(payer, "wamid.3", "START", 3)
		}, []string{
			`customer.opted_in {` + number + `,"messageId":"wamid.3"}`,
			`customer.opted_out {` + number + `,"messageId":"wamid.1"}`,
			`message.received {` + number + `,"messageId":"wamid.1","kind":"text"}`,
			`message.received {` + number + `,"messageId":"wamid.2","kind":"text"}`,
			`message.received {` + number + `,"messageId":"wamid.3","kind":"text"}`}},
		"who takes care of it, and what is left to do": {func(w *fixture) {
			w.says(payer, "wamid.1", "2 kg rice", 5)
			for _, work := range []inbox.Work{
				{Assignee: &me}, {Assignee: &me}, {State: is(model.WorkResolved)}, {State: is(model.WorkResolved)},
				{Assignee: &nobody, State: is(model.WorkOpen)}, {Labels: []string{"vip"}},
			} {
				if err := w.SetWork(t.Context(), wt.Phone, payer, work); err != nil {
					t.Fatal(err)
				}
				w.anHourLater()
			}
		}, []string{
			`conversation.assigned {` + number + `,"messageId":"wamid.1","assignee":""}`,
			`conversation.assigned {` + number + `,"messageId":"wamid.1","assignee":"0192-user"}`,
			`conversation.state_changed {` + number + `,"messageId":"wamid.1","state":"open"}`,
			`conversation.state_changed {` + number + `,"messageId":"wamid.1","state":"resolved"}`,
			`message.received {` + number + `,"messageId":"wamid.1","kind":"text"}`}},
		"a message that cannot be sent": {func(w *fixture) {
			w.says(payer, "wamid.1", "2 kg rice", 5)
			w.settle(w.accept(payer), outbox.Outcome{
				Failure: &outbox.Failure{Reason: "refused", Code: 131026, Attempts: 1}, At: model.At(noon)})
		}, []string{
			`message.failed {` + number + `,"messageId":"queued-2","code":131026}`,
			`message.received {` + number + `,"messageId":"wamid.1","kind":"text"}`}},
		"a message that cannot be delivered": {func(w *fixture) {
			w.says(payer, "wamid.1", "2 kg rice", 5)
			w.settled(w.accept(payer), "wamid.out")
			for range 2 {
				err := w.post(wt.Statuses(wt.Status("wamid.out", "failed", payer, noon,
					wt.Object{"errors": wt.List{wt.Object{"code": 131026, "title": "undeliverable"}}})))
				if err != nil {
					t.Fatal(err)
				}
			}
		}, []string{
			`message.failed {` + number + `,"messageId":"wamid.out","code":131026}`,
			`message.received {` + number + `,"messageId":"wamid.1","kind":"text"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			for listening, want := range map[bool][]string{true: c.want, false: nil} {
				db := dynamotest.Start(t, used...)
				w := fixtureOn(t, db)
				w.owns("demo")
				if listening {
					listens(t, db)
				}
				w.tells = true
				c.do(w)
				if diff := cmp.Diff(stored(t, want), published(t, db)); diff != "" {
					t.Errorf("listening %t: %s", listening, diff)
				}
			}
		})
	}
}

func TestAPaymentIsPublished(t *testing.T) {
	w := newPaying(t)
	w.mustAsk("R1")
	listens(t, w.db)
	w.set(func(*messaging.Config) {}) // another process, which has not read the number yet
	w.pay("R1", "captured", 21050, "INR")
	w.pay("R1", "captured", 21050, "INR")
	told := slices.DeleteFunc(published(t, w.db), func(s string) bool { return !strings.HasPrefix(s, "payment") })
	want := []string{payments.EventCompleted + ` {"phoneNumberId":"` + wt.Phone + `","referenceId":"R1"}`}
	if diff := cmp.Diff(stored(t, want), told); diff != "" {
		t.Error(diff)
	}
}

// A change by the team, or a customer's STOP, commits together with its event.
func TestPublishingSurvivesEveryCrashPoint(t *testing.T) {
	me := "0192-user"
	for name, c := range map[string]func(ctx context.Context, d *messaging.Domain, event model.WebhookEvent) error{
		"work": func(ctx context.Context, d *messaging.Domain, _ model.WebhookEvent) error {
			return d.SetWork(ctx, wt.Phone, payer, inbox.Work{Assignee: &me, State: is(model.WorkWaiting)})
		},
		"a word": func(ctx context.Context, d *messaging.Domain, event model.WebhookEvent) error {
			return d.MessageReader(d.Subscriptions()...).Apply(ctx, event)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var event model.WebhookEvent
			dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used, Ignore: []string{"changedAt"},
				Seed: func(t testing.TB, db *dynamotest.DB) {
					w := fixtureOn(t.(*testing.T), db)
					listens(t, db)
					w.says(payer, "wamid.1", "2 kg rice", 5)
					event = w.logs(noon, wt.Messages(nil, wt.Text(payer, "wamid.stop", "STOP", ago(1))))[0]
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					return c(ctx, messaging.New(messaging.Config{
						DB: client, Now: func() time.Time { return noon }, NewID: func() string { return "id" },
						NewToken: func() string { return "token" }}), event)
				},
			})
		})
	}
}
