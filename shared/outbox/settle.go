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

// settleAttempts bounds the optimistic-locking attempts to settle an event: about twelve seconds, never past the end of
// the invocation. It is generous because an event that is not recorded as sent might be sent again.
const settleAttempts = 32

// settle ends an event. A success is recorded even if another relay holds the lease by now. A failure needs the lease,
// because another relay may be succeeding at this moment. An event that is settled already stays unchanged.
func (r *Relay) settle(ctx context.Context, event model.OutboxEvent, handler Handler, outcome Outcome) error {
	err := dynamo.Retry(ctx, settleAttempts, func() error {
		err := r.settleOnce(ctx, event, handler, outcome, false)
		if !errors.Is(err, dynamo.ErrConflict) {
			return err
		}
		fresh, getErr := r.Get(ctx, event.EventID)
		switch {
		case errors.Is(getErr, dynamo.ErrNotFound):
			return ErrErased
		case getErr != nil:
			return getErr
		case !unsent(fresh), planned(event) && fresh.NotBefore != event.NotBefore: // or it was planned anew
			return nil
		case outcome.Failure != nil && fresh.LeaseOwner != event.LeaseOwner:
			return errNotNow
		}
		event = fresh
		return err
	})
	if err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	return nil
}

// settleOnce ends an event that is still to be sent. The event, its sequence and its owner's record change in one
// transaction. It returns dynamo.ErrConflict if one of them changed since it was read. With alone, it settles the event
// only if none is queued behind it, so that its caller need not look for one.
func (r *Relay) settleOnce(ctx context.Context, event model.OutboxEvent, handler Handler, outcome Outcome,
	alone bool) error {
	writes := []dynamo.Write{r.settleEvent(event, outcome)}
	if !event.Unordered {
		advance := r.advance(event)
		if alone {
			advance.If += " AND #current = :number"
		}
		writes = append(writes, advance)
	}
	if err := r.record(ctx, event, handler, outcome, writes); err != nil {
		return err
	}
	r.report(ctx, event, handler, outcome)
	return nil
}

// report counts and logs how an event ended.
func (r *Relay) report(ctx context.Context, event model.OutboxEvent, handler Handler, outcome Outcome) {
	if f := outcome.Failure; f != nil && f.Quiet {
		r.Log.InfoContext(ctx, "given up", "event", event.EventID, "type", event.EventType, "code", f.Code)
		return
	}
	if outcome.Failure != nil {
		telemetry.Count(ctx, telemetry.DeadLetters, 1)
		r.Log.ErrorContext(ctx, "dead letter", "event", event.EventID, "type", event.EventType, "code",
			outcome.Failure.Code)
		return
	}
	if r.Lane == "" {
		due := max(event.CreatedAt, event.NotBefore)
		telemetry.Observe(ctx, telemetry.OutboxAge, float64(outcome.At.Go().Sub(due.Go()).Milliseconds()))
	}
	if handler.Counts.Name != "" {
		telemetry.Count(ctx, handler.Counts, 1)
	}
	r.Log.InfoContext(ctx, "sent", "event", event.EventID, "type", event.EventType, "attempt", event.RetryCount+1)
}

func (r *Relay) settleEvent(event model.OutboxEvent, outcome Outcome) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Names: map[string]string{"#nextKey": tables.SortNextRetryAtEventID},
	}
	release := " REMOVE leaseOwner, leaseExpiresAt, nextRetryAt, #nextKey"
	if outcome.Failure == nil || !outcome.Failure.Ambiguous { // an ambiguous attempt keeps its start
		release += ", attemptStartedAt"
	}
	if outcome.Failure == nil {
		u.Do = "SET #status = :sent, sentAt = :at, expiresAtEpochSeconds = :expires"
		u.If = "#status IN (:pending, :failed, :waiting)"
		u.Values = dynamo.Item{
			":sent": dynamo.S(model.OutboxSent), ":pending": dynamo.S(model.OutboxPending),
			":failed": dynamo.S(model.OutboxFailed), ":waiting": dynamo.S(model.OutboxWaiting),
			":at": dynamo.S(outcome.At), ":expires": dynamo.N(outcome.At.Go().Add(sentRetention).Unix()),
		}
		if planned(event) {
			u.If += " AND " + samePlan(event, u.Values)
		}
		if outcome.ExternalID != "" {
			u.Do += ", externalId = :external"
			u.Values[":external"] = dynamo.S(outcome.ExternalID)
		}
		u.Do += release + ", attentionPk"
		return u
	}
	u.Do = "SET #status = :dead, lastError = :error, failureCode = :code, retryCount = :retries, failedAt = :at, " +
		"attentionPk = :attention, expiresAtEpochSeconds = :expires" + release
	u.If = "leaseOwner = :me"
	u.Values = dynamo.Item{
		":dead": dynamo.S(model.OutboxDeadLetter), ":error": dynamo.S(outcome.Failure.Reason),
		":code":      dynamo.S(outcome.Failure.kind()),
		":retries":   dynamo.N(event.RetryCount + 1),
		":attention": dynamo.S(attention(event.EcosystemID, model.OutboxDeadLetter)),
		":me":        dynamo.S(event.LeaseOwner), ":at": dynamo.S(outcome.At),
		":expires": dynamo.N(outcome.At.Go().Add(deadRetention).Unix()),
	}
	return u
}

// advance returns the update that marks an event of the sequence as finished. Its condition is that all earlier ones
// are.
func (r *Relay) advance(event model.OutboxEvent) dynamo.Update {
	return dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(sequenceOf(event)),
		Do: "SET delivered = :number", If: "delivered = :before",
		Values: dynamo.Item{":number": dynamo.N(event.SequenceNumber), ":before": dynamo.N(event.SequenceNumber - 1)},
	}
}
