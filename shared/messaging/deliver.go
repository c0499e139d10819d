package messaging

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// maxHistory bounds a message's delivery history. A message has five states; a group's message has them per member.
const maxHistory = 100

// Delivery is one status as it was applied, for what reacts to it.
type Delivery struct {
	EventID      model.EventID // the log entry it came with
	MessageID    model.MessageID
	Status       model.DeliveryStatus
	Problem      *model.Problem     // the first error of a failed one
	Event        *model.OutboxEvent // the event that sent the message, where what to do depends on it: verified to be the status's
	EventGone    bool               // it named an event of ours that is no longer there
	NotOf        string             // why the event it named is not the one that sent the message; "" where it is
	FailedBefore bool               // this very message has failed already, and that is final
}

// OnDelivery is what a domain does about a status. It must be idempotent.
type OnDelivery struct {
	Name  string
	React func(ctx context.Context, delivery Delivery) error
}

// Deliver applies the statuses of a logged value, in the order of the body, and has the domains react. An error that
// Permanent recognises says which could not be used: the rest has been applied.
func (s *Store) Deliver(ctx context.Context, event model.WebhookEvent, reactions []OnDelivery) error {
	value, err := s.Value(ctx, event)
	if err != nil {
		return err
	}
	var v whatsapp.Object
	_ = json.Unmarshal(value, &v)
	var problems []string
	for i, raw := range v.List("statuses") {
		status, err := whatsapp.DecodeStatus(raw)
		if err != nil {
			problems = append(problems, fmt.Sprintf("statuses[%d]: %v", i, err))
			continue
		}
		id, err := model.Parse[model.MessageID](status.ID)
		if err != nil {
			problems = append(problems, fmt.Sprintf("statuses[%d]: no usable id", i))
			continue
		}
		before, err := s.applyStatus(ctx, id, asUpdate(status, event))
		if err != nil && !Permanent(err) {
			return fmt.Errorf("status of %s: %w", event.EventID, err)
		}
		if err != nil { // it does not keep the others
			problems = append(problems, fmt.Sprintf("statuses[%d]: %v", i, err))
			continue
		}
		if erased(before) {
			continue // what is not there has no state, and nothing to react to
		}
		telemetry.Count(ctx, metricOf(status), 1)
		if !isMessage(before) {
			if err := s.expireAlone(ctx, id); err != nil {
				return fmt.Errorf("status of %s: %w", event.EventID, err)
			}
		}
		delivery := Delivery{
			EventID: event.EventID, MessageID: id, Status: model.DeliveryStatus(status.Status),
			FailedBefore: dynamo.Int(before, "deliveryRank") == int64(model.Failed.Rank()),
		}
		if len(status.Errors) > 0 {
			delivery.Problem = &problemsOf(status.Errors)[0]
		}
		if status.Type == typePayment {
			continue // the state of a payment, not of a message
		}
		if err := s.findEvent(ctx, &delivery, event, status, before); err != nil {
			return fmt.Errorf("outbox event of %s: %w", event.EventID, err)
		}
		flow := flowOf(ctx, event.PhoneNumberID, before, delivery.Event)
		for _, reaction := range reactions {
			err := reaction.React(flow, delivery)
			if err != nil && !Permanent(err) {
				return fmt.Errorf("%s reacts to %s: %w", reaction.Name, event.EventID, err)
			}
			if err != nil {
				problems = append(problems, fmt.Sprintf("statuses[%d]: %s: %v", i, reaction.Name, err))
			}
		}
	}
	return asPermanent(problems)
}

// flowOf is a context of the flow that a status belongs to: the message knows it, where it is one of the status's number,
// and where it is not there yet, the event that sends it does.
func flowOf(ctx context.Context, phone model.PhoneNumberID, message dynamo.Item, event *model.OutboxEvent) context.Context {
	if of, _, placed := keys.ConversationIDs(dynamo.Text(message, "conversationPk")); placed && of == phone {
		return telemetry.WithCorrelation(ctx, dynamo.Text(message, "correlationId"))
	}
	if event != nil {
		return telemetry.WithCorrelation(ctx, event.CorrelationID)
	}
	return ctx
}

