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
		Open: func(_ context.Context, images []dynamo.Item) []stream.Job {
			jobs := make([]stream.Job, len(images))
			for i, image := range images {
				jobs[i] = stream.Job{Order: []string{"all"}, Do: func(ctx context.Context) error {
					var event model.WebhookEvent
					if err := dynamo.Unmarshal(image, &event); err != nil {
						return err
					}
					if err := store.Receive(ctx, event, reactions); err != nil {
						return err
					}
					logger.InfoContext(ctx, "received")
					return store.MarkProcessed(ctx, event.EventID)
				}}
			}
			return jobs
		},
	}
}
