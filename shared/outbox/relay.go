package outbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/telemetry"
)

const (
	// leaseTime is how long a lease lasts. It is longer than the client's time-out.
	leaseTime = time.Minute
	// ambiguityTime is how long an unanswered attempt waits for a status before the event is sent again.
	ambiguityTime = 2 * time.Minute
	// orderedWait is the longest wait in which an event keeps its place. After a longer one, later events of its entity
	// pass.
	orderedWait = time.Minute
	// shortWait is the longest single wait within an invocation, invocationWait the longest total. chainTime is how
	// long an invocation goes on with events that queued behind the one it was started for. The sweep does the rest,
	// because waiting here delays the records behind this one in the stream.
	shortWait      = time.Second
	invocationWait = 2 * time.Second
	chainTime      = 10 * time.Second
	// The same of a relay of which each invocation has one entity: nobody waits behind it.
	patientWait, patientChain = 30 * time.Second, 90 * time.Second
	// maxJitter bounds what jitter adds to a wait.
	maxJitter = 30 * time.Second
	// sentRetention is how long a sent event is kept.
	sentRetention = 7 * 24 * time.Hour
	// deadRetention is how long a dead letter is kept for a person to handle. It contains personal data, so it must
	// expire.
	deadRetention = 90 * 24 * time.Hour
)

// Failure says why an attempt failed and what follows. A sender returns a *Failure; any other error counts as
// Ambiguous.
type Failure struct {
	Reason    string        // for a person: no secrets, no personal data
	Code      int64         // the provider's code, for the owner's record
	Kind      string        // the failure code stored on the event: the provider's code or a Kind constant
	Title     string        // the provider's name for the failure
	Details   string        // the provider's details beside the title
	Wait      time.Duration // until the next attempt, without jitter
	Class     string        // attempts are counted per class; "" counts as "other"
	Attempts  int           // allowed attempts of this class; 1 gives up at once
	Stop      time.Duration // how long the event's whole pace group stops; 0 for no stop
	Slow      time.Duration // how long the event's whole pace group takes no tokens; 0 for not at all
	StoppedBy string        // fingerprint of the credential that was refused; "" for any other reason
	Ambiguous bool          // the provider may have taken it: wait for a status before trying again
	Quiet     bool          // somebody outside is at fault, and sees it elsewhere: no alarm is counted
}

func (f *Failure) Error() string { return f.Reason }

func (f *Failure) class() string { return cmp.Or(f.Class, "other") }

// Unreadable returns the failure of an event whose payload cannot be read: no other attempt can.
func Unreadable(err error) error { return &Failure{Reason: err.Error(), Attempts: 1} }

// PayloadOf returns the payload of an event, or the failure of one whose payload cannot be read.
func PayloadOf[T any](event model.OutboxEvent) (of T, err error) {
	if err := json.Unmarshal(event.Payload, &of); err != nil {
		return of, Unreadable(errors.New("the stored event cannot be read"))
	}
	return of, nil
}

// NotWritten is the reason of an attempt whose reads or writes failed.
const NotWritten = "not all could be written"

// Unfinished returns the failure of an attempt whose reads or writes failed, with a reason; nil for no error. The next
// attempt goes on where this one has stopped.
func Unfinished(err error, reason string) error {
	if err == nil {
		return nil
	}
	return &Failure{Reason: reason, Class: "store", Attempts: 10, Wait: time.Second}
}

// Failure kinds for which the provider has no code.
const (
	KindUnanswered = "unanswered" // the attempt got no answer, and the provider may have taken it
	KindStopped    = "stopped"    // it was not tried, because its group is stopped
	KindCancelled  = "cancelled"  // it was not sent, because its owner did not want it any more
	KindOther      = "other"
)

func (f *Failure) kind() string {
	if f.Kind == "" && f.Ambiguous {
		return KindUnanswered
	}
	return cmp.Or(f.Kind, KindOther)
}

