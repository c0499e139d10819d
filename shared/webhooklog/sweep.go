package webhooklog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Sweep retries a consumer's set-aside entries, and processes entries that the stream never delivered.
type Sweep struct {
	Log      *Log
	Consumer Consumer
	// Work processes images. It calls setAside for temporary failures, and returns an error for each image: nil if it
	// was processed.
	Work func(ctx context.Context, images []dynamo.Item,
		setAside func(context.Context, dynamo.Item, error, bool) (bool, error)) []error
}

const (
	// maxRetryRows bounds how many set-aside entries one sweep reads. Those that are due come first.
	maxRetryRows = 1000
	// retryBatchSize is how many entries are retried together, and retryBatchTime how long they may take. A hanging
	// entry thus delays the other entries only that long.
	retryBatchSize = 16
	retryBatchTime = 20 * time.Second
	// sweepReserve is how long before the end of an invocation the sweep begins nothing more.
	sweepReserve = 5 * time.Second
)

// Run sweeps until the invocation ends. It spends at most half of the time on set-aside entries. It always reports the
// age of the oldest waiting entry, even if there is none, so that an alarm notices when no sweep runs.
func (l Sweep) Run(ctx context.Context) error {
	aside, cancel := firstHalf(ctx)
	defer cancel()
	oldestAside, err := l.retrySetAside(aside)
	oldestLeft, errLeft := l.sweepUnprocessed(ctx)
	telemetry.Observe(ctx, telemetry.LogOldest, max(oldestAside, oldestLeft).Seconds())
	return errors.Join(err, errLeft)
}

func firstHalf(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, time.Now().Add(time.Until(end)/2))
}

func timeLeft(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return ctx.Err() == nil && (!ok || time.Until(end) > sweepReserve)
}

// retrySetAside retries the set-aside entries that are due, the longest due first. It returns how long the oldest of
// all has been failing. An error of one entry does not affect the others.
func (l Sweep) retrySetAside(ctx context.Context) (time.Duration, error) {
	s := l.Log
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWebhookAttention, Where: "attentionPk = :pk", Limit: maxRetryRows,
		Values: dynamo.Item{":pk": dynamo.S(keys.AttentionAside(string(l.Consumer)))},
	})
	if err != nil {
		return 0, fmt.Errorf("list set-aside entries: %w", err)
	}
	telemetry.Observe(ctx, telemetry.LogSetAside, float64(len(page.Items)))
	now := s.Now()
	var oldest time.Duration
	var due []dynamo.Item
	for _, row := range page.Items {
		oldest = max(oldest, failingFor(row, now))
		if model.Time(dynamo.Text(row, "attentionAt")) <= model.At(now) {
			due = append(due, row)
		}
	}
	for len(due) > 0 && timeLeft(ctx) {
		size := min(len(due), retryBatchSize)
		if err := l.retryBatch(ctx, due[:size]); err != nil {
			return oldest, err
		}
		due = due[size:]
	}
	return oldest, nil
}

func failingFor(item dynamo.Item, now time.Time) time.Duration {
	first := model.Time(dynamo.Text(item, "firstFailedAt"))
	if first == "" {
		return 0
	}
	return now.Sub(first.Go())
}

func (l Sweep) retryBatch(ctx context.Context, rows []dynamo.Item) error {
	ctx, cancel := context.WithTimeout(ctx, retryBatchTime)
	defer cancel()
	var images []dynamo.Item
	for _, row := range rows {
		image, err := l.lease(ctx, row)
		if err != nil {
			return err
		}
		if image != nil {
			images = append(images, image)
		}
	}
	sorting.Func(images, byArrival) // keeps the order of each customer's entries
	l.Work(ctx, images, l.recordFailedRetry)
	return nil
}

// lease leases an entry for one try. It postpones the next try and counts this one before the try begins, so that two
// sweeps never try an entry at once, and a try that kills the process counts too. The condition is that the entry is
// set aside and due. lease returns the whole entry, or nil if the condition fails.
func (l Sweep) lease(ctx context.Context, row dynamo.Item) (dynamo.Item, error) {
	s := l.Log
	now := s.Now()
	wait := max(retryLease, min(longestRetryWait, failingFor(row, now)))
	image, err := s.DB.UpdateReturning(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.ByPK(dynamo.Text(row, keys.PK)),
		Do: "SET attentionAt = :next ADD failures :one",
		If: unfinished + " AND attentionPk = :pk AND attentionAt <= :now",
		Values: dynamo.Item{
			":pk": dynamo.S(keys.AttentionAside(string(l.Consumer))), ":now": dynamo.S(model.At(now)),
			":next": dynamo.S(model.At(now.Add(wait))), ":one": dynamo.N(1),
		},
	})
	if dynamo.IsConditionFailed(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lease a set-aside entry: %w", err)
	}
	return image, nil
}

// recordFailedRetry stores the error of a failed retry, and parks an entry that has been failing for maxRetryTime and
// at least minTries times. A person can see and replay it. It does not park entries during an outage. The condition of
// both writes is that the entry is still set aside. image is the entry before the try was counted.
func (l Sweep) recordFailedRetry(ctx context.Context, image dynamo.Item, failure error,
	othersSucceed bool) (bool, error) {
	s := l.Log
	reason := model.Truncate(failure.Error(), 1024)
	tooLong := failingFor(image, s.Now()) >= maxRetryTime && dynamo.Int(image, "failures")+1 >= minTries &&
		(othersSucceed || !dynamo.Unavailable(failure))
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookEvent(model.EventID(dynamo.Text(image, "eventId"))),
		If:     unfinished + " AND attentionPk = :pk",
		Values: dynamo.Item{":pk": dynamo.S(keys.AttentionAside(string(l.Consumer))), ":error": dynamo.S(reason)},
	}
	switch {
	case tooLong:
		u.Do = parkedMarks
		delete(u.Values, ":error")
		maps.Copy(u.Values, s.parkedValues(model.WABAID(dynamo.Text(image, "wabaMetaId")), reason))
	case dynamo.Text(image, "lastError") == reason:
		return true, nil
	default:
		u.Do = "SET lastError = :error"
	}
	err := s.DB.Update(ctx, u)
	if err != nil && !dynamo.IsConditionFailed(err) {
		return false, fmt.Errorf("record failed retry: %w", err)
	}
	if err == nil && tooLong {
		telemetry.Count(ctx, telemetry.EventsParked, 1)
	}
	return true, nil
}
