package sending

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// settleMessage returns the writes that record how the send of a message ended.
//
// Sent: MSG#{wamid} replaces the queued item and keeps what an early status has stored there. The queued item becomes a
// pointer and leaves every index, so that the id that the caller got stays valid. Not sent: the queued item fails with
// the reason. Cancelled: it says why. Late: WhatsApp has taken a copy after the message had failed, and the message
// becomes that copy. Copy: the message is marked, because the customer may have it twice. taken is what WhatsApp has
// answered; zero where that is not known.
func (s *Sender) settleMessage(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome,
	taken whatsapp.Taken) ([]dynamo.Write, error) {
	var payload messagePayload
	if json.Unmarshal(event.Payload, &payload) != nil {
		return nil, nil // the message is unknown; the event alone says how it ended
	}
	queued, found, err := s.storedMessage(ctx, payload.MessageID)
	if err == nil && queued.AttachedTo != "" && outcome.Failure != nil {
		return s.Inbox.WithdrawReaction(ctx, queued)
	}
	if err != nil || !found {
		return nil, err
	}
	switch {
	case outcome.Copy:
		return s.markDuplicate(queued), nil
	case outcome.Cancelled != "":
		return cancelQueued(queued, outcome)
	case outcome.Failure != nil && queued.WAMessageID == "":
		writes, err := failQueued(queued, outcome)
		if err != nil {
			return nil, err
		}
		told, err := s.Inbox.FailedWrites(ctx, queued, outcome.Failure.Code)
		return append(writes, told...), err
	case outcome.Failure != nil || queued.WAMessageID != "" && !outcome.Late:
		return nil, nil // a pointer already
	}
	wamid, err := model.Parse[model.MessageID](outcome.ExternalID)
	if err != nil || wamid == queued.WAMessageID {
		return nil, nil // an id that is no key: the event keeps it
	}
	current := queued
	if queued.WAMessageID != "" {
		if current, found, err = s.storedMessage(ctx, queued.WAMessageID); err != nil || !found {
			return nil, err
		}
	}
	return sentWrites(current, taken, wamid, payload.MessageID, event, outcome)
}

// WithdrawReaction takes a reaction off its message, because WhatsApp has taken and then failed it. It does nothing for
// any other event.
func (s *Sender) WithdrawReaction(ctx context.Context, event model.OutboxEvent) error {
	var payload messagePayload
	if json.Unmarshal(event.Payload, &payload) != nil || payload.MessageID == "" {
		return nil
	}
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		queued, _, err := s.storedMessage(ctx, payload.MessageID)
		if err != nil || queued.AttachedTo == "" {
			return err
		}
		writes, err := s.Inbox.WithdrawReaction(ctx, queued)
		if err != nil || len(writes) == 0 {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, writes))
	})
}

// storedMessage reads a message or a pointer to one. It reports false for what is not there, or has been erased.
func (s *Sender) storedMessage(ctx context.Context, id model.MessageID) (m model.Message, found bool, err error) {
	err = s.DB.Get(ctx, tables.Messages, keys.Message(id), &m)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && m.ErasedAt != "" {
		return m, false, nil
	}
	if err != nil {
		return m, false, fmt.Errorf("settle message: %w", err)
	}
	return m, m.Direction != "" || m.WAMessageID != "", nil
}

// sentWrites returns the writes that make a message the one WhatsApp calls wamid. What was known of its delivery was
// about the queued item or about another copy: it does not come along. Its conditions are that nothing has been written
// under wamid but by statuses, and that the message still is as it was read.
func sentWrites(
	current model.Message, taken whatsapp.Taken, wamid, queued model.MessageID, event model.OutboxEvent,
	outcome outbox.Outcome,
) ([]dynamo.Write, error) {
	sent := applyTaken(current, taken)
	sent.PK, sent.SentAt, sent.QueuedID, sent.OutboxEventID = keys.Message(wamid).Partition, outcome.At, queued,
		event.EventID
	sent.PossibleDuplicate = current.PossibleDuplicate || event.PossibleDuplicate
	if phone, _, placed := keys.ConversationIDs(sent.ConversationPK); placed {
		sent.InboxPK = keys.InboxMessages(phone)
	}
	sent.DeliveryRank, sent.DeliveryStatusHistory = 0, nil
	sent.FailedAt, sent.Errors = "", nil
	inbox.MarkLateText(&sent, outcome.At)
	join, err := inbox.JoinWrite(sent)
	if err != nil {
		return nil, err
	}
	pointer, err := dynamo.Marshal(model.Message{
		PK: keys.Message(queued).Partition, ItemType: model.ItemMessage, WAMessageID: wamid,
		OutboxEventID: event.EventID,
	})
	if err != nil {
		return nil, err
	}
	writes := []dynamo.Write{join}
	stays, values := unmovedCondition(current)
	if current.PK == keys.Message(queued).Partition {
		return append(writes, dynamo.Put{Table: tables.Messages, Item: pointer, If: stays, Values: values}), nil
	}
	left, err := dynamo.Marshal(model.Message{ // as statuses leave it of any copy that is not the message
		PK: current.PK, ItemType: model.ItemMessage, DeliveryStatus: current.DeliveryStatus,
		DeliveryRank:          current.DeliveryRank,
		DeliveryStatusHistory: current.DeliveryStatusHistory, FailedAt: current.FailedAt,
		TTL: outcome.At.Go().Add(model.TombstoneLifetime).Unix(),
	})
	if err != nil {
		return nil, err
	}
	before, _ := keys.MessageIDOf(current.PK)
	return append(writes,
		dynamo.Put{
			Table: tables.Messages, Item: left, If: stays + " AND size(deliveryStatusHistory) = :length",
			Values: with(values, ":length", dynamo.N(len(current.DeliveryStatusHistory))),
		},
		dynamo.Put{Table: tables.Messages, Item: pointer, If: "waMessageId = :before",
			Values: dynamo.Item{":before": dynamo.S(before)}},
	), nil
}

