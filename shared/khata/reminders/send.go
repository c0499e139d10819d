package reminders

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Why reminders are cancelled.
const (
	Paid             = "paid"
	RemindersOff     = "reminders_off"
	OptedOut         = sending.OptedOut
	Joined           = "joined" // the account goes on in another of the same person, which has its own reminders
	MarketingStopped = "marketing_stopped"
	Late             = "late"
	NeverOpen        = "store_never_open"
	NoStore          = "no_store"
	ByPerson         = "cancelled_by_person"
)

// retryWaits are the waits before a reminder is tried again that could not be sent. After the last one it has failed.
var retryWaits = []time.Duration{10 * time.Minute, 30 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour}

// Send sends what is due. It reads an index of the reminders that wait, and nothing where none is due.
func (r *Reminders) Send(ctx context.Context) error {
	now := r.Now()
	pass := &run{Reminders: r, sends: true}
	return r.work(ctx, due{
		table: tables.PaymentReminders, index: tables.IndexRemindersDue, shard: "due_bucket", at: "scheduled_at",
		until: now,
		handle: func(ctx context.Context, item dynamo.Item) error {
			var one khatamodel.Reminder
			if dynamo.Unmarshal(item, &one) != nil {
				return r.park(ctx, item)
			}
			return pass.settle(ctx, one)
		},
	})
}

// settle sends a reminder, or decides otherwise. Where something has changed since it was read, it reads and decides
// again.
func (r *run) settle(ctx context.Context, one khatamodel.Reminder) error {
	fresh := true
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() (err error) {
		if !fresh {
			if one, err = r.reread(ctx, one.ReminderID); err != nil {
				return err
			}
		}
		fresh = false
		return r.decide(ctx, one)
	})
	if isGone(err) {
		return nil // erased meanwhile
	}
	if dynamo.Permanent(err) && !errors.Is(err, dynamo.ErrConflict) {
		return r.again(ctx, one, "it cannot be stored")
	}
	return err
}

// reread returns a reminder as it is now, or dynamo.ErrNotFound.
func (r *run) reread(ctx context.Context, id model.Name) (one khatamodel.Reminder, err error) {
	at := ref(id)
	found, err := r.DB.BatchGet(ctx, []dynamo.Ref{at})
	if err != nil {
		return one, err
	}
	if at.Found(found) == nil {
		return one, dynamo.ErrNotFound
	}
	return one, dynamo.Unmarshal(at.Found(found), &one)
}

// decide does what is to be done about a reminder now.
func (r *run) decide(ctx context.Context, one khatamodel.Reminder) error {
	now := r.Now()
	if one.Status != khatamodel.Scheduled || one.ScheduledAt > model.At(now) {
		return nil
	}
	s, err := r.shop(ctx, one.StoreID)
	if isGone(err) {
		return r.cancel(ctx, one, NoStore)
	}
	if err != nil {
		return err
	}
	if !s.NextReminder(period(one.Frequency), one.SlotAt.Go()).After(now) {
		return r.cancel(ctx, one, Late)
	}
	switch opens := s.Opens(now); {
	case opens.IsZero():
		return r.cancel(ctx, one, NeverOpen)
	case opens.After(now):
		later := one
		later.ScheduledAt = model.At(opens)
		return r.become(ctx, one, later)
	}
	return r.dispatch(ctx, s, one)
}

// period returns the frequency after whose period a reminder comes too late. One that a person asks for may wait for a
// week until the store opens: nothing follows it.
func period(f khatamodel.Frequency) khatamodel.Frequency {
	if f == khatamodel.Once {
		return khatamodel.Weekly
	}
	return f
}

// dispatch reads what is owed, and what the customer wants, and sends or cancels.
func (r *run) dispatch(ctx context.Context, s *met, one khatamodel.Reminder) error {
	d := draft{run: r, met: s, one: one}
	found, err := r.DB.BatchGet(ctx, d.refs())
	if err != nil {
		return err
	}
	b, err := ledger.BalanceIn(found, one.StoreID, one.CustomerPhone)
	switch {
	case err != nil:
		return err
	case b.JoinedInto != "":
		return r.cancel(ctx, one, Joined)
	case !b.ReminderEnabled:
		return r.cancel(ctx, one, RemindersOff)
	case !b.OutstandingBalance.IsPositive():
		return r.cancel(ctx, one, Paid)
	}
	d.balance = b
	writes, err := d.writes(ctx, found)
	var refused *problem.Error
	switch {
	case errors.Is(err, errOptedOut):
		return r.cancel(ctx, one, OptedOut)
	case errors.Is(err, errMarketingStopped):
		return r.cancel(ctx, one, MarketingStopped)
	case errors.Is(err, dynamo.ErrConflict):
		return err
	case errors.As(err, &refused):
		return r.again(ctx, one, refused.Error())
	case err != nil:
		return err
	}
	if err := dynamo.Conflict(r.DB.Transact(ctx, writes)); err != nil {
		return err
	}
	telemetry.Count(ctx, Sent, 1)
	return nil
}

// unchanged returns the check that a balance and its settings are as they were read: a payment and a reminder have one
// outcome.
func unchanged(b khatamodel.Balance) dynamo.Check {
	return dynamo.Check{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(b.StoreID, b.CustomerPhone),
		If:     "#version = :version AND settings_version = :settings",
		Values: dynamo.Item{":version": dynamo.N(b.Version), ":settings": dynamo.N(b.SettingsVersion)},
	}
}

// cancel ends a reminder that is not to be sent.
func (r *Reminders) cancel(ctx context.Context, one khatamodel.Reminder, reason string) error {
	is := one
	is.Status, is.FailureReason = khatamodel.Cancelled, &reason
	if err := r.become(ctx, one, is); err != nil {
		return err
	}
	telemetry.Count(ctx, Cancelled, 1)
	return nil
}

// again has a reminder wait that could not be sent, or gives it up.
func (r *Reminders) again(ctx context.Context, one khatamodel.Reminder, reason string) error {
	reason = model.Truncate(cmp.Or(reason, "unknown"), 512)
	is := one
	is.FailureReason = &reason
	if one.RetryCount >= len(retryWaits) {
		is.Status = khatamodel.Failed
		telemetry.Count(ctx, Failed, 1)
	} else {
		is.ScheduledAt, is.RetryCount = model.At(r.Now().Add(retryWaits[one.RetryCount])), one.RetryCount+1
	}
	return r.become(ctx, one, is)
}

// park takes a reminder out of what is due that cannot be read. It stays, for a person to look at.
func (r *Reminders) park(ctx context.Context, item dynamo.Item) error {
	key := keys.Key{
		PartitionName: keys.PK, Partition: dynamo.Text(item, keys.PK), SortName: "sk", Sort: dynamo.Text(item, "sk")}
	err := r.DB.Update(ctx, dynamo.Update{
		Table: tables.PaymentReminders, Key: key, If: dynamo.IfPresent,
		Do:     "SET #status = :failed, failure_reason = :why REMOVE due_bucket",
		Values: dynamo.Item{":failed": dynamo.S(khatamodel.Failed), ":why": dynamo.S("it cannot be read")},
	})
	telemetry.Count(ctx, Failed, 1)
	return dynamo.IgnoreConditionFailed(err)
}
