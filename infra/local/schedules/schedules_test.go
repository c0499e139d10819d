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

func TestARateIsAnInterval(t *testing.T) {
	for expression, want := range map[string]time.Duration{
		"rate(1 minute)": time.Minute, "rate(15 minutes)": 15 * time.Minute, "rate(2 hours)": 2 * time.Hour,
		"rate(1 day)": 24 * time.Hour,
	} {
		if got, err := parse(expression); err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", expression, got, err, want)
		}
	}
}

func TestOtherExpressionsAreRefused(t *testing.T) {
	for _, expression := range []string{
		"", "rate", "rate()", "rate(1)", "rate(1 minute", "rate(0 minutes)", "rate(-1 minutes)", "rate(1 fortnight)",
		"rate(1.5 hours)", "cron(0 9 * * ? *)", "at(2026-11-20T00:00:00)", "1 minute",
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
	c.schedules[0].interval = time.Millisecond
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