// Outcome says how an event ended, for its owner's record.
type Outcome struct {
	ExternalID string   // the provider's id of the message
	Failure    *Failure // set for a dead letter
	At         model.Time
	// Late is set if ExternalID became known after the event had ended differently. It replaces what the record says.
	Late bool
	// Cancelled says why the event was not sent, because its owner did not want it any more; "" for any other end.
	Cancelled string
	// Copy is set if nothing ended: the provider may have the message twice, and the record is to be marked.
	Copy bool
}

// ErrUnread means that a handler could not read what it needs.
var ErrUnread = errors.New("could not be read")

// Handler sends the events of one type.
type Handler struct {
	// Send sends the event and returns the provider's id of it. It returns a *Later for an event that is due at another
	// time than it was planned for. Any other error that is no *Failure counts as ambiguous.
	Send func(ctx context.Context, event model.OutboxEvent) (externalID string, err error)
	// Still is asked right before every attempt: does the owner still want the event sent? It returns why not, "" to
	// send it. An event that is not wanted ends without being sent, and without having failed. It returns a *Later for
	// an event that is wanted, but not before then, and an ErrUnread for a call of DynamoDB's that failed: both count
	// as no attempt. Any other error is counted, so that a decision that keeps failing does not hold up the sequence.
	// It may be nil.
	Still func(ctx context.Context, event model.OutboxEvent) (unwanted string, err error)
	// Settle returns the writes that the event's owner adds to the transaction that settles it. It may be nil.
	Settle func(ctx context.Context, event model.OutboxEvent, outcome Outcome) ([]dynamo.Write, error)
	// Inform returns the writes of the domain that has the event sent. They commit with the settling, but do not
	// prevent it: after some attempts that their conditions or Inform itself have failed, the event is settled without
	// them, because an event that is not recorded as sent is sent again. It is not called for a copy. It may be nil.
	Inform func(ctx context.Context, event model.OutboxEvent, outcome Outcome) ([]dynamo.Write, error)
	// Pace returns the rate limits of the event. If it is nil, there are none.
	Pace func(event model.OutboxEvent) Pace
	// Replay returns the event that sends a dead letter again, with the owner's writes for its transaction. If it is
	// nil, the same payload is sent again.
	Replay func(ctx context.Context, event model.OutboxEvent) (Draft, []dynamo.Write, error)
	// Repeats says that an attempt without an answer may be repeated at once, even beside one that is still working:
	// nothing is done twice by that.
	Repeats bool
	// Once reports whether an event whose last attempt got no answer is never sent again by itself: it becomes a dead
	// letter then, and waits for a person. It is asked when the time for an answer is over. If it is nil, such an event
	// is sent again, and marked as a possible duplicate.
	Once func(ctx context.Context, event model.OutboxEvent) (bool, error)
	// Counts is the metric that counts sent events. The zero Metric counts nothing.
	Counts telemetry.Metric
}

// Pace holds the rate limits of an event: a bucket of its entity and a bucket shared by a group of entities.
type Pace struct {
	Entity Bucket
	Group  Bucket
	// GroupKey identifies the group, as the entity key of a sequence item. It is empty for no group.
	GroupKey string
}

// process is what the relays of this process are called in leases. The system's randomness takes a while to open, so a
// start that sends nothing does not wait for it.
var process = lazy.Of[string]{Make: rand.Text}

// Relay sends events. Several relays may run at once; leases and conditions keep them apart.
type Relay struct {
	Outbox
	Handlers map[string]Handler
	// it sends the events of this lane, and ignores all others; "" for the events without a lane of their own
	Lane  string
	Owner string // names the relay in leases; "" for a name that this process makes
	Log   *slog.Logger
	Sleep func(ctx context.Context, d time.Duration) error
	// Patient says that an invocation of this relay serves one entity, so that it may wait for it.
	Patient bool
	// Neighbour is a lane whose relay this one wakes; nil for none.
	Neighbour *Neighbour
	// Credential returns a fingerprint of the credential that a group now sends with, fetched anew. If it has changed
	// since the group was stopped, the group resumes at once. If Credential is nil, every stop lasts its full time.
	Credential func(ctx context.Context, groupKey string) (string, error)

	groups groups
	leases atomic.Int64 // makes each lease's owner unique
}

