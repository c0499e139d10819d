package reminders

import (
	"cmp"
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// tolerance is by how much a planned time may lie too far ahead before it counts as wrong.
const tolerance = 24 * time.Hour

// Mend sets a customer's next reminder right, and reports whether it was wrong: missing although money is owed and
// reminders are on, there although they are not, or further ahead than a period and a day, where a clock that was wrong
// has put it. The condition is that the balance is as it was read; one that has changed is right, or found the next
// time.
func (r *Reminders) Mend(ctx context.Context, s shop.Shop, was khatamodel.Balance) (bool, error) {
	is := mended(s, was, r.Now())
	if is.ReminderBucket == was.ReminderBucket && is.NextReminderAt == was.NextReminderAt &&
		is.LastReminderAt == was.LastReminderAt {
		return false, nil
	}
	var do dynamo.Do
	w := dynamo.Update{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(was.StoreID, was.CustomerPhone), Values: dynamo.Item{
			":version": dynamo.N(was.Version), ":settings": dynamo.N(was.SettingsVersion),
		}}
	for name, value := range map[string]string{
		"reminder_bucket": is.ReminderBucket, "next_reminder_at": string(is.NextReminderAt),
		"last_reminder_at": string(is.LastReminderAt),
	} {
		if value == "" {
			do.Remove = append(do.Remove, name)
			continue
		}
		do.Set, w.Values[":"+name] = append(do.Set, name+" = :"+name), dynamo.S(value)
	}
	w.Do = do.String()
	w.If = dynamo.And("#version = :version", "#settings_version = :settings",
		dynamo.SameText("next_reminder_at", was.NextReminderAt, w.Values),
		dynamo.SameText("last_reminder_at", was.LastReminderAt, w.Values))
	err := r.DB.Update(ctx, w)
	if dynamo.IsConditionFailed(err) {
		return false, nil
	}
	return err == nil, err
}

// mended returns a balance with its reminders as they should be.
func mended(s shop.Shop, b khatamodel.Balance, now time.Time) khatamodel.Balance {
	latest := now.Add(Horizon)
	furthest := s.NextReminder(cmp.Or(b.ReminderFrequency, khatamodel.Weekly), latest)
	if b.LastReminderAt > model.At(latest.Add(tolerance)) {
		b.LastReminderAt = ""
	}
	if b.NextReminderAt > model.At(furthest.Add(tolerance)) || b.NextReminderAt == "" {
		b.ReminderBucket, b.NextReminderAt = "", ""
	}
	ledger.Plan(s, &b, now)
	return b
}
