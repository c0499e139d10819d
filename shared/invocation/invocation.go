// Package invocation owns what Lambda's way of running programs asks of every function: an invocation has an end, at which
// the function is killed without a word, and between two invocations the process is frozen, while its connections die.
package invocation

import (
	"context"
	"time"
)

const (
	// margin is what an invocation keeps of its time for its answer and its lines, and shortMargin where it has little.
	margin      = 2 * time.Second
	shortMargin = 4 // a quarter
	// shares is how many attempts in a row have to fit into what is left.
	shares   = 3
	shortest = 100 * time.Millisecond
)

// Answering has a handler's context end before its invocation does. Whatever the handler waits for then fails while there is
// time left to say so: without that, Lambda kills the function, the caller gets a 503, and no line says why.
func Answering[I, O any](handle func(context.Context, I) (O, error)) func(context.Context, I) (O, error) {
	return func(ctx context.Context, in I) (O, error) {
		if end, ok := ctx.Deadline(); ok {
			early, cancel := context.WithDeadline(ctx, end.Add(-min(margin, time.Until(end)/shortMargin)))
			defer cancel()
			ctx = early
		}
		return handle(ctx, in)
	}
}

// Attempt is how long one attempt at a call may take: no longer than the longest, and no more than a third of the time that
// is left, so that a connection that has died leaves room for another try.
func Attempt(ctx context.Context, longest time.Duration) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return longest
	}
	return min(longest, max(time.Until(end)/shares, shortest))
}

// Fresh has each invocation of a handler begin without the connections of the one before. For a client whose requests must
// not be repeated: a connection that died while the process was frozen takes the request with it, and nobody can tell
// whether it had arrived.
func Fresh[I, O any](client interface{ CloseIdleConnections() }, handle func(context.Context, I) (O, error)) func(context.Context, I) (O, error) {
	return func(ctx context.Context, in I) (O, error) {
		client.CloseIdleConnections()
		return handle(ctx, in)
	}
}
