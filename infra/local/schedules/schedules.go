// Package schedules does what EventBridge Scheduler does: it starts a function at a rate, with a fixed input. It never
// runs the same schedule twice at once.
package schedules

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Schedule is one schedule of a function.
type Schedule struct {
	Name       string
	Expression string // rate(1 minute); see [New]
	Input      string
	Function   string
}

// ErrUnknown means that there is no schedule of the name.
var ErrUnknown = errors.New("no such schedule")

// Clock runs schedules.
type Clock struct {
	schedules []*timed
	invoke    func(ctx context.Context, function string, event []byte) ([]byte, error)
	log       *slog.Logger
}

type timed struct {
	Schedule
	interval time.Duration
	running  sync.Mutex
}

// New returns a clock for the schedules. An expression is a rate in minutes, hours or days; New refuses any other.
func New(
	list []Schedule, invoke func(ctx context.Context, function string, event []byte) ([]byte, error), log *slog.Logger,
) (*Clock, error) {
	c := &Clock{invoke: invoke, log: log}
	for _, schedule := range list {
		interval, err := parse(schedule.Expression)
		if err != nil {
			return nil, fmt.Errorf("schedule %s: %w", schedule.Name, err)
		}
		c.schedules = append(c.schedules, &timed{Schedule: schedule, interval: interval})
	}
	return c, nil
}

// Run starts functions at their times until the context ends, and returns when those it started have ended.
func (c *Clock) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, schedule := range c.schedules {
		running.Go(func() { c.follow(ctx, schedule) })
	}
	running.Wait()
}

func (c *Clock) follow(ctx context.Context, schedule *timed) {
	for {
		timer := time.NewTimer(schedule.interval)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		if _, err := c.start(ctx, schedule); err != nil && ctx.Err() == nil {
			c.log.Error("schedule failed", "schedule", schedule.Name, "function", schedule.Function, "error", err)
		}
	}
}

// Trigger starts a schedule's function now, waits for a run that is under way, and returns the function's response, or
// ErrUnknown.
func (c *Clock) Trigger(ctx context.Context, name string) ([]byte, error) {
	for _, schedule := range c.schedules {
		if schedule.Name == name {
			return c.start(ctx, schedule)
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrUnknown, name)
}

func (c *Clock) start(ctx context.Context, schedule *timed) ([]byte, error) {
	schedule.running.Lock()
	defer schedule.running.Unlock()
	return c.invoke(ctx, schedule.Function, []byte(schedule.Input))
}
