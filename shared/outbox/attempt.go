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

// errUnknownType means that this version of the function has no handler for the event's type. Another version may have
// one.
var errUnknownType = errors.New("no handler for events of type")

// errNotNow means that this relay must not send the event now: another relay leases it, it is settled, or it is not
// due. The sweep or the event's predecessor takes care of it.
var errNotNow = errors.New("not now")

// inFlow returns a context that carries the event's correlation id. An event without one, such as a scheduled one,
// starts a flow of its own.
func inFlow(ctx context.Context, event model.OutboxEvent) context.Context {
	return telemetry.WithCorrelation(ctx, cmp.Or(event.CorrelationID, event.EventID))
}

// hold says what keeps an event from being sent now, and for how long.
type hold struct {
	by   holder
	wait time.Duration
	// alone says of an event that nothing holds that it is the last one of its entity, so that nothing is queued behind
	// it.
	alone bool
}

type holder int

const (
	nobody   holder = iota
	byEntity        // the entity's bucket is empty, or the next attempt is not due: only this entity waits
	byGroup         // the group's bucket is empty: the whole group waits
	byStop          // the group is stopped
)

// deliverOne makes one attempt to send an event, unless something holds it. It updates *event to what is stored. With
// together, it saves a round trip to the database where nothing holds the event, and may cost a write where something
// does.
func (r *Relay) deliverOne(ctx context.Context, event *model.OutboxEvent, together bool) (hold, error) {
	ctx = inFlow(ctx, *event)
	handler, known := r.Handlers[event.EventType]
	if !known {
		return hold{}, fmt.Errorf("%w %q", errUnknownType, event.EventType)
	}
	now := r.Now()
	unanswered := event.AttemptStartedAt != "" && now.Sub(event.AttemptStartedAt.Go()) < ambiguityTime
	if unanswered && !handler.Repeats || event.LeaseExpiresAt >= model.At(now) {
		return hold{}, errNotNow
	}
	if event.Status == model.OutboxFailed && !parked(*event) {
		if due := event.NextRetryAt.Go().Sub(now); due > 0 {
			return hold{by: byEntity, wait: due}, nil
		}
	}
	if wait := event.NotBefore.Go().Sub(now); event.Status == model.OutboxPending && event.NotBefore != "" && wait > 0 {
		return r.defers(ctx, event, wait)
	}
	if event.Status == model.OutboxWaiting && event.NotBefore > model.At(now) {
		return hold{}, errNotNow
	}
	pace := r.paceOf(*event)
	held, err := r.takeTurn(ctx, *event, pace, together)
	if err == nil && held.by == byStop {
		return held, r.park(ctx, event, pace.GroupKey, held.wait)
	}
	if err != nil || held.by != nobody {
		return held, err
	}
	var undecided error
	if handler.Still != nil {
		var unwanted string
		if unwanted, undecided = handler.Still(ctx, *event); undecided == nil && unwanted != "" {
			return hold{}, r.cancel(ctx, *event, handler, unwanted)
		}
		if errors.Is(undecided, ErrUnread) {
			return hold{}, undecided
		}
	}
	once := false
	if event.AttemptStartedAt != "" && handler.Once != nil {
		if once, err = handler.Once(ctx, *event); err != nil {
			return hold{}, err
		}
	}
	if err := r.leaseOrTakeOver(ctx, event, handler); err != nil {
		return hold{}, err
	}
	if once {
		return r.afterFailure(ctx, event, handler, unrepeated, pace)
	}
	if later := (*Later)(nil); errors.As(undecided, &later) {
		return hold{}, r.planAgain(ctx, event, later.At)
	}
	if undecided != nil {
		return r.afterFailure(ctx, event, handler, undecidedFailure(*event, undecided), pace)
	}
	return r.attempt(ctx, event, handler, pace, held.alone)
}

