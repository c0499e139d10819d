package reminders

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// page is how many rows of a shard are held at once, width how many of them are worked on side by side.
	page, width = 100, 8
	// reserve is how much of the invocation is left for the page that is being worked on.
	reserve = 20 * time.Second
)

// due is an index of what is due, in shards.
type due struct {
	table     tables.Table
	index     string
	shard, at string // its key attributes
	until     time.Time
	handle    func(ctx context.Context, item dynamo.Item) error
}

// work works off what is due: all shards side by side, each page by page, the longest due first, for as long as there
// is time. What fails stays in the index, and delays nothing.
func (r *Reminders) work(ctx context.Context, d due) error {
	var failed failures
	jobs := make([]func() error, keys.DueBuckets)
	for n := range jobs {
		jobs[n] = func() error { return r.shard(ctx, d, keys.DueShard(n), &failed) }
	}
	for _, err := range lanes.Concurrently(len(jobs), jobs...) {
		failed.add(err)
	}
	return failed.error("work off")
}

// shard works off one shard.
func (r *Reminders) shard(ctx context.Context, d due, shard string, failed *failures) error {
	q := dynamo.Query{
		Table: d.table, Index: d.index, Limit: page, Where: d.shard + " = :shard AND " + d.at + " <= :until",
		Values: dynamo.Item{":shard": dynamo.S(shard), ":until": dynamo.S(model.At(d.until))},
	}
	for {
		rows, err := r.DB.Query(ctx, q)
		if err != nil {
			return err
		}
		if err := r.rows(ctx, d, rows.Items, failed); err != nil {
			return err
		}
		if q.After = rows.Next; q.After == nil || !invocation.HasMore(ctx, reserve) {
			return nil
		}
	}
}

// rows reads the items of an index's rows, and works on them.
func (r *Reminders) rows(ctx context.Context, d due, rows []dynamo.Item, failed *failures) error {
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{Table: d.table, Key: keys.Key{
			PartitionName: keys.PK, Partition: dynamo.Text(row, keys.PK), SortName: d.table.Sort.Name,
			Sort: dynamo.Text(row, d.table.Sort.Name),
		}}
	}
	found, err := r.DB.BatchGet(ctx, refs)
	if err != nil {
		return err
	}
	jobs := make([]func() error, 0, len(refs))
	for _, one := range refs {
		if item := one.Found(found); item != nil {
			jobs = append(jobs, func() error { return d.handle(ctx, item) })
		}
	}
	for _, err := range lanes.Concurrently(width, jobs...) {
		failed.add(err)
	}
	return nil
}
