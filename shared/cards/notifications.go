package cards

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// retryWaits are the waits before a failed notification is sent again. The outbox has retried by then what fails in passing; these
// are for a recipient who cannot be reached for a while. After the last one a person has to look.
var retryWaits = []time.Duration{5 * time.Minute, 30 * time.Minute, 2 * time.Hour}

// settleNotification returns the write that records that WhatsApp has taken a notification, or will not. Its condition is that the
// notification waits for this message. A status may have been faster: then the state stays.
func (s *Store) settleNotification(ctx context.Context, reference string, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
	n, err := s.notificationOf(ctx, reference)
	ours := n.OutboxEventID == event.EventID || event.ReplayOf != "" && n.OutboxEventID == event.ReplayOf
	if err != nil || n.NotificationID == "" || !ours || n.ErasedAt != "" {
		return nil, err
	}
	c := changeOf(tables.WhatsAppNotifications, keys.Notification(n.NotificationID)).
		where("deliveryStatus", dynamo.S(n.DeliveryStatus)).where("outboxEventId", dynamo.S(n.OutboxEventID)).absent("erasedAt").
		set("outboxEventId", dynamo.S(event.EventID))
	if failure := outcome.Failure; failure != nil {
		if n.DeliveryStatus.After(cardsmodel.NotificationFailed) {
			return nil, nil
		}
		// An attempt without an answer may have reached the recipient: a person decides whether to send it again.
		again := !failure.Ambiguous && failure.Class != "" && failure.Class != outbox.Unanswered && failure.Class != whatsapp.Never.String()
		s.failed(ctx, c, n, failure.Reason, again)
		return []dynamo.Write{c.write()}, nil
	}
	c.set("wppMessageId", dynamo.S(outcome.ExternalID)).set("sentAt", dynamo.S(outcome.At))
	if revived := n.DeliveryStatus == cardsmodel.NotificationFailed; revived || cardsmodel.NotificationSent.After(n.DeliveryStatus) {
		c.status(n, cardsmodel.NotificationSent).drop("lastError", "nextRetryAt", tables.SortNextRetryAtNotificationID)
	}
	writes := []dynamo.Write{c.write()}
	if n.NotificationType == cardsmodel.NotifyApprovalRequest {
		writes = append(writes, dynamo.Update{
			Table: tables.PendingApprovals, Key: keys.Approval(n.RelatedEntityID), If: "attribute_exists(requestId)",
			Do: "SET notificationsSentAt = if_not_exists(notificationsSentAt, :at)", Values: dynamo.Item{":at": dynamo.S(outcome.At)},
		})
	}
	return writes, nil
}

// status has a change set a notification's status.
func (c *change) status(n cardsmodel.Notification, status cardsmodel.NotificationStatus) *change {
	return c.set("deliveryStatus", dynamo.S(status)).set("tenantStatus", dynamo.S(keys.OfTenant(n.TenantID, status)))
}

// failed has a change set a notification to failed, and when to send it again, if it may be sent again.
func (s *Store) failed(ctx context.Context, c *change, n cardsmodel.Notification, reason string, again bool) {
	telemetry.Count(ctx, NotificationsFailed, 1)
	c.status(n, cardsmodel.NotificationFailed).set("lastError", dynamo.S(reason))
	if !again || n.RetryCount >= len(retryWaits) {
		c.drop("nextRetryAt", tables.SortNextRetryAtNotificationID)
		return
	}
	at := model.At(s.Now().Add(retryWaits[n.RetryCount]))
	c.set("nextRetryAt", dynamo.S(at)).set(tables.SortNextRetryAtNotificationID, dynamo.S(keys.Joined(at, string(n.NotificationID))))
}

// notificationOf reads a message's notification. A zero one stands for one that is not there.
func (s *Store) notificationOf(ctx context.Context, reference string) (n cardsmodel.Notification, err error) {
	id, err := model.Parse[model.Name](reference)
	if err != nil {
		return n, nil
	}
	n, err = s.Notification(ctx, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return cardsmodel.Notification{}, nil
	}
	return n, err
}

// Notification returns a notification, or dynamo.ErrNotFound.
func (s *Store) Notification(ctx context.Context, id model.Name) (n cardsmodel.Notification, err error) {
	return n, s.DB.Get(ctx, tables.WhatsAppNotifications, keys.Notification(id), &n)
}

