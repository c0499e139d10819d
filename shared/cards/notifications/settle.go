package notifications

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// retryWaits are the waits before a failed notification is sent again. The outbox has retried by then what fails in
// passing; these are for a recipient who cannot be reached for a while. After the last one a person has to look.
var retryWaits = []time.Duration{5 * time.Minute, 30 * time.Minute, 2 * time.Hour}

// Settle returns the write that records that WhatsApp has taken a notification, or will not. Its condition is that the
// notification waits for this message. A status may have been faster: then the state stays.
func (s *Notifications) Settle(ctx context.Context, reference string, event model.OutboxEvent,
	outcome outbox.Outcome) ([]dynamo.Write, error) {
	n, err := s.of(ctx, reference)
	ours := n.OutboxEventID == event.EventID || event.ReplayOf != "" && n.OutboxEventID == event.ReplayOf
	if err != nil || n.NotificationID == "" || !ours || n.ErasedAt != "" {
		return nil, err
	}
	c := changes.Of(tables.WhatsAppNotifications, keys.Notification(n.NotificationID)).
		Where("deliveryStatus", dynamo.S(n.DeliveryStatus)).Where("outboxEventId",
		dynamo.S(n.OutboxEventID)).Absent("erasedAt").
		Set("outboxEventId", dynamo.S(event.EventID))
	if failure := outcome.Failure; failure != nil {
		if n.DeliveryStatus.After(cardsmodel.NotificationFailed) {
			return nil, nil
		}
		// An attempt without an answer may have reached the recipient: a person decides whether to send it again.
		again := !failure.Ambiguous && failure.Class != "" && failure.Class != outbox.Unanswered &&
			failure.Class != whatsapp.Never.String()
		s.failed(ctx, c, n, failure.Reason, again)
		return []dynamo.Write{c.Write()}, nil
	}
	c.Set("wppMessageId", dynamo.S(outcome.ExternalID)).Set("sentAt", dynamo.S(outcome.At))
	if revived := n.DeliveryStatus == cardsmodel.NotificationFailed; revived ||
		cardsmodel.NotificationSent.After(n.DeliveryStatus) {
		changed(c, n, cardsmodel.NotificationSent).Drop("lastError", "nextRetryAt",
			tables.SortNextRetryAtNotificationID)
	}
	writes := []dynamo.Write{c.Write()}
	if n.NotificationType == cardsmodel.NotifyApprovalRequest {
		writes = append(writes, dynamo.Update{
			Table: tables.PendingApprovals, Key: keys.Approval(n.RelatedEntityID), If: "attribute_exists(requestId)",
			Do:     "SET notificationsSentAt = if_not_exists(notificationsSentAt, :at)",
			Values: dynamo.Item{":at": dynamo.S(outcome.At)},
		})
	}
	return writes, nil
}

// changed has a change set a notification's status.
func changed(c *changes.Change, n cardsmodel.Notification, status cardsmodel.NotificationStatus) *changes.Change {
	return c.Set("deliveryStatus", dynamo.S(status)).Set("tenantStatus", dynamo.S(keys.OfTenant(n.TenantID, status)))
}

// failed has a change set a notification to failed, and when to send it again, if it may be sent again.
func (s *Notifications) failed(ctx context.Context, c *changes.Change, n cardsmodel.Notification, reason string,
	again bool) {
	telemetry.Count(ctx, Failed, 1)
	changed(c, n, cardsmodel.NotificationFailed).Set("lastError", dynamo.S(reason))
	if !again || n.RetryCount >= len(retryWaits) {
		c.Drop("nextRetryAt", tables.SortNextRetryAtNotificationID)
		return
	}
	at := model.At(s.Now().Add(retryWaits[n.RetryCount]))
	c.Set("nextRetryAt", dynamo.S(at)).Set(tables.SortNextRetryAtNotificationID,
		dynamo.S(keys.Joined(at, string(n.NotificationID))))
}

// of reads a message's notification. A zero one stands for one that is not there.
func (s *Notifications) of(ctx context.Context, reference string) (n cardsmodel.Notification, err error) {
	id, err := model.Parse[model.Name](reference)
	if err != nil {
		return n, nil
	}
	n, err = s.Get(ctx, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return cardsmodel.Notification{}, nil
	}
	return n, err
}

// Status records how far a notification has come. A status that is no news changes nothing, nor does the failure of a
// message that has been sent again since. Its condition is the status that was read.
func (s *Notifications) Status(ctx context.Context, reference string, id model.MessageID, status model.DeliveryStatus,
	problem *model.Problem) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		n, err := s.of(ctx, reference)
		if err != nil || n.NotificationID == "" || n.ErasedAt != "" {
			return err
		}
		c := changes.Of(tables.WhatsAppNotifications, keys.Notification(n.NotificationID)).Where("deliveryStatus",
			dynamo.S(n.DeliveryStatus)).Absent("erasedAt")
		next := cardsmodel.NotificationStatus(status)
		switch status {
		case model.Failed:
			if ofEarlierMessage(n, id) || n.DeliveryStatus.After(cardsmodel.NotificationSent) {
				return nil
			}
			title, again := "failed", false
			if problem != nil {
				title, again = fmt.Sprintf("%d %s", problem.Code, problem.Title),
					whatsapp.ClassOf(problem.Code, 0) != whatsapp.Never
			}
			s.failed(ctx, c, n, model.Truncate(title, 512), again)
		case model.Delivered, model.Read:
			if !next.After(n.DeliveryStatus) {
				return nil
			}
			changed(c, n, next).Drop("nextRetryAt", tables.SortNextRetryAtNotificationID)
			if n.DeliveredAt == "" {
				c.Set("deliveredAt", dynamo.S(s.now()))
			}
		default:
			return nil // settling says that it was sent
		}
		err = s.DB.Update(ctx, c.Write())
		return dynamo.Conflict(err)
	})
}

// ofEarlierMessage reports whether a message of a notification is not the latest. While the latest waits to be sent,
// the notification has the id of the message before it.
func ofEarlierMessage(n cardsmodel.Notification, id model.MessageID) bool {
	waits := n.DeliveryStatus == cardsmodel.NotificationPending
	return n.WPPMessageID != "" && (n.WPPMessageID == id) == waits
}
