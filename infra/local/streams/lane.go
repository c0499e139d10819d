package streams

import (
	"context"
	"sync"
	"time"
)

// lane is a queue of records whose batches run one after another. All changes of an item are in the same lane.
type lane struct {
	added chan struct{} // signals added records

	mu    sync.Mutex
	queue []*record
}

func newLane() *lane { return &lane{added: make(chan struct{}, 1)} }

func (l *lane) add(records []*record) {
	l.mu.Lock()
	l.queue = append(l.queue, records...)
	l.mu.Unlock()
	select {
	case l.added <- struct{}{}:
	default:
	}
}

func (l *lane) length() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue)
}

// next waits for records and returns a batch, or nothing if the context has ended. With a batching window it waits that
// long for the batch to fill.
func (l *lane) next(ctx context.Context, size int, window time.Duration) []*record {
	for l.length() == 0 {
		select {
		case <-l.added:
		case <-ctx.Done():
			return nil
		}
	}
	if window > 0 {
		timer := time.NewTimer(window)
		defer timer.Stop()
		for waiting := true; waiting && l.length() < size; {
			select {
			case <-l.added:
			case <-timer.C:
				waiting = false
			case <-ctx.Done():
				return nil
			}
		}
	}
	return l.take(size)
}

// maxBatchBytes keeps an event below an invocation's limit, with room for the data around the records.
const maxBatchBytes = 6<<20 - 64<<10

func (l *lane) take(size int) []*record {
	l.mu.Lock()
	defer l.mu.Unlock()
	count, bytes := 0, 0
	for count < len(l.queue) && count < size {
		bytes += len(l.queue[count].event) + 1
		if count > 0 && bytes > maxBatchBytes {
			break
		}
		count++
	}
	batch := l.queue[:count:count]
	l.queue = l.queue[count:]
	return batch
}
