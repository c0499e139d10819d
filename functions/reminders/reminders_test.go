package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/reminders"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// outcomes is what may happen between planning and sending, and what becomes of the reminder then.
var outcomes = []struct {
	name    string
	between func(w *world, of model.Name)
	status  khatamodel.ReminderStatus
	reason  string
	amount  string
	says    string // the message, or the SMS
}{
	{name: "nothing", status: khatamodel.Sent, amount: "500", says: "am=500.00"},
	{name: "buys more", between: func(w *world, of model.Name) { w.adds(of, khatamodel.CreditSale, "20.50") },
		status: khatamodel.Sent, amount: "520.5", says: "₹520.50"},
	{name: "pays a part", between: func(w *world, of model.Name) { w.adds(of, khatamodel.Payment, "100") },
		status: khatamodel.Sent, amount: "400", says: "am=400.00"},
	{name: "pays", between: func(w *world, of model.Name) { w.adds(of, khatamodel.Payment, "500") },
		status: khatamodel.Cancelled, reason: reminders.Paid, amount: "500"},
	{name: "is not to be reminded",
		between: func(w *world, of model.Name) { w.set(of, ledger.Settings{Frequency: "daily"}) },
		status:  khatamodel.Cancelled, reason: reminders.RemindersOff, amount: "500"},
	{name: "has opted out and written something else", between: func(w *world, of model.Name) {
		w.says(of, "STOP")
		w.says(of, "hello")
	}, status: khatamodel.Cancelled, reason: reminders.OptedOut, amount: "500"},
	{name: "has opted out", between: func(w *world, of model.Name) { w.says(of, "STOP") }, status: khatamodel.Cancelled,
		reason: reminders.OptedOut, amount: "500"},
	{name: "wants no marketing", between: stopMarketing, status: khatamodel.Cancelled,
		reason: reminders.MarketingStopped, amount: "500"},
	{name: "reads Hindi", between: func(w *world, of model.Name) {
		w.set(of, ledger.Settings{Name: "रमेश", Reminders: true, Frequency: "daily", Language: "hi"})
	}, status: khatamodel.Sent, amount: "500", says: "रमेश"},
	{name: "gets an SMS", between: func(w *world, of model.Name) {
		w.set(of, ledger.Settings{Reminders: true, Frequency: "daily", Channel: khatamodel.SMS, Language: "hi-Latn"})
	}, status: khatamodel.Sent, amount: "500", says: "Sharma Kirana Store: aapke ₹500 baaki hain. Payment: " +
		"upi://pay?pa=shop@bank"},
	{name: "gets an SMS, and has opted out of WhatsApp", between: func(w *world, of model.Name) {
		w.set(of, ledger.Settings{Reminders: true, Frequency: "daily", Channel: khatamodel.SMS})
		w.says(of, "STOP")
	}, status: khatamodel.Sent, amount: "500", says: "Sharma Kirana Store: you owe ₹500."},
}

func stopMarketing(w *world, of model.Name) {
	w.says(of, "hello")
	err := w.db.Update(w.t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.Conversation(wt.Phone, model.CustomerID(of[1:])), If: dynamo.IfPresent,
		Do: "SET marketingStoppedAt = :at", Values: dynamo.Item{":at": dynamo.S(model.At(noon))},
	})
	w.must(err)
}

// owing returns a world in which a customer for each outcome owes 500.
func owing(t testing.TB, db *dynamotest.DB) *world {
	w := open(t, db, nil)
	for n := range outcomes {
		w.adds(customer(n), khatamodel.CreditSale, "500")
	}
	return w
}

func (w *world) happens() {
	w.now = night.Add(time.Hour)
	for n, o := range outcomes {
		if o.between != nil {
			o.between(w, customer(n))
		}
	}
}

func TestTheSampleEventsPlanAndSend(t *testing.T) {
	samples := dynamotest.Samples[json.RawMessage](t, "reminders", map[string]bool{"plan": true, "send": true})
	db := dynamotest.Start(t, together...)
	w := owing(t, db)
	run := func(sample string, now time.Time) {
		t.Helper()
		_, err := newHandler(registry.Khata(rooms(db.Client, at(now))))(t.Context(), samples[sample])
		w.must(err)
	}
	run("plan", night.Add(-10*time.Hour)) // too early
	if len(w.reminders()) > 0 {
		t.Error("something is planned that is due after the horizon")
	}
	for range 2 { // the second finds nothing to do
		run("plan", night)
		run("send", due.Add(-time.Minute))
	}
	planned := w.reminders()
	w.happens()
	for range 2 {
		run("send", due.Add(time.Minute))
	}
	said := map[string]string{}
	for _, item := range db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		w.must(dynamo.Unmarshal(item, &event))
		said[event.EventID] = string(event.Payload)
	}
	for n, o := range outcomes {
		all := w.reminders()[customer(n)]
		if len(all) != 1 || len(planned[customer(n)]) != 1 {
			t.Fatalf("%s: %d reminders", o.name, len(all))
		}
		was, is := planned[customer(n)][0], all[0]
		if was.Status != khatamodel.Scheduled || was.ScheduledAt != model.At(due) || was.DueBucket == "" ||
			was.TTL != due.Add(reminders.Lifetime).Unix() {
			t.Errorf("%s: planned %+v", o.name, was)
		}
		if is.Status != o.status || why(is) != o.reason || !is.OutstandingAmount.Equal(amount(o.amount).Decimal) ||
			is.DueBucket != "" || (is.SentAt != nil) != (o.says != "") {
			t.Errorf("%s: %+v, %s", o.name, is, why(is))
		}
		if text := strings.ReplaceAll(said[is.OutboxEventID], `\u0026`, "&"); !strings.Contains(text, o.says) {
			t.Errorf("%s: says %s", o.name, text)
		}
		b, err := w.khata.Ledger.Balance(t.Context(), shop, customer(n))
		w.must(err)
		if b.NextReminderAt != "" &&
			(b.NextReminderAt != model.At(due.AddDate(0, 0, 1)) || b.LastReminderAt != model.At(due)) {
			t.Errorf("%s: next %s, last %s", o.name, b.NextReminderAt, b.LastReminderAt)
		}
	}
}

