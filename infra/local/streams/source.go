package streams

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// How often an idle stream is polled: soon after activity, then ever less often. gathering is how long records gather
// between two reads of a busy stream: a read costs the engine more than a record.
const (
	gathering    = 10 * time.Millisecond
	shortestPoll = 25 * time.Millisecond
	longestPoll  = 200 * time.Millisecond
)

// Run reads and delivers until the context ends, and returns when running batches have ended. The next run delivers
// what was not delivered.
func (s *Source) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, l := range s.lanes {
		running.Go(func() {
			for {
				batch := l.next(ctx, s.config.BatchSize, s.config.BatchingWindow)
				if len(batch) == 0 {
					return
				}
				s.deliver(ctx, batch)
			}
		})
	}
	s.read(ctx)
	running.Wait()
	s.window.flush()
}

// read fills the lanes from the stream until the context ends.
func (s *Source) read(ctx context.Context) {
	poll, failing := shortestPoll, false
	for ctx.Err() == nil {
		count, err := s.readPage(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			if !failing { // log once, not at every poll
				s.config.Log.Warn("stream not read", "table", s.config.Table, "function", s.config.Function,
					"error", err)
			}
			failing, poll = true, longestPoll
		case count > 0:
			failing, poll = false, shortestPoll
			if count < pageSize {
				pause(ctx, gathering)
			}
			continue
		default:
			failing = false
		}
		pause(ctx, poll)
		poll = min(longestPoll, poll*3/2)
	}
}

// readPage reads one page. It puts records that match the filters into their lanes and marks the others as done.
func (s *Source) readPage(ctx context.Context) (int, error) {
	for s.window.full() {
		select {
		case <-s.window.space:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	page, shard, err := s.shards.read(ctx)
	if len(page) == 0 {
		return 0, err
	}
	queues := make([][]*record, len(s.lanes))
	var filtered []*entry
	for _, in := range page {
		r, passes, encodeErr := s.take(in, shard)
		if encodeErr != nil {
			s.config.Log.Error("stream record not understood", "table", s.config.Table, "error", encodeErr)
			continue
		}
		r.place = s.window.open(position{shard, r.sequence})
		if !passes {
			filtered = append(filtered, r.place)
			continue
		}
		number := r.key % uint32(len(s.lanes))
		queues[number] = append(queues[number], r)
	}
	s.done(filtered...)
	for i, queue := range queues {
		if len(queue) > 0 {
			s.lanes[i].add(queue)
		}
	}
	return len(page), err
}

// take returns a record, encoded if it passes the filters.
func (s *Source) take(in types.Record, shard string) (r *record, passes bool, err error) {
	if r, err = newRecord(in, shard, s.config); err != nil || !s.passes(r) {
		return r, false, err
	}
	return r, true, r.encode()
}

func (s *Source) passes(r *record) bool {
	for _, pattern := range s.config.Patterns {
		if pattern.Matches(r.tree) {
			return true
		}
	}
	return len(s.config.Patterns) == 0
}

func (s *Source) done(entries ...*entry) { s.window.close(entries...) }

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
