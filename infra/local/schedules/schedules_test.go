package schedules

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"
)

func TestTheNextTimes(t *testing.T) {
	after := time.Date(2026, 11, 20, 9, 30, 15, 0, time.UTC) // a Friday
	for expression, want := range map[string]string{
		"rate(1 minute)":                "2026-11-20T09:31:15Z",
		"rate(2 hours)":                 "2026-11-20T11:30:15Z",
		"rate(1 day)":                   "2026-11-21T09:30:15Z",
		"cron(0/15 * * * ? *)":          "2026-11-20T09:45:00Z",
		"cron(0 9 * * ? *)":             "2026-11-21T09:00:00Z",
		"cron(0 9 ? * MON-FRI *)":       "2026-11-23T09:00:00Z",
		"cron(0 9 ? * 2-6 *)":           "2026-11-23T09:00:00Z",
		"cron(0 9 ? * 1 *)":             "2026-11-22T09:00:00Z",
		"cron(0 9 ? * 1,7 *)":           "2026-11-21T09:00:00Z",
		"cron(0 9 ? * SUN *)":           "2026-11-22T09:00:00Z",
		"cron(0 9 1 * ? *)":             "2026-12-01T09:00:00Z",
		"cron(0 9 L * ? *)":             "2026-11-30T09:00:00Z",
		"cron(0 9 1 1 ? 2028)":          "2028-01-01T09:00:00Z",
		"cron(30 18 ? * 6#4 *)":         "2026-11-27T18:30:00Z", // the fourth Friday
		"cron(45 9 20 NOV ? 2026)":      "2026-11-20T09:45:00Z",
		"cron(0 0 29 2 ? *)":            "2028-02-29T00:00:00Z",
		"cron(10,40 8-10 ? * FRI *)":    "2026-11-20T09:40:00Z",
		"cron(0 22 ? JAN-MAR WED *)":    "2027-01-06T22:00:00Z",
		"cron(59 23 31 12 ? 2026-2027)": "2026-12-31T23:59:00Z",
	} {
		next, err := parse(expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		got, err := next(after)
		if err != nil || got.UTC().Format(time.RFC3339) != want {
			t.Errorf("%s after %s: %s %v, want %s", expression, after.Format(time.RFC3339), got.UTC().Format(time.RFC3339), err, want)
		}
	}
}

func TestExpressionsThatAreNone(t *testing.T) {
	for _, expression := range []string{
		"", "rate", "rate()", "rate(1)", "rate(0 minutes)", "rate(-1 minutes)", "rate(1 fortnight)", "rate(1.5 hours)",
		"cron(* * * * *)", "cron(0 9 * * * *)", "cron(61 9 * * ? *)", "cron(x 9 * * ? *)", "at(2026-11-20T00:00:00)", "1 minute",
	} {
		if _, err := parse(expression); err == nil {
			t.Errorf("%q is accepted", expression)
		}
	}
}

func newClock(t *testing.T, invoke func(ctx context.Context, function string, event []byte) ([]byte, error)) *Clock {
	t.Helper()
	c, err := New([]Schedule{{Name: "sweep", Expression: "rate(1 day)", Input: `{"a":1}`, Function: "outbox"}}, invoke,
		slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestATriggeredScheduleGivesItsInputAndReturnsTheAnswer(t *testing.T) {
	c := newClock(t, func(_ context.Context, function string, event []byte) ([]byte, error) {
		return append([]byte(function+" "), event...), nil
	})
	if answer, err := c.Trigger(t.Context(), "sweep"); err != nil || string(answer) != `outbox {"a":1}` {
		t.Errorf("%s %v", answer, err)
	}
	if _, err := c.Trigger(t.Context(), "other"); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown schedule: %v", err)
	}
}

func TestAScheduleNeverRunsTwiceAtOnce(t *testing.T) {
	var running, most, runs atomic.Int32
	c := newClock(t, func(context.Context, string, []byte) ([]byte, error) {
		if now := running.Add(1); now > most.Load() {
			most.Store(now)
		}
		time.Sleep(time.Millisecond) // long enough for another one to come
		running.Add(-1)
		runs.Add(1)
		return nil, nil
	})
	done := make(chan error)
	for range 20 {
		go func() {
			_, err := c.Trigger(context.Background(), "sweep")
			done <- err
		}()
	}
	for range 20 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if most.Load() != 1 || runs.Load() != 20 {
		t.Errorf("%d at once, %d runs", most.Load(), runs.Load())
	}
}

func TestAScheduleRunsAtItsTimesUntilTheEnd(t *testing.T) {
	ran := make(chan bool)
	c := newClock(t, func(context.Context, string, []byte) ([]byte, error) {
		ran <- true
		return nil, errors.New("a failure does not end the schedule")
	})
	c.schedules[0].next = func(after time.Time) (time.Time, error) { return after.Add(time.Millisecond), nil }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { c.Run(ctx); close(ended) }()
	for range 3 {
		<-ran
	}
	cancel()
	for {
		select {
		case <-ran:
		case <-ended:
			return
		}
	}
}
