package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

const (
	// firstShare is how many attempts a group gets before all index ranges have been read to their end, and how many in
	// each later round.
	firstShare = 16
	// probePage is how many parked events are read to find one that shows whether a group is still stopped.
	probePage = 4
	// maxQueue bounds the events of a group that one sweep holds in memory. The next sweep finds the others.
	maxQueue = 4000
)

// share is the work of a sweep for one group. Events without a group share one per tenant.
type share struct {
	group    string // the group's hash
	queue    []task
	served   int
	freeAt   time.Time // when it has tokens again, zero if it has
	stopEnds time.Time
	probing  bool    // try one event before the others
	source   *source // reads the group's parked events; nil for none
}

// task is an event to try, or to continue after.
type task struct {
	event model.OutboxEvent
	after bool
}

// source remembers how far the parked events of a group have been read.
type source struct{ after dynamo.Item }

func (s *sweep) shareOf(group string) *share {
	if s.shares[group] == nil {
		s.shares[group] = &share{group: group}
		s.order = append(s.order, s.shares[group])
	}
	return s.shares[group]
}

func (s *sweep) groupOf(event model.OutboxEvent) string {
	return keys.OutboxSequenceID(cmp.Or(s.paceOf(event).GroupKey, "tenant:"+string(event.EcosystemID)))
}

// enqueue adds events to their groups' queues: the lowest number of each entity's order, and all that left the order.
func (s *sweep) enqueue(events []model.OutboxEvent) {
	for _, event := range events {
		sequence := sequenceOf(event)
		tried, before := s.tried[sequence]
		if !unsent(event) || s.skipped[sequence] || !event.Unordered && before && tried <= event.SequenceNumber {
			continue
		}
		if !event.Unordered {
			s.tried[sequence] = event.SequenceNumber
		}
		if share := s.shareOf(s.groupOf(event)); len(share.queue) < maxQueue {
			share.queue = append(share.queue, task{event: event})
		}
	}
}

// serveInTurn serves all groups in turn until nothing can be sent now. If all groups wait for tokens, it waits for the
// first one that gets some.
func (s *sweep) serveInTurn(ctx context.Context) {
	for s.hasTime(ctx) {
		if s.round(ctx, 0) {
			continue
		}
		wait, waiting := s.soonest()
		if !waiting || wait > shortWait || s.Sleep(ctx, max(wait, time.Millisecond)) != nil {
			return
		}
	}
}

// soonest returns how long the first group with queued events waits for tokens. waiting is false if nothing is queued.
func (s *sweep) soonest() (wait time.Duration, waiting bool) {
	for _, share := range s.order {
		if until := share.freeAt.Sub(s.Now()); len(share.queue) > 0 && (!waiting || until < wait) {
			wait, waiting = until, true
		}
	}
	return wait, waiting
}

// round makes attempts for each group that has tokens, until the group has been served quota times; 0 means no limit.
// It reports whether there was anything to do.
func (s *sweep) round(ctx context.Context, quota int) bool {
	type turn struct {
		*share
		task
	}
	var turns []turn
	for _, share := range s.order {
		s.refill(ctx, share)
		n := min(firstShare, len(share.queue))
		if quota > 0 && !share.stopEnds.After(s.Now()) { // events that are only parked do not count
			n = min(n, max(0, quota-share.served))
		}
		if share.probing {
			n = min(n, 1)
		}
		if share.freeAt.After(s.Now()) {
			n = 0
		}
		n = beforeFailed(share.queue[:n])
		for _, task := range share.queue[:n] {
			turns = append(turns, turn{share, task})
		}
		share.queue, share.served = share.queue[n:], share.served+n
	}
	var work errgroup.Group
	work.SetLimit(sweepWidth)
	for _, t := range turns {
		work.Go(func() error {
			s.serve(ctx, t.share, t.task)
			return nil
		})
	}
	_ = work.Wait() // errors are in s.errs
	return len(turns) > 0
}

// beforeFailed returns how many tasks at the head of a group's queue may be tried side by side. A parked event that has
// failed before may stop the group again, so it is tried alone, after those before it.
func beforeFailed(queue []task) int {
	for i, task := range queue {
		if parked(task.event) && task.event.RetryCount > 0 {
			return max(i, 1)
		}
	}
	return len(queue)
}

