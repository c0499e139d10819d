package delivery

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tombstone"
	"github.com/haatline/haatline/shared/whatsapp"
)

// maxHistory bounds a message's delivery history. A message has five states, and a group's message has them per member.
const maxHistory = 100

func toUpdate(status whatsapp.Status, event model.WebhookEvent) model.StatusUpdate {
	at := event.ReceivedAt
	if stamp := whatsapp.Text(status.Timestamp).Seconds(); !stamp.IsZero() {
		at = model.At(stamp)
	}
	update := model.StatusUpdate{
		Status: model.Truncate(status.Status, 64), Timestamp: at, Participant: model.Truncate(status.Participant, 128),
		Errors: problemsOf(status.Errors), Pricing: model.DocumentOf(status.Pricing),
	}
	if status.Type == typePayment {
		update.Type, update.Detail = typePayment, model.DocumentOf(status.Payment)
	}
	return update
}

func problemsOf(errors []whatsapp.Error) []model.Problem {
	var problems []model.Problem
	for _, e := range errors {
		problems = append(problems, model.Problem{Code: e.Code, Title: e.Title, Message: e.Message, Details: e.Details})
	}
	return problems
}

// rank returns the update's rank as a delivery state; 0 for the status of a payment, and for a failure that is one
// group member's.
func rank(u model.StatusUpdate) int {
	if u.Type == typePayment || u.Participant != "" && u.Status == string(model.Failed) {
		return 0
	}
	return model.DeliveryStatus(u.Status).Rank()
}

// applyStatus writes one status to MSG#{id}, whether the message is stored yet or not, and returns the item as it was
// before. It does not change a tombstone, a pointer, or a message of another number.
//
// A status that outranks the state becomes the state and is added to the history. The condition is the lower rank, so
// the status cannot have been applied before. Any other status is only added to the history, unless it is there
// already. The condition is the history as it was read.
func (s *Statuses) applyStatus(
	ctx context.Context, id model.MessageID, from model.PhoneNumberID, update model.StatusUpdate,
) (before dynamo.Item, err error) {
	entry, err := dynamo.Value(update)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", dynamo.ErrPermanent, err)
	}
	status := storableStatus{id, from, update, entry}
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		if rank(update) > 0 {
			before, err = s.raiseState(ctx, status)
			var outranked *dynamo.ConditionFailed
			if !errors.As(err, &outranked) {
				return err
			}
			before = outranked.Item
		} else if before, err = s.Inbox.MessageItem(ctx, id); err != nil {
			return err
		}
		if tombstone.Is(before) || inbox.IsPointer(before) || !fromNumber(before, from) {
			return nil
		}
		return s.appendHistory(ctx, status, before)
	})
	return before, err
}

// expireOrphan lets an orphan status expire, unless its message arrives. Its id identifies the recipient of a message
// that was sent twice, or by somebody else.
func (s *Statuses) expireOrphan(ctx context.Context, id model.MessageID) error {
	err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.Message(id), Do: "SET #ttl = :ttl",
		If: "attribute_exists(pk) AND " + model.NoMessage + " AND attribute_not_exists(waMessageId) " +
			"AND attribute_not_exists(#ttl)",
		Values: dynamo.Item{":ttl": dynamo.N(s.Now().Add(model.TombstoneLifetime).Unix())},
	})
	return dynamo.IgnoreConditionFailed(err)
}

// fromNumber reports whether a number may have sent a message: its conversation belongs to the number, or it has none.
// A status never changes a message of another number.
func fromNumber(message dynamo.Item, from model.PhoneNumberID) bool {
	of, _, placed := keys.ConversationIDs(dynamo.Text(message, "conversationPk"))
	return !placed || of == from
}

// storableStatus is a status of a message that a number sent.
type storableStatus struct {
	id     model.MessageID
	from   model.PhoneNumberID
	update model.StatusUpdate
	entry  dynamo.AttributeValue // the update in the history
}

// raiseState makes a status the message's state, if it outranks the state. Otherwise it returns a
// *dynamo.ConditionFailed.
func (s *Statuses) raiseState(ctx context.Context, of storableStatus) (dynamo.Item, error) {
	update := of.update
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Message(of.id),
		Do: "SET itemType = :type, deliveryStatus = :status, deliveryRank = :rank, " +
			"deliveryStatusHistory = list_append(if_not_exists(deliveryStatusHistory, :none), :entry)",
		If: "attribute_not_exists(erasedAt) AND attribute_not_exists(waMessageId) AND " +
			"(attribute_not_exists(deliveryRank) OR deliveryRank < :rank) AND " +
			"(attribute_not_exists(conversationPk) OR begins_with(conversationPk, :conversations))",
		Values: dynamo.Item{
			":conversations": dynamo.S(keys.ConversationsOf(of.from)),
			":type":          dynamo.S(model.ItemMessage), ":status": dynamo.S(update.Status),
			":rank": dynamo.N(rank(update)),
			":none": dynamo.L(), ":entry": dynamo.L(of.entry),
		},
	}
	if update.Status == string(model.Failed) {
		u.Do += ", failedAt = :at"
		u.Values[":at"] = dynamo.S(update.Timestamp)
	}
	return s.DB.UpdateReturning(ctx, u)
}

// appendHistory adds a status to the history of a message as it was read, unless it is there already.
func (s *Statuses) appendHistory(ctx context.Context, of storableStatus, item dynamo.Item) error {
	update := of.update
	var m model.Message
	if err := dynamo.Unmarshal(item, &m); err != nil {
		return err
	}
	for _, old := range m.DeliveryStatusHistory {
		if old.Status == update.Status && old.Timestamp == update.Timestamp && old.Participant == update.Participant &&
			old.Type == update.Type {
			return nil
		}
	}
	if len(m.DeliveryStatusHistory) >= maxHistory {
		return nil // the log has the rest
	}
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Message(of.id),
		Do: "SET itemType = :type, deliveryStatusHistory = list_append(if_not_exists(deliveryStatusHistory, " +
			":none), :entry)",
		If: "size(deliveryStatusHistory) = :length", // a tombstone has no history
		Values: dynamo.Item{
			":type": dynamo.S(model.ItemMessage), ":none": dynamo.L(), ":entry": dynamo.L(of.entry),
			":length": dynamo.N(len(m.DeliveryStatusHistory)),
		},
	}
	if len(m.DeliveryStatusHistory) == 0 {
		delete(u.Values, ":length")
		u.If = "attribute_not_exists(deliveryStatusHistory) AND attribute_not_exists(erasedAt)"
	}
	err := s.DB.Update(ctx, u)
	return dynamo.Conflict(err)
}