// attempt sends an event that this relay has leased, and records how that ended. alone says that nothing was queued
// behind the event when it got its turn.
func (r *Relay) attempt(ctx context.Context, event *model.OutboxEvent, handler Handler, pace Pace, alone bool) (hold,
	error) {
	externalID, err := handler.Send(ctx, *event)
	if err == nil {
		outcome := Outcome{ExternalID: externalID, At: model.At(r.Now())}
		if alone && r.settleOnce(ctx, *event, handler, outcome, true) == nil {
			return hold{alone: true}, nil
		}
		return hold{}, r.settle(ctx, *event, handler, outcome)
	}
	var later *Later
	if errors.As(err, &later) {
		return hold{}, r.planAgain(ctx, event, later.At)
	}
	var failure *Failure
	if !errors.As(err, &failure) {
		failure = &Failure{
			Reason: "the attempt ended without an answer", Class: Unanswered, Ambiguous: true, Attempts: 5,
			Wait: ambiguityTime}
	}
	return r.afterFailure(ctx, event, handler, failure, pace)
}

// unrepeated is the failure of an event that is not sent again although its last attempt got no answer.
var unrepeated = &Failure{
	Reason: "nobody knows whether the last attempt was taken, and it is not to be repeated", Class: Unanswered,
	Ambiguous: true, Attempts: 1}

// Unanswered is the failure class of attempts that got no answer, so that nobody knows whether the provider took them.
const Unanswered = "unanswered"

func (r *Relay) paceOf(event model.OutboxEvent) Pace {
	if handler := r.Handlers[event.EventType]; handler.Pace != nil {
		return handler.Pace(event)
	}
	return Pace{}
}

// leaseOrTakeOver leases the event. If its handler may repeat attempts, it takes over the lease of an attempt that
// began after the event was read: the stream brings a record again only if the function has died with it.
func (r *Relay) leaseOrTakeOver(ctx context.Context, event *model.OutboxEvent, handler Handler) error {
	read := *event
	err := r.lease(ctx, event)
	if !errors.Is(err, errNotNow) || !handler.Repeats || read.LeaseOwner != "" || read.AttemptStartedAt != "" {
		return err
	}
	now, err := r.Get(ctx, event.EventID)
	if err != nil || now.Status != model.OutboxPending || now.LeaseOwner == "" {
		return cmp.Or(err, errNotNow)
	}
	me, began := r.name(), model.At(r.Now())
	err = r.DB.Update(ctx, dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET leaseOwner = :me, leaseExpiresAt = :until, attemptStartedAt = :now",
		If: "#status = :pending AND leaseOwner = :theirs",
		Values: dynamo.Item{
			":me": dynamo.S(me), ":until": dynamo.S(model.At(r.Now().Add(leaseTime))), ":now": dynamo.S(began),
			":pending": dynamo.S(model.OutboxPending), ":theirs": dynamo.S(now.LeaseOwner)}})
	if dynamo.IsConditionFailed(err) {
		return errNotNow
	}
	if err != nil {
		return fmt.Errorf("take over: %w", err)
	}
	*event = now
	event.AttemptStartedAt, event.LeaseOwner = began, me
	return nil
}

// name returns a name for the owner of a lease that no other lease has.
func (r *Relay) name() string {
	return fmt.Sprintf("%s/%d", cmp.Or(r.Owner, process.Get()), r.leases.Add(1))
}

