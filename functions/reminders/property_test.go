package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/reminders"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// shaky fails one call in twenty, half of them after DynamoDB has made it.
type shaky struct {
	mu     sync.Mutex
	random *rand.Rand
}

var errShaky = errors.New("injected fault")

func (s *shaky) RoundTrip(request *http.Request) (*http.Response, error) {
	s.mu.Lock()
	fault := s.random.IntN(40)
	s.mu.Unlock()
	if fault == 0 {
		return nil, errShaky
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if fault == 1 && err == nil {
		response.Body.Close()
		return nil, errShaky
	}
	return response, err
}

// history is what happens to some customers of a store whose clock jumps.
type history struct {
	*world
	random *rand.Rand
	shaky  *dynamo.Client
	sent   map[model.Name]bool // reminders that were sent before
	mended int
}

var frequencies = []khatamodel.Frequency{khatamodel.Daily, khatamodel.Weekly, khatamodel.Monthly}

// runs plans and sends, twice side by side, with faults.
func (h *history) runs() {
	var running sync.WaitGroup
	for range 2 {
		running.Go(func() {
			r := registry.Khata(rooms(h.shaky, at(h.now))).Reminders
			// what fails is done the next time
			_, _ = r.Plan(context.WithoutCancel(h.t.Context())), r.Send(h.t.Context())
		})
	}
	running.Wait()
	h.check()
}

// check looks at what has been sent since it looked last: something is owed, and the amount is right.
func (h *history) check() {
	h.t.Helper()
	for of, all := range h.reminders() {
		b, err := h.khata.Ledger.Balance(h.t.Context(), shop, of)
		h.must(err)
		for _, r := range all {
			if r.Status != khatamodel.Sent || h.sent[r.ReminderID] {
				continue
			}
			h.sent[r.ReminderID] = true
			if !b.OutstandingBalance.IsPositive() || !r.OutstandingAmount.Equal(b.OutstandingBalance.Decimal) {
				h.t.Errorf("%s: sent %s over %s, and owes %s", of, r.ReminderID, r.OutstandingAmount,
					b.OutstandingBalance)
			}
		}
	}
}

// mends does what reconciliation does every night.
func (h *history) mends() {
	h.t.Helper()
	for n := range frequencies {
		b, err := h.khata.Ledger.Balance(h.t.Context(), shop, customer(n))
		h.must(err)
		mended, err := registry.Khata(rooms(h.db.Client, at(h.now))).Reminders.Mend(h.t.Context(), h.store, b)
		h.must(err)
		if mended {
			h.mended++
		}
		b, err = h.khata.Ledger.Balance(h.t.Context(), shop, customer(n))
		h.must(err)
		furthest := h.store.NextReminder(frequencies[n], h.now.AddDate(0, 0, 1)).AddDate(0, 0, 1)
		if owes := b.OutstandingBalance.IsPositive(); owes != (b.NextReminderAt != "") ||
			b.NextReminderAt > model.At(furthest) {
			h.t.Errorf("at %s, %s who owes %s is reminded at %s", model.At(h.now), frequencies[n], b.OutstandingBalance,
				b.NextReminderAt)
		}
	}
}

// step is one thing that happens.
func (h *history) step() {
	of := customer(h.random.IntN(len(frequencies)))
	switch h.random.IntN(10) {
	case 0:
		h.now = h.now.AddDate(0, 0, h.random.IntN(41)-20) // a clock that is set
	case 1:
		b, err := h.khata.Ledger.Balance(h.t.Context(), shop, of)
		h.must(err)
		if b.OutstandingBalance.IsPositive() {
			h.adds(of, khatamodel.Payment, b.OutstandingBalance.String())
		}
	case 2:
		h.adds(of, khatamodel.CreditSale, fmt.Sprint(1+h.random.IntN(100)))
	case 3:
		h.mends()
	default:
		h.now = h.now.Add(time.Duration(1+h.random.IntN(20)) * time.Hour)
		h.runs()
	}
}

// messages returns how many messages were handed over.
func (h *history) messages() int { return len(h.db.Items(h.t, tables.Outbox)) }

// Whatever the clocks do, nobody is reminded twice of a period, or of nothing, and somebody who owes is reminded again.
func TestAClockThatJumpsSendsNothingTwiceAndNeverNothing(t *testing.T) {
	mended := 0
	for i, zone := range []struct{ name, at, start string }{
		{"America/New_York", "02:30", "2026-03-05"}, {"Europe/Berlin", "02:30", "2026-10-20"},
		{"America/Santiago", "00:00", "2026-08-30"},
	} {
		t.Run(zone.name, func(t *testing.T) {
			db := dynamotest.Start(t, together...)
			w := open(t, db, func(s *commercemodel.Settings) { s.TimeZone, s.Credit.ReminderTime = zone.name, zone.at })
			random := rand.New(rand.NewPCG(7, uint64(i)))
			h := &history{
				world: w, random: random, shaky: db.Through(&shaky{random: rand.New(rand.NewPCG(8, uint64(i)))}),
				sent: map[model.Name]bool{}}
			start, err := time.Parse(time.DateOnly, zone.start)
			w.must(err)
			w.now = start
			for n, f := range frequencies {
				w.adds(customer(n), khatamodel.CreditSale, "500")
				w.set(customer(n), ledger.Settings{Reminders: true, Frequency: f})
			}
			for range 60 {
				h.step()
			}
			for n := range frequencies {
				w.adds(customer(n), khatamodel.CreditSale, "10")
			}
			h.mends()
			before := len(h.sent)
			since := model.At(w.now)
			furthest := w.now.AddDate(0, 2, 9)
			for w.now.Before(furthest) {
				w.now = w.now.Add(12 * time.Hour)
				w.plan(w.now)
				w.send(w.now)
			}
			h.check()
			again := map[model.Name]int{}
			for of, all := range w.reminders() {
				for _, r := range all {
					if r.SentAt != nil && *r.SentAt > since {
						again[of]++
					}
				}
			}
			for n, least := range []int{30, 4, 1} {
				if again[customer(n)] < least {
					t.Errorf("%s: reminded %d times in two months", frequencies[n], again[customer(n)])
				}
			}
			if got := h.messages(); got != len(h.sent) {
				t.Errorf("%d messages of %d reminders", got, len(h.sent))
			}
			t.Logf("%d reminders while the clock jumped, %d after; %d times mended", before, len(h.sent)-before,
				h.mended)
			mended += h.mended
		})
	}
	if mended == 0 {
		t.Error("no clock has put off a reminder")
	}
}

// A payment, a person who cancels, and the sending of a reminder have one outcome, in whatever order they come.
func TestPaymentCancelAndReminderHaveOneOutcome(t *testing.T) {
	db := dynamotest.Start(t, together...)
	w := open(t, db, nil)
	ends := map[string]int{}
	dynamotest.Schedules(t, 60, func(s *dynamotest.Schedule) {
		of := customer(s.Number)
		w.now = noon
		w.adds(of, khatamodel.CreditSale, "500")
		w.plan(night)
		w.now = due.Add(time.Minute)
		id := w.reminders()[of][0].ReminderID
		events := len(db.Items(t, tables.Outbox))
		khata := func(client *dynamo.Client) *reminders.Reminders {
			return registry.Khata(rooms(client, at(w.now))).Reminders
		}
		paidFirst := false
		errs := s.Run(t, db,
			func(_ context.Context, client *dynamo.Client) error {
				if err := w.entry(&ledger.Ledger{DB: client, Now: at(w.now)}, of, khatamodel.Payment,
					"500"); err != nil {
					return err
				}
				now, err := w.khata.Reminders.Get(t.Context(), shop, id) // before the others make another call
				paidFirst = now.Status == khatamodel.Scheduled
				return err
			},
			func(ctx context.Context, client *dynamo.Client) error { return khata(client).Send(ctx) },
			func(ctx context.Context, client *dynamo.Client) error {
				if s.Number%2 == 0 {
					return nil
				}
				_, err := khata(client).Cancel(ctx, shop, id)
				if errors.Is(err, reminders.ErrEnded) {
					return nil
				}
				return err
			})
		if err := dynamotest.Fails(errs); err != nil {
			t.Error(err)
		}
		one, err := w.khata.Reminders.Get(t.Context(), shop, id)
		w.must(err)
		sent := len(db.Items(t, tables.Outbox)) - events
		if wants := map[khatamodel.ReminderStatus]int{khatamodel.Sent: 1}[one.Status]; sent != wants ||
			one.Status == khatamodel.Scheduled || one.Status == khatamodel.Failed {
			t.Errorf("%s (%s) with %d messages", one.Status, why(one), sent)
		}
		if one.Status == khatamodel.Sent && paidFirst {
			t.Error("sent after the payment")
		}
		if one.Status == khatamodel.Sent && !one.OutstandingAmount.Equal(amount("500").Decimal) {
			t.Errorf("sent over %s", one.OutstandingAmount)
		}
		ends[string(one.Status)+" "+why(one)]++
	})
	if ends["sent "] == 0 || ends["cancelled paid"] == 0 || ends["cancelled cancelled_by_person"] == 0 {
		t.Errorf("not every outcome has come about: %v", ends)
	}
}
