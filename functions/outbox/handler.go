package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-lambda-go/events"
	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/stream"
)

// width is how many entities of a batch are served at once.
const width = 10

// Handler starts the relay: on the stream with the events just committed, on the schedule with a sweep.
type Handler struct{ Relay *outbox.Relay }

// Handle tells the two apart by their shape.
func (h Handler) Handle(ctx context.Context, raw json.RawMessage) (events.DynamoDBEventResponse, error) {
	var shape struct {
		Records    json.RawMessage
		DetailType string `json:"detail-type"`
	}
	if err := json.Unmarshal(raw, &shape); err != nil {
		return events.DynamoDBEventResponse{}, fmt.Errorf("event: %w", err)
	}
	if shape.Records == nil {
		return events.DynamoDBEventResponse{}, h.Relay.Sweep(ctx)
	}
	var batch events.DynamoDBEvent
	if err := json.Unmarshal(raw, &batch); err != nil {
		return events.DynamoDBEventResponse{}, fmt.Errorf("stream event: %w", err)
	}
	return h.deliver(ctx, batch), nil
}

// deliver sends a batch: entities side by side, each entity's events in order. A record whose delivery failed for a reason
// of ours is reported, and the stream stops there; the sweep would find it, too.
func (h Handler) deliver(ctx context.Context, batch events.DynamoDBEvent) events.DynamoDBEventResponse {
	type entry struct {
		event    model.OutboxEvent
		sequence string
	}
	var order []string
	byEntity := map[string][]entry{}
	response := events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}
	for _, record := range batch.Records {
		var e entry
		if len(record.Change.NewImage) == 0 || dynamo.Unmarshal(stream.Item(record.Change.NewImage), &e.event) != nil {
			h.Relay.Log.ErrorContext(ctx, "not an outbox event", "sequence", record.Change.SequenceNumber)
			continue
		}
		e.sequence = record.Change.SequenceNumber
		entity := outbox.EntityOf(e.event)
		if byEntity[entity] == nil {
			order = append(order, entity)
		}
		byEntity[entity] = append(byEntity[entity], e)
	}
	failed := make([]string, len(order))
	invocation := h.Relay.Invocation()
	var group errgroup.Group
	group.SetLimit(width)
	for i, entity := range order {
		group.Go(func() error {
			for _, e := range byEntity[entity] {
				if err := invocation.Deliver(ctx, e.event); err != nil {
					h.Relay.Log.ErrorContext(ctx, "delivery failed", "event", e.event.EventID, "error", err)
					failed[i] = e.sequence
					return nil
				}
			}
			return nil
		})
	}
	_ = group.Wait() // failures are in failed
	for _, sequence := range failed {
		if sequence != "" {
			response.BatchItemFailures = append(response.BatchItemFailures, events.DynamoDBBatchItemFailure{ItemIdentifier: sequence})
		}
	}
	return response
}
