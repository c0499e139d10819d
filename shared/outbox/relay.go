package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/telemetry"
)

const (
	// leaseTime is how long a relay has an event to itself: longer than a client's time-out.
	leaseTime = time.Minute
	// ambiguityTime is how long an attempt whose end nobody knows is given to show itself by a status.
	ambiguityTime = 2 * time.Minute
	// orderedWait is the longest wait in which an event keeps its place; a longer one lets the others of its entity pass.
	orderedWait = time.Minute
	// shortWait is the longest wait that is spent in an invocation, invocationWait what one spends on waits in all, and
	// chainTime how long it goes on with events that were waiting for those it was started for. The rest is the sweep's:
	// whoever waits here holds up everybody behind it in the stream.
	shortWait      = time.Second
	invocationWait = 2 * time.Second
	chainTime      = 10 * time.Second
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
	Kind      string        // what the failure is called on the event: the other side's code, or a word of ours
	Title     string        // its name for it
	Details   string        // what it says beside the name
	Wait      time.Duration // before the next attempt, before jitter
	Class     string        // what it counts against: a failure of one class uses up nothing of another's attempts
	Attempts  int           // in all of its class; 1 gives up at once
	Stop      time.Duration // how long nothing else may go to the same pace group; 0 for no stop
	StoppedBy string        // a fingerprint of the credential that was refused; "" where that is not why
	Ambiguous bool          // it may have been taken: wait for a status before trying again
}

func (f *Failure) Error() string { return f.Reason }

func (f *Failure) class() string { return cmp.Or(f.Class, "other") }

// What a failure is called that the other side has no code for.
const (
	KindUnanswered = "unanswered" // an attempt got no answer, and may have been taken
	KindStopped    = "stopped"    // nobody has tried it: it waits for its group, which is stopped
	KindOther      = "other"
)

func (f *Failure) kind() string {
	if f.Kind == "" && f.Ambiguous {
		return KindUnanswered
	}
	return cmp.Or(f.Kind, KindOther)
}

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
	// Credential returns a fingerprint of the credential that a group sends with by now, fetched anew: a stopped group is
	// tried at once when it has another one. It may be nil: then every stop lasts its time.
	Credential func(ctx context.Context, groupKey string) (string, error)

	groups groups
	leases atomic.Int64 // makes each lease's owner its own
}

// Invocation is one run of the function: what it spends on waits is bounded over all its events.
type Invocation struct {
	*Relay
	began  time.Time
	waited atomic.Int64 // nanoseconds
}

// Invocation begins a run.
func (r *Relay) Invocation() *Invocation { return &Invocation{Relay: r, began: r.Now()} }

// Deliver sends an event in a run of its own.
func (r *Relay) Deliver(ctx context.Context, event model.OutboxEvent) error {
	return r.Invocation().Deliver(ctx, event)
}

// Deliver sends an event and then the ones of its entity that were waiting for it, until one has to wait for longer than
// a moment. It returns an error only for what makes the attempt itself worth repeating; what the sweep will find later is
// no error.
func (i *Invocation) Deliver(ctx context.Context, event model.OutboxEvent) error {
	for waiting := true; waiting; {
		held, err := i.deliverOne(ctx, &event)
		switch {
		case errors.Is(err, errNotNow), errors.Is(err, ErrGone):
			return nil
		case errors.Is(err, errUnknownType):
			i.tellUnknown(ctx, event)
			return nil
		case err != nil:
			return fmt.Errorf("deliver %s: %w", event.EventID, err)
		case held.by != nobody:
			if !i.mayWait(ctx, held) || i.Sleep(ctx, held.wait) != nil {
				return nil
			}
			continue
		}
		if i.Now().Sub(i.began) > chainTime {
			return nil
		}
		if event, waiting, err = i.next(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

// next is the event after one in its entity's order, where it is still to be sent.
func (r *Relay) next(ctx context.Context, event model.OutboxEvent) (next model.OutboxEvent, waiting bool, err error) {
	next, err = r.Get(ctx, keys.OutboxEventID(sequenceOf(event), event.SequenceNumber+1))
	if errors.Is(err, dynamo.ErrNotFound) {
		return next, false, nil
	}
	if err != nil {
		return next, false, fmt.Errorf("next after %s: %w", event.EventID, err)
	}
	return next, next.Status == model.OutboxPending || parked(next), nil
}

// mayWait says whether a wait fits into the run, and counts it.
func (i *Invocation) mayWait(ctx context.Context, held hold) bool {
	if held.by == byStop || held.wait > shortWait || !timeFor(ctx, held.wait) {
		return false
	}
	return i.waited.Add(int64(held.wait)) <= int64(invocationWait)
}

// timeFor says whether the context lasts for a wait and an attempt after it.
func timeFor(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) > wait+leaseTime/2
}

// tellUnknown says that an event waits for a version of this function that knows its type. It is not lost.
func (r *Relay) tellUnknown(ctx context.Context, event model.OutboxEvent) {
	r.Log.ErrorContext(ctx, "no handler for events of this type", "event", event.EventID, "type", event.EventType)
	telemetry.Count(ctx, telemetry.OutboxErrors, 1)
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