func TestRemindersSurviveEveryCrashPoint(t *testing.T) {
	for name, c := range map[string]struct {
		seed func(t testing.TB, db *dynamotest.DB)
		now  time.Time
		run  func(ctx context.Context, r *reminders.Reminders) error
	}{
		"planning": {
			func(t testing.TB, db *dynamotest.DB) {
				owing(t, db)
			}, night, func(ctx context.Context, r *reminders.Reminders) error { return r.Plan(ctx) }},
		"sending": {func(t testing.TB, db *dynamotest.DB) {
			w := owing(t, db)
			w.plan(night)
			w.happens()
		}, due.Add(time.Minute), func(ctx context.Context, r *reminders.Reminders) error { return r.Send(ctx) }},
		"erasing": {
			func(t testing.TB, db *dynamotest.DB) {
				owing(t, db).plan(night)
			}, due, func(ctx context.Context, r *reminders.Reminders) error {
				return r.Erase(ctx, khatamodel.Balance{StoreID: shop, CustomerPhone: customer(0)},
					func(int) []dynamo.Write { return nil })
			}},
	} {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t,
				dynamotest.Crash{
					Tables: together, Seed: c.seed, Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
						return c.run(ctx, registry.Khata(rooms(client, at(c.now))).Reminders)
					}})
			t.Logf("%d crash points", points)
		})
	}
}

// A reminder that cannot be sent is tried again, and then given up. It holds up no other.
func TestWhatCannotBeSentIsTriedAgain(t *testing.T) {
	db := dynamotest.Start(t, together...)
	w := open(t, db, func(s *commercemodel.Settings) { s.Credit.ReminderFrequency = "weekly" })
	w.now = noon
	for n := range 2 {
		w.adds(customer(n), khatamodel.CreditSale, "500")
	}
	w.set(customer(1), ledger.Settings{Reminders: true, Frequency: "weekly", Language: "hi"})
	for _, name := range []string{"payment_reminder", "payment_reminder_upi"} {
		err := db.Update(t.Context(), dynamo.Update{
			Table: tables.Messages, Key: keys.TemplateMeta(wt.WABA, model.Name(name), "en"), If: dynamo.IfPresent,
			Do: "SET #status = :rejected", Values: dynamo.Item{":rejected": dynamo.S("REJECTED")},
		})
		w.must(err)
	}
	now := due.AddDate(0, 0, 6)
	w.plan(now.Add(-time.Hour))
	for range 10 {
		now = now.Add(3 * time.Hour)
		w.send(now)
	}
	refused, sent := w.reminders()[customer(0)][0], w.reminders()[customer(1)][0]
	if refused.Status != khatamodel.Failed || refused.RetryCount != 5 || why(refused) == "" ||
		sent.Status != khatamodel.Sent || sent.RetryCount != 0 {
		t.Errorf("%+v: %s\n%+v", refused, why(refused), sent)
	}
}

// A reminder that is due while the store is closed goes when it opens, also one that a person asks for.
func TestRemindersWaitUntilTheStoreOpens(t *testing.T) {
	db := dynamotest.Start(t, together...)
	w := open(t, db, func(s *commercemodel.Settings) {
		s.BusinessHours = map[string]commercemodel.Hours{}
		for _, day := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
			s.BusinessHours[day] = commercemodel.Hours{Open: "11:00", Close: "21:00"}
		}
	})
	opens := due.Add(time.Hour)
	for n := range 2 {
		w.adds(customer(n), khatamodel.CreditSale, "500")
	}
	w.set(customer(1), ledger.Settings{Reminders: true, Frequency: "monthly"})
	_, err := registry.Khata(rooms(db.Client, at(night))).Reminders.Ask(t.Context(), w.store, customer(1),
		idempotency.Request{})
	w.must(err)
	w.plan(night)
	for _, step := range []struct {
		now    time.Time
		status khatamodel.ReminderStatus
	}{{opens.Add(-time.Second), khatamodel.Scheduled}, {opens.Add(time.Second), khatamodel.Sent}} {
		w.send(step.now)
		for n := range 2 {
			all := w.reminders()[customer(n)]
			if len(all) != 1 || all[0].Status != step.status || all[0].ScheduledAt != model.At(opens) {
				t.Errorf("at %s: %+v", step.now, all)
			}
		}
	}
}
