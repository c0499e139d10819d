package telemetry

import (
	"context"
	"log/slog"
	"sync"
)

// held is the last log line of an invocation. It is held back so that the invocation's metrics can be written on it:
// every line costs money, and two lines would repeat time, function and request.
type held struct {
	mu     sync.Mutex
	record slog.Record
	write  func(context.Context, slog.Record) error // nil while no line is held
}

// hold writes the line that is held and holds record instead.
func (h *held) hold(record slog.Record, write func(context.Context, slog.Record) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flush()
	h.record, h.write = record.Clone(), write
}

// add appends attributes to the held line and writes it. It reports whether a line was held.
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

// release writes the held line.
func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flush()
}

func (h *held) flush() {
	if h.write != nil {
		_ = h.write(context.Background(), h.record) // the record already has the context's attributes
		h.write = nil
	}
}
