package main

import (
	"context"
	"encoding/json"

	"github.com/aws/aws-lambda-go/events"
)

// handler processes an event of Lambda.
type handler = func(ctx context.Context, event json.RawMessage) (events.DynamoDBEventResponse, error)

// withSchedules returns a handler that does for the event of a schedule what the schedule is for, by its detail type,
// and runs next for any other event.
func withSchedules(schedules map[string]func(ctx context.Context) error, next handler) handler {
	return func(ctx context.Context, event json.RawMessage) (events.DynamoDBEventResponse, error) {
		var shape struct {
			DetailType string `json:"detail-type"`
		}
		if json.Unmarshal(event, &shape) == nil && schedules[shape.DetailType] != nil {
			return events.DynamoDBEventResponse{}, schedules[shape.DetailType](ctx)
		}
		return next(ctx, event)
	}
}
