package webhooklog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// unprocessedAge is how old an entry must be before the sweep takes it for forgotten by the stream. It is far more than
	// the time an index may lag behind, and than the webhook function may take to write an entry.
	unprocessedAge  = 5 * time.Minute
	unprocessedPage = 50
	// sourcesAtOnce is how many sources are swept at once.
	sourcesAtOnce = 8
)

// sweepUnprocessed deals with entries that are older than some minutes and that nobody has dealt with: a mapping of the
// stream was disabled or broken, or the age limit of records passed. It returns how old the oldest was. A source that has
// nothing new costs one query.
func (l Sweep) sweepUnprocessed(ctx context.Context) (time.Duration, error) {
	until := l.Log.Now().Add(-unprocessedAge)
	sources, err := l.sources(ctx)
	if err != nil {
		return 0, err
	}
	rand.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] }) // where time is short, it is not always the same that wait
	var group errgroup.Group                                                                       // one source's trouble does not keep the others
	group.SetLimit(sourcesAtOnce)
	var mu sync.Mutex
	var oldest model.Time
	var errs []error
	for _, source := range sources {
		group.Go(func() error {
			found, err := l.sweepSource(ctx, source, model.At(until))
			mu.Lock()
			defer mu.Unlock()
			if found != "" && (oldest == "" || found < oldest) {
				oldest = found
			}
			errs = append(errs, err)
			return nil
		})
	}
	_ = group.Wait() // errors are in errs
	if oldest == "" {
		return 0, errors.Join(errs...)
	}
	return l.Log.Now().Sub(oldest.Go()), errors.Join(errs...)
}

// sources lists the sources whose kinds the consumer takes.
func (l Sweep) sources(ctx context.Context) ([]model.WebhookSource, error) {
	var refs []dynamo.Ref
	query := dynamo.Query{
		Table: tables.Messages, Index: "gsi_webhook_event", Where: "webhookEventType = :p", Values: dynamo.Item{":p": dynamo.S(keys.WebhookSources)},
	}
	for {
		page, err := l.Log.DB.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("list sources of the log: %w", err)
		}
		for _, row := range page.Items {
			pk := dynamo.Text(row, "pk")
			if _, kind, ok := keys.WebhookSourceIDs(pk); ok && ConsumerOf(kind) == l.Consumer {
				refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: pk}})
			}
		}
		if page.Next == nil {
			break
		}
		query.After = page.Next
	}
	found, err := l.Log.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read sources of the log: %w", err)
	}
	var sources []model.WebhookSource
	for _, ref := range refs {
		var source model.WebhookSource
		if item := ref.Found(found); item == nil || dynamo.Unmarshal(item, &source) != nil {
			continue
		}
		sources = append(sources, source)
	}
	return sources, nil
}

// sweepSource works off one source from where the last sweep ended, oldest first, and remembers how far everything is dealt
// with or set aside. It returns when the oldest entry was received that nobody had dealt with, "" for none.
func (l Sweep) sweepSource(ctx context.Context, source model.WebhookSource, until model.Time) (oldest model.Time, err error) {
	waba, kind, _ := keys.WebhookSourceIDs(source.PK)
	from := model.At(source.SweptTo.Go().Add(time.Millisecond))
	if from > until {
		return "", nil
	}
	query := dynamo.Query{
		Table: tables.Messages, Index: "gsi_webhook_event", Where: "webhookEventType = :p AND receivedAt BETWEEN :from AND :until", Limit: unprocessedPage,
		Values: dynamo.Item{
			":p": dynamo.S(keys.WebhookEventType(waba, kind)), ":from": dynamo.S(from), ":until": dynamo.S(until),
		},
	}
	var reach progress
	for {
		page, err := l.Log.DB.Query(ctx, query)
		if err != nil {
			return oldest, fmt.Errorf("sweep the log: %w", err)
		}
		waiting, failures, err := l.process(ctx, page.Items)
		if err != nil {
			return oldest, err
		}
		for i, image := range waiting {
			at := model.Time(dynamo.Text(image, "receivedAt"))
			if oldest == "" || at < oldest {
				oldest = at
			}
			if failures[i] != nil {
				reach.stopAt(at)
			}
		}
		for _, row := range page.Items {
			reach.times = append(reach.times, model.Time(dynamo.Text(row, "receivedAt")))
		}
		if page.Next == nil {
			break
		}
		if !timeLeft(ctx) { // entries of the last one's time may be left
			reach.stopAt(reach.times[len(reach.times)-1])
			break
		}
		query.After = page.Next
	}
	return oldest, l.saveSweptTo(ctx, source, reach.time())
}

// progress is how far a sweep has come: the times of the entries it saw, in order, and the first that is not dealt with.
type progress struct {
	times []model.Time
	stop  model.Time
}

func (r *progress) stopAt(at model.Time) {
	if r.stop == "" || at < r.stop {
		r.stop = at
	}
}

// time is the last time until which, and at which, everything is dealt with; "" for none. Entries of one body share theirs.
func (r *progress) time() model.Time {
	for _, at := range slices.Backward(r.times) {
		if r.stop == "" || at < r.stop {
			return at
		}
	}
	return ""
}

// saveSweptTo moves the end of the sweep. Its condition is that it is where this sweep began: another one has moved it
// otherwise.
func (l Sweep) saveSweptTo(ctx context.Context, source model.WebhookSource, to model.Time) error {
	if to == "" {
		return nil
	}
	_, err := l.Log.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: source.PK},
		Do: "SET sweptTo = :to", If: "sweptTo = :from", Values: dynamo.Item{":to": dynamo.S(to), ":from": dynamo.S(source.SweptTo)},
	})
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("remember how far the log is swept: %w", err)
	}
	return nil
}

// process works through those entries that nobody has dealt with or set aside, in the order of arrival, and returns them
// and what became of each.
func (l Sweep) process(ctx context.Context, rows []dynamo.Item) (waiting []dynamo.Item, failures []error, err error) {
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: dynamo.Text(row, "pk")}}
	}
	found, err := l.Log.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, nil, fmt.Errorf("read the log: %w", err)
	}
	for _, ref := range refs {
		if item := ref.Found(found); item != nil && unprocessed(item) {
			waiting = append(waiting, item)
		}
	}
	slices.SortStableFunc(waiting, byArrival)
	return waiting, l.Work(ctx, waiting, l.Log.SetAside(l.Consumer)), nil
}

// byArrival orders entries as they came: entries of one body share the time of receipt.
func byArrival(a, b dynamo.Item) int {
	return cmp.Or(cmp.Compare(dynamo.Text(a, "receivedAt"), dynamo.Text(b, "receivedAt")), cmp.Compare(dynamo.Int(a, "position"), dynamo.Int(b, "position")))
}

// unprocessed reports whether an entry is nobody's: not dealt with, not parked, and not set aside.
func unprocessed(entry dynamo.Item) bool {
	return entry["processedAt"] == nil && entry["processingError"] == nil && entry["attentionPk"] == nil
}