const typePayment = "payment"

// metricOf is what a status counts as.
func metricOf(status whatsapp.Status) telemetry.Metric {
	if status.Type == typePayment {
		return telemetry.StatusOther
	}
	switch model.DeliveryStatus(status.Status) {
	case model.Sent:
		return telemetry.StatusSent
	case model.Delivered:
		return telemetry.StatusDelivered
	case model.Read:
		return telemetry.StatusRead
	case model.Failed:
		return telemetry.StatusFailed
	}
	return telemetry.StatusOther
}

func asUpdate(status whatsapp.Status, event model.WebhookEvent) model.StatusUpdate {
	at := event.ReceivedAt
	if stamp := whatsapp.Text(status.Timestamp).Seconds(); !stamp.IsZero() {
		at = model.At(stamp)
	}
	update := model.StatusUpdate{
		Status: truncate(status.Status, 64), Timestamp: at, Participant: truncate(status.Participant, 128),
		Errors: problemsOf(status.Errors), Pricing: document(status.Pricing),
	}
	if status.Type == typePayment {
		update.Type, update.Detail = typePayment, document(status.Payment)
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

// rank is the update's rank as a delivery state; a payment's states are none.
func rank(u model.StatusUpdate) int {
	if u.Type == typePayment {
		return 0
	}
	return model.DeliveryStatus(u.Status).Rank()
}

// applyStatus writes one status to MSG#{id}, whether the message is there yet or not, and returns what was there before.
// What stands for an erased message is left alone.
//
// A status that outranks the state becomes the state and enters the history; its condition is the lower rank, so it
// cannot have been applied before. Any other enters the history only, unless it is there already; its condition is the
// history as it was read.
func (s *Store) applyStatus(ctx context.Context, id model.MessageID, update model.StatusUpdate) (before dynamo.Item, err error) {
	entry, err := dynamo.Value(update)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPermanent, err)
	}
	err = dynamo.Retry(ctx, attempts, func() error {
		if rank(update) > 0 {
			before, err = s.raiseState(ctx, id, update, entry)
			var outranked *dynamo.ConditionFailed
			if !errors.As(err, &outranked) {
				return err
			}
			before = outranked.Item
		} else if before, err = s.messageItem(ctx, id); err != nil {
			return err
		}
		if erased(before) {
			return nil
		}
		return s.appendHistory(ctx, id, update, entry, before)
	})
	return before, err
}

// expireAlone has what statuses have left without a message go with the log, unless the message comes: it is of a message
// that somebody else sent, or of one that was sent twice, and its id tells to whom.
func (s *Store) expireAlone(ctx context.Context, id model.MessageID) error {
	return ignoreFailed(s.DB.Update(ctx, dynamo.Update{
		Table: table, Key: keys.Message(id), Do: "SET #ttl = :ttl",
		If:     "attribute_exists(pk) AND attribute_not_exists(direction) AND attribute_not_exists(waMessageId) AND attribute_not_exists(#ttl)",
		Values: dynamo.Item{":ttl": dynamo.N(s.Now().Add(tombstoneLifetime).Unix())},
	}))
}

func isMessage(item dynamo.Item) bool { return dynamo.Text(item, "direction") != "" }

// erased says whether an item stands where a message was.
func erased(item dynamo.Item) bool { return dynamo.Text(item, "erasedAt") != "" }

