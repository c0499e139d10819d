package reconcile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// The metrics of the check.
var (
	// Findings counts what does not hold. There should be none, ever.
	Findings = telemetry.Metric{Name: "LedgerFindings", Unit: "Count", Series: telemetry.PerStage}
	// Complete counts the rounds in which everything was checked.
	Complete = telemetry.Metric{Name: "LedgersChecked", Unit: "Count", Series: telemetry.PerStage}
)

// reserve is how much of the invocation is left for the page that is being worked on.
const reserve = 30 * time.Second

// part is a part of a round.
type part string

// The parts of a round, in order.
const (
	ofBalances part = "balances"
	ofOrders   part = "orders"
	ofRecords  part = "records"
	ofNothing  part = "" // the round is complete
)

// following returns the part after a part.
func (p part) following() part {
	return map[part]part{ofBalances: ofOrders, ofOrders: ofRecords}[p]
}

// round is how far a round has come. It is one item, which the next invocation goes on from.
type round struct {
	PK      string     `dynamodbav:"pk"`
	Part    part       `dynamodbav:"part"`
	Place   string     `dynamodbav:"place,omitempty"` // after which the part goes on
	BegunAt model.Time `dynamodbav:"begun_at"`
	Version int64      `dynamodbav:"version"`
}

// Nightly checks all books and mends balances, page by page, for as long as more says so. It goes on where the last
// invocation stopped, until a round is complete. It logs and counts what does not hold, without anybody's number. If
// two invocations run at once, one of them ends.
func (b *Books) Nightly(ctx context.Context, logger *slog.Logger, more func() bool) error {
	at, err := b.begun(ctx)
	var all Checked
	for err == nil && at.Part != ofNothing && more() {
		var checked Checked
		was := at
		if checked, at, err = b.step(ctx, at); err != nil {
			break
		}
		all.add(checked)
		b.tell(ctx, logger, checked)
		at, err = b.record(ctx, was, at)
	}
	complete := err == nil && at.Part == ofNothing
	if complete {
		telemetry.Count(ctx, Complete, 1)
	}
	logger.InfoContext(ctx, "books checked", "complete", complete, "begun", at.BegunAt, "customers", all.Customers,
		"entries", all.Entries,
		"orders", all.Orders, "records", all.Records, "findings", len(all.Findings))
	return err
}

// HasTime returns whether an invocation has time for another page.
func HasTime(ctx context.Context) func() bool {
	return func() bool { return invocation.HasMore(ctx, reserve) }
}

// begun returns the round that is under way, or a new one if there is none.
func (b *Books) begun(ctx context.Context) (round, error) {
	var at round
	err := b.DB.Get(ctx, tables.IdempotencyKeys, keys.KhataCheck(), &at)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return at, fmt.Errorf("read how far the check has come: %w", err)
	}
	if at.Part == ofNothing {
		at = round{PK: keys.KhataCheck().Partition, Part: ofBalances, BegunAt: model.At(b.Now()), Version: at.Version}
	}
	return at, nil
}

// step checks a page, and returns how far the round has come then.
func (b *Books) step(ctx context.Context, at round) (checked Checked, next round, err error) {
	onePage := func() bool { return false }
	next = at
	switch at.Part {
	case ofBalances:
		checked, next.Place, err = b.Everybody(ctx, at.Place, onePage, true)
	case ofOrders:
		checked, next.Place, err = b.AllOrders(ctx, at.Place, onePage)
	default:
		checked, next.Place, err = b.Records(ctx, at.Place, onePage)
	}
	if next.Place == "" {
		next.Part = at.Part.following()
	}
	return checked, next, err
}

// record stores how far a round has come. The condition is that nobody else has gone on with it.
func (b *Books) record(ctx context.Context, was, is round) (round, error) {
	is.Version = was.Version + 1
	item, err := dynamo.Marshal(is)
	if err != nil {
		return was, err
	}
	put := dynamo.Put{Table: tables.IdempotencyKeys, Item: item, If: dynamo.IfAbsent}
	if was.Version > 0 {
		put.Values = dynamo.Item{}
		put.If = dynamo.SameNumber("version", was.Version, put.Values)
	}
	if err := b.DB.Put(ctx, put); err != nil {
		return was, fmt.Errorf("record how far the check has come: %w", err)
	}
	return is, nil
}

// tell logs what does not hold, and counts it.
func (b *Books) tell(ctx context.Context, logger *slog.Logger, checked Checked) {
	for _, f := range checked.Findings {
		logger.ErrorContext(ctx, "the books do not hold", "kind", f.Kind, "store", f.Store, "about", f.About, "detail",
			f.Detail, "mended", f.Mended)
	}
	if len(checked.Findings) > 0 {
		telemetry.Count(ctx, Findings, float64(len(checked.Findings)))
	}
}

// All checks everything once.
func (b *Books) All(ctx context.Context, more func() bool, mend bool) (Checked, error) {
	all, _, err := b.Everybody(ctx, "", more, mend)
	if err != nil {
		return all, err
	}
	orders, _, err := b.AllOrders(ctx, "", more)
	if all.add(orders); err != nil {
		return all, err
	}
	records, _, err := b.Records(ctx, "", more)
	all.add(records)
	return all, err
}