// refill reads more of a group's parked events when its queue is empty.
func (s *sweep) refill(ctx context.Context, share *share) {
	for share.source != nil && len(share.queue) == 0 && s.hasTime(ctx) {
		prefix := parkedPrefix(share.group)
		limit := int32(eventsPage)
		if share.probing {
			limit = probePage
		}
		rows, next, err := s.parkedRows(ctx, prefix, prefix+"~", share.source.after, limit)
		share.source.after = next
		if err != nil || next == nil {
			share.source = nil
		}
		var events []model.OutboxEvent
		if err == nil {
			events, err = s.read(ctx, rows)
		}
		if err != nil {
			s.failed(ctx, "", err)
			return
		}
		// the head of each entity, in the order of parking
		sorting.Func(events, func(a, b model.OutboxEvent) int {
			return cmp.Or(cmp.Compare(a.NextRetryAtEventID, b.NextRetryAtEventID),
				cmp.Compare(a.SequenceNumber, b.SequenceNumber))
		})
		s.enqueue(events)
	}
}

// serve makes one attempt and records what it means for the event's entity and group.
func (s *sweep) serve(ctx context.Context, share *share, t task) {
	event, err := t.event, error(nil)
	sequence := sequenceOf(event)
	s.mu.Lock()
	left := s.skipped[sequence]
	s.mu.Unlock()
	if left {
		return
	}
	if t.after {
		var toSend bool
		if event, toSend, err = s.next(ctx, event); err == nil && !toSend {
			return
		}
	}
	var held hold
	if err == nil {
		// what a sweep finds has piled up, so something is likely to hold it
		held, err = s.deliverOne(ctx, &event, false)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case errors.Is(err, errNotNow), errors.Is(err, ErrErased):
	case errors.Is(err, errUnknownType):
		s.skipped[sequence] = true
		s.reportUnknown(ctx, event)
	case err != nil:
		s.skipped[sequence] = true
		s.failed(ctx, event.EventID, err)
	case held.by == byEntity:
		s.skipped[sequence] = true
	case held.by == byGroup:
		share.freeAt = s.Now().Add(held.wait)
		share.queue = append([]task{{event: event}}, share.queue...)
	case held.by == byStop:
		s.stopped[sequence] = waiting{share.group, event.EcosystemID}
		share.stop(s.Now().Add(held.wait))
	default: // it was settled, or has left its entity's order
		share.probing = false
		if !held.alone {
			share.queue = append(share.queue, task{event, true})
		}
	}
}

// stop leaves the group's parked events where they are. Events that are not parked yet are still tried, which parks
// them.
func (share *share) stop(ends time.Time) {
	share.probing, share.source, share.stopEnds = false, nil, ends
	share.queue = slices.DeleteFunc(share.queue, func(t task) bool { return t.after || parked(t.event) })
}

// failed records the error of one attempt. It does not end the sweep.
func (s *sweep) failed(ctx context.Context, eventID string, err error) {
	s.Log.ErrorContext(ctx, "sweep: an attempt failed", "event", eventID, "error", err)
	telemetry.Count(ctx, telemetry.OutboxErrors, 1)
	if len(s.errs) < maxErrors {
		s.errs = append(s.errs, fmt.Errorf("event %s: %w", eventID, err))
	}
}

// isStopped reports whether a group is stopped now. It resumes a group whose credential has changed since the stop. If
// the new credential is refused as well, the group stops again.
func (s *sweep) isStopped(ctx context.Context, group string) (bool, error) {
	var sequence model.OutboxSequence
	err := s.DB.Get(ctx, tables.OutboxSequences, keys.OutboxSequence(group), &sequence)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return false, fmt.Errorf("read a group's stop: %w", err)
	}
	if sequence.StoppedTo <= s.Now().UnixMilli() {
		return false, nil
	}
	if sequence.StoppedWith == "" || s.Credential == nil {
		return true, nil
	}
	credential, err := s.Credential(ctx, sequence.EntityKey)
	if err != nil || credential == sequence.StoppedWith {
		if err != nil { // the next sweep asks again
			s.Log.WarnContext(ctx, "the credential of a stopped sender could not be read", "group", sequence.EntityKey,
				"error", err)
		}
		return true, nil
	}
	if err := s.Resume(ctx, sequence.EntityKey); err != nil {
		return true, err
	}
	s.groups.of(sequence.EntityKey).resumed()
	s.Log.InfoContext(ctx, "sender resumed: it has another credential", "group", sequence.EntityKey)
	return false, nil
}
