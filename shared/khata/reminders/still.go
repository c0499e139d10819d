package reminders

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
)

// Why a message is not sent, and its reminder is handed over again.
const (
	AmountChanged = "amount_changed" // another sum is owed than the message says
	Closed        = "store_closed"   // the store has closed meanwhile
)

// handedOverAgain reports whether a reminder whose message is not sent for a reason is handed over again: as things are
// then.
func handedOverAgain(reason string) bool { return reason == AmountChanged || reason == Closed }

// still decides once more whether a reminder is sent, right before its message is: the decision that it was handed over
// by may be old. It returns why not, "" to send it. conversation is the customer's; nil for none.
func (r *Reminders) still(ctx context.Context, one khatamodel.Reminder,
	conversation *model.Conversation) (why string, err error) {
	switch {
	case one.ReminderID == "":
		return sending.Erased, nil
	case one.Status == khatamodel.Cancelled && one.FailureReason != nil:
		return *one.FailureReason, nil
	}
	if why = unwanted(conversation, one.ReminderType); why != "" {
		return why, nil
	}
	if why, err = r.stillOwed(ctx, one); why != "" || err != nil {
		return why, err
	}
	s, err := r.Shops.Shop(ctx, one.StoreID)
	if isGone(err) {
		return NoStore, nil
	}
	if err != nil {
		return "", err
	}
	now := r.Now()
	switch opens := s.Opens(now); {
	case !s.NextReminder(period(one.Frequency), one.SlotAt.Go()).After(now):
		return Late, nil
	case opens.IsZero():
		return NeverOpen, nil
	case opens.After(now):
		return Closed, nil
	}
	return "", nil
}

// stillOwed returns why a customer is not reminded of what a reminder says, "" if they are. What an account owes that
// was joined to another stands in the other one, which has its own reminders: only the same sum is still asked for.
func (r *Reminders) stillOwed(ctx context.Context, one khatamodel.Reminder) (unwanted string, err error) {
	books := ledger.Ledger{DB: r.DB, Now: r.Now}
	b, err := books.Balance(ctx, one.StoreID, one.CustomerPhone)
	switch {
	case isGone(err):
		return Paid, nil
	case err != nil:
		return "", err
	case !b.OutstandingBalance.IsPositive():
		return Paid, nil
	case !b.ReminderEnabled:
		return RemindersOff, nil
	case b.OutstandingBalance.Equal(one.OutstandingAmount.Decimal):
		return "", nil
	case b.CustomerPhone != one.CustomerPhone:
		return Joined, nil
	}
	return AmountChanged, nil
}

// stillWanted decides once more whether a reminder is sent. Sending has found that the message reaches the customer.
func (r *Reminders) stillWanted(ctx context.Context, reference string, _ model.OutboxEvent,
	to contacts.Addressee) (string, error) {
	one, err := r.read(ctx, model.Name(reference))
	if err != nil {
		return "", err
	}
	return r.still(ctx, one, to.Conversation())
}

// withdrawn returns the write that says of a reminder why its message was not sent. One that can be sent as things are
// now is handed over again. Its condition is that the reminder is as it was read.
func (r *Reminders) withdrawn(was khatamodel.Reminder, event model.OutboxEvent, reason string) []dynamo.Write {
	if was.Status != khatamodel.Sent && was.Status != khatamodel.Failed ||
		was.OutboxEventID != event.EventID && event.ReplayOf == "" {
		return nil
	}
	is := was
	is.Status, is.FailureReason = khatamodel.Cancelled, &reason
	if handedOverAgain(reason) {
		is.Status, is.ScheduledAt, is.Rounds = khatamodel.Scheduled, model.At(r.Now()), was.Rounds+1
		is.DueBucket = keys.DueBucket(was.StoreID, was.CustomerPhone)
	}
	return []dynamo.Write{end(was, is)}
}
