package invocation_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/haatline/haatline/shared/invocation"
)

func TestASlowHandlerStillHasTimeToAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct{ has, leaves time.Duration }{
			"the webhook's 15 s": {15 * time.Second, 2 * time.Second},
			"a short one":        {400 * time.Millisecond, 100 * time.Millisecond},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), c.has)
			handle := invocation.Answering(func(early context.Context, _ string) (time.Duration, error) {
				end, _ := ctx.Deadline()
				sooner, _ := early.Deadline()
				return end.Sub(sooner), nil
			})
			if left, _ := handle(ctx, ""); left > c.leaves || left < c.leaves*9/10 {
				t.Errorf("%s: %s are left", name, left)
			}
			cancel()
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		waits := invocation.Answering(func(ctx context.Context, _ string) (string, error) {
			<-ctx.Done()
			return "sorry", nil
		})
		if answer, err := waits(ctx, ""); answer != "sorry" || err != nil || ctx.Err() != nil {
			t.Errorf("%q, %v, and the invocation is over: %v", answer, err, ctx.Err())
		}
		endless := invocation.Answering(func(ctx context.Context, _ string) (bool, error) {
			_, ends := ctx.Deadline()
			return ends, nil
		})
		if ends, _ := endless(t.Context(), ""); ends {
			t.Error("where nothing ends, nothing ends early")
		}
	})
}

func TestAnAttemptLeavesTimeForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct{ left, longest, want time.Duration }{
			"plenty":         {time.Minute, 5 * time.Second, 5 * time.Second},
			"the webhook's":  {12 * time.Second, 5 * time.Second, 4 * time.Second},
			"next to none":   {10 * time.Millisecond, 5 * time.Second, 100 * time.Millisecond},
			"a shorter call": {3 * time.Second, 200 * time.Millisecond, 200 * time.Millisecond},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), c.left)
			if got := invocation.Attempt(ctx, c.longest); got > c.want || got < c.want*9/10 {
				t.Errorf("%s: %s, want %s", name, got, c.want)
			}
			cancel()
		}
		if got := invocation.Attempt(t.Context(), time.Second); got != time.Second {
			t.Errorf("without an end: %s", got)
		}
	})
}

type closer int

func (c *closer) CloseIdleConnections() { *c++ }

func TestAnInvocationAfterARestStartsWithoutIdleConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var closed closer
		failed := errors.New("failed")
		const rest = 2 * time.Second
		handle := invocation.Fresh(&closed, func(_ context.Context, took time.Duration) (int, error) {
			time.Sleep(took)
			return int(closed), failed
		})
		for i, c := range []struct {
			rested, takes time.Duration
			closed        int
		}{
			{0, 0, 1}, // the first one
			{rest - time.Millisecond, 3 * rest, 1},
			{0, 0, 1}, // right after a long one
			{rest, 0, 2},
			{time.Hour, 0, 3},
		} {
			time.Sleep(c.rested)
			if got, err := handle(t.Context(), c.takes); got != c.closed || !errors.Is(err, failed) {
				t.Errorf("invocation %d: closed %d times, want %d; %v", i, got, c.closed, err)
			}
		}
	})
}
