package telemetry

import (
	"context"
	"sync"
)

type notesKey struct{}

// Notes are ids that a piece of work collects for the line at its end: a line for each of them would cost several times as
// much, for its time, its function and its request stand in every line.
type Notes struct {
	mu  sync.Mutex
	ids []string
}

// WithNotes returns a context whose work collects ids, and where they are collected.
func WithNotes(ctx context.Context) (context.Context, *Notes) {
	notes := &Notes{}
	return context.WithValue(ctx, notesKey{}, notes), notes
}

// Note collects an id for the line at the end of the work. Where nobody collects it does nothing.
func Note(ctx context.Context, id string) {
	if n, ok := ctx.Value(notesKey{}).(*Notes); ok {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.ids = append(n.ids, id)
	}
}

// Take returns the ids collected since it was asked last, in order.
func (n *Notes) Take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	ids := n.ids
	n.ids = nil
	return ids
}
