// Package dispatch runs a relay of the outbox as a function: for events that were just committed, from the stream, and
// for a sweep, from the schedule.
package dispatch

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/stream"
)

// width bounds how many entities of a batch are served at once.
const width = 10

// Handler runs a relay.
type Handler struct{ Relay *outbox.Relay }

// Handle distinguishes the two triggers by the event's shape.
func (h Handler) Handle(ctx context.Context, raw json.RawMessage) (events.DynamoDBEventResponse, error) {
	return stream.Scheduled(h.deliver, h.Relay.Sweep)(ctx, raw)
}

// record is an event of a batch and the sequence number of its stream record.
type record struct {
	event    model.OutboxEvent
	sequence string
}

// deliver sends a batch: entities concurrently, each entity's events in order. It reports a record whose delivery
// failed internally, and the stream stops there. The sweep would find the event, too.
func (h Handler) deliver(ctx context.Context, batch events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	groups := lanes.GroupByKey(h.own(ctx, h.records(ctx, batch)),
		func(r record) []string { return []string{outbox.EntityOf(r.event)} })
	failed := make([]string, len(groups))
	jobs := make([]func() error, len(groups))
	invocation := h.Relay.Invocation()
	for i, group := range groups {
		jobs[i] = func() error {
			for _, r := range group {
				if err := invocation.Deliver(ctx, r.event); err != nil {
					h.Relay.Log.ErrorContext(ctx, "delivery failed", "event", r.event.EventID, "error", err)
					failed[i] = r.sequence
					break
				}
			}
			return nil
		}
	}
	_ = lanes.Concurrently(width, jobs...) // failed has the failures
	response := events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}
	for _, sequence := range failed {
		if sequence != "" {
			response.BatchItemFailures = append(response.BatchItemFailures,
				events.DynamoDBBatchItemFailure{ItemIdentifier: sequence})
		}
	}
	return response, nil
}

// own wakes the relay's neighbour for the events of its lane, and returns the others. A wake that is lost costs some
// minutes: the sweep wakes the neighbour again.
func (h Handler) own(ctx context.Context, all []record) []record {
	beside := h.Relay.Neighbour
	if beside == nil {
		return all
	}
	return slices.DeleteFunc(all, func(r record) bool {
		if keys.LaneOf(r.event.EventID) != beside.Lane {
			return false
		}
		if err := beside.Wake(ctx, r.event.EventID); err != nil {
			h.Relay.Log.WarnContext(ctx, "another relay could not be woken", "event", r.event.EventID, "error", err)
		}
		return true
	})
}

// records returns the events of a batch that can be decoded.
func (h Handler) records(ctx context.Context, batch events.DynamoDBEvent) []record {
	var all []record
	for _, r := range batch.Records {
		one := record{sequence: r.Change.SequenceNumber}
		if len(r.Change.NewImage) == 0 || dynamo.Unmarshal(stream.Item(r.Change.NewImage), &one.event) != nil {
			h.Relay.Log.ErrorContext(ctx, "not an outbox event", "sequence", one.sequence)
			continue
		}
		all = append(all, one)
	}
	return all
}
