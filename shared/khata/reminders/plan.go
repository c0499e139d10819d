package reminders

import (
	"cmp"
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Horizon is how far ahead reminders are planned. A run goes on where the one before it ran out of time, so a month's
// end may take many runs, and some may be missed.
const Horizon = 12 * time.Hour

// Plan writes down the reminders that come up. It reads an index of balances on which money is owed and reminders are
// on, and nothing where nobody is due.
func (r *Reminders) Plan(ctx context.Context) error {
	until := r.Now().Add(Horizon)
	pass := &run{Reminders: r}
	return r.work(ctx, due{
		table: tables.CustomerBalances, index: tables.IndexRemindersOf, shard: "reminder_bucket",
		at: "next_reminder_at", until: until,
		handle: func(ctx context.Context, item dynamo.Item) error {
			var b khatamodel.Balance
			if err := dynamo.Unmarshal(item, &b); err != nil {
				return err
			}
			if b.ReminderBucket == "" || b.NextReminderAt > model.At(until) {
				return nil // the index was behind
			}
			return pass.plan(ctx, b)
		},
	})
}

// plan writes a customer's reminder down unless it is there, and then puts the next one off. Dying in between repeats
// both, and the first finds its work done.
func (r *run) plan(ctx context.Context, b khatamodel.Balance) error {
	s, err := r.shop(ctx, b.StoreID)
	if isGone(err) {
		return r.forget(ctx, b)
	}
	if err != nil {
		return err
	}
	now := r.Now()
	frequency := cmp.Or(b.ReminderFrequency, khatamodel.Weekly)
	slot, next := latest(s.Shop, frequency, b.NextReminderAt.Go(), now)
	if opens := s.Opens(slot); !opens.IsZero() {
		item, err := dynamo.Marshal(newReminder(s.Shop, b, frequency, slot, opens, now))
		if err != nil {
			return err
		}
		if err := r.DB.PutOnce(ctx, tables.PaymentReminders, item); err != nil {
			return err
		}
		telemetry.Count(ctx, Planned, 1)
	}
	err = r.DB.Update(ctx, dynamo.Update{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(b.StoreID, b.CustomerPhone),
		If: "next_reminder_at = :was",
		Do: "SET next_reminder_at = :next, last_reminder_at = :slot",
		Values: dynamo.Item{
			":was": dynamo.S(b.NextReminderAt), ":next": dynamo.S(model.At(next)), ":slot": dynamo.S(model.At(slot)),
		},
	})
	return dynamo.IgnoreConditionFailed(err) // somebody else was faster, or the customer has paid
}

// latest returns the slot to plan for a customer who is due at an instant, and the one after it: of slots that have all
// passed, the last.
func latest(s shop.Shop, f khatamodel.Frequency, due, now time.Time) (slot, next time.Time) {
	slot, next = due, s.NextReminder(f, due)
	for !next.After(now) {
		slot, next = next, s.NextReminder(f, next)
	}
	return slot, next
}

// forget stops the reminders of a store that is not there.
func (r *run) forget(ctx context.Context, b khatamodel.Balance) error {
	err := r.DB.Update(ctx, dynamo.Update{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(b.StoreID, b.CustomerPhone),
		If: "next_reminder_at = :was",
		Do: "REMOVE reminder_bucket, next_reminder_at", Values: dynamo.Item{":was": dynamo.S(b.NextReminderAt)},
	})
	return dynamo.IgnoreConditionFailed(err)
}
