// Package invocation handles how Lambda runs functions: an invocation that exceeds its time is killed, and between two
// invocations the process is frozen while its connections die.
package invocation

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	// margin is the time that an invocation keeps for its answer and its log lines. If it has little time in all, it
	// keeps a quarter of it: 1/shortMargin.
	margin      = 2 * time.Second
	shortMargin = 4 // a quarter
	// shares is how many attempts must fit into the remaining time.
	shares   = 3
	shortest = 100 * time.Millisecond
)

// Answering returns a handler whose context ends before its invocation does. Whatever the handler waits for then fails
// while there is time to answer. Otherwise Lambda kills the function, the caller gets a 503, and no log line says why.
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

// Attempt returns how long one attempt at a call may take: at most longest, and at most a third of the remaining time,
// so that a dead connection leaves time for another attempt.
func Attempt(ctx context.Context, longest time.Duration) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return longest
	}
	return min(longest, max(time.Until(end)/shares, shortest))
}

// HasMore reports whether more of an invocation's time is left than a reserve. An invocation without a deadline always
// has more.
func HasMore(ctx context.Context, reserve time.Duration) bool {
	end, limited := ctx.Deadline()
	return !limited || time.Until(end) > reserve
}

// rest is how long a connection may have rested between two invocations to be used once more. The other end closes
// connections that are idle for longer, which a frozen process does not notice.
const rest = 2 * time.Second

// Fresh returns a handler that closes the client's idle connections before an invocation that comes two seconds or more
// after the one before. It is for clients whose requests must not be repeated: if a request is sent on a connection
// that died while the process was frozen, nobody can tell whether it arrived. Within that time the connections are used
// again, because a handshake takes longer than most requests.
func Fresh[I, O any](
	client interface{ CloseIdleConnections() }, handle func(context.Context, I) (O, error),
) func(context.Context, I) (O, error) {
	return FreshAfter(rest, client, handle)
}

// FreshAfter is Fresh with another time.
func FreshAfter[I, O any](
	rest time.Duration, client interface{ CloseIdleConnections() }, handle func(context.Context, I) (O, error),
) func(context.Context, I) (O, error) {
	var ended atomic.Int64 // in milliseconds by the wall clock, because the other clock may stop in a frozen process
	return func(ctx context.Context, in I) (O, error) {
		if time.Now().UnixMilli()-ended.Load() >= rest.Milliseconds() {
			client.CloseIdleConnections()
		}
		defer func() { ended.Store(time.Now().UnixMilli()) }()
		return handle(ctx, in)
	}
}
