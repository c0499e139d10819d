package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	// sweepAge is how old a pending event must be before the sweep sends it, because its relay seems to have died.
	sweepAge = 5 * time.Second
	// sweepTime is how long a sweep starts new attempts. The next sweep begins a minute after this one.
	sweepTime = 50 * time.Second
	// rowsPage is how many rows of an index one query reads, eventsPage how many events one batch reads.
	rowsPage, eventsPage = 1000, 100
	// sweepWidth bounds concurrent attempts.
	sweepWidth = 16
	// maxWoken bounds how often a sweep wakes its neighbour. The next sweep wakes it for the rest.
	maxWoken = 500
	// maxErrors bounds the errors that a sweep returns. Each error is logged, too.
	maxErrors = 5
)

// sweep is one run through all that is still to be sent. It is fair: first it reads every index range to its end and
// gives each group a few attempts at the first events of its entities, so that one group's long queue delays nobody
// else. Then the groups take turns. A sweep leaves an entity at its first wait. An error affects only its own event.
type sweep struct {
	*Invocation

	mu      sync.Mutex
	tried   map[string]int64   // the lowest number tried, by sequence id
	skipped map[string]bool    // sequences to skip: they wait, or an event of theirs had an error
	stopped map[string]waiting // sequences that wait for a stopped group, by sequence id
	shares  map[string]*share  // by group hash
	order   []*share
	errs    []error
	woken   int // how often the neighbour was woken
}

// waiting says which stopped group a sequence waits for, and which tenant it belongs to.
type waiting struct {
	group  string
	tenant model.TenantID
}

// Sweep sends what the stream did not bring to an end: events whose relay died, events that became next in their order
// while no relay looked, events whose next attempt is due, and planned events whose time has come. It returns the first
// few errors, joined.
func (r *Relay) Sweep(ctx context.Context) error {
	s := &sweep{
		Invocation: r.Invocation(), tried: map[string]int64{}, skipped: map[string]bool{},
		stopped: map[string]waiting{}, shares: map[string]*share{},
	}
	err := errors.Join(s.due(ctx, model.OutboxFailed), s.due(ctx, model.OutboxWaiting), s.pending(ctx), s.parked(ctx))
	s.serveInTurn(ctx)
	return errors.Join(append(s.errs, err)...)
}

// due processes the events in a state whose next attempt, or whose time, has come. It reads no others.
func (s *sweep) due(ctx context.Context, status model.OutboxStatus) error {
	return s.pages(ctx, dynamo.Query{
		Table: tables.Outbox, Index: tables.IndexOutboxByNextRetry, Where: "#status = :status AND #key <= :until",
		Names: map[string]string{"#key": tables.SortNextRetryAtEventID},
		Values: dynamo.Item{
			":status": dynamo.S(status), ":until": dynamo.S(string(model.At(s.began)) + "~")},
	}, func(rows []dynamo.Item) error { return s.attempt(ctx, s.own(ctx, rows)) })
}

// pending processes the pending events that are older than sweepAge, oldest first.
func (s *sweep) pending(ctx context.Context) error {
	observed := false
	err := s.pages(ctx, dynamo.Query{
		Table: tables.Outbox, Index: tables.IndexOutboxByStatus, Where: "#status = :status AND #key <= :until",
		Names: map[string]string{"#key": tables.SortCreatedAtEventID},
		Values: dynamo.Item{
			":status": dynamo.S(model.OutboxPending),
			":until":  dynamo.S(string(model.At(s.began.Add(-sweepAge))) + "~")},
	}, func(rows []dynamo.Item) error {
		if !observed && len(rows) > 0 {
			s.observeOldest(ctx, rows)
			observed = true
		}
		rows = s.own(ctx, rows)
		if err := s.attempt(ctx, s.heads(rows)); err != nil {
			return err
		}
		return s.parkRows(ctx, rows)
	})
	if !observed {
		s.observeOldest(ctx, nil)
	}
	return err
}

// pages calls each for every page of a query, while there is time.
func (s *sweep) pages(ctx context.Context, query dynamo.Query, each func(rows []dynamo.Item) error) error {
	for query.Limit = rowsPage; ; {
		page, err := s.DB.Query(ctx, query)
		if err != nil {
			return fmt.Errorf("sweep: %w", err)
		}
		if err := each(s.ofLanes(page.Items)); err != nil {
			return err
		}
		if page.Next == nil || !s.hasTime(ctx) {
			return nil
		}
		query.After = page.Next
	}
}

// ofLanes returns the rows of the relay's lane and of its neighbour. Passing over a page of others costs one query.
func (s *sweep) ofLanes(rows []dynamo.Item) []dynamo.Item {
	return slices.DeleteFunc(rows, func(row dynamo.Item) bool { return !s.isOwn(row) && !s.isNeighbours(row) })
}

func (s *sweep) isOwn(row dynamo.Item) bool {
	return keys.LaneOf(dynamo.Text(row, "eventId")) == s.Lane
}

func (s *sweep) isNeighbours(row dynamo.Item) bool {
	return s.Neighbour != nil && keys.LaneOf(dynamo.Text(row, "eventId")) == s.Neighbour.Lane
}

