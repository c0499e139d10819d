package reminders

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Erase deletes the reminders of a customer's account that are kept. count returns the writes by which an erasure
// counts them.
func (r *Reminders) Erase(ctx context.Context, b khatamodel.Balance, count func(n int) []dynamo.Write) error {
	found, err := r.Of(ctx, b)
	if err != nil {
		return err
	}
	for _, item := range found {
		key := keys.Reminder(model.Name(dynamo.Text(item, "reminder_id")))
		writes := append(count(1), dynamo.Delete{Table: tables.PaymentReminders, Key: key, If: dynamo.IfPresent})
		err := r.DB.Transact(ctx, writes)
		var cancelled *dynamo.TransactionCancelled
		if errors.As(err, &cancelled) && cancelled.Of(len(writes)-1).Failed() {
			continue // it is gone
		}
		if err != nil {
			return dynamo.Conflict(err)
		}
	}
	return nil
}

// Of reads the reminders of a customer's account that are kept. It reads every id that a reminder may have: they follow
// from the account and the period.
func (r *Reminders) Of(ctx context.Context, b khatamodel.Balance) ([]dynamo.Item, error) {
	refs := candidates(b.StoreID, b.CustomerPhone, r.Now())
	found, err := r.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	var items []dynamo.Item
	for _, one := range refs {
		if item := one.Found(found); item != nil {
			items = append(items, item)
		}
	}
	return items, nil
}

// candidates returns what reminders of a customer may be there: one for each period, from the oldest that is kept to
// the latest that is planned ahead, with a few days to spare in either direction.
func candidates(store, customer model.Name, now time.Time) []dynamo.Ref {
	const spare = 3 * 24 * time.Hour
	first, last := now.Add(-Lifetime-spare).Truncate(24*time.Hour), now.Add(Horizon+spare)
	var refs []dynamo.Ref
	add := func(f khatamodel.Frequency, period time.Time) {
		refs = append(refs, ref(keys.ReminderID(store, customer, string(f), period)))
	}
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		add(khatamodel.Daily, day)
		add(khatamodel.Once, day)
	}
	// a period is longer than what is kept
	for day := first.AddDate(0, 0, -31); !day.After(last); day = day.AddDate(0, 0, 1) {
		if day.Weekday() == time.Monday {
			add(khatamodel.Weekly, day)
		}
		if day.Day() == 1 {
			add(khatamodel.Monthly, day)
		}
	}
	return refs
}