// noteStatus records how far a notification has come. A status that is no news changes nothing, nor does the failure of a message
// that has been sent again since. Its condition is the status that was read.
func (s *Store) noteStatus(ctx context.Context, reference string, id model.MessageID, status model.DeliveryStatus, problem *model.Problem) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		n, err := s.notificationOf(ctx, reference)
		if err != nil || n.NotificationID == "" || n.ErasedAt != "" {
			return err
		}
		c := changeOf(tables.WhatsAppNotifications, keys.Notification(n.NotificationID)).where("deliveryStatus", dynamo.S(n.DeliveryStatus)).absent("erasedAt")
		next := cardsmodel.NotificationStatus(status)
		switch status {
		case model.Failed:
			if ofEarlierMessage(n, id) || n.DeliveryStatus.After(cardsmodel.NotificationSent) {
				return nil
			}
			title, again := "failed", false
			if problem != nil {
				title, again = fmt.Sprintf("%d %s", problem.Code, problem.Title), whatsapp.ClassOf(problem.Code, 0) != whatsapp.Never
			}
			s.failed(ctx, c, n, model.Truncate(title, 512), again)
		case model.Delivered, model.Read:
			if !next.After(n.DeliveryStatus) {
				return nil
			}
			c.status(n, next).drop("nextRetryAt", tables.SortNextRetryAtNotificationID)
			if n.DeliveredAt == "" {
				c.set("deliveredAt", dynamo.S(s.now()))
			}
		default:
			return nil // settling says that it was sent
		}
		_, err = s.DB.Update(ctx, c.write())
		return dynamo.Conflict(err)
	})
}

// ofEarlierMessage reports whether a message of a notification is not the latest. While the latest waits to be sent, the notification
// has the id of the message before it.
func ofEarlierMessage(n cardsmodel.Notification, id model.MessageID) bool {
	waits := n.DeliveryStatus == cardsmodel.NotificationPending
	return n.WPPMessageID != "" && (n.WPPMessageID == id) == waits
}

// Resend sends a failed notification again, by hand or because it is due. One that waits to be sent already stays as it is, so that a
// repeated request has the result of the first. It returns ErrNotRetryable for one that WhatsApp has taken, that was erased, or that
// asks about a request which is decided by now. Its condition is that the notification is as it was read.
func (s *Store) Resend(ctx context.Context, id model.Name, by By) (n cardsmodel.Notification, err error) {
	return n, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if n, err = s.Notification(ctx, id); err != nil {
			return err
		}
		if n.DeliveryStatus == cardsmodel.NotificationPending && n.ErasedAt == "" {
			return nil
		}
		program, err := s.Program(ctx, n.TenantID)
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
		out := outgoing(next, program.PhoneNumberID)
		out.Customer = to[0]
		return s.resend(ctx, &n, out, by)
	})
}

// resendable returns ErrNotRetryable for a notification that nobody should get again.
func (s *Store) resendable(ctx context.Context, n cardsmodel.Notification, program cardsmodel.Program) error {
	const code, title = "notification-not-retryable", "Not to be sent again"
	if n.DeliveryStatus != cardsmodel.NotificationFailed || n.ErasedAt != "" {
		return problem.Breaks(ErrNotRetryable, code, title, "Only a failed notification can be sent again; this one is %s.", n.DeliveryStatus)
	}
	if n.NotificationType != cardsmodel.NotifyApprovalRequest {
		return nil
	}
	if !isAdmin(program, n.RecipientPhone) {
		return problem.Breaks(ErrNotRetryable, code, title, "The recipient is no admin of the program any more.")
	}
	approval, err := s.Approval(ctx, n.RelatedEntityID)
	if err != nil {
		return err
	}
	if approval.ApprovalStatus != cardsmodel.ApprovalPending {
		return problem.Breaks(ErrNotRetryable, code, title, "The request is %s by now.", approval.ApprovalStatus)
	}
	return nil
}