// Neighbour is a lane whose relay neither a stream nor a schedule starts. The sweep of another relay wakes it for each
// of its events that is due, and says how long they have been waiting.
type Neighbour struct {
	Lane string
	Wake func(ctx context.Context, eventID string) error
}

// Invocation is one invocation of the function. It bounds the total time spent on waits.
type Invocation struct {
	*Relay
	began  time.Time
	waited atomic.Int64 // in nanoseconds
}

// Invocation returns a new invocation that begins now.
func (r *Relay) Invocation() *Invocation { return &Invocation{Relay: r, began: r.Now()} }

// Deliver sends an event in an invocation of its own.
func (r *Relay) Deliver(ctx context.Context, event model.OutboxEvent) error {
	return r.Invocation().Deliver(ctx, event)
}

// Deliver sends an event and then the events of its entity that queued behind it, until one has to wait too long. It
// returns an error only if the stream should retry the record. An event that the sweep will find later is no error.
func (i *Invocation) Deliver(ctx context.Context, event model.OutboxEvent) error {
	if keys.LaneOf(event.EventID) != i.Lane {
		return nil
	}
	for waiting := true; waiting; {
		held, err := i.deliverOne(ctx, &event, true)
		switch {
		case errors.Is(err, errNotNow), errors.Is(err, ErrErased):
			return nil
		case errors.Is(err, errUnknownType):
			i.reportUnknown(ctx, event)
			return nil
		case err != nil:
			return fmt.Errorf("deliver %s: %w", event.EventID, err)
		case held.by != nobody:
			if !i.mayWait(ctx, held) || i.Sleep(ctx, held.wait) != nil {
				return nil
			}
			continue
		}
		if held.alone || i.Now().Sub(i.began) > i.chain() {
			return nil
		}
		if event, waiting, err = i.next(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

// next returns the following event of the same entity. waiting reports whether it is still to be sent. Nothing follows
// a planned event.
func (r *Relay) next(ctx context.Context, event model.OutboxEvent) (next model.OutboxEvent, waiting bool, err error) {
	if planned(event) {
		return next, false, nil
	}
	next, err = r.Get(ctx, keys.OutboxEventID(sequenceOf(event), event.SequenceNumber+1))
	if errors.Is(err, dynamo.ErrNotFound) {
		return next, false, nil
	}
	if err != nil {
		return next, false, fmt.Errorf("next after %s: %w", event.EventID, err)
	}
	return next, next.Status == model.OutboxPending || parked(next), nil
}

// chain returns how long an invocation goes on with the events of its entity.
func (r *Relay) chain() time.Duration {
	if r.Patient {
		return patientChain
	}
	return chainTime
}

// mayWait reports whether a wait fits into the invocation, and counts it.
func (i *Invocation) mayWait(ctx context.Context, held hold) bool {
	longest, total := shortWait, invocationWait
	if i.Patient {
		longest, total = patientWait, patientWait
	}
	if held.by == byStop || held.wait > longest || !timeFor(ctx, held.wait) {
		return false
	}
	return i.waited.Add(int64(held.wait)) <= int64(total)
}

// timeFor reports whether the context lasts for a wait and an attempt after it.
func timeFor(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) > wait+leaseTime/2
}

// reportUnknown logs and counts an event whose type has no handler here. It stays stored until a version that knows it
// runs.
func (r *Relay) reportUnknown(ctx context.Context, event model.OutboxEvent) {
	r.Log.ErrorContext(ctx, "no handler for events of this type", "event", event.EventID, "type", event.EventType)
	telemetry.Count(ctx, telemetry.OutboxErrors, 1)
}
