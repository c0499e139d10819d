package streams

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheCheckpointIsSavedOnceInAWhileAndAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var all []string
		saved := func() []string {
			synctest.Wait() // for what the time has set off
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(all)
		}
		w := newWindow(position{}, func(p position) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, p.Sequence)
		})
		first, second, third := w.open(position{"shard", "1"}), w.open(position{"shard", "2"}),
			w.open(position{"shard", "3"})
		w.close(second)
		time.Sleep(2 * saveEvery)
		if saved := saved(); len(saved) != 0 {
			t.Errorf("saved %v before the first record was done", saved)
		}
		w.close(first)
		time.Sleep(saveEvery / 2)
		w.close(third)
		if saved := saved(); len(saved) != 0 {
			t.Errorf("saved %v at once", saved)
		}
		time.Sleep(saveEvery)
		if saved := saved(); len(saved) != 1 || saved[0] != "3" {
			t.Errorf("saved %v", saved)
		}
		w.close(w.open(position{"shard", "4"}))
		w.flush()
		w.flush()
		time.Sleep(2 * saveEvery)
		if saved := saved(); len(saved) != 2 || saved[1] != "4" {
			t.Errorf("at the end: saved %v", saved)
		}
	})
}
