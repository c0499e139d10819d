package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

const (
	// leaseTime is how long a relay has an event to itself: longer than a client's time-out.
	leaseTime = time.Minute
	// ambiguityTime is how long an attempt whose end nobody knows is given to show itself by a status.
	ambiguityTime = 2 * time.Minute
	// orderedWait is the longest wait in which an event keeps its place; a longer one lets the others of its entity pass.
	orderedWait = time.Minute
	// invocationWait is the longest wait spent in an invocation; a longer one is left to the sweep.
	invocationWait = 20 * time.Second
	// maxJitter bounds what is added to a wait.
	maxJitter = 30 * time.Second
	// sentRetention is how long a sent event is kept.
	sentRetention = 7 * 24 * time.Hour
	// deadRetention is how long a dead letter waits for a person: it holds personal data, so not for ever.
	deadRetention = 90 * 24 * time.Hour
)

// Failure is why an attempt failed and what follows. A sender returns one; any other error counts as Ambiguous.
type Failure struct {
	Reason    string        // for a person: no secrets, no personal data
	Code      int64         // the other side's code, for the owner's record
	Title     string        // its name for it
	Details   string        // what it says beside the name
	Wait      time.Duration // before the next attempt, before jitter
	Attempts  int           // in all; 1 gives up at once
	Stop      time.Duration // how long nothing else may go to the same pace group; 0 for no stop
	Ambiguous bool          // it may have been taken: wait for a status before trying again
}

func (f *Failure) Error() string { return f.Reason }

// Outcome is how an event ended, for its owner's record.
type Outcome struct {
	ExternalID string   // what the other side calls it
	Failure    *Failure // set on a dead letter
	At         model.Time
	// Late is set where ExternalID is shown after the event had ended otherwise: what stands in the record gives way.
	Late bool
	// Copy is set where nothing ends: the other side may have the message twice, and the record is to be marked.
	Copy bool
}

// Handler sends the events of one type.
type Handler struct {
	// Send does the thing and returns what the other side calls it.
	Send func(ctx context.Context, event model.OutboxEvent) (externalID string, err error)
	// Settle gives the writes the event's owner wants in the transaction that settles it. It may be nil.
	Settle func(ctx context.Context, event model.OutboxEvent, outcome Outcome) ([]dynamo.Write, error)
	// Pace says what the event counts against. It may be nil: nothing.
	Pace func(event model.OutboxEvent) Pace
	// Counts is the metric of events sent; the zero one is counted nowhere.
	Counts telemetry.Metric
}

// Pace is what limits an event: a bucket of its entity, and a bucket shared by a group of entities.
type Pace struct {
	Entity Bucket
	Group  Bucket
	// GroupKey names the group, as the entity key of a sequence item; empty for no group.
	GroupKey string
}

// Relay sends events. Several may run at once; leases and conditions keep them apart.
type Relay struct {
	Store
	Handlers map[string]Handler
	Owner    string // names this process in leases
	Log      *slog.Logger
	Sleep    func(ctx context.Context, d time.Duration) error

	tokens tokens
	leases atomic.Int64 // makes each lease's owner its own
}

// Deliver sends an event and then the ones of its entity that were waiting for it, for as long as the context lasts. It
// returns an error only for what makes the attempt itself worth repeating; what the sweep will find later is no error.
func (r *Relay) Deliver(ctx context.Context, event model.OutboxEvent) error {
	for {
		again, err := r.deliverOne(ctx, &event)
		if errors.Is(err, errNotNow) || errors.Is(err, ErrGone) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("deliver %s: %w", event.EventID, err)
		}
		if again > 0 {
			if !r.canWait(ctx, again) {
				return nil
			}
			if err := r.Sleep(ctx, again); err != nil {
				return nil
			}
			continue
		}
		next, err := r.Get(ctx, keys.OutboxEventID(sequenceOf(event), event.SequenceNumber+1))
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && next.Status != model.OutboxPending {
			return nil
		}
		if err != nil {
			return fmt.Errorf("next after %s: %w", event.EventID, err)
		}
		event = next
	}
}

// canWait says whether a wait fits into this invocation.
func (r *Relay) canWait(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return wait <= invocationWait && (!ok || time.Until(deadline) > wait+leaseTime/2)
}

// errUnknownType means that nobody here sends such events: perhaps a newer or an older version does.
var errUnknownType = errors.New("no handler for events of type")

// errNotNow means that the event is somebody else's, finished, or not due: the sweep or its predecessor will see to it.
var errNotNow = errors.New("not now")

// inFlow is a context of the flow an event belongs to; one that nothing but the clock began is a flow of its own.
func inFlow(ctx context.Context, event model.OutboxEvent) context.Context {
	return telemetry.WithCorrelation(ctx, cmp.Or(event.CorrelationID, event.EventID))
}

