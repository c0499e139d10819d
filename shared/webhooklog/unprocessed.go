package webhooklog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// unprocessedAge is the age at which the sweep assumes that the stream will not deliver an entry. It is far more
	// than an index lags behind, and than the webhook function needs to write an entry.
	unprocessedAge  = 5 * time.Minute
	unprocessedPage = 50
	// sourcesAtOnce is how many sources are swept concurrently.
	sourcesAtOnce = 8
	// sourcesPerSweep is up to how many sources every sweep reads all. Of more, each sweep reads a part: nearly all of
	// them have nothing new, and to ask them every minute costs more than all of their messages.
	sourcesPerSweep = 500
	// longestTurn is how many minutes pass at most until a source is read again.
	longestTurn = 60
)

// sweepUnprocessed processes entries that nobody has processed after some minutes, because the event source mapping was
// disabled or broken, or the stream dropped records by age. It returns the age of the oldest one. A source without new
// entries costs one query. Of very many sources, each sweep reads those whose turn it is.
func (l Sweep) sweepUnprocessed(ctx context.Context) (time.Duration, error) {
	until := l.Log.Now().Add(-unprocessedAge)
	sources, err := l.sources(ctx)
	if err != nil {
		return 0, err
	}
	// If time is short, the same sources must not always wait.
	rand.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
	var group errgroup.Group // an error of one source does not stop the others
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
	_ = group.Wait() // the errors are in errs
	if oldest == "" {
		return 0, errors.Join(errs...)
	}
	return l.Log.Now().Sub(oldest.Go()), errors.Join(errs...)
}

// sources lists the registered sources of the consumer's kinds.
func (l Sweep) sources(ctx context.Context) ([]model.WebhookSource, error) {
	var refs []dynamo.Ref
	query := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWebhookEvent, Where: "webhookEventType = :p",
		Values: dynamo.Item{":p": dynamo.S(keys.WebhookSources)},
	}
	for {
		page, err := l.Log.DB.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("list sources of the log: %w", err)
		}
		for _, row := range page.Items {
			pk := dynamo.Text(row, keys.PK)
			if _, kind, ok := keys.WebhookSourceIDs(pk); ok && ConsumerOf(kind) == l.Consumer {
				refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(pk)})
			}
		}
		if page.Next == nil {
			break
		}
		query.After = page.Next
	}
	turn := inTurn(slices.Clone(refs), l.Log.Now())
	if len(turn) < len(refs) {
		stuck, err := l.stuck(ctx)
		if err != nil {
			return nil, err
		}
		for _, ref := range stuck {
			if !slices.ContainsFunc(turn, func(r dynamo.Ref) bool { return r.Key == ref.Key }) {
				turn = append(turn, ref)
			}
		}
	}
	refs = turn
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

// maxStuck bounds how many sources with waiting entries a sweep reads beside those whose turn it is.
const maxStuck = 100

// stuck lists the sources in which a sweep has left entries, those of the longest time first. They are read by every
// sweep, so that the alarm on waiting entries sees them until they are processed.
func (l Sweep) stuck(ctx context.Context) (refs []dynamo.Ref, err error) {
	page, err := l.Log.DB.Query(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWebhookAttention, Where: "attentionPk = :pk", Limit: maxStuck,
		Values: dynamo.Item{":pk": dynamo.S(keys.AttentionStuck(string(l.Consumer)))},
	})
	if err != nil {
		return nil, fmt.Errorf("list sources with waiting entries: %w", err)
	}
	for _, row := range page.Items {
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(dynamo.Text(row, keys.PK))})
	}
	return refs, nil
}

// markStuck marks a source in which this sweep has left entries since a time, or takes the mark off if it has left
// none. The mark says only which sources to read, so that the last sweep may win.
func (l Sweep) markStuck(ctx context.Context, source model.WebhookSource, since model.Time) error {
	u := dynamo.Update{Table: tables.Messages, Key: keys.ByPK(source.PK), If: dynamo.IfPresent}
	switch pk := keys.AttentionStuck(string(l.Consumer)); {
	case since != "" && source.AttentionPK == "":
		u.Do = "SET attentionPk = :pk, attentionAt = :since"
		u.Values = dynamo.Item{":pk": dynamo.S(pk), ":since": dynamo.S(since)}
	case since == "" && source.AttentionPK != "":
		u.Do = "REMOVE attentionPk, attentionAt"
	default:
		return nil
	}
	if err := l.Log.DB.Update(ctx, u); err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("mark a source with waiting entries: %w", err)
	}
	return nil
}

