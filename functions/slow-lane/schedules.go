package main

import (
	"context"
	"encoding/json"
)

// withSchedules returns a handler that does for the event of a schedule what the schedule is for, by its detail type,
// and runs next for any other event.
func withSchedules(schedules map[string]func(ctx context.Context) error,
	next func(ctx context.Context, raw json.RawMessage) (any, error),
) func(ctx context.Context, raw json.RawMessage) (any, error) {
	return func(ctx context.Context, raw json.RawMessage) (any, error) {
		var event struct {
			DetailType string `json:"detail-type"`
		}
		if json.Unmarshal(raw, &event) == nil && schedules[event.DetailType] != nil {
			return nil, schedules[event.DetailType](ctx)
		}
		return next(ctx, raw)
	}
}
