package messaging

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// The platform's limits: one message per 6 s to one customer, in bursts of up to 45 borrowed from later; 80 a second for
// a number.
var (
	pairBucket  = outbox.Bucket{Burst: 45, Every: pairInterval}
	phoneBucket = outbox.Bucket{Burst: 80, Every: phoneInterval}
)

// Platform sends a body to the platform: whatsapp.Graph, or a stand-in. A nil one settles what others have sent.
type Platform interface {
	Send(ctx context.Context, phoneNumberID string, message json.RawMessage, callbackData string) (string, error)
}

// Handlers are the outbox handlers of this domain's events.
func (s *Store) Handlers(platform Platform) map[string]outbox.Handler {
	send := func(ctx context.Context, event model.OutboxEvent) (string, error) { return send(ctx, platform, event) }
	return map[string]outbox.Handler{
		EventMessage: {Send: send, Settle: s.settleMessage, Pace: paceMessage, Counts: telemetry.MessagesOut},
		EventRead:    {Send: send},
	}
}

func send(ctx context.Context, platform Platform, event model.OutboxEvent) (string, error) {
	var payload messagePayload
	if err := json.Unmarshal(event.Payload, &payload); err != nil {
		return "", &outbox.Failure{Reason: "the stored message cannot be read", Attempts: 1}
	}
	wamid, err := platform.Send(ctx, string(payload.PhoneNumberID), payload.Request, event.EventID)
	var refused *whatsapp.SendError
	if errors.As(err, &refused) {
		return "", asFailure(refused, event)
	}
	return wamid, err
}

// asFailure turns the class of a platform error into what the outbox does about it.
func asFailure(e *whatsapp.SendError, event model.OutboxEvent) *outbox.Failure {
	failure := &outbox.Failure{
		Reason: truncate(e.Error(), 512), Code: e.Platform.Code, Title: firstOf(e.Platform.Message, e.Platform.Title),
		Wait: e.Class.Wait(event.RetryCount), Attempts: e.Class.Attempts(), Ambiguous: e.Ambiguous,
	}
	if e.Class == whatsapp.StopSender {
		failure.Stop = whatsapp.StoppedSender
	}
	if event.EventType == EventRead {
		failure.Ambiguous = false // a receipt sent twice does no harm: nothing to wait for
	}
	return failure
}

func paceMessage(event model.OutboxEvent) outbox.Pace {
	phone, _, _ := cut(event.EntityID)
	return outbox.Pace{Entity: pairBucket, Group: phoneBucket, GroupKey: "phone:" + phone}
}

// settleMessage is the record of a message that has been sent, or cannot be.
//
// Sent: MSG#{wamid} takes the place of the queued item, joining what a quick status may have left there, and the queued
// item becomes a pointer, out of every index, so that the id the caller got stays valid. Not sent: the queued item fails,
// with the reason.
func (s *Store) settleMessage(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
	var payload messagePayload
	if err := json.Unmarshal(event.Payload, &payload); err != nil {
		return nil, fmt.Errorf("%w: payload of %s", ErrPermanent, event.EventID)
	}
	var queued model.Message
	key := keys.Message(payload.MessageID)
	err := s.DB.Get(ctx, table, key, &queued)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && (queued.WAMessageID != "" || queued.ErasedAt != "") {
		return nil, nil // a pointer already, or erased
	}
	if err != nil {
		return nil, fmt.Errorf("settle message: %w", err)
	}
	if outcome.Failure != nil {
		return s.failQueued(key, outcome)
	}
	wamid, err := model.Parse[model.MessageID](outcome.ExternalID)
	if err != nil {
		return nil, fmt.Errorf("%w: the platform's message id: %w", ErrPermanent, err)
	}
	sent := queued
	sent.PK, sent.SentAt, sent.QueuedID, sent.OutboxEventID = keys.Message(wamid).Partition, outcome.At, payload.MessageID, event.EventID
	join, err := joinWrite(sent)
	if err != nil {
		return nil, err
	}
	pointer, err := dynamo.Marshal(model.Message{PK: key.Partition, ItemType: model.ItemMessage, WAMessageID: wamid, OutboxEventID: event.EventID})
	if err != nil {
		return nil, err
	}
	return []dynamo.Write{join, dynamo.Put{Table: table, Item: pointer, If: "attribute_exists(direction)"}}, nil
}

func (s *Store) failQueued(key keys.Key, outcome outbox.Outcome) ([]dynamo.Write, error) {
	problem := model.Problem{Code: outcome.Failure.Code, Title: outcome.Failure.Title, Details: outcome.Failure.Reason}
	problems, err := dynamo.Value([]model.Problem{problem})
	if err != nil {
		return nil, err
	}
	entry, err := dynamo.Value(model.StatusUpdate{Status: string(model.Failed), Timestamp: outcome.At, Errors: []model.Problem{problem}})
	if err != nil {
		return nil, err
	}
	return []dynamo.Write{dynamo.Update{
		Table: table, Key: key,
		Do: "SET deliveryStatus = :failed, deliveryRank = :rank, sentAt = :at, #errors = :problems, " +
			"deliveryStatusHistory = list_append(if_not_exists(deliveryStatusHistory, :none), :entry)",
		If: "attribute_exists(direction) AND attribute_not_exists(deliveryRank)",
		Values: dynamo.Item{
			":failed": dynamo.S(model.Failed), ":rank": dynamo.N(model.Failed.Rank()), ":at": dynamo.S(outcome.At),
			":problems": problems, ":none": dynamo.L(), ":entry": dynamo.L(entry),
		},
	}}, nil
}

// SettleByStatus is the reaction that ends an outbox event when a status shows that the platform took the message: the
// answer to the send may never have come. A message that then fails makes its event a dead letter, which can be replayed.
func SettleByStatus(relay *outbox.Relay) OnDelivery {
	return OnDelivery{Name: "outbox", React: func(ctx context.Context, d Delivery) error {
		if !isOutboxEventID(d.CallbackData) {
			return nil // sent by somebody else
		}
		if !d.Settled {
			err := relay.SettleSent(ctx, d.CallbackData, string(d.MessageID))
			if errors.Is(err, outbox.ErrGone) {
				return leaveNothing(ctx, relay.DB, d.MessageID, relay.Now())
			}
			if err != nil {
				return err
			}
		}
		if d.Status != model.Failed {
			return nil
		}
		reason := "the platform took the message and then failed it"
		if d.Problem != nil {
			reason = fmt.Sprintf("platform error %d: %s", d.Problem.Code, firstOf(d.Problem.Details, d.Problem.Message, d.Problem.Title))
		}
		return relay.Bury(ctx, d.CallbackData, truncate(reason, 512))
	}}
}
