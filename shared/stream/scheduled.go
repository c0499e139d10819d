package stream

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-lambda-go/events"
)

// WithSchedules returns a handler that does for the event of a schedule what the schedule is for, by its detail type,
// and runs next for any other event.
func WithSchedules[Out any](schedules map[string]func(ctx context.Context) error,
	next func(ctx context.Context, raw json.RawMessage) (Out, error),
) func(ctx context.Context, raw json.RawMessage) (Out, error) {
	return func(ctx context.Context, raw json.RawMessage) (out Out, err error) {
		var event struct {
			DetailType string `json:"detail-type"`
		}
		if json.Unmarshal(raw, &event) == nil && schedules[event.DetailType] != nil {
			return out, schedules[event.DetailType](ctx)
		}
		return next(ctx, raw)
	}
}

// Scheduled returns a handler for a function with two triggers: a stream that delivers batches of records, and a
// schedule that starts a sweep. It tells the two apart by the event's shape.
func Scheduled(
	handle func(context.Context, events.DynamoDBEvent) (events.DynamoDBEventResponse, error),
	sweep func(context.Context) error,
) func(context.Context, json.RawMessage) (events.DynamoDBEventResponse, error) {
	return func(ctx context.Context, raw json.RawMessage) (events.DynamoDBEventResponse, error) {
		var shape struct{ Records json.RawMessage }
		if err := json.Unmarshal(raw, &shape); err != nil {
			return events.DynamoDBEventResponse{}, fmt.Errorf("event: %w", err)
		}
		if shape.Records == nil {
			return events.DynamoDBEventResponse{}, sweep(ctx)
		}
		var batch events.DynamoDBEvent
		if err := json.Unmarshal(raw, &batch); err != nil {
			return events.DynamoDBEventResponse{}, fmt.Errorf("stream event: %w", err)
		}
		return handle(ctx, batch)
	}
}
