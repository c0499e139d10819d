package telemetry

import (
	"context"
	"log/slog"
	"sync"
)

// held is the last line of an invocation, which waits for the invocation's metrics: every line costs, and its time, its
// function and its request would stand in both.
type held struct {
	mu     sync.Mutex
	record slog.Record
	write  func(context.Context, slog.Record) error // nil while no line is held
}

// hold writes the line that was held, and holds the next.
func (h *held) hold(record slog.Record, write func(context.Context, slog.Record) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flush()
	h.record, h.write = record.Clone(), write
}

// add puts attributes at the end of the line that is held. It reports whether there is one.
func (h *held) add(attrs []slog.Attr) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.write == nil {
		return false
	}
	h.record.AddAttrs(attrs...)
	h.flush()
	return true
}

// release writes the line that is held.
func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flush()
}

func (h *held) flush() {
	if h.write != nil {
		_ = h.write(context.Background(), h.record) // what the context knows is in the record
		h.write = nil
	}
}
