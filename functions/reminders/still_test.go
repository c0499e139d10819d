package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/reminders"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/recorded"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// These tests let something happen between the moment in which a reminder is handed over and the one in which it is
// sent.

// post takes what is sent, by both ways. A relay sends to several customers at once.
type post struct {
	said recorded.List[string]
	fail bool // WhatsApp gives no answer
}

func (p *post) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	if p.fail {
		return whatsapp.Taken{}, fmt.Errorf("no answer")
	}
	p.said.Add("whatsapp " + strings.ReplaceAll(string(r.Body), `\u0026`, "&"))
	return whatsapp.Taken{ID: "wamid." + r.CallbackData}, nil
}

// texts is the post as what takes SMS.
type texts struct{ *post }

func (t texts) Send(_ context.Context, text sms.Text) (string, error) {
	t.said.Add("sms " + text.To + " " + text.Body)
	return "1", nil
}

func (texts) Sender() string { return "" }

// deliver sweeps the outbox at a time, on both lanes.
func deliver(ctx context.Context, client *dynamo.Client, now time.Time, p *post) error {
	house := rooms(client, at(now))
	handlers := house.Handlers(p)
	maps.Copy(handlers, house.Texting.Handlers(texts{p}))
	for _, lane := range []string{"", keys.LaneSlow} {
		relay := outbox.Relay{
			Outbox: *house.Outbox(), Lane: lane, Handlers: handlers, Owner: "test", Log: slog.New(slog.DiscardHandler),
			Sleep: func(context.Context, time.Duration) error { return nil },
		}
		if err := relay.Sweep(ctx); err != nil {
			return err
		}
	}
	return nil
}

// change is what may happen between handing over and sending, what becomes of the reminder, and of the message. again
// is what is said after the next run.
type change struct {
	name     string
	between  func(w *world, of model.Name)
	status   khatamodel.ReminderStatus
	reason   string
	again    string
	whatsApp bool // it counts for what goes by WhatsApp alone
}

// on returns what becomes of a reminder that goes by a channel.
func (c change) on(by khatamodel.Channel) change {
	if c.whatsApp && by != khatamodel.WhatsApp {
		c.status, c.reason = khatamodel.Sent, ""
	}
	return c
}

var changes = []change{
	{name: "nothing", status: khatamodel.Sent},
	{name: "pays", between: func(w *world, of model.Name) { w.adds(of, khatamodel.Payment, "500") },
		status: khatamodel.Cancelled, reason: reminders.Paid},
	{
		name: "pays a part", between: func(w *world, of model.Name) { w.adds(of, khatamodel.Payment, "100") },
		status: khatamodel.Scheduled, reason: reminders.AmountChanged, again: "₹400",
	},
	{
		name: "buys more", between: func(w *world, of model.Name) { w.adds(of, khatamodel.CreditSale, "20") },
		status: khatamodel.Scheduled, reason: reminders.AmountChanged, again: "₹520",
	},
	{name: "is not to be reminded", between: func(w *world, of model.Name) {
		w.set(of, ledger.Settings{Frequency: "daily", Channel: w.channel})
	}, status: khatamodel.Cancelled, reason: reminders.RemindersOff},
	{name: "opts out, and writes something else", between: func(w *world, of model.Name) {
		w.says(of, "STOP")
		w.says(of, "hello")
	}, status: khatamodel.Cancelled, reason: reminders.OptedOut, whatsApp: true},
	{name: "opts out", between: func(w *world, of model.Name) { w.says(of, "STOP") }, status: khatamodel.Cancelled,
		reason: reminders.OptedOut, whatsApp: true},
	{name: "wants no marketing", between: stopMarketing, status: khatamodel.Cancelled,
		reason: reminders.MarketingStopped, whatsApp: true},
	{name: "gives the number up", between: func(w *world, of model.Name) { w.moves(of) }, status: khatamodel.Cancelled,
		reason: sending.PassedOn},
	{name: "is known by another account", between: func(w *world, of model.Name) {
		w.must(w.khata.Ledger.Join(w.t.Context(), w.store, of, "IN."+of[1:]))
	}, status: khatamodel.Sent},
	{name: "owes more in another account", between: func(w *world, of model.Name) {
		w.adds("IN."+of[1:], khatamodel.CreditSale, "30")
		w.must(w.khata.Ledger.Join(w.t.Context(), w.store, of, "IN."+of[1:]))
	}, status: khatamodel.Cancelled, reason: reminders.Joined},
	{name: "is erased", between: func(w *world, of model.Name) {
		w.must(w.khata.Reminders.Erase(w.t.Context(), khatamodel.Balance{StoreID: shop, CustomerPhone: of},
			func(int) []dynamo.Write { return nil }))
	}, reason: sending.Erased},
}

