package main

import (
	"context"
	"encoding/json"

	"github.com/aws/aws-lambda-go/events"
)

// handler processes an event of Lambda.
type handler = func(ctx context.Context, event json.RawMessage) (events.DynamoDBEventResponse, error)

// withDaily returns a handler that runs daily for the event of the daily schedule, and next for any other.
func withDaily(daily func(ctx context.Context) error, next handler) handler {
	return func(ctx context.Context, event json.RawMessage) (events.DynamoDBEventResponse, error) {
		var shape struct {
			DetailType string `json:"detail-type"`
		}
		if json.Unmarshal(event, &shape) == nil && shape.DetailType == "templates-sync" {
			return events.DynamoDBEventResponse{}, daily(ctx)
		}
		return next(ctx, event)
	}
}
