package reminders

import (
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// The rules that a request may break.
var (
	ErrNothingOwed = errors.New("nothing is owed")
	ErrOff         = errors.New("the customer is not to be reminded")
	ErrReminded    = errors.New("the customer is reminded today already")
	ErrEnded       = errors.New("the reminder has ended")
	ErrNeverOpen   = errors.New("the store never opens")
)

// Ask has a customer reminded now, or when the store opens next: once a day at most. A repeated request gets the
// reminder of the first one. It returns dynamo.ErrNotFound for a customer without a ledger, ErrNothingOwed, ErrOff,
// ErrReminded, ErrNeverOpen and idempotency.ErrKeyReused.
func (r *Reminders) Ask(ctx context.Context, s shop.Shop, customer model.Name,
	request idempotency.Request) (one khatamodel.Reminder, err error) {
	return one, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		now := r.Now()
		id := keys.ReminderID(s.ID, customer, string(khatamodel.Once), s.Period(khatamodel.Once, now))
		found, err := r.DB.BatchGet(ctx, append(request.Refs(), ledger.BalanceRef(s.ID, customer), ref(id)))
		if err != nil {
			return err
		}
		var earlier model.Name
		if repeated, err := request.Earlier(found, now, &earlier); err != nil {
			return err
		} else if repeated {
			one, err = r.Get(ctx, s.ID, earlier)
			return err
		}
		b, err := ledger.BalanceIn(found, s.ID, customer)
		opens := s.Opens(now)
		switch {
		case err != nil:
			return err
		case b.PK == "":
			return dynamo.ErrNotFound
		case !b.OutstandingBalance.IsPositive():
			return problem.Breaks(ErrNothingOwed, "nothing-owed", "Nothing is owed", "The customer owes nothing.")
		case !b.ReminderEnabled:
			return problem.Breaks(ErrOff, "reminders-off", "Reminders are off",
				"The customer is not to be reminded. Turn the reminders on in the customer's settings.")
		case ref(id).Found(found) != nil:
			return problem.Breaks(ErrReminded, "reminded-today", "Reminded today already",
				"A customer can be reminded once a day. The reminder of today is %s.", id)
		case opens.IsZero():
			return problem.Breaks(ErrNeverOpen, "never-open", "The store never opens",
				"Reminders are sent in the store's hours, and it has none.")
		}
		one = newReminder(s, b, khatamodel.Once, now, opens, now)
		item, err := dynamo.Marshal(one)
		if err != nil {
			return err
		}
		writes, err := request.Writes(now, one.ReminderID)
		if err != nil {
			return err
		}
		return dynamo.Conflict(
			r.DB.Transact(ctx,
				append(writes, dynamo.Put{Table: tables.PaymentReminders, Item: item, If: dynamo.IfAbsent})))
	})
}

// Cancel keeps a reminder from being sent. One that is cancelled already stays as it is. It returns dynamo.ErrNotFound,
// and ErrEnded for one that was sent or has failed.
func (r *Reminders) Cancel(ctx context.Context, store, id model.Name) (one khatamodel.Reminder, err error) {
	return one, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if one, err = r.Get(ctx, store, id); err != nil {
			return err
		}
		switch one.Status {
		case khatamodel.Cancelled:
			return nil
		case khatamodel.Scheduled:
			was, reason := one, ByPerson
			one.Status, one.FailureReason = khatamodel.Cancelled, &reason
			return r.become(ctx, was, one)
		}
		return problem.Breaks(ErrEnded, "reminder-ended", "Too late", "The reminder is %s.", one.Status)
	})
}

// List returns up to limit reminders of a store that have a status, the latest first, after a place ("" for the first).
// The index may be behind by a moment.
func (r *Reminders) List(ctx context.Context, store model.Name, status khatamodel.ReminderStatus, limit int,
	after string) ([]khatamodel.Reminder, error) {
	q := dynamo.Query{
		Table: tables.PaymentReminders, Index: "GSI1", Backwards: true, Limit: int32(limit),
		Where: "gsi1pk = :store AND begins_with(gsi1sk, :status)",
		Values: dynamo.Item{
			":store": dynamo.S(keys.StoreScope(store)), ":status": dynamo.S(keys.ReminderStatus(string(status), ""))},
	}
	if place, id, ok := strings.Cut(after, " "); ok {
		key := keys.Reminder(model.Name(id))
		q.After = dynamo.Item{
			"pk": dynamo.S(key.Partition), "sk": dynamo.S(key.Sort), "gsi1pk": dynamo.S(keys.StoreScope(store)),
			"gsi1sk": dynamo.S(place)}
	}
	page, err := r.DB.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	return dynamo.Entities[khatamodel.Reminder](page.Items)
}

// Place returns a reminder's place in a list.
func Place(one khatamodel.Reminder) string { return one.GSI1SK + " " + string(one.ReminderID) }
