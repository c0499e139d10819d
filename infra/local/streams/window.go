package streams

import (
	"sync"
	"time"
)

// maxWindow bounds the records read beyond the checkpoint. A stuck lane holds the checkpoint, and the other lanes
// continue until the window is full.
const maxWindow = 2000

// saveEvery is how often the checkpoint is saved at most. If the process is killed, what was done since is delivered
// again.
const saveEvery = 100 * time.Millisecond

// window holds the records between the checkpoint and the reader. It moves the checkpoint past the done records at its
// start, so that lanes may finish in any order and a restart loses nothing.
type window struct {
	save  func(position)
	space chan struct{} // signals that the window has shrunk

	mu      sync.Mutex
	reached position
	entries []*entry
	saver   *time.Timer // saves what was reached; nil if that is saved
}

// entry is one record in the window.
type entry struct {
	at   position
	done bool
}

func newWindow(start position, save func(position)) *window {
	return &window{save: save, reached: start, space: make(chan struct{}, 1)}
}

// open adds a record that is not done yet. Records must be added in the stream's order.
func (w *window) open(at position) *entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := &entry{at: at}
	w.entries = append(w.entries, e)
	return e
}

func (w *window) full() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.entries) >= maxWindow
}

// close marks records as done. If the checkpoint moves by that, it is saved within saveEvery.
func (w *window) close(entries ...*entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range entries {
		e.done = true
	}
	behind := 0
	for behind < len(w.entries) && w.entries[behind].done {
		behind++
	}
	if behind == 0 {
		return
	}
	w.reached = w.entries[behind-1].at
	w.entries = w.entries[behind:]
	select {
	case w.space <- struct{}{}:
	default:
	}
	if w.saver == nil {
		w.saver = time.AfterFunc(saveEvery, w.flush)
	}
}

// flush saves the checkpoint if it has moved since it was saved.
func (w *window) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.saver != nil {
		w.saver.Stop()
		w.saver = nil
		w.save(w.reached)
	}
}
