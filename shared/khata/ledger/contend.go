package ledger

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// Many clients may add to one ledger at the same time. Those of one process take turns. Of several processes, each that
// fails waits for a random time, reads what the balance is now, which costs little, and writes at once. While it waits
// the others go on, so a write that did not read again would only fail again. The wait grows with each failure from the
// time that a write takes, until about as many clients write at a time as the ledger can serve.

const (
	// waitGrowth is by how much the mean wait grows with each failure.
	waitGrowth = 3
	// longestWait bounds the mean wait, in times of a write: it lets some dozens of processes follow one another.
	longestWait = 25
	// contendedAttempts bounds the attempts.
	contendedAttempts = 60
	// answerMargin is the part of the context's time that is left for the answer.
	answerMargin = time.Second
)

// contend runs write until it returns anything but dynamo.ErrConflict, as long as there is time. Before each repetition
// it runs read.
func contend(ctx context.Context, read, write func() error) error {
	began := time.Now()
	var mean, longest time.Duration
	for attempt := 1; ; attempt++ {
		err := write()
		if err == nil || !errors.Is(err, dynamo.ErrConflict) || attempt >= contendedAttempts {
			return err
		}
		if mean == 0 {
			mean = time.Since(began)
			longest = longestWait * mean
		}
		mean = min(time.Duration(float64(mean)*waitGrowth), longest)
		wait := rand.N(2*mean + 1)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait+answerMargin {
			return err
		}
		if err := dynamo.Sleep(ctx, wait); err != nil {
			return err
		}
		if err := read(); err != nil {
			return err
		}
	}
}

// turns lets the clients of this process write into one ledger one after the other.
type turns struct {
	mu    sync.Mutex
	taken map[[2]model.Name]*turn
}

type turn struct {
	free    chan struct{} // holds one token while nobody writes
	waiting int
}

// take waits for the turn at a ledger, and returns what ends it. It returns the context's error if the context ends
// first.
func (t *turns) take(ctx context.Context, store, customer model.Name) (end func(), err error) {
	key := [2]model.Name{store, customer}
	t.mu.Lock()
	if t.taken == nil {
		t.taken = map[[2]model.Name]*turn{}
	}
	own := t.taken[key]
	if own == nil {
		own = &turn{free: make(chan struct{}, 1)}
		own.free <- struct{}{}
		t.taken[key] = own
	}
	own.waiting++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if own.waiting--; own.waiting == 0 {
			delete(t.taken, key)
		}
	}
	select {
	case <-own.free:
		return func() { own.free <- struct{}{}; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
