package streams

import "sync"

// maxWindow bounds the records read beyond the checkpoint. A stuck lane holds the checkpoint, and the other lanes
// continue until the window is full.
const maxWindow = 2000

// window holds the records between the checkpoint and the reader. It moves the checkpoint past the done records at its
// start, so that lanes may finish in any order and a restart loses nothing.
type window struct {
	save  func(position) error
	space chan struct{} // signals that the window has shrunk

	mu      sync.Mutex
	reached position
	entries []*entry
}

// entry is one record in the window.
type entry struct {
	at   position
	done bool
}

func newWindow(start position, save func(position) error) *window {
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

// close marks records as done and saves the checkpoint if it moved.
func (w *window) close(entries ...*entry) error {
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
		return nil
	}
	w.reached = w.entries[behind-1].at
	w.entries = w.entries[behind:]
	select {
	case w.space <- struct{}{}:
	default:
	}
	return w.save(w.reached)
}
