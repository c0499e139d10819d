package ledger

import (
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Settings are what a store sets for a customer.
type Settings struct {
	Name      string
	Limit     *model.Amount // nil for the store's default
	Reminders bool
	Frequency khatamodel.Frequency
	Channel   khatamodel.Channel // "" for the store's
	Language  string             // "" for the store's first
	Quiet     bool               // whether the customer is not told of entries
}

// Set replaces a customer's settings. It makes a balance of nothing for a customer without a ledger. The condition is
// that the settings have the version that the caller has read, 0 for a customer without any. It returns ErrStale and
// ErrAmount.
func (l *Ledger) Set(ctx context.Context, s shop.Shop, customer model.Name, to Settings,
	version int64) (b khatamodel.Balance, err error) {
	if to.Limit != nil &&
		(to.Limit.IsNegative() || to.Limit.GreaterThan(MaxBalance) || !to.Limit.Equal(to.Limit.Round(2))) {
		return b, problem.Wrong(ErrAmount, "body.creditLimit", "from 0 to %s, with two decimals at most", MaxBalance)
	}
	return b, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		b, err = l.Balance(ctx, s.ID, customer)
		isNew := errors.Is(err, dynamo.ErrNotFound)
		if err != nil && !isNew {
			return err
		}
		now := l.Now()
		if isNew {
			b = begin(s, customer, model.At(now))
		}
		was := b
		b.CustomerName, b.CreditLimit, b.PreferredLanguage = strings.TrimSpace(to.Name), to.Limit, to.Language
		b.Quiet = to.Quiet
		b.ReminderEnabled, b.ReminderFrequency, b.ReminderChannel = to.Reminders, to.Frequency, to.Channel
		switch {
		case !isNew && dynamo.StoredAlike(was, b):
			return nil // a repeated request
		case was.SettingsVersion != version:
			return problem.Breaks(ErrStale, "stale-version", "Changed meanwhile",
				"The settings have the version %d. Read them again.", was.SettingsVersion)
		}
		if b.ReminderFrequency != was.ReminderFrequency || b.ReminderEnabled != was.ReminderEnabled {
			b.ReminderBucket, b.NextReminderAt = "", ""
		}
		Plan(s, &b, now)
		b.SettingsVersion, b.UpdatedAt = was.SettingsVersion+1, model.At(now)
		return dynamo.Conflict(l.putSettings(ctx, was, b, isNew))
	})
}

// Change changes some of a customer's settings and leaves the others as they are. It returns dynamo.ErrNotFound for a
// customer without a ledger, ErrStale and ErrAmount.
func (l *Ledger) Change(ctx context.Context, s shop.Shop, customer model.Name, version int64,
	change func(*Settings)) (khatamodel.Balance, error) {
	b, err := l.Balance(ctx, s.ID, customer)
	if err != nil {
		return b, err
	}
	to := Settings{
		Name: b.CustomerName, Limit: b.CreditLimit, Reminders: b.ReminderEnabled, Frequency: b.ReminderFrequency,
		Channel: b.ReminderChannel, Language: b.PreferredLanguage, Quiet: b.Quiet,
	}
	change(&to)
	return l.Set(ctx, s, customer, to, version)
}

// putSettings writes a balance whose settings have changed. The condition is that nothing of it has changed since it
// was read.
func (l *Ledger) putSettings(ctx context.Context, was, b khatamodel.Balance, isNew bool) error {
	item, err := dynamo.Marshal(b)
	if err != nil {
		return err
	}
	put := dynamo.Put{Table: tables.CustomerBalances, Item: item, If: dynamo.IfAbsent}
	if !isNew {
		put.Values = dynamo.Item{}
		put.If = unchangedBalance(was, put.Values)
	}
	return l.DB.Put(ctx, put)
}

// Forget returns the write that takes what names a customer from a balance, and stops the reminders. If the account was
// joined into another one of the person, it goes on by itself: who has its number later is another person. Its
// condition is that there is something to take. The ledger stays: it is the store's books.
func (l *Ledger) Forget(store, customer model.Name) dynamo.Update {
	return dynamo.Update{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(store, customer),
		If: dynamo.And(dynamo.IfPresent,
			"(attribute_exists(customer_name) OR reminder_enabled = :on OR attribute_exists(joined_into) OR "+
				"attribute_not_exists(quiet))"),
		Do: dynamo.Do{
			Set: []string{"reminder_enabled = :off", "quiet = :on"}, Add: []string{"settings_version :one"},
			Remove: []string{
				"customer_name", "preferred_language", "reminder_bucket", "next_reminder_at", "joined_into"},
		}.String(),
		Values: dynamo.Item{":on": dynamo.Bool(true), ":off": dynamo.Bool(false), ":one": dynamo.N(1)},
	}
}
