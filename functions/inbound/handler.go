package main

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Start is what the function runs: on the stream the worker, on the schedule the sweep of what the stream has left.
func Start(store *messaging.Store, logger *slog.Logger) func(context.Context, json.RawMessage) (events.DynamoDBEventResponse, error) {
	worker := NewHandler(store, logger)
	sweep := messaging.LogSweep{
		Store: store, Consumer: messaging.Inbound, Work: worker.Work,
		Takes: func(kind string) bool { return kind == whatsapp.KindMessage },
	}
	return stream.Scheduled(worker.Handle, sweep.Run)
}

// NewHandler wires the consumer of logged messages, and the domains that react to them, in order.
func NewHandler(store *messaging.Store, logger *slog.Logger) *stream.Worker {
	reactions := []messaging.Reaction{store.OptOut()}
	return &stream.Worker{
		Log: logger, Permanent: messaging.Permanent, Park: messaging.ParkEvent(store), SetAside: store.SetAside(messaging.Inbound),
		Open: func(ctx context.Context, images []dynamo.Item) []stream.Job {
			return jobs(ctx, store, reactions, logger, images)
		},
	}
}

// jobs takes the entries of a batch apart together: what their customers are found by is read once for all of them.
func jobs(ctx context.Context, store *messaging.Store, reactions []messaging.Reaction, logger *slog.Logger, images []dynamo.Item) []stream.Job {
	jobs := make([]stream.Job, len(images))
	var logged []model.WebhookEvent
	var at []int // where in the batch each of logged stands
	for i, image := range images {
		var event model.WebhookEvent
		if err := dynamo.Unmarshal(image, &event); err != nil {
			jobs[i].Do = func(context.Context) error { return err }
			continue
		}
		logged, at = append(logged, event), append(at, i)
	}
	for n, incoming := range store.Open(ctx, logged) {
		jobs[at[n]] = stream.Job{Order: incoming.Order(), Do: func(ctx context.Context) error {
			if err := incoming.Receive(ctx, reactions); err != nil {
				return err
			}
			logger.InfoContext(ctx, "received")
			return store.MarkProcessed(ctx, logged[n].EventID)
		}}
	}
	return jobs
}
