package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// errUnknownType means that nobody here sends such events: perhaps a newer or an older version does.
var errUnknownType = errors.New("no handler for events of type")

// errNotNow means that the event is somebody else's, finished, or not due: the sweep or its predecessor will see to it.
var errNotNow = errors.New("not now")

// inFlow is a context of the flow an event belongs to; one that nothing but the clock began is a flow of its own.
func inFlow(ctx context.Context, event model.OutboxEvent) context.Context {
	return telemetry.WithCorrelation(ctx, cmp.Or(event.CorrelationID, event.EventID))
}

// hold says what keeps an event from going out just now, and for how long.
type hold struct {
	by   holder
	wait time.Duration
}

type holder int

const (
	nobody   holder = iota
	byEntity        // its own bucket, or its own next attempt: only its entity waits
	byGroup         // the group's bucket: everybody of the group waits
	byStop          // the group is stopped
)

// deliverOne makes one attempt at an event, unless something holds it. The event may have changed.
func (r *Relay) deliverOne(ctx context.Context, event *model.OutboxEvent) (hold, error) {
	ctx = inFlow(ctx, *event)
	handler, known := r.Handlers[event.EventType]
	if !known {
		return hold{}, fmt.Errorf("%w %q", errUnknownType, event.EventType)
	}
	now := r.Now()
	if event.AttemptStartedAt != "" && now.Sub(event.AttemptStartedAt.Go()) < ambiguityTime || event.LeaseExpiresAt >= model.At(now) {
		return hold{}, errNotNow
	}
	if event.Status == model.OutboxFailed && !parked(*event) {
		if due := event.NextRetryAt.Go().Sub(now); due > 0 {
			return hold{byEntity, due}, nil
		}
	}
	pace := r.paceOf(*event)
	held, err := r.takeTurn(ctx, *event, pace)
	if err == nil && held.by == byStop {
		return held, r.park(ctx, event, pace.GroupKey, held.wait)
	}
	if err != nil || held.by != nobody {
		return held, err
	}
	if err := r.lease(ctx, event); err != nil {
		return hold{}, err
	}
	externalID, err := handler.Send(ctx, *event)
	if err == nil {
		err = r.settle(ctx, *event, handler, Outcome{ExternalID: externalID, At: model.At(r.Now())})
		return hold{}, err
	}
	var failure *Failure
	if !errors.As(err, &failure) {
		failure = &Failure{Reason: "the attempt ended without an answer", Class: Unanswered, Ambiguous: true, Attempts: 5, Wait: ambiguityTime}
	}
	return r.afterFailure(ctx, event, handler, failure, pace)
}

// Unanswered is the class of attempts whose end nobody knows.
const Unanswered = "unanswered"

func (r *Relay) paceOf(event model.OutboxEvent) Pace {
	if handler := r.Handlers[event.EventType]; handler.Pace != nil {
		return handler.Pace(event)
	}
	return Pace{}
}

// lease takes the event for one attempt. Its condition is that the event is to be sent, that nobody else has it, and that
// an attempt whose end nobody knows has had its time.
func (r *Relay) lease(ctx context.Context, event *model.OutboxEvent) error {
	now := r.Now()
	owner := fmt.Sprintf("%s/%d", r.Owner, r.leases.Add(1))
	u := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET leaseOwner = :me, leaseExpiresAt = :until, attemptStartedAt = :now",
		If: "#status = :status AND retryCount = :retries AND (attribute_not_exists(leaseExpiresAt) OR leaseExpiresAt < :now)",
		Values: dynamo.Item{
			":me": dynamo.S(owner), ":until": dynamo.S(model.At(now.Add(leaseTime))), ":now": dynamo.S(model.At(now)),
			":status": dynamo.S(event.Status), ":retries": dynamo.N(event.RetryCount),
		},
	}
	if event.AttemptStartedAt == "" {
		u.If += " AND attribute_not_exists(attemptStartedAt)"
	} else {
		u.If += " AND attemptStartedAt = :before"
		u.Values[":before"] = dynamo.S(event.AttemptStartedAt)
		u.Do += ", possibleDuplicate = :true"
		u.Values[":true"] = dynamo.B(true)
		event.PossibleDuplicate = true
	}
	_, err := r.DB.Update(ctx, u)
	var failed *dynamo.ConditionFailed
	if errors.As(err, &failed) {
		// The SDK repeats a call whose answer was lost: the lease that stands may be this one.
		if dynamo.Text(failed.Item, "leaseOwner") != owner {
			return errNotNow
		}
		err = nil
	}
	if err != nil {
		return fmt.Errorf("lease: %w", err)
	}
	event.AttemptStartedAt, event.LeaseOwner = model.At(now), owner
	return nil
}