// moves has WhatsApp tell that a customer has given up their number.
func (w *world) moves(of model.Name) {
	w.t.Helper()
	number := string(of[1:])
	house := rooms(w.db.Client, at(w.now))
	notice := wt.Message(number, "wamid.moves."+number, "system", w.now.Add(-time.Second), wt.Object{
		"system": wt.Object{"type": "user_changed_number", "wa_id": "92" + number},
	})
	for _, image := range messagingtest.Logged(w.t, w.db, house.Now, wt.Body(wt.Messages(nil, notice))) {
		var event model.WebhookEvent
		w.must(dynamo.Unmarshal(image, &event))
		w.must(house.MessageReader().Apply(w.t.Context(), event))
	}
}

// handedOver returns a world in which reminders of the customers of some changes wait in the outbox, and something has
// happened since.
func handedOver(t testing.TB, db *dynamotest.DB, by khatamodel.Channel, from, to int) *world {
	w := open(t, db, func(s *commercemodel.Settings) { s.Credit.ReminderChannel = string(by) })
	w.channel = by
	for n := from; n < to; n++ {
		w.says(customer(n), "hello")
		w.adds(customer(n), khatamodel.CreditSale, "500")
	}
	w.plan(night)
	w.send(due.Add(time.Minute))
	w.now = due.Add(2 * time.Minute)
	for n := from; n < to; n++ {
		if between := changes[n].between; between != nil {
			between(w, customer(n))
		}
	}
	return w
}

// events returns the outbox events that are about reminders, by the customer to whom they go.
func (w *world) events(of model.Name) (all []model.OutboxEvent) {
	w.t.Helper()
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		var event model.OutboxEvent
		w.must(dynamo.Unmarshal(item, &event))
		if strings.HasSuffix(event.EntityID, string(of[1:])) &&
			(event.EventType == sending.EventMessage || event.EventType == texting.EventType) {
			all = append(all, event)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].SequenceNumber < all[j].SequenceNumber })
	return all
}

func TestAReminderDecidesOnceMoreRightBeforeItIsSent(t *testing.T) {
	for _, by := range []khatamodel.Channel{khatamodel.WhatsApp, khatamodel.SMS} {
		t.Run(string(by), func(t *testing.T) {
			db := dynamotest.Start(t, together...)
			w := handedOver(t, db, by, 0, len(changes))
			now, p := due.Add(10*time.Minute), &post{}
			w.must(deliver(t.Context(), db.Client, now, p))
			first := p.said.All()
			for n, c := range changes {
				c = c.on(by)
				w.ended(n, said(first, customer(n)))
				if c.status == "" {
					continue
				}
				is := w.reminders()[customer(n)][0]
				if is.Status != c.status || why(is) != c.reason ||
					(is.DueBucket != "") != (c.status == khatamodel.Scheduled) {
					t.Errorf("%s: %+v: %s", c.name, is, why(is))
				}
			}
			w.send(now.Add(time.Minute))
			w.must(deliver(t.Context(), db.Client, now.Add(2*time.Minute), p))
			for n, c := range changes {
				again := said(p.said.All()[len(first):], customer(n))
				if len(again) > 1 || len(again) == 1 != (c.again != "") ||
					len(again) == 1 && !strings.Contains(again[0], c.again) {
					t.Errorf("%s: then says %v", c.name, again)
				}
				if all := w.reminders()[customer(n)]; c.again != "" &&
					(all[0].Status != khatamodel.Sent || all[0].Rounds != 1) {
					t.Errorf("%s: %+v", c.name, all[0])
				}
			}
		})
	}
}

// said returns what was said to a customer.
func said(all []string, to model.Name) (found []string) {
	for _, one := range all {
		if strings.Contains(one, string(to[1:])) {
			found = append(found, one)
		}
	}
	return found
}

// ended checks how a customer's event and message have ended, and that nothing waits behind it.
func (w *world) ended(n int, said []string) {
	w.t.Helper()
	c, event := changes[n].on(w.channel), w.events(customer(n))[0]
	sent := c.status == khatamodel.Sent
	status, reason := model.OutboxCancelled, c.reason
	if sent {
		status, reason = model.OutboxSent, ""
	}
	if (len(said) == 1) != sent || event.Status != status || event.LastError != reason || event.AttentionPK != "" ||
		event.RetryCount != 0 {
		w.t.Errorf("%s: said %v, event %+v", c.name, said, event)
	}
	var sequence model.OutboxSequence
	ref := outbox.SequenceRef(event.EcosystemID, event.EntityType, event.EntityID)
	w.must(w.db.Get(w.t.Context(), ref.Table, ref.Key, &sequence))
	if sequence.Delivered != event.SequenceNumber {
		w.t.Errorf("%s: delivered %d", c.name, sequence.Delivered)
	}
	if event.EventType != sending.EventMessage || sent || c.status == "" {
		return
	}
	var m model.Message
	w.must(w.db.Get(w.t.Context(), tables.Messages, keys.Message(w.reminders()[customer(n)][0].MessageID), &m))
	if history := m.DeliveryStatusHistory; m.DeliveryStatus != model.Cancelled || len(history) != 1 ||
		history[0].Errors[0].Details != reason {
		w.t.Errorf("%s: message %+v", c.name, m)
	}
}