// unmovedCondition is the condition that a message is there, and in the conversation that it was read in: it may be
// moving to another. And it says what it said: somebody of whom it told may be erased.
func unmovedCondition(m model.Message) (condition string, values dynamo.Item) {
	values = dynamo.Item{}
	same := dynamo.SameText("emptiedAt", m.EmptiedAt, values)
	if m.ConversationPK == "" {
		return dynamo.And("attribute_exists(direction)", "attribute_not_exists(conversationPk)", same), values
	}
	values[":in"] = dynamo.S(m.ConversationPK)
	return dynamo.And("conversationPk = :in", same), values
}

// with returns values with one more.
func with(values dynamo.Item, name string, value dynamo.AttributeValue) dynamo.Item {
	all := dynamo.Item{name: value}
	maps.Copy(all, values)
	return all
}

// markDuplicate marks a message, or the one a pointer leads to. Its condition is that the message is there.
func (s *Sender) markDuplicate(m model.Message) []dynamo.Write {
	key := keys.ByPK(m.PK)
	if m.WAMessageID != "" {
		key = keys.Message(m.WAMessageID)
	}
	return []dynamo.Write{dynamo.Update{
		Table: tables.Messages, Key: key, Do: "SET possibleDuplicate = :true", If: model.MessageStored,
		Values: dynamo.Item{":true": dynamo.Bool(true)},
	}}
}

// failQueued fails a message that never went out. Its condition is that WhatsApp has said nothing of it.
func failQueued(m model.Message, outcome outbox.Outcome) ([]dynamo.Write, error) {
	problem := model.Problem{Code: outcome.Failure.Code, Title: outcome.Failure.Title, Details: outcome.Failure.Details}
	if problem.Title == "" && problem.Details == "" {
		problem.Details = outcome.Failure.Reason
	}
	entry, err := dynamo.Value(model.StatusUpdate{
		Status: string(model.Failed), Timestamp: outcome.At, Errors: []model.Problem{problem}})
	if err != nil {
		return nil, err
	}
	return []dynamo.Write{endWaiting(m, dynamo.Update{
		Do: "SET deliveryStatus = :failed, deliveryRank = :rank, failedAt = :at, " +
			"deliveryStatusHistory = list_append(if_not_exists(deliveryStatusHistory, :none), :entry)",
		Values: dynamo.Item{
			":failed": dynamo.S(model.Failed), ":rank": dynamo.N(model.Failed.Rank()), ":at": dynamo.S(outcome.At),
			":none": dynamo.L(), ":entry": dynamo.L(entry),
		},
	})}, nil
}

// cancelQueued returns the write that says of a message why it was not sent. Its condition is that WhatsApp has said
// nothing of it.
func cancelQueued(m model.Message, outcome outbox.Outcome) ([]dynamo.Write, error) {
	if m.WAMessageID != "" {
		return nil, nil // a pointer: it was sent
	}
	why := model.Problem{Code: model.CodeCancelled, Title: "Not sent any more", Details: outcome.Cancelled}
	entry, err := dynamo.Value(model.StatusUpdate{
		Status: string(model.Cancelled), Timestamp: outcome.At, Errors: []model.Problem{why}})
	if err != nil {
		return nil, err
	}
	return []dynamo.Write{endWaiting(m, dynamo.Update{
		Do: "SET deliveryStatus = :cancelled, deliveryStatusHistory = " +
			"list_append(if_not_exists(deliveryStatusHistory, :none), :entry)",
		Values: dynamo.Item{":cancelled": dynamo.S(model.Cancelled), ":none": dynamo.L(), ":entry": dynamo.L(entry)},
	})}, nil
}

// endWaiting returns an update of a message that is not sent: it is in all indexes from now on, as one that is sent.
func endWaiting(m model.Message, u dynamo.Update) dynamo.Update {
	u.Table, u.Key = tables.Messages, keys.ByPK(m.PK)
	u.If = model.MessageStored + " AND attribute_not_exists(deliveryRank)"
	u.Do += ", direction = :out"
	u.Values[":out"] = dynamo.S(model.Outbound)
	if phone, _, placed := keys.ConversationIDs(m.ConversationPK); placed {
		u.Do += ", inboxPk = :inbox"
		u.Values[":inbox"] = dynamo.S(keys.InboxMessages(phone))
	}
	return u
}