// afterFailure records a failed attempt and says what it has the event wait for, where that keeps its place.
func (r *Relay) afterFailure(ctx context.Context, event *model.OutboxEvent, handler Handler, failure *Failure, pace Pace) (hold, error) {
	r.Log.WarnContext(ctx, "attempt failed", "event", event.EventID, "type", event.EventType, "attempt", event.RetryCount+1,
		"code", failure.Code, "ambiguous", failure.Ambiguous, "stop", failure.Stop > 0)
	stops := failure.Stop > 0 && pace.GroupKey != ""
	if stops {
		if err := r.stop(ctx, pace.GroupKey, failure); err != nil {
			return hold{}, err
		}
	}
	if event.FailuresByClass[failure.class()]+1 >= failure.Attempts {
		err := r.settle(ctx, *event, handler, Outcome{Failure: failure, At: model.At(r.Now())})
		return hold{}, err
	}
	wait := jitter(failure.Wait)
	if failure.Ambiguous {
		wait = max(wait, ambiguityTime)
	}
	next := model.At(r.Now().Add(wait))
	plan := postponement{next: next, key: keys.Joined(next, event.EventID), leaves: wait > orderedWait && !event.Unordered}
	if stops {
		plan.key = parkedKey(pace.GroupKey, model.At(r.Now().Add(failure.Stop)), event.EventID) // behind the others
		plan.leaves = plan.leaves && event.FailuresByClass[failure.class()] >= stopsInOrder
	}
	if err := r.postpone(ctx, event, failure, plan); err != nil {
		return hold{}, err
	}
	switch {
	case stops:
		return hold{byStop, failure.Stop}, nil
	case wait > orderedWait:
		return hold{}, nil // it has left the order: the next one may go
	}
	return hold{byEntity, wait}, nil
}

// stopsInOrder is how many stops of its number an event may meet itself before it leaves its entity's order: it is the
// number's trouble, and everybody of the number waits. One that keeps meeting it may be the trouble.
const stopsInOrder = 3

// jitter spreads retries over what follows the wait. It is never shorter: some waits are the other side's rule.
func jitter(wait time.Duration) time.Duration {
	return wait + rand.N(min(wait/4, maxJitter)+1)
}

// postponement is when an event is tried again, and how it waits until then.
type postponement struct {
	next   model.Time
	key    string // its place among what waits
	leaves bool   // its entity's order: the others pass
}

// postpone gives the event back until its next attempt. An ambiguous attempt keeps its start, so that whoever tries again
// knows. A wait of over a minute takes the event out of its entity's order in the same transaction. Its condition is the
// lease.
func (r *Relay) postpone(ctx context.Context, event *model.OutboxEvent, failure *Failure, plan postponement) error {
	failures := map[string]int{failure.class(): 1}
	for class, count := range event.FailuresByClass {
		failures[class] += count
	}
	byClass, err := dynamo.Value(failures)
	if err != nil {
		return err
	}
	do := "SET #status = :failed, retryCount = :retries, lastError = :error, failureCode = :code, nextRetryAt = :next, #nextKey = :nextKey, " +
		"attentionPk = :attention, failuresByClass = :failures"
	values := dynamo.Item{
		":failed": dynamo.S(model.OutboxFailed), ":retries": dynamo.N(event.RetryCount + 1), ":error": dynamo.S(failure.Reason),
		":code": dynamo.S(failure.kind()),
		":next": dynamo.S(plan.next), ":nextKey": dynamo.S(plan.key), ":failures": byClass,
		":attention": dynamo.S(attention(event.EcosystemID, model.OutboxFailed)),
		":me":        dynamo.S(event.LeaseOwner),
	}
	if plan.leaves {
		do += ", unordered = :true"
		values[":true"] = dynamo.B(true)
	}
	do += " REMOVE leaseOwner, leaseExpiresAt"
	if !failure.Ambiguous {
		do += ", attemptStartedAt"
	}
	update := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID), Do: do,
		If:     "leaseOwner = :me",
		Names:  map[string]string{"#nextKey": "nextRetryAt#eventId"},
		Values: values,
	}
	if plan.leaves {
		err = r.DB.Transact(ctx, []dynamo.Write{update, r.advance(*event)})
	} else {
		_, err = r.DB.Update(ctx, update)
	}
	var canceled *dynamo.Canceled
	if dynamo.IsConditionFailed(err) || errors.As(err, &canceled) && canceled.AnyFailed() {
		return errNotNow // a status or a later lease has settled it
	}
	if err != nil {
		return fmt.Errorf("postpone: %w", err)
	}
	telemetry.Count(ctx, telemetry.OutboxRetries, 1)
	event.Status, event.NextRetryAt, event.NextRetryAtEventID, event.LastError = model.OutboxFailed, plan.next, plan.key, failure.Reason
	event.FailureCode, event.AttentionPK = failure.kind(), attention(event.EcosystemID, model.OutboxFailed)
	event.RetryCount++
	event.FailuresByClass, event.LeaseOwner, event.LeaseExpiresAt = failures, "", ""
	event.Unordered = event.Unordered || plan.leaves
	if !failure.Ambiguous {
		event.AttemptStartedAt = ""
	}
	return nil
}
