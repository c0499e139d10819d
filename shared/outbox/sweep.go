package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

const (
	// sweepAge is how old a pending event must be before the sweep takes it for forgotten.
	sweepAge   = 5 * time.Second
	sweepPage  = 100
	sweepWidth = 8
)

// Sweep sends what the stream has not brought to an end: events whose relay died, whose turn came while nobody looked,
// and whose next attempt is due. It works through the queues for as long as the context lasts.
func (r *Relay) Sweep(ctx context.Context) error {
	now := r.Now()
	err := r.sweepQueue(ctx, dynamo.Query{
		Table: tables.Outbox, Index: "OutboxByStatusNextRetryAt", Where: "#status = :status AND #key <= :until",
		Names:  map[string]string{"#key": "nextRetryAt#eventId"},
		Values: dynamo.Item{":status": dynamo.S(model.OutboxFailed), ":until": dynamo.S(string(model.At(now)) + "~")},
	}, nil)
	pending := r.sweepQueue(ctx, dynamo.Query{
		Table: tables.Outbox, Index: "OutboxByStatusCreatedAt", Where: "#status = :status AND #key <= :until",
		Names:  map[string]string{"#key": "createdAt#eventId"},
		Values: dynamo.Item{":status": dynamo.S(model.OutboxPending), ":until": dynamo.S(string(model.At(now.Add(-sweepAge))) + "~")},
	}, r.observeOldest)
	return errors.Join(err, pending)
}

// sweepQueue pages through a queue, oldest first, and delivers the first event of each entity on a page; Deliver goes on
// with the others. see, where it is set, is shown the first page.
func (r *Relay) sweepQueue(ctx context.Context, query dynamo.Query, see func(ctx context.Context, rows []dynamo.Item)) error {
	query.Limit = sweepPage
	tried := map[string]bool{}
	for {
		page, err := r.DB.Query(ctx, query)
		if err != nil {
			return fmt.Errorf("sweep: %w", err)
		}
		if query.After == nil && see != nil {
			see(ctx, page.Items)
		}
		events, err := r.read(ctx, page.Items)
		if err != nil {
			return err
		}
		if err := r.deliverFirsts(ctx, events, tried); err != nil {
			return err
		}
		if page.Next == nil || ctx.Err() != nil || !r.canWait(ctx, 0) {
			return nil
		}
		query.After = page.Next
	}
}

// observeOldest says how long the first of the pending events, oldest first, has been waiting. It is said when none is,
// too: a sweep that stops saying so does not run.
func (r *Relay) observeOldest(ctx context.Context, rows []dynamo.Item) {
	age := 0.0
	if len(rows) > 0 {
		created, _, _ := strings.Cut(dynamo.Text(rows[0], "createdAt#eventId"), "#")
		age = r.Now().Sub(model.Time(created).Go()).Seconds()
	}
	telemetry.Observe(ctx, telemetry.OutboxOldest, age)
}

func (r *Relay) deliverFirsts(ctx context.Context, events []model.OutboxEvent, tried map[string]bool) error {
	slices.SortStableFunc(events, func(a, b model.OutboxEvent) int { return cmp.Compare(a.SequenceNumber, b.SequenceNumber) })
	var group errgroup.Group // one event's trouble does not keep the others
	group.SetLimit(sweepWidth)
	for _, event := range events {
		entity := EntityOf(event)
		if event.Status != model.OutboxPending && event.Status != model.OutboxFailed || tried[entity] && !event.Unordered {
			continue
		}
		tried[entity] = tried[entity] || !event.Unordered
		group.Go(func() error { return r.Deliver(ctx, event) })
	}
	return group.Wait()
}
