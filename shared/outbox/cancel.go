package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// cancel ends an event that its owner does not want sent any more. The event, its sequence and the owner's records
// change in one transaction. It needs no lease, because nothing is sent. Its condition is that the event is as it was
// read, and that no other relay is sending it. If that does not hold, the event is left to the other relay or to the
// next sweep.
//
// An event of which an earlier attempt got no answer may have been taken. It is cancelled all the same: a status that
// shows so later makes it a sent event.
func (r *Relay) cancel(ctx context.Context, event model.OutboxEvent, handler Handler, unwanted string) error {
	outcome := Outcome{Cancelled: unwanted, At: model.At(r.Now())}
	writes := []dynamo.Write{r.cancelEvent(event, outcome)}
	if !event.Unordered {
		writes = append(writes, r.advance(event))
	}
	err := r.record(ctx, event, handler, outcome, writes)
	if errors.Is(err, dynamo.ErrConflict) {
		return errNotNow
	}
	if err != nil {
		return fmt.Errorf("cancel: %w", err)
	}
	r.Log.InfoContext(ctx, "not sent: it is not wanted any more", "event", event.EventID, "type", event.EventType,
		"reason", unwanted)
	return nil
}

func (r *Relay) cancelEvent(event model.OutboxEvent, outcome Outcome) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET #status = :cancelled, lastError = :why, failureCode = :code, expiresAtEpochSeconds = :expires " +
			"REMOVE leaseOwner, leaseExpiresAt, nextRetryAt, #nextKey, attentionPk",
		Names: map[string]string{"#nextKey": tables.SortNextRetryAtEventID},
		Values: dynamo.Item{
			":cancelled": dynamo.S(model.OutboxCancelled), ":why": dynamo.S(outcome.Cancelled),
			":code":    dynamo.S(KindCancelled),
			":expires": dynamo.N(outcome.At.Go().Add(sentRetention).Unix()),
			":status":  dynamo.S(event.Status), ":retries": dynamo.N(event.RetryCount), ":now": dynamo.S(outcome.At),
		},
	}
	u.If = dynamo.And("#status = :status", "retryCount = :retries",
		"(attribute_not_exists(leaseExpiresAt) OR leaseExpiresAt < :now)",
		dynamo.SameText("attemptStartedAt", event.AttemptStartedAt, u.Values))
	if planned(event) {
		u.If += " AND " + samePlan(event, u.Values)
	}
	return u
}

// How often and after which waits an event is tried again whose owner could not say whether it is still wanted.
const (
	undecidedAttempts = 6
	undecidedWait     = 2 * time.Minute
)

// undecidedFailure is the failure of an attempt for which the owner could not say whether the event is still wanted:
// nothing was sent.
func undecidedFailure(event model.OutboxEvent, err error) *Failure {
	const class = "undecided"
	if dynamo.Permanent(err) {
		return &Failure{Reason: "whether it is still to be sent cannot be decided", Class: class, Attempts: 1}
	}
	return &Failure{
		Reason: "whether it is still to be sent could not be decided", Class: class, Attempts: undecidedAttempts,
		Wait: undecidedWait << min(event.FailuresByClass[class], undecidedAttempts),
	}
}