func TestTheLastDecisionSurvivesEveryCrashPoint(t *testing.T) {
	// an SMS that is being sent may end unanswered
	for by, from := range map[khatamodel.Channel]int{khatamodel.WhatsApp: 0, khatamodel.SMS: 1} {
		t.Run(string(by), func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: together,
				Ignore: []string{
					"retryCount", "lastError", "failureCode", "failuresByClass", "possibleDuplicate", "sentAt",
					"expiresAtEpochSeconds", "pacedTo", "unordered",
					"deliveryStatusHistory", "scheduled_at", "gsi1sk", "failure_reason",
				},
				Seed: func(t testing.TB, db *dynamotest.DB) { handedOver(t, db, by, from, 3) },
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					return deliver(ctx, client, due.Add(10*time.Minute+time.Duration(run)*20*time.Minute), &post{})
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}

// A reminder that has waited is not sent too late, and not at night.
func TestAReminderThatWaitedKeepsTheStoresHours(t *testing.T) {
	for name, c := range map[string]struct {
		at     time.Time
		status khatamodel.ReminderStatus
		reason string
	}{
		"in the evening": {due.Add(6 * time.Hour), khatamodel.Sent, ""},
		"at night":       {due.Add(15 * time.Hour), khatamodel.Scheduled, reminders.Closed},
		"the next day":   {due.Add(25 * time.Hour), khatamodel.Cancelled, reminders.Late},
	} {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, together...)
			w := open(t, db, func(s *commercemodel.Settings) {
				s.BusinessHours = map[string]commercemodel.Hours{}
				for _, day := range []string{
					"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
					s.BusinessHours[day] = commercemodel.Hours{Open: "09:00", Close: "21:00"}
				}
			})
			w.adds(customer(0), khatamodel.CreditSale, "500")
			w.plan(night)
			w.send(due.Add(time.Minute))
			p := &post{}
			w.must(deliver(t.Context(), db.Client, c.at, p))
			is := w.reminders()[customer(0)][0]
			if is.Status != c.status || why(is) != c.reason || p.said.Len() == 1 != (c.status == khatamodel.Sent) {
				t.Errorf("%+v: %s, said %v", is, why(is), p.said.All())
			}
		})
	}
}

// An attempt without an answer may have reached the customer. If a status shows so after the reminder was cancelled, it
// was sent.
func TestACancelledReminderThatWasTakenAfterAllIsSent(t *testing.T) {
	db := dynamotest.Start(t, together...)
	w := open(t, db, nil)
	of := customer(0)
	w.adds(of, khatamodel.CreditSale, "500")
	w.plan(night)
	w.send(due.Add(time.Minute))
	w.must(deliver(t.Context(), db.Client, due.Add(2*time.Minute), &post{fail: true}))
	w.now = due.Add(3 * time.Minute)
	w.adds(of, khatamodel.Payment, "500")
	p := &post{}
	w.must(deliver(t.Context(), db.Client, due.Add(time.Hour), p))
	event := w.events(of)[0]
	if event.Status != model.OutboxCancelled || p.said.Len() > 0 {
		t.Fatalf("%+v, said %v", event, p.said.All())
	}
	house := rooms(db.Client, at(due.Add(2*time.Hour)))
	relay := outbox.Relay{
		Outbox: *house.Outbox(), Handlers: house.Handlers(nil), Owner: "test", Log: slog.New(slog.DiscardHandler)}
	w.must(relay.RecordAccepted(t.Context(), event, "wamid.late"))
	var m model.Message
	w.must(db.Get(t.Context(), tables.Messages, keys.Message("wamid.late"), &m))
	got := []string{string(w.events(of)[0].Status), string(w.reminders()[of][0].Status), string(m.DeliveryStatus)}
	if diff := cmp.Diff([]string{"sent", "sent", "queued"}, got); diff != "" {
		t.Error(diff)
	}
}

// A text to India waits until its wording is registered, and the reminder says what is missing.
func TestATextThatIsNotRegisteredWaits(t *testing.T) {
	db := dynamotest.Start(t, together...)
	w := open(t, db, nil)
	of := customer(1)
	w.adds(of, khatamodel.CreditSale, "500")
	w.set(of, ledger.Settings{Reminders: true, Frequency: "daily", Channel: khatamodel.SMS})
	w.plan(night)
	house := rooms(db.Client, func() time.Time { return w.now })
	registered := messagingtest.Registered("demo", house.Wordings())
	w.must(house.Texting.Register(t.Context(), "demo", model.TenantSMS{Sender: "HAATLN"}))
	w.send(due.Add(time.Minute))
	is := w.reminders()[of][0]
	if is.Status != khatamodel.Scheduled || !strings.Contains(why(is), "registered in India") || len(w.events(of)) > 0 {
		t.Fatalf("before the registration: %s %q", is.Status, why(is))
	}
	w.must(house.Texting.Register(t.Context(), "demo", *registered.SMS))
	w.send(due.Add(2 * time.Hour))
	if is = w.reminders()[of][0]; is.Status != khatamodel.Sent {
		t.Errorf("after the registration: %s %q", is.Status, why(is))
	}
}
