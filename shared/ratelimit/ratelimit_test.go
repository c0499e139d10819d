package ratelimit_test

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/tables"
)

func caller(name string) model.Name { return model.Name(name) }

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Whatever a caller does when, no window lets more through than its limit, and what is refused was over one.
func TestNoWindowLetsMoreThroughThanItsLimit(t *testing.T) {
	db := dynamotest.Start(t, tables.RateLimits)
	limit := ratelimit.Limit{Kind: "api_calls", PerMinute: 3, PerHour: 7, PerDay: 12}
	history := 0
	rapid.Check(t, func(t *rapid.T) {
		history++
		now := noon
		who := dynamotest.IDs("caller-" + time.Duration(history).String() + "-%d")()
		var taken []time.Time
		within := func(window time.Duration) (n int64) {
			for _, at := range taken {
				if !at.Before(now.Truncate(window)) {
					n++
				}
			}
			return n
		}
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			now = now.Add(
				rapid.SampledFrom([]time.Duration{
					0, time.Second, 20 * time.Second, time.Minute, 11 * time.Minute, 5 * time.Hour}).Draw(t, "later"))
			over := within(time.Minute) >= limit.PerMinute || within(time.Hour) >= limit.PerHour ||
				within(24*time.Hour) >= limit.PerDay
			l := &ratelimit.Limiter{DB: db.Client, Now: func() time.Time { return now }}
			d, allowed := take(t, l, limit, who, rapid.Bool().Draw(t, "prepared"))
			if allowed == over || !allowed && !d.ResetsAt.After(now) {
				t.Fatalf("allowed %v at %s after %v: %+v", allowed, now, taken, d)
			}
			if allowed {
				taken = append(taken, now)
			}
		}
	})
}

// take counts one more, in one of the two ways.
func take(t *rapid.T, l *ratelimit.Limiter, limit ratelimit.Limit, who string,
	prepared bool) (ratelimit.Decision, bool) {
	ctx := t.Context()
	if !prepared {
		d, err := l.Take(ctx, limit, caller(who))
		if err != nil {
			t.Fatal(err)
		}
		return d, d.Allowed
	}
	found, err := l.DB.BatchGet(ctx, ratelimit.Refs(limit, caller(who)))
	if err != nil {
		t.Fatal(err)
	}
	d, writes, err := l.Prepare(limit, caller(who), found)
	if err == nil && d.Allowed {
		err = l.DB.Transact(ctx, writes)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d, d.Allowed
}

func TestAFullWindowCostsNothingMore(t *testing.T) {
	db := dynamotest.Start(t, tables.RateLimits)
	now := noon
	l := &ratelimit.Limiter{DB: db.Client, Now: func() time.Time { return now }}
	limit := ratelimit.Limit{Kind: "api_calls", PerMinute: 2}
	for i := range 3 {
		if d, err := l.Take(t.Context(), limit, "asha"); err != nil || d.Allowed != (i < 2) || d.Limit != 2 ||
			d.Remaining != int64(max(0, 1-i)) {
			t.Fatalf("%d: %+v, %v", i, d, err)
		}
	}
	l.DB = nil // a process that has seen the window full does not ask again
	if d, err := l.Take(t.Context(), limit, "asha"); err != nil || d.Allowed || d.ResetsAt != noon.Add(time.Minute) {
		t.Errorf("%+v, %v", d, err)
	}
	l.DB, now = db.Client, noon.Add(time.Minute)
	if d, err := l.Take(t.Context(), limit, "asha"); err != nil || !d.Allowed {
		t.Errorf("%+v, %v", d, err)
	}
	if rows, err := l.OfKind(t.Context(), "api_calls", 10, ""); err != nil || len(rows) != 1 || rows[0].Count != 1 ||
		rows[0].Window != ratelimit.Minute {
		t.Errorf("%+v, %v", rows, err)
	}
}

// Callers at once are counted each, and one too many is refused.
func TestCallersAtOnceShareALimit(t *testing.T) {
	db := dynamotest.Start(t, tables.RateLimits)
	limit := ratelimit.Limit{Kind: "api_calls", PerMinute: 1, PerHour: 5}
	dynamotest.Schedules(t, 60, func(s *dynamotest.Schedule) {
		who := "caller-" + s.String() + "-" + time.Now().Format(time.RFC3339Nano)
		allowed := make([]bool, 2)
		var operations []dynamotest.Operation
		for i := range allowed {
			operations = append(operations, func(ctx context.Context, client *dynamo.Client) error {
				l := &ratelimit.Limiter{DB: client, Now: func() time.Time { return noon }}
				d, err := l.Take(ctx, limit, caller(who))
				allowed[i] = d.Allowed
				return err
			})
		}
		if err := dynamotest.Fails(s.Run(t, db, operations...)); err != nil || allowed[0] == allowed[1] {
			t.Errorf("%s: allowed %v, %v", s, allowed, err)
		}
	})
}
