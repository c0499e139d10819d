package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/telemetry"
)

// Work processes images and returns, for each, the error for which it is to be retried. The error is nil for a record
// that succeeded, was parked, or was set aside. setAside handles transient failures; it may be nil.
func (w *Worker) Work(ctx context.Context, images []dynamo.Item, setAside SetAside) []error {
	failures := make([]error, len(images))
	jobs := w.open(ctx, images)
	run := batch{worker: w, setAside: setAside, images: images, jobs: jobs, failures: failures}
	places := make([]int, len(jobs))
	for i := range places {
		places[i] = i
	}
	var all []func() error
	for _, lane := range lanes.GroupByKey(places, func(i int) []string { return jobs[i].Order }) {
		all = append(all, func() error {
			run.lane(ctx, lane)
			return nil
		})
	}
	lanes.Concurrently(cmp.Or(max(w.Width, 0), defaultWidth), all...)
	return failures
}

// batch is the processing of one batch. Each lane writes to its own elements of failures.
type batch struct {
	worker   *Worker
	setAside SetAside
	images   []dynamo.Item
	jobs     []Job
	failures []error
}

var (
	errNotStarted = errors.New("not started: the invocation was about to end")
	errBehind     = errors.New("not started: it follows a record that failed")
)

// lane runs jobs one after another. After a failure that is to be retried, the rest of the lane does not run, because
// its order would be lost. That is no failure of these jobs, so it is not counted.
func (b batch) lane(ctx context.Context, lane []int) {
	for at, i := range lane {
		if endsSoon(ctx) {
			b.report(lane[at:], errNotStarted)
			return
		}
		if b.failures[i] = b.one(ctx, i); b.failures[i] != nil {
			b.report(lane[at+1:], errBehind)
			return
		}
	}
}

func (b batch) report(lane []int, why error) {
	for _, i := range lane {
		b.failures[i] = why
	}
}

// one runs a job and handles its failure. It returns an error if the record is to be retried.
func (b batch) one(ctx context.Context, i int) error {
	w, image := b.worker, b.images[i]
	ctx = telemetry.WithCorrelation(ctx, dynamo.Text(image, "eventId"))
	begun := time.Now()
	failure := w.parked(ctx, image, w.do(ctx, b.jobs[i]))
	if failure == nil || b.setAside == nil {
		return failure
	}
	othersSucceed := w.lastSuccess.Load() > begun.Add(-successWindow).UnixNano()
	aside, err := b.setAside(ctx, image, failure, othersSucceed)
	if err != nil {
		return errors.Join(failure, fmt.Errorf("count the failure: %w", err))
	}
	if !aside {
		return failure
	}
	w.Log.WarnContext(ctx, "record set aside", "error", failure)
	return nil
}

// parked parks a permanent failure. It returns nil then, or else the transient failure, or an error of parking.
func (w *Worker) parked(ctx context.Context, image dynamo.Item, failure error) error {
	var crashed panicked
	if failure == nil || !w.Permanent(failure) && !errors.As(failure, &crashed) {
		return failure
	}
	w.Log.ErrorContext(ctx, "record parked", "error", failure)
	if err := w.Park(ctx, image, failure.Error()); err != nil {
		return fmt.Errorf("park: %w", err)
	}
	telemetry.Count(ctx, telemetry.EventsParked, 1)
	return nil
}

// do runs a job with a deadline that leaves time to count its failure.
func (w *Worker) do(ctx context.Context, job Job) error {
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-countMargin))
		defer cancel()
	}
	err := w.safely(ctx, func() error { return job.Do(ctx) })
	if err == nil {
		w.lastSuccess.Store(time.Now().UnixNano())
	}
	return err
}

// safely turns a panic into a permanent error, because the record would cause it again.
func (w *Worker) safely(ctx context.Context, work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			at := debug.Stack()
			if elsewhere, ok := r.(interface{ Stack() []byte }); ok { // the panic happened in a goroutine of the job
				at = elsewhere.Stack()
			}
			w.Log.ErrorContext(ctx, "panic", "at", string(at))
			err = panicked{fmt.Errorf("panic: %T", r)}
		}
	}()
	return work()
}

type panicked struct{ error }

// endsSoon reports whether too little time is left in the invocation to start a job.
func endsSoon(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(end) < startMargin
}

// open returns the jobs of a batch. If Open panics, it opens each image alone, so that only the image at fault fails.
func (w *Worker) open(ctx context.Context, images []dynamo.Item) []Job {
	if len(images) == 0 {
		return nil
	}
	var jobs []Job
	err := w.safely(ctx, func() error {
		jobs = w.Open(ctx, images)
		if len(jobs) != len(images) {
			return panicked{fmt.Errorf("%d jobs of %d records", len(jobs), len(images))}
		}
		return nil
	})
	switch {
	case err == nil:
		return jobs
	case len(images) == 1:
		return []Job{{Do: func(context.Context) error { return err }}}
	}
	jobs = nil
	for i := range images {
		jobs = append(jobs, w.open(ctx, images[i:i+1])...)
	}
	return jobs
}
