package messaging_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/assigning"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// assigns has conversations of the number get colleagues by a rule.
func assigns(t testing.TB, db *dynamotest.DB, by model.AssignRule, to ...string) {
	t.Helper()
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA, AssignBy: by, AssignTo: strings.Join(to, " ")})
}

// chooses runs the slow lane's handler for each message that waits for it, in the order of the messages, twice each.
func chooses(ctx context.Context, t testing.TB, db *dynamotest.DB, rooms *messaging.Domain) {
	t.Helper()
	var events []model.OutboxEvent
	for _, item := range db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			t.Fatal(err)
		}
		if event.EventType == assigning.EventAssign {
			events = append(events, event)
		}
	}
	slices.SortFunc(events, func(a, b model.OutboxEvent) int {
		return strings.Compare(string(a.Payload), string(b.Payload))
	})
	for _, event := range events {
		for range 2 {
			if _, err := rooms.Assigning.Handler().Send(ctx, event); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestConversationsGetAColleagueByTheRuleOfTheirNumber(t *testing.T) {
	const first, second, third, fourth = "919876500001", "919876500002", "919876500003", "919876500004"
	other := "ravi"
	for name, c := range map[string]struct {
		rule   model.AssignRule
		before func(w *fixture)
		says   []string
		want   map[string]string
	}{
		"in turn": {model.AssignInTurn, nil, []string{first, second, third, first},
			map[string]string{first: "meena", second: "ravi", third: "meena"}},
		"fewest open": {model.AssignLeastOpen, func(w *fixture) {
			w.says(fourth, "wamid.0", "hello", 9)
			if err := w.SetWork(w.t.Context(), wt.Phone, fourth, inbox.Work{Assignee: &other}); err != nil {
				w.t.Fatal(err)
			}
		}, []string{first, second, third}, map[string]string{first: "meena", second: "ravi", third: "meena",
			fourth: "ravi"}},
		"what is resolved is not open": {model.AssignLeastOpen, func(w *fixture) {
			w.says(fourth, "wamid.0", "hello", 9)
			me := "meena"
			if err := w.SetWork(w.t.Context(), wt.Phone, fourth, inbox.Work{
				Assignee: &me, State: is(model.WorkResolved)}); err != nil {
				w.t.Fatal(err)
			}
		}, []string{first}, map[string]string{first: "meena", fourth: "meena"}},
		"somebody takes care of it already": {model.AssignInTurn, func(w *fixture) {
			w.says(first, "wamid.0", "hello", 9)
			if err := w.SetWork(w.t.Context(), wt.Phone, first, inbox.Work{Assignee: &other}); err != nil {
				w.t.Fatal(err)
			}
		}, []string{first, second}, map[string]string{first: "ravi", second: "meena"}},
		"no rule": {"", nil, []string{first}, map[string]string{first: ""}},
	} {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, used...)
			w := fixtureOn(t, db)
			w.tells = true
			w.owns("demo")
			if c.before != nil {
				c.before(w)
			}
			if c.rule != "" {
				assigns(t, db, c.rule, "meena", "ravi")
			}
			w.set(func(*messaging.Config) {}) // another process, which has not read the number yet
			for i, from := range c.says {
				w.says(from, "wamid."+string(rune('1'+i)), "hello", 8-i)
			}
			chooses(t.Context(), t, db, w.Domain)
			got := map[string]string{}
			for customer := range c.want {
				conversation, err := w.CurrentConversation(t.Context(), wt.Phone, model.CustomerID(customer))
				if err != nil {
					t.Fatal(err)
				}
				got[customer] = conversation.Assignee
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Between the message and the choice somebody else takes the conversation, or ends the work: both stay.
func TestAConversationThatSomebodyHasTakenStaysTheirs(t *testing.T) {
	db := dynamotest.Start(t, used...)
	w := fixtureOn(t, db)
	w.tells = true
	assigns(t, db, model.AssignInTurn, "meena")
	w.says(payer, "wamid.1", "hello", 5)
	me := "ravi"
	if err := w.SetWork(t.Context(), wt.Phone, payer, inbox.Work{Assignee: &me}); err != nil {
		t.Fatal(err)
	}
	chooses(t.Context(), t, db, w.Domain)
	if c, err := w.CurrentConversation(t.Context(), wt.Phone, payer); err != nil || c.Assignee != me {
		t.Errorf("%q, %v", c.Assignee, err)
	}
}

// The colleagues of a rule are those of the tenant that had the number then.
func TestARuleDoesNotGoWithItsNumberToAnotherTenant(t *testing.T) {
	db := dynamotest.Start(t, used...)
	w := fixtureOn(t, db)
	w.owns("demo")
	w.owns("other")
	assigns(t, db, model.AssignInTurn, "meena")
	_, err := w.Numbers.GiveNumber(t.Context(), tenancy.NumberChange{
		Phone: wt.Phone, Tenant: "other", Move: true, By: audit.Actor{Subject: "operator"}, Reason: "sold"})
	if err != nil {
		t.Fatal(err)
	}
	number, err := w.Numbers.Number(t.Context(), wt.Phone)
	if err != nil || number.TenantID != "other" || number.AssignBy != "" || number.AssignTo != "" {
		t.Errorf("%+v, %v", number, err)
	}
}

func TestAssigningSurvivesEveryCrashPoint(t *testing.T) {
	for _, rule := range []model.AssignRule{model.AssignInTurn, model.AssignLeastOpen} {
		t.Run(string(rule), func(t *testing.T) {
			var event model.WebhookEvent
			dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used, Ignore: []string{"changedAt"},
				Seed: func(t testing.TB, db *dynamotest.DB) {
					w := fixtureOn(t.(*testing.T), db)
					assigns(t, db, rule, "meena", "ravi")
					event = w.logs(noon, wt.Messages(nil, wt.Text(payer, "wamid.1", "hello", ago(1))))[0]
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					rooms := messaging.New(messaging.Config{
						DB: client, Now: func() time.Time { return noon }, NewID: func() string { return "id" },
						NewToken: func() string { return "token" }})
					if err := rooms.MessageReader(rooms.Subscriptions()...).Apply(ctx, event); err != nil {
						return err
					}
					_, err := rooms.Assigning.Handler().Send(ctx, model.OutboxEvent{Payload: model.Document(`"wamid.1"`)})
					return err
				},
			})
		})
	}
}
