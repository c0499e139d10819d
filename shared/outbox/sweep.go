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
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

const (
	// sweepAge is how old a pending event must be before the sweep takes it for forgotten.
	sweepAge = 5 * time.Second
	// sweepTime is how long a sweep begins new attempts: the next one begins a minute after it.
	sweepTime = 50 * time.Second
	// rowsPage is how many rows of an index are looked at in one call, eventsPage how many events are read in one.
	rowsPage, eventsPage = 1000, 100
	// sweepWidth is how many attempts are made at once.
	sweepWidth = 16
	// maxErrors is how many errors a sweep returns: they are logged one by one.
	maxErrors = 5
)

// sweep is one run through the queues. It is fair: first every queue is looked through to its end, and each group gets a
// few attempts at the first events of its entities, so that nobody waits for what others have queued; then the groups
// take turns. An entity is left at its first wait, and an error ends nothing but its own event.
type sweep struct {
	*Invocation

	mu      sync.Mutex
	tried   map[string]int64   // the lowest number tried, by sequence
	left    map[string]bool    // sequences that wait, or whose event had an error
	stopped map[string]waiting // sequences that wait for a stopped group
	shares  map[string]*share  // by group
	order   []*share
	errs    []error
}

// waiting says for which stopped group a sequence waits, and whose it is.
type waiting struct {
	group  string
	tenant model.TenantID
}

// Sweep sends what the stream has not brought to an end: events whose relay died, whose turn came while nobody looked,
// and whose next attempt is due.
func (r *Relay) Sweep(ctx context.Context) error {
	s := &sweep{
		Invocation: r.Invocation(), tried: map[string]int64{}, left: map[string]bool{}, stopped: map[string]waiting{}, shares: map[string]*share{},
	}
	err := errors.Join(s.due(ctx), s.pending(ctx), s.parked(ctx))
	s.takeTurns(ctx)
	return errors.Join(append(s.errs, err)...)
}

// due looks through the events whose next attempt is due.
func (s *sweep) due(ctx context.Context) error {
	return s.pages(ctx, dynamo.Query{
		Table: tables.Outbox, Index: "OutboxByStatusNextRetryAt", Where: "#status = :status AND #key <= :until",
		Names:  map[string]string{"#key": "nextRetryAt#eventId"},
		Values: dynamo.Item{":status": dynamo.S(model.OutboxFailed), ":until": dynamo.S(string(model.At(s.began)) + "~")},
	}, func(rows []dynamo.Item) error { return s.attempt(ctx, rows) })
}

// pending looks through the events nobody has finished, oldest first.
func (s *sweep) pending(ctx context.Context) error {
	first := true
	return s.pages(ctx, dynamo.Query{
		Table: tables.Outbox, Index: "OutboxByStatusCreatedAt", Where: "#status = :status AND #key <= :until",
		Names:  map[string]string{"#key": "createdAt#eventId"},
		Values: dynamo.Item{":status": dynamo.S(model.OutboxPending), ":until": dynamo.S(string(model.At(s.began.Add(-sweepAge))) + "~")},
	}, func(rows []dynamo.Item) error {
		if first {
			s.observeOldest(ctx, rows)
		}
		first = false
		if err := s.attempt(ctx, s.firsts(rows)); err != nil {
			return err
		}
		return s.parkRows(ctx, rows)
	})
}

// pages pages through a queue.
func (s *sweep) pages(ctx context.Context, query dynamo.Query, each func(rows []dynamo.Item) error) error {
	for query.Limit = rowsPage; ; {
		page, err := s.DB.Query(ctx, query)
		if err != nil {
			return fmt.Errorf("sweep: %w", err)
		}
		if err := each(page.Items); err != nil {
			return err
		}
		if page.Next == nil || !s.hasTime(ctx) {
			return nil
		}
		query.After = page.Next
	}
}

func (s *sweep) hasTime(ctx context.Context) bool {
	return ctx.Err() == nil && s.Now().Sub(s.began) < sweepTime && timeFor(ctx, 0)
}

// firsts are the rows that may be at the head of their entity's order: the id of an event tells its sequence and number,
// so the others need not be read. A lower number than the one that was tried may have come later.
func (s *sweep) firsts(rows []dynamo.Item) []dynamo.Item {
	first := map[string]dynamo.Item{}
	var order []string
	for _, row := range rows {
		sequence, number := idParts(row)
		if tried, ok := s.tried[sequence]; s.left[sequence] || s.stopped[sequence].group != "" || ok && tried <= number {
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

// idParts are what an event's id is made of.
func idParts(row dynamo.Item) (sequence string, number int64) {
	sequence, text, _ := strings.Cut(dynamo.Text(row, "eventId"), "-")
	number, _ = strconv.ParseInt(text, 10, 64)
	return sequence, number
}

// attempt reads events and gives each group its first attempts at them.
func (s *sweep) attempt(ctx context.Context, rows []dynamo.Item) error {
	for chunk := range slices.Chunk(rows, eventsPage) {
		events, err := s.read(ctx, chunk)
		if err != nil {
			return err
		}
		slices.SortStableFunc(events, func(a, b model.OutboxEvent) int { return cmp.Compare(a.SequenceNumber, b.SequenceNumber) })
		s.enqueue(events)
		for s.hasTime(ctx) && s.round(ctx, firstShare) {
		}
	}
	return nil
}

// parkRows parks the pending events of entities that were found to wait for a stopped group, without reading them.
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

// observeOldest says how long the first of the pending events, oldest first, has been waiting. It is said when none is,
// too: a sweep that stops saying so does not run.
func (s *sweep) observeOldest(ctx context.Context, rows []dynamo.Item) {
	age := 0.0
	if len(rows) > 0 {
		created, _, _ := strings.Cut(dynamo.Text(rows[0], "createdAt#eventId"), "#")
		age = s.began.Sub(model.Time(created).Go()).Seconds()
	}
	telemetry.Observe(ctx, telemetry.OutboxOldest, age)
}

// parked looks at each group that has parked events, once. Where the group is no longer stopped, one of its events is
// tried, and the others follow when that one has passed.
func (s *sweep) parked(ctx context.Context) error {
	for after := parkedMark; s.hasTime(ctx); {
		rows, _, err := s.parkedRows(ctx, after, parkedMark+"~", nil, 1)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		group := strings.TrimPrefix(dynamo.Text(rows[0], "nextRetryAt#eventId"), parkedMark)
		group = group[:min(groupDigits, len(group))]
		after = parkedMark + group + "#~"
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

// parkedRows reads rows of parked events, those parked first at the head.
func (s *sweep) parkedRows(ctx context.Context, from, to string, after dynamo.Item, limit int32) ([]dynamo.Item, dynamo.Item, error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Outbox, Index: "OutboxByStatusNextRetryAt", Where: "#status = :status AND #key BETWEEN :from AND :to",
		Names:  map[string]string{"#key": "nextRetryAt#eventId"},
		Values: dynamo.Item{":status": dynamo.S(model.OutboxFailed), ":from": dynamo.S(from), ":to": dynamo.S(to)},
		Limit:  limit, After: after,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("sweep parked events: %w", err)
	}
	return page.Items, page.Next, nil
}