// deliverOne makes one attempt at an event. A wait above zero says when to come back to it; it may have changed.
func (r *Relay) deliverOne(ctx context.Context, event *model.OutboxEvent) (wait time.Duration, err error) {
	ctx = inFlow(ctx, *event)
	handler, known := r.Handlers[event.EventType]
	if !known {
		return 0, fmt.Errorf("%w %q", errUnknownType, event.EventType)
	}
	if event.Status == model.OutboxFailed {
		if due := event.NextRetryAt.Go().Sub(r.Now()); due > 0 {
			return due, nil
		}
	}
	var pace Pace
	if handler.Pace != nil {
		pace = handler.Pace(*event)
	}
	if wait, err = r.takeTurn(ctx, *event, pace); err != nil || wait > 0 {
		return wait, err
	}
	if err := r.lease(ctx, event); err != nil {
		return 0, err
	}
	externalID, err := handler.Send(ctx, *event)
	if err == nil {
		_, err = r.settle(ctx, *event, handler, Outcome{ExternalID: externalID, At: model.At(r.Now())})
		return 0, err
	}
	var failure *Failure
	if !errors.As(err, &failure) {
		failure = &Failure{Reason: "the attempt ended without an answer", Ambiguous: true, Attempts: 5, Wait: ambiguityTime}
	}
	return r.afterFailure(ctx, event, handler, failure, pace)
}

// lease takes the event for one attempt. Its condition is that the event is to be sent, that nobody else has it, and that
// an attempt whose end nobody knows has had its time.
func (r *Relay) lease(ctx context.Context, event *model.OutboxEvent) error {
	now := r.Now()
	if event.AttemptStartedAt != "" && now.Sub(event.AttemptStartedAt.Go()) < ambiguityTime {
		return errNotNow
	}
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

// afterFailure records a failed attempt and says when to come back, where that is within reach.
func (r *Relay) afterFailure(ctx context.Context, event *model.OutboxEvent, handler Handler, failure *Failure, pace Pace) (time.Duration, error) {
	r.Log.WarnContext(ctx, "attempt failed", "event", event.EventID, "type", event.EventType, "attempt", event.RetryCount+1,
		"code", failure.Code, "ambiguous", failure.Ambiguous, "stop", failure.Stop > 0)
	if failure.Stop > 0 && pace.GroupKey != "" {
		if err := r.stop(ctx, pace.GroupKey, failure.Stop); err != nil {
			return 0, err
		}
	}
	if event.RetryCount+1 >= failure.Attempts {
		_, err := r.settle(ctx, *event, handler, Outcome{Failure: failure, At: model.At(r.Now())})
		return 0, err
	}
	wait := jitter(failure.Wait)
	if failure.Ambiguous {
		wait = max(wait, ambiguityTime)
	}
	if err := r.postpone(ctx, event, failure, wait); err != nil {
		return 0, err
	}
	if wait > orderedWait {
		return 0, nil // it has left the order: the next one may go
	}
	return wait, nil
}

// jitter spreads retries over what follows the wait. It is never shorter: some waits are the other side's rule.
func jitter(wait time.Duration) time.Duration {
	return wait + rand.N(min(wait/4, maxJitter)+1)
}

// postpone gives the event back until its next attempt. An ambiguous attempt keeps its start, so that whoever tries again
// knows. A wait of over a minute takes the event out of its entity's order in the same transaction.
func (r *Relay) postpone(ctx context.Context, event *model.OutboxEvent, failure *Failure, wait time.Duration) error {
	next := model.At(r.Now().Add(wait))
	leaves := wait > orderedWait && !event.Unordered
	do := "SET #status = :failed, retryCount = :retries, lastError = :error, nextRetryAt = :next, #nextKey = :nextKey, attentionPk = :attention"
	values := dynamo.Item{
		":failed": dynamo.S(model.OutboxFailed), ":retries": dynamo.N(event.RetryCount + 1), ":error": dynamo.S(failure.Reason),
		":next": dynamo.S(next), ":nextKey": dynamo.S(keys.Joined(next, event.EventID)),
		":attention": dynamo.S(attention(event.EcosystemID, model.OutboxFailed)),
		":me":        dynamo.S(event.LeaseOwner),
	}
	if leaves {
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
	var err error
	if leaves {
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
	event.Status, event.NextRetryAt, event.LastError = model.OutboxFailed, next, failure.Reason
	event.RetryCount++
	event.Unordered = event.Unordered || leaves
	if !failure.Ambiguous {
		event.AttemptStartedAt = ""
	}
	return nil
}

// Sleep waits, or returns the context's error when that ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