// own wakes the neighbour for its rows, and returns the relay's own.
func (s *sweep) own(ctx context.Context, rows []dynamo.Item) []dynamo.Item {
	var own []dynamo.Item
	var waking errgroup.Group
	waking.SetLimit(sweepWidth)
	for _, row := range rows {
		switch {
		case s.isOwn(row):
			own = append(own, row)
		case s.woken < maxWoken:
			s.woken++
			waking.Go(func() error { return s.Neighbour.Wake(ctx, dynamo.Text(row, "eventId")) })
		}
	}
	if err := waking.Wait(); err != nil { // the next sweep wakes it again
		s.Log.WarnContext(ctx, "sweep: another relay could not be woken", "lane", s.Neighbour.Lane, "error", err)
	}
	return own
}

func (s *sweep) hasTime(ctx context.Context) bool {
	return ctx.Err() == nil && s.Now().Sub(s.began) < sweepTime && timeFor(ctx, 0)
}

// heads returns the rows that may be next in their entity's order. An event id tells sequence and number, so the other
// events need not be read. A number lower than the one already tried may have been committed later, so it is included.
func (s *sweep) heads(rows []dynamo.Item) []dynamo.Item {
	first := map[string]dynamo.Item{}
	var order []string
	for _, row := range rows {
		sequence, number := idParts(row)
		if tried, ok := s.tried[sequence]; s.skipped[sequence] || s.stopped[sequence].group != "" ||
			ok && tried <= number {
			continue
		}
		if before, ok := first[sequence]; ok {
			if _, lowest := idParts(before); lowest <= number {
				continue
			}
		} else {
			order = append(order, sequence)
		}
		first[sequence] = row
	}
	firsts := make([]dynamo.Item, len(order))
	for i, sequence := range order {
		firsts[i] = first[sequence]
	}
	return firsts
}

// idParts splits a row's event id into sequence id and number.
func idParts(row dynamo.Item) (sequence string, number int64) {
	sequence, text, _ := strings.Cut(dynamo.Text(row, "eventId"), "-")
	number, _ = strconv.ParseInt(text, 10, 64)
	return sequence, number
}

// attempt reads the events of rows and gives each group its first attempts at them.
func (s *sweep) attempt(ctx context.Context, rows []dynamo.Item) error {
	for chunk := range slices.Chunk(rows, eventsPage) {
		events, err := s.read(ctx, chunk)
		if err != nil {
			return err
		}
		sorting.Func(events,
			func(a, b model.OutboxEvent) int { return cmp.Compare(a.SequenceNumber, b.SequenceNumber) })
		s.enqueue(events)
		for s.hasTime(ctx) && s.round(ctx, firstShare) {
		}
	}
	return nil
}

// parkRows parks pending events whose entity waits for a stopped group, without reading them.
func (s *sweep) parkRows(ctx context.Context, rows []dynamo.Item) error {
	var work errgroup.Group
	work.SetLimit(sweepWidth)
	for _, row := range rows {
		sequence, number := idParts(row)
		if of := s.stopped[sequence]; of.group != "" && number != s.tried[sequence] && s.hasTime(ctx) {
			work.Go(func() error {
				return s.parkUnread(ctx, dynamo.Text(row, "eventId"), of.tenant, of.group, s.shares[of.group].stopEnds)
			})
		}
	}
	return work.Wait()
}

// oldestOf is the metric of a lane's oldest pending event.
var oldestOf = map[string]telemetry.Metric{"": telemetry.OutboxOldest, keys.LaneSlow: telemetry.SlowOldest}

// observeOldest records the age of the oldest pending event. Of the usual lane it always records a value, 0 if nothing
// waits, so that a missing one shows that no sweep ran. A series costs money while it has values, so the slow lane,
// whose sweep is part of the same deployment, records only what waits.
func (s *sweep) observeOldest(ctx context.Context, rows []dynamo.Item) {
	age := 0.0
	if len(rows) > 0 {
		created, _, _ := strings.Cut(dynamo.Text(rows[0], tables.SortCreatedAtEventID), "#")
		age = s.began.Sub(model.Time(created).Go()).Seconds()
	}
	if age > 0 || s.Lane != keys.LaneSlow {
		telemetry.Observe(ctx, oldestOf[s.Lane], age)
	}
}

// parked looks at each group that has parked events, once. If the group is no longer stopped, one of its events is
// tried, and the others follow when that one succeeds.
func (s *sweep) parked(ctx context.Context) error {
	for after := parkedMark; s.hasTime(ctx); {
		rows, _, err := s.parkedRows(ctx, after, parkedMark+"~", nil, 1)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		group := strings.TrimPrefix(dynamo.Text(rows[0], tables.SortNextRetryAtEventID), parkedMark)
		group = group[:min(groupDigits, len(group))]
		after = parkedMark + group + "#~"
		if !s.isOwn(rows[0]) {
			continue // no group has events of several lanes
		}
		stopped, err := s.isStopped(ctx, group)
		if err != nil {
			return err
		}
		if !stopped {
			share := s.shareOf(group)
			share.probing, share.source = true, &source{}
		}
	}
	for s.hasTime(ctx) && s.round(ctx, firstShare) {
	}
	return nil
}

// parkedRows reads rows of parked events, in the order of parking.
func (s *sweep) parkedRows(ctx context.Context, from, to string, after dynamo.Item,
	limit int32) ([]dynamo.Item, dynamo.Item, error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Outbox, Index: tables.IndexOutboxByNextRetry,
		Where:  "#status = :status AND #key BETWEEN :from AND :to",
		Names:  map[string]string{"#key": tables.SortNextRetryAtEventID},
		Values: dynamo.Item{":status": dynamo.S(model.OutboxFailed), ":from": dynamo.S(from), ":to": dynamo.S(to)},
		Limit:  limit, After: after,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("sweep parked events: %w", err)
	}
	return page.Items, page.Next, nil
}
