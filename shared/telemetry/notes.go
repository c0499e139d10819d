package telemetry

import (
	"context"
	"sync"
)

type notesKey struct{}

// Notes collects ids during a piece of work, so that one log line at its end names them all. A line per id would cost
// several times as much, because every line repeats time, function and request.
type Notes struct {
	mu  sync.Mutex
	ids []string
}

// WithNotes returns a context whose work collects ids, and the collection.
func WithNotes(ctx context.Context) (context.Context, *Notes) {
	notes := &Notes{}
	return context.WithValue(ctx, notesKey{}, notes), notes
}

// Note collects an id for the log line at the end of the work. It does nothing if the context has no Notes.
func Note(ctx context.Context, id string) {
	if n, ok := ctx.Value(notesKey{}).(*Notes); ok {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.ids = append(n.ids, id)
	}
}

// Take returns the ids collected since the last call, in order.
func (n *Notes) Take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	ids := n.ids
	n.ids = nil
	return ids
}
