package notifications

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Resend sends a failed notification again, by hand or because it is due. One that waits to be sent already stays as it
// is, so that a repeated request has the result of the first. It returns ErrNotRetryable for one that WhatsApp has
// taken, that was erased, or that asks about a request which is decided by now. Its condition is that the notification
// is as it was read.
func (s *Notifications) Resend(ctx context.Context, id model.Name,
	by changes.By) (n cardsmodel.Notification, err error) {
	return n, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if n, err = s.Get(ctx, id); err != nil {
			return err
		}
		if n.DeliveryStatus == cardsmodel.NotificationPending && n.ErasedAt == "" {
			return nil
		}
		program, err := s.Programs.Get(ctx, n.TenantID)
		if err != nil {
			return err
		}
		if err := s.resendable(ctx, n, program); err != nil {
			return err
		}
		next := n
		next.RetryCount++
		to, err := s.recipients(ctx, []message{{notification: &n}}, program.PhoneNumberID)
		if err != nil {
			return err
		}
		out := s.outgoing(next, program.PhoneNumberID)
		out.Customer = to[0]
		return s.resend(ctx, &n, out, by)
	})
}

// resendable returns ErrNotRetryable for a notification that nobody should get again.
func (s *Notifications) resendable(ctx context.Context, n cardsmodel.Notification, program cardsmodel.Program) error {
	const code, title = "notification-not-retryable", "Not to be sent again"
	if n.DeliveryStatus != cardsmodel.NotificationFailed || n.ErasedAt != "" {
		return problem.Breaks(ErrNotRetryable, code, title,
			"Only a failed notification can be sent again; this one is %s.", n.DeliveryStatus)
	}
	if n.NotificationType != cardsmodel.NotifyApprovalRequest {
		return nil
	}
	if !programs.IsAdmin(program, n.RecipientPhone) {
		return problem.Breaks(ErrNotRetryable, code, title, "The recipient is no admin of the program any more.")
	}
	var approval cardsmodel.Approval
	if err := s.DB.Get(ctx, tables.PendingApprovals, keys.Approval(n.RelatedEntityID), &approval); err != nil {
		return err
	}
	if approval.ApprovalStatus != cardsmodel.ApprovalPending {
		return problem.Breaks(ErrNotRetryable, code, title, "The request is %s by now.", approval.ApprovalStatus)
	}
	return nil
}

// resend commits the new message together with what the notification says of it.
func (s *Notifications) resend(ctx context.Context, n *cardsmodel.Notification, out sending.Outgoing,
	by changes.By) error {
	again, err := s.prepare(ctx, []sending.Outgoing{out})
	if err != nil {
		return err
	}
	if again[0].refused != nil {
		return problem.Breaks(ErrNotRetryable, "notification-not-retryable", "Not to be sent again",
			"It cannot be sent: %s.", again[0].refused)
	}
	was := *n
	replaced, err := s.replaced(ctx, was, again[0].OutboxEventID)
	if err != nil {
		return err
	}
	setStatus(n, cardsmodel.NotificationPending)
	n.OutboxEventID, n.RetryCount, n.LastError, n.NextRetryAt = again[0].OutboxEventID, n.RetryCount+1, "", ""
	c := changes.Of(tables.WhatsAppNotifications, keys.Notification(n.NotificationID)).
		Where("deliveryStatus", dynamo.S(cardsmodel.NotificationFailed)).Where("retryCount",
		dynamo.N(was.RetryCount)).Absent("erasedAt").
		Set("outboxEventId", dynamo.S(n.OutboxEventID)).Set("retryCount", dynamo.N(n.RetryCount)).
		// the earlier message's id stays, until WhatsApp names the new one
		Drop("lastError", "nextRetryAt", tables.SortNextRetryAtNotificationID)
	changed(c, *n, cardsmodel.NotificationPending)
	record, err := by.Record(s.Audit,
		audit.Draft{
			Action: "card-notification.resend", Target: changes.Target(changes.TargetRequest, n.RelatedEntityID),
			Tenant: n.TenantID},
		changes.Values{"notification": n.NotificationID, "status": was.DeliveryStatus},
		changes.Values{"status": n.DeliveryStatus})
	if err != nil {
		return err
	}
	writes := append(append(append(again[0].Writes, replaced...), record...), c.Write())
	return dynamo.Conflict(s.DB.Transact(ctx, writes))
}

// replaced returns the write by which the dead letter of a notification's earlier message cannot be replayed as well.
// It returns ErrNotRetryable if somebody has replayed it.
func (s *Notifications) replaced(ctx context.Context, n cardsmodel.Notification, by string) ([]dynamo.Write, error) {
	event, err := (&outbox.Outbox{DB: s.DB, Now: s.Now}).Get(ctx, n.OutboxEventID)
	switch {
	case n.OutboxEventID == "" || errors.Is(err, dynamo.ErrNotFound): // it never had one, or it has expired
		return nil, nil
	case err != nil:
		return nil, err
	case event.ReplayedBy != "":
		return nil, problem.Breaks(ErrNotRetryable, "notification-not-retryable", "Not to be sent again",
			"A replay of its message is on its way: %s.", event.ReplayedBy)
	case event.Status != model.OutboxDeadLetter:
		return nil, nil
	}
	return []dynamo.Write{outbox.MarkReplayed(event, by, "")}, nil
}

const (
	// retryPage is how many notifications are read at once, and retryWidth how many of them are worked at a time.
	retryPage, retryWidth = 100, 16
	// retryReserve is what a run leaves of its time for the last page.
	retryReserve = 10 * time.Second
)

// Retry sends the notifications again that are due, until none is left or the context's time is nearly over, and
// returns how many. One that nobody should get any more leaves the queue. One that fails does not delay others: the
// next run tries it again.
func (s *Notifications) Retry(ctx context.Context) (sent int, err error) {
	var last error
	q := dynamo.Query{
		Table: tables.WhatsAppNotifications, Index: tables.IndexNotificationsByNextRetry,
		Where:  "deliveryStatus = :failed AND #sort <= :now",
		Names:  map[string]string{"#sort": tables.SortNextRetryAtNotificationID},
		Values: dynamo.Item{":failed": dynamo.S(cardsmodel.NotificationFailed), ":now": dynamo.S(s.now())},
		Limit:  retryPage,
	}
	for {
		page, err := s.DB.Query(ctx, q)
		if err != nil {
			return sent, fmt.Errorf("notifications to send again: %w", err)
		}
		jobs := make([]func() error, len(page.Items))
		for i, row := range page.Items {
			jobs[i] = func() error { return s.retry(ctx, model.Name(dynamo.Text(row, "notificationId"))) }
		}
		for _, err := range lanes.Concurrently(retryWidth, jobs...) {
			if err == nil {
				sent++
			} else {
				last = err
			}
		}
		if q.After = page.Next; q.After == nil || !invocation.HasMore(ctx, retryReserve) {
			break
		}
	}
	if sent == 0 {
		return 0, last
	}
	return sent, nil
}

func (s *Notifications) retry(ctx context.Context, id model.Name) error {
	_, err := s.Resend(ctx, id, changes.By{Own: true}) // the schedule leaves no audit record: retryCount says it
	if !errors.Is(err, ErrNotRetryable) {
		return err
	}
	c := changes.Of(tables.WhatsAppNotifications, keys.Notification(id)).Where("deliveryStatus",
		dynamo.S(cardsmodel.NotificationFailed)).
		Drop("nextRetryAt", tables.SortNextRetryAtNotificationID)
	err = s.DB.Update(ctx, c.Write())
	return dynamo.IgnoreConditionFailed(err)
}