// inTurn returns the sources that the sweep of a minute reads. Each source has its turn once within as many minutes as
// there are sweeps' worth of sources, and within longestTurn in any case.
func inTurn(sources []dynamo.Ref, now time.Time) []dynamo.Ref {
	turns := min((len(sources)+sourcesPerSweep-1)/sourcesPerSweep, longestTurn)
	if turns <= 1 {
		return sources
	}
	minute := now.Unix() / 60
	return slices.DeleteFunc(sources, func(source dynamo.Ref) bool {
		hash := fnv.New32a()
		hash.Write([]byte(source.Key.Partition))
		return int64(hash.Sum32())%int64(turns) != minute%int64(turns)
	})
}

// sweepSource sweeps one source from its sweep position, oldest first, and moves the position to where everything is
// processed or set aside. It returns when the oldest unprocessed entry was received; "" if there is none.
func (l Sweep) sweepSource(ctx context.Context, source model.WebhookSource,
	until model.Time) (oldest model.Time, err error) {
	waba, kind, _ := keys.WebhookSourceIDs(source.PK)
	from := model.At(source.SweptTo.Go().Add(time.Millisecond))
	if from > until {
		return "", l.markStuck(ctx, source, "")
	}
	query := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWebhookEvent,
		Where: "webhookEventType = :p AND receivedAt BETWEEN :from AND :until", Limit: unprocessedPage,
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
		if !timeLeft(ctx) { // the next page may hold entries of the same time
			reach.stopAt(reach.times[len(reach.times)-1])
			break
		}
		query.After = page.Next
	}
	return oldest, errors.Join(l.saveSweptTo(ctx, source, reach.time()), l.markStuck(ctx, source, reach.stop))
}

// progress tracks a sweep: the times of the entries that it read, in order, and the first time at which an entry is
// unprocessed.
type progress struct {
	times []model.Time
	stop  model.Time
}

func (r *progress) stopAt(at model.Time) {
	if r.stop == "" || at < r.stop {
		r.stop = at
	}
}

// time returns the last time up to and including which everything is processed; "" if there is none. Entries of one
// body share their time.
func (r *progress) time() model.Time {
	for _, at := range slices.Backward(r.times) {
		if r.stop == "" || at < r.stop {
			return at
		}
	}
	return ""
}

// saveSweptTo moves the sweep position. The condition is that the position is where this sweep began; otherwise another
// sweep has moved it.
func (l Sweep) saveSweptTo(ctx context.Context, source model.WebhookSource, to model.Time) error {
	if to == "" {
		return nil
	}
	err := l.Log.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.ByPK(source.PK),
		Do: "SET sweptTo = :to", If: "sweptTo = :from",
		Values: dynamo.Item{":to": dynamo.S(to), ":from": dynamo.S(source.SweptTo)},
	})
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("save sweep position: %w", err)
	}
	return nil
}

// process processes the unprocessed entries among rows in the order of arrival. It returns them and the error of each.
func (l Sweep) process(ctx context.Context, rows []dynamo.Item) (waiting []dynamo.Item, failures []error, err error) {
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(dynamo.Text(row, keys.PK))}
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
	sorting.Func(waiting, byArrival)
	return waiting, l.Work(ctx, waiting, l.Log.SetAside(l.Consumer)), nil
}

// byArrival orders entries by arrival. Entries of one body share the time of receipt and differ in their position.
func byArrival(a, b dynamo.Item) int {
	return cmp.Or(
		cmp.Compare(dynamo.Text(a, "receivedAt"), dynamo.Text(b, "receivedAt")),
		cmp.Compare(dynamo.Int(a, "position"), dynamo.Int(b, "position")),
	)
}

// unprocessed reports whether an entry is neither processed, parked nor set aside.
func unprocessed(entry dynamo.Item) bool {
	return entry["processedAt"] == nil && entry["processingError"] == nil && entry["attentionPk"] == nil
}