// lease reserves the event for one attempt by this relay. Its condition is that the event is still to be sent, that no
// other relay leases it, that no other relay has begun an attempt since it was read, and that it was not planned for
// another time.
func (r *Relay) lease(ctx context.Context, event *model.OutboxEvent) error {
	now := r.Now()
	owner := r.name()
	u := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET leaseOwner = :me, leaseExpiresAt = :until, attemptStartedAt = :now",
		If: "#status = :status AND retryCount = :retries AND (attribute_not_exists(leaseExpiresAt) OR " +
			"leaseExpiresAt < :now)",
		Values: dynamo.Item{
			":me": dynamo.S(owner), ":until": dynamo.S(model.At(now.Add(leaseTime))), ":now": dynamo.S(model.At(now)),
			":status": dynamo.S(event.Status), ":retries": dynamo.N(event.RetryCount),
		},
	}
	u.If += " AND " + dynamo.SameText("emptiedAt", event.EmptiedAt, u.Values)
	if planned(*event) {
		u.If += " AND " + samePlan(*event, u.Values)
	}
	if event.AttemptStartedAt == "" {
		u.If += " AND attribute_not_exists(attemptStartedAt)"
	} else {
		u.If += " AND attemptStartedAt = :before"
		u.Values[":before"] = dynamo.S(event.AttemptStartedAt)
		u.Do += ", possibleDuplicate = :true"
		u.Values[":true"] = dynamo.Bool(true)
		event.PossibleDuplicate = true
	}
	err := r.DB.Update(ctx, u)
	var failed *dynamo.ConditionFailed
	if errors.As(err, &failed) {
		// The SDK repeats a call whose answer was lost, so the lease that is stored may be our own.
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

// afterFailure records a failed attempt. The hold it returns says what the event waits for while it keeps its place.
func (r *Relay) afterFailure(ctx context.Context, event *model.OutboxEvent, handler Handler, failure *Failure,
	pace Pace) (hold, error) {
	r.Log.WarnContext(ctx, "attempt failed", "event", event.EventID, "type", event.EventType, "attempt",
		event.RetryCount+1,
		"code", failure.Code, "ambiguous", failure.Ambiguous, "stop", failure.Stop > 0)
	stops := failure.Stop > 0 && pace.GroupKey != ""
	if stops {
		if err := r.StopGroup(ctx, pace.GroupKey, failure); err != nil {
			return hold{}, err
		}
	}
	if failure.Slow > 0 {
		if err := r.SlowGroup(ctx, pace, failure.Slow); err != nil {
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
	plan := postponement{
		next: next, key: keys.Joined(next, event.EventID), leavesOrder: wait > orderedWait && !event.Unordered}
	if stops {
		// to the end of the group's parked events
		plan.key = parkedKey(pace.GroupKey, model.At(r.Now().Add(failure.Stop)), event.EventID)
		plan.leavesOrder = plan.leavesOrder && event.FailuresByClass[failure.class()] >= stopsInOrder
	}
	if err := r.postpone(ctx, event, failure, plan); err != nil {
		return hold{}, err
	}
	switch {
	case stops:
		return hold{by: byStop, wait: failure.Stop}, nil
	case wait > orderedWait:
		return hold{}, nil // it has left the order, so the entity's next event may go
	}
	return hold{by: byEntity, wait: wait}, nil
}

// defers has a pending event that is not due yet wait like one whose attempt has failed. If that is for more than a
// minute, the event leaves its entity's order when its turn comes. Its condition is that nobody has tried it.
func (r *Relay) defers(ctx context.Context, event *model.OutboxEvent, wait time.Duration) (hold, error) {
	key := keys.Joined(event.NotBefore, event.EventID)
	update := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do:    "SET #status = :failed, nextRetryAt = :next, #nextKey = :key, attentionPk = :attention",
		If:    "#status = :pending AND attribute_not_exists(leaseOwner)",
		Names: map[string]string{"#nextKey": tables.SortNextRetryAtEventID},
		Values: dynamo.Item{
			":failed": dynamo.S(model.OutboxFailed), ":pending": dynamo.S(model.OutboxPending),
			":next": dynamo.S(event.NotBefore),
			":key":  dynamo.S(key), ":attention": dynamo.S(attention(event.EcosystemID, model.OutboxFailed)),
		},
	}
	leaves := wait > orderedWait && !event.Unordered
	var err error
	if leaves {
		update.Do += ", unordered = :true"
		update.Values[":true"] = dynamo.Bool(true)
		err = r.DB.Transact(ctx, []dynamo.Write{update, r.advance(*event)})
	} else {
		err = r.DB.Update(ctx, update)
	}
	var canceled *dynamo.TransactionCancelled
	if dynamo.IsConditionFailed(err) || errors.As(err, &canceled) && canceled.AnyConditionFailed() {
		return hold{}, errNotNow // another relay has it, or it is not its turn
	}
	if err != nil {
		return hold{}, fmt.Errorf("defer: %w", err)
	}
	event.Status, event.NextRetryAt, event.NextRetryAtEventID, event.Unordered = model.OutboxFailed, event.NotBefore,
		key, event.Unordered || leaves
	event.AttentionPK = attention(event.EcosystemID, model.OutboxFailed)
	if leaves {
		return hold{}, nil
	}
	return hold{by: byEntity, wait: wait}, nil
}

// stopsInOrder is how many stops of its group an event may cause before it leaves its entity's order. A stop is usually
// the sending number's problem and all its events wait. An event that keeps causing stops may be the problem itself.
const stopsInOrder = 3

// jitter returns a wait that is up to a quarter longer, to spread retries. It never shortens a wait, because some waits
// are prescribed by the provider.
func jitter(wait time.Duration) time.Duration {
	return wait + rand.N(min(wait/4, maxJitter)+1)
}

// postponement says when a failed event is tried again and how it waits until then.
type postponement struct {
	next        model.Time
	key         string // its sort key among the failed events
	leavesOrder bool   // it leaves its entity's order, so that the events after it may go
}

// postpone schedules the next attempt and releases the lease. An ambiguous attempt keeps attemptStartedAt, so that the
// next attempt is marked as a possible duplicate. An event that waits for more than a minute leaves its entity's order
// in the same transaction. Its condition is that this relay still holds the lease.
func (r *Relay) postpone(ctx context.Context, event *model.OutboxEvent, failure *Failure, plan postponement) error {
	failures := map[string]int{failure.class(): 1}
	for class, count := range event.FailuresByClass {
		failures[class] += count
	}
	byClass, err := dynamo.Value(failures)
	if err != nil {
		return err
	}
	do := "SET #status = :failed, retryCount = :retries, lastError = :error, failureCode = :code, nextRetryAt = " +
		":next, #nextKey = :nextKey, " +
		"attentionPk = :attention, failuresByClass = :failures"
	values := dynamo.Item{
		":failed": dynamo.S(model.OutboxFailed), ":retries": dynamo.N(event.RetryCount + 1),
		":error": dynamo.S(failure.Reason),
		":code":  dynamo.S(failure.kind()),
		":next":  dynamo.S(plan.next), ":nextKey": dynamo.S(plan.key), ":failures": byClass,
		":attention": dynamo.S(attention(event.EcosystemID, model.OutboxFailed)),
		":me":        dynamo.S(event.LeaseOwner),
	}
	if plan.leavesOrder {
		do += ", unordered = :true"
		values[":true"] = dynamo.Bool(true)
	}
	do += " REMOVE leaseOwner, leaseExpiresAt"
	if !failure.Ambiguous {
		do += ", attemptStartedAt"
	}
	update := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID), Do: do,
		If:     "leaseOwner = :me",
		Names:  map[string]string{"#nextKey": tables.SortNextRetryAtEventID},
		Values: values,
	}
	if plan.leavesOrder {
		err = r.DB.Transact(ctx, []dynamo.Write{update, r.advance(*event)})
	} else {
		err = r.DB.Update(ctx, update)
	}
	var canceled *dynamo.TransactionCancelled
	if dynamo.IsConditionFailed(err) || errors.As(err, &canceled) && canceled.AnyConditionFailed() {
		return errNotNow // a status or a later lease has settled it
	}
	if err != nil {
		return fmt.Errorf("postpone: %w", err)
	}
	telemetry.Count(ctx, telemetry.OutboxRetries, 1)
	event.Status, event.NextRetryAt, event.NextRetryAtEventID, event.LastError = model.OutboxFailed, plan.next,
		plan.key, failure.Reason
	event.FailureCode, event.AttentionPK = failure.kind(), attention(event.EcosystemID, model.OutboxFailed)
	event.RetryCount++
	event.FailuresByClass, event.LeaseOwner, event.LeaseExpiresAt = failures, "", ""
	event.Unordered = event.Unordered || plan.leavesOrder
	if !failure.Ambiguous {
		event.AttemptStartedAt = ""
	}
	return nil
}
