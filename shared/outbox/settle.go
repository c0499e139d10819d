package outbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// settleAttempts is how often a settlement is made anew when somebody else wrote in between.
const settleAttempts = 8

// settle ends an event: the event, its entity's order and its owner's record change in one transaction. A success is
// true whoever holds the lease by now; giving up needs the lease, because somebody else may just be succeeding. An event
// that is settled already is left as it is.
func (r *Relay) settle(ctx context.Context, event model.OutboxEvent, handler Handler, outcome Outcome) error {
	settled := false // by this call
	err := dynamo.Retry(ctx, settleAttempts, func() error {
		writes := []dynamo.Write{r.settleEvent(event, outcome)}
		if !event.Unordered {
			writes = append(writes, r.advance(event))
		}
		if handler.Settle != nil {
			owned, err := handler.Settle(ctx, event, outcome)
			if err != nil {
				return err
			}
			writes = append(writes, owned...)
		}
		err := dynamo.Conflict(r.DB.Transact(ctx, writes))
		settled = err == nil
		if !errors.Is(err, dynamo.ErrConflict) {
			return err
		}
		fresh, getErr := r.Get(ctx, event.EventID)
		if errors.Is(getErr, dynamo.ErrNotFound) {
			return ErrGone
		}
		if getErr != nil {
			return getErr
		}
		if fresh.Status == model.OutboxSent || fresh.Status == model.OutboxDeadLetter {
			return nil
		}
		if outcome.Failure != nil && fresh.LeaseOwner != event.LeaseOwner {
			return errNotNow
		}
		event = fresh
		return err
	})
	if err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	if !settled {
		return nil
	}
	if outcome.Failure != nil {
		telemetry.Count(ctx, telemetry.DeadLetters, 1)
		r.Log.ErrorContext(ctx, "dead letter", "event", event.EventID, "type", event.EventType, "code", outcome.Failure.Code)
		return nil
	}
	telemetry.Observe(ctx, telemetry.OutboxAge, float64(outcome.At.Go().Sub(event.CreatedAt.Go()).Milliseconds()))
	if handler.Counts.Name != "" {
		telemetry.Count(ctx, handler.Counts, 1)
	}
	r.Log.InfoContext(ctx, "sent", "event", event.EventID, "type", event.EventType, "attempt", event.RetryCount+1)
	return nil
}

func (r *Relay) settleEvent(event model.OutboxEvent, outcome Outcome) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Names: map[string]string{"#nextKey": "nextRetryAt#eventId"},
	}
	const release = " REMOVE leaseOwner, leaseExpiresAt, attemptStartedAt, nextRetryAt, #nextKey"
	if outcome.Failure == nil {
		u.Do = "SET #status = :sent, sentAt = :at, expiresAtEpochSeconds = :expires"
		u.If = "#status IN (:pending, :failed)"
		u.Values = dynamo.Item{
			":sent": dynamo.S(model.OutboxSent), ":pending": dynamo.S(model.OutboxPending), ":failed": dynamo.S(model.OutboxFailed),
			":at": dynamo.S(outcome.At), ":expires": dynamo.N(outcome.At.Go().Add(sentRetention).Unix()),
		}
		if outcome.ExternalID != "" {
			u.Do += ", externalId = :external"
			u.Values[":external"] = dynamo.S(outcome.ExternalID)
		}
		u.Do += release + ", attentionPk"
		return u
	}
	u.Do = "SET #status = :dead, lastError = :error, retryCount = :retries, attentionPk = :attention, expiresAtEpochSeconds = :expires" + release
	u.If = "leaseOwner = :me"
	u.Values = dynamo.Item{
		":dead": dynamo.S(model.OutboxDeadLetter), ":error": dynamo.S(outcome.Failure.Reason), ":retries": dynamo.N(event.RetryCount + 1),
		":attention": dynamo.S(attention(event.EcosystemID, model.OutboxDeadLetter)),
		":me":        dynamo.S(event.LeaseOwner), ":expires": dynamo.N(outcome.At.Go().Add(deadRetention).Unix()),
	}
	return u
}

// advance says that an event of the entity's order is finished. Its condition is that all before it are.
func (r *Relay) advance(event model.OutboxEvent) dynamo.Update {
	return dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(sequenceOf(event)),
		Do: "SET delivered = :number", If: "delivered = :before",
		Values: dynamo.Item{":number": dynamo.N(event.SequenceNumber), ":before": dynamo.N(event.SequenceNumber - 1)},
	}
}

// SettleSent settles an event that the other side has shown to have taken, whoever holds its lease. It does nothing for
// an event that is settled, and returns ErrGone for one that has been erased.
func (r *Relay) SettleSent(ctx context.Context, eventID, externalID string) error {
	event, err := r.Get(ctx, eventID)
	if errors.Is(err, dynamo.ErrNotFound) {
		return ErrGone
	}
	if err != nil {
		return err
	}
	if event.Status == model.OutboxSent || event.Status == model.OutboxDeadLetter {
		return nil
	}
	handler, known := r.Handlers[event.EventType]
	if !known {
		return fmt.Errorf("no handler for events of type %q", event.EventType)
	}
	return r.settle(inFlow(ctx, event), event, handler, Outcome{ExternalID: externalID, At: model.At(r.Now())})
}

// Bury makes a dead letter of an event that was taken and then failed on the other side, so that a person sees it and can
// replay it. Its condition is that it counts as sent.
func (s *Store) Bury(ctx context.Context, eventID, reason string) error {
	event, err := s.Get(ctx, eventID)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && event.Status != model.OutboxSent {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = s.DB.Update(ctx, dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(eventID),
		Do: "SET #status = :dead, lastError = :error, attentionPk = :attention, expiresAtEpochSeconds = :expires",
		If: "#status = :sent",
		Values: dynamo.Item{
			":dead": dynamo.S(model.OutboxDeadLetter), ":sent": dynamo.S(model.OutboxSent), ":error": dynamo.S(reason),
			":attention": dynamo.S(attention(event.EcosystemID, model.OutboxDeadLetter)), ":expires": dynamo.N(s.Now().Add(deadRetention).Unix()),
		},
	})
	if dynamo.IsConditionFailed(err) {
		return nil
	}
	if err != nil {
		return err
	}
	telemetry.Count(ctx, telemetry.DeadLetters, 1)
	return nil
}
