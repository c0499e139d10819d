package streams

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestTheCheckpointIsSavedOnceInAWhileAndAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sleep := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait() // for what the time has set off
		}
		var saved []string
		w := newWindow(position{}, func(p position) { saved = append(saved, p.Sequence) })
		first, second, third := w.open(position{"shard", "1"}), w.open(position{"shard", "2"}),
			w.open(position{"shard", "3"})
		w.close(second)
		sleep(2 * saveEvery)
		if len(saved) != 0 {
			t.Errorf("saved %v before the first record was done", saved)
		}
		w.close(first)
		sleep(saveEvery / 2)
		w.close(third)
		if len(saved) != 0 {
			t.Errorf("saved %v at once", saved)
		}
		sleep(saveEvery)
		if len(saved) != 1 || saved[0] != "3" {
			t.Errorf("saved %v", saved)
		}
		w.close(w.open(position{"shard", "4"}))
		w.flush()
		w.flush()
		sleep(2 * saveEvery)
		if len(saved) != 2 || saved[1] != "4" {
			t.Errorf("at the end: saved %v", saved)
		}
	})
}
