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

func TestEveryInvocationStartsWithoutIdleConnections(t *testing.T) {
	var closed closer
	failed := errors.New("failed")
	handle := invocation.Fresh(&closed,
		func(_ context.Context, in int) (int, error) { return int(closed) - in, failed })
	for i := range 3 {
		if already, err := handle(t.Context(), i); already != 1 || !errors.Is(err, failed) {
			t.Errorf("invocation %d: %d, %v", i, already, err)
		}
	}
}