// resend commits the new message together with what the notification says of it.
func (s *Store) resend(ctx context.Context, n *cardsmodel.Notification, out sending.Outgoing, by By) error {
	again, err := s.prepare(ctx, []sending.Outgoing{out})
	if err != nil {
		return err
	}
	if again[0].refused != nil {
		return problem.Breaks(ErrNotRetryable, "notification-not-retryable", "Not to be sent again", "It cannot be sent: %s.", again[0].refused)
	}
	was := *n
	replaced, err := s.replaced(ctx, was, again[0].OutboxEventID)
	if err != nil {
		return err
	}
	setStatus(n, cardsmodel.NotificationPending)
	n.OutboxEventID, n.RetryCount, n.LastError, n.NextRetryAt = again[0].OutboxEventID, n.RetryCount+1, "", ""
	c := changeOf(tables.WhatsAppNotifications, keys.Notification(n.NotificationID)).
		where("deliveryStatus", dynamo.S(cardsmodel.NotificationFailed)).where("retryCount", dynamo.N(was.RetryCount)).absent("erasedAt").
		status(*n, cardsmodel.NotificationPending).set("outboxEventId", dynamo.S(n.OutboxEventID)).set("retryCount", dynamo.N(n.RetryCount)).
		drop("lastError", "nextRetryAt", tables.SortNextRetryAtNotificationID) // the earlier message's id stays, until WhatsApp names the new one
	record, err := s.record(by, audit.Draft{Action: "card-notification.resend", Target: target(TargetRequest, n.RelatedEntityID), Tenant: n.TenantID},
		values{"notification": n.NotificationID, "status": was.DeliveryStatus}, values{"status": n.DeliveryStatus})
	if err != nil {
		return err
	}
	writes := append(append(append(again[0].Writes, replaced...), record...), c.write())
	return dynamo.Conflict(s.DB.Transact(ctx, writes))
}

// replaced returns the write by which the dead letter of a notification's earlier message cannot be replayed as well. It returns
// ErrNotRetryable if somebody has replayed it.
func (s *Store) replaced(ctx context.Context, n cardsmodel.Notification, by string) ([]dynamo.Write, error) {
	event, err := (&outbox.Store{DB: s.DB, Now: s.Now}).Get(ctx, n.OutboxEventID)
	switch {
	case n.OutboxEventID == "" || errors.Is(err, dynamo.ErrNotFound): // it never had one, or it has expired
		return nil, nil
	case err != nil:
		return nil, err
	case event.ReplayedBy != "":
		return nil, problem.Breaks(ErrNotRetryable, "notification-not-retryable", "Not to be sent again", "A replay of its message is on its way: %s.", event.ReplayedBy)
	case event.Status != model.OutboxDeadLetter:
		return nil, nil
	}
	return []dynamo.Write{outbox.MarkReplayed(event, by, "")}, nil
}

// retryPage is how many notifications are read at once.
const retryPage = 100

// RetryNotifications sends the notifications again that are due, until none is left or the context's time is nearly over, and returns
// how many. One that nobody should get any more leaves the queue. One that fails does not delay others: the next run tries it again.
func (s *Store) RetryNotifications(ctx context.Context) (sent int, err error) {
	var last error
	q := dynamo.Query{
		Table: tables.WhatsAppNotifications, Index: tables.IndexNotificationsByNextRetry,
		Where: "deliveryStatus = :failed AND #sort <= :now", Names: map[string]string{"#sort": tables.SortNextRetryAtNotificationID},
		Values: dynamo.Item{":failed": dynamo.S(cardsmodel.NotificationFailed), ":now": dynamo.S(s.now())}, Limit: retryPage,
	}
	for {
		page, err := s.DB.Query(ctx, q)
		if err != nil {
			return sent, fmt.Errorf("notifications to send again: %w", err)
		}
		jobs := make([]func() error, len(page.Items))
		for i, row := range page.Items {
			jobs[i] = func() error { return s.retryNotification(ctx, model.Name(dynamo.Text(row, "notificationId"))) }
		}
		for _, err := range lanes.Concurrently(expiryWidth, jobs...) {
			if err == nil {
				sent++
			} else {
				last = err
			}
		}
		if q.After = page.Next; q.After == nil || !timeLeft(ctx) {
			break
		}
	}
	if sent == 0 {
		return 0, last
	}
	return sent, nil
}

func (s *Store) retryNotification(ctx context.Context, id model.Name) error {
	_, err := s.Resend(ctx, id, By{Own: true}) // the schedule leaves no audit record: retryCount says it
	if !errors.Is(err, ErrNotRetryable) {
		return err
	}
	c := changeOf(tables.WhatsAppNotifications, keys.Notification(id)).where("deliveryStatus", dynamo.S(cardsmodel.NotificationFailed)).
		drop("nextRetryAt", tables.SortNextRetryAtNotificationID)
	_, err = s.DB.Update(ctx, c.write())
	return dynamo.IgnoreConditionFailed(err)
}
