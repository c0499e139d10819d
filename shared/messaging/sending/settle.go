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
)

// settleMessage is the record of a message that has been sent, or cannot be.
//
// Sent: MSG#{wamid} takes the place of the queued item, joining what a quick status may have left there, and the queued
// item becomes a pointer, out of every index, so that the id the caller got stays valid. Not sent: the queued item fails,
// with the reason. Late: the platform has shown a copy to be taken after the message had failed, and the message becomes
// that copy. Copy: the message is marked, because the customer may have it twice.
func (s *Sender) settleMessage(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
	var payload messagePayload
	if json.Unmarshal(event.Payload, &payload) != nil {
		return nil, nil // nobody knows which message it was: the event alone can say how it ended
	}
	queued, found, err := s.storedMessage(ctx, payload.MessageID)
	if err != nil || !found {
		return nil, err
	}
	switch {
	case outcome.Copy:
		return s.markDuplicate(queued), nil
	case outcome.Failure != nil && queued.WAMessageID == "":
		return failQueued(queued.PK, outcome)
	case outcome.Failure != nil || queued.WAMessageID != "" && !outcome.Late:
		return nil, nil // a pointer already
	}
	wamid, err := model.Parse[model.MessageID](outcome.ExternalID)
	if err != nil || wamid == queued.WAMessageID {
		return nil, nil // an id that is no key: the event keeps it
	}
	standing := queued
	if queued.WAMessageID != "" {
		if standing, found, err = s.storedMessage(ctx, queued.WAMessageID); err != nil || !found {
			return nil, err
		}
	}
	return becomes(standing, wamid, payload.MessageID, event, outcome)
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

// becomes gives the writes that make a message the one the platform calls wamid. What was known of its delivery was about
// the queued item or about another copy: it does not come along. Its conditions are that nothing has been written under
// wamid but by statuses, and that the message still is as it was read.
func becomes(standing model.Message, wamid, queued model.MessageID, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
	sent := standing
	sent.PK, sent.SentAt, sent.QueuedID, sent.OutboxEventID = keys.Message(wamid).Partition, outcome.At, queued, event.EventID
	sent.PossibleDuplicate = standing.PossibleDuplicate || event.PossibleDuplicate
	sent.DeliveryStatus, sent.DeliveryRank, sent.DeliveryStatusHistory = model.Queued, 0, nil
	sent.FailedAt, sent.Errors = "", nil
	join, err := inbox.JoinWrite(sent)
	if err != nil {
		return nil, err
	}
	pointer, err := dynamo.Marshal(model.Message{
		PK: keys.Message(queued).Partition, ItemType: model.ItemMessage, WAMessageID: wamid, OutboxEventID: event.EventID,
	})
	if err != nil {
		return nil, err
	}
	writes := []dynamo.Write{join}
	stays, values := whereItWas(standing)
	if standing.PK == keys.Message(queued).Partition {
		return append(writes, dynamo.Put{Table: tables.Messages, Item: pointer, If: stays, Values: values}), nil
	}
	left, err := dynamo.Marshal(model.Message{ // as statuses leave it of any copy that is not the message
		PK: standing.PK, ItemType: model.ItemMessage, DeliveryStatus: standing.DeliveryStatus, DeliveryRank: standing.DeliveryRank,
		DeliveryStatusHistory: standing.DeliveryStatusHistory, FailedAt: standing.FailedAt,
		TTL: outcome.At.Go().Add(model.TombstoneLifetime).Unix(),
	})
	if err != nil {
		return nil, err
	}
	before, _ := keys.MessageIDOf(standing.PK)
	return append(writes,
		dynamo.Put{
			Table: tables.Messages, Item: left, If: stays + " AND size(deliveryStatusHistory) = :length",
			Values: with(values, ":length", dynamo.N(len(standing.DeliveryStatusHistory))),
		},
		dynamo.Put{Table: tables.Messages, Item: pointer, If: "waMessageId = :before", Values: dynamo.Item{":before": dynamo.S(before)}},
	), nil
}

// whereItWas is the condition that a message is there, and in the conversation that it was read in: it may be moving to another.
func whereItWas(m model.Message) (condition string, values dynamo.Item) {
	if m.ConversationPK == "" {
		return "attribute_exists(direction) AND attribute_not_exists(conversationPk)", nil
	}
	return "conversationPk = :in", dynamo.Item{":in": dynamo.S(m.ConversationPK)}
}

// with returns values with one more.
func with(values dynamo.Item, name string, value dynamo.AttributeValue) dynamo.Item {
	all := dynamo.Item{name: value}
	maps.Copy(all, values)
	return all
}

// markDuplicate marks a message, or the one a pointer leads to. Its condition is that the message is there.
func (s *Sender) markDuplicate(m model.Message) []dynamo.Write {
	key := keys.Key{PartitionName: "pk", Partition: m.PK}
	if m.WAMessageID != "" {
		key = keys.Message(m.WAMessageID)
	}
	return []dynamo.Write{dynamo.Update{
		Table: tables.Messages, Key: key, Do: "SET possibleDuplicate = :true", If: "attribute_exists(direction)",
		Values: dynamo.Item{":true": dynamo.Bool(true)},
	}}
}

// failQueued fails a message that never went out. Its condition is that the platform has said nothing of it.
func failQueued(pk string, outcome outbox.Outcome) ([]dynamo.Write, error) {
	problem := model.Problem{Code: outcome.Failure.Code, Title: outcome.Failure.Title, Details: outcome.Failure.Details}
	if problem.Title == "" && problem.Details == "" {
		problem.Details = outcome.Failure.Reason
	}
	entry, err := dynamo.Value(model.StatusUpdate{Status: string(model.Failed), Timestamp: outcome.At, Errors: []model.Problem{problem}})
	if err != nil {
		return nil, err
	}
	return []dynamo.Write{dynamo.Update{
		Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: pk},
		Do: "SET deliveryStatus = :failed, deliveryRank = :rank, failedAt = :at, " +
			"deliveryStatusHistory = list_append(if_not_exists(deliveryStatusHistory, :none), :entry)",
		If: "attribute_exists(direction) AND attribute_not_exists(deliveryRank)",
		Values: dynamo.Item{
			":failed": dynamo.S(model.Failed), ":rank": dynamo.N(model.Failed.Rank()), ":at": dynamo.S(outcome.At),
			":none": dynamo.L(), ":entry": dynamo.L(entry),
		},
	}}, nil
}