func (s *Store) raiseState(ctx context.Context, id model.MessageID, update model.StatusUpdate, entry dynamo.AttributeValue) (dynamo.Item, error) {
	u := dynamo.Update{
		Table: table, Key: keys.Message(id),
		Do: "SET itemType = :type, deliveryStatus = :status, deliveryRank = :rank, " +
			"deliveryStatusHistory = list_append(if_not_exists(deliveryStatusHistory, :none), :entry)",
		If: "attribute_not_exists(erasedAt) AND (attribute_not_exists(deliveryRank) OR deliveryRank < :rank)",
		Values: dynamo.Item{
			":type": dynamo.S(model.ItemMessage), ":status": dynamo.S(update.Status), ":rank": dynamo.N(rank(update)),
			":none": dynamo.L(), ":entry": dynamo.L(entry),
		},
	}
	if update.Status == string(model.Failed) {
		u.Do += ", failedAt = :at"
		u.Values[":at"] = dynamo.S(update.Timestamp)
	}
	return s.DB.Update(ctx, u)
}

func (s *Store) messageItem(ctx context.Context, id model.MessageID) (dynamo.Item, error) {
	ref := dynamo.Ref{Table: table, Key: keys.Message(id)}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	return ref.Found(found), err
}

func (s *Store) appendHistory(ctx context.Context, id model.MessageID, update model.StatusUpdate, entry dynamo.AttributeValue, item dynamo.Item) error {
	var m model.Message
	if err := dynamo.Unmarshal(item, &m); err != nil {
		return err
	}
	for _, old := range m.DeliveryStatusHistory {
		if old.Status == update.Status && old.Timestamp == update.Timestamp && old.Participant == update.Participant && old.Type == update.Type {
			return nil
		}
	}
	if len(m.DeliveryStatusHistory) >= maxHistory {
		return nil // the log has it
	}
	u := dynamo.Update{
		Table: table, Key: keys.Message(id),
		Do:     "SET itemType = :type, deliveryStatusHistory = list_append(if_not_exists(deliveryStatusHistory, :none), :entry)",
		If:     "size(deliveryStatusHistory) = :length", // which an erased message has not
		Values: dynamo.Item{":type": dynamo.S(model.ItemMessage), ":none": dynamo.L(), ":entry": dynamo.L(entry), ":length": dynamo.N(len(m.DeliveryStatusHistory))},
	}
	if len(m.DeliveryStatusHistory) == 0 {
		delete(u.Values, ":length")
		u.If = "attribute_not_exists(deliveryStatusHistory) AND attribute_not_exists(erasedAt)"
	}
	_, err := s.DB.Update(ctx, u)
	return dynamo.Conflict(err)
}

// Observe deals with an entry that is neither message nor status: what it says about people is applied, everything is kept.
func (s *Store) Observe(ctx context.Context, event model.WebhookEvent) error {
	if event.EventType != whatsapp.KindUserID {
		return nil
	}
	value, err := s.Value(ctx, event)
	if err != nil {
		return err
	}
	var v whatsapp.Object
	_ = json.Unmarshal(value, &v)
	for i, o := range v.List("user_id_update").Objects() {
		updated := o.Object("user_id")
		var a arrival
		a.changes(usable(firstOf(updated.Text("previous"), o.Text("previous_user_id"))),
			usable(firstOf(updated.Text("current"), o.Text("current_user_id"), o.Text("user_id"))), usable(o.Text("wa_id")))
		if event.PhoneNumberID == "" || a.change == nil {
			return fmt.Errorf("%w: a changed user id without a number or without both ids", ErrPermanent)
		}
		stamp := whatsapp.Text(o.Text("timestamp")).Seconds()
		if stamp.IsZero() { // it cannot say which messages came before: all these identifiers are one person's
			a.change = &change{shows: a.change.identifiers()}
		}
		at := model.OrderOf(storedTime(stamp, event.ReceivedAt), model.Arrival(event.ReceivedAt, event.Position, i))
		if err := s.Identify(ctx, event.PhoneNumberID, *a.change, at); err != nil {
			return fmt.Errorf("identify for %s: %w", event.EventID, err)
		}
	}
	return nil
}
