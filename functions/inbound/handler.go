package main

import (
	"context"
	"log/slog"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
)

// NewHandler wires the consumer of logged messages, and the domains that react to them, in order.
func NewHandler(store *messaging.Store, logger *slog.Logger) *stream.Worker {
	reactions := []messaging.Reaction{store.OptOut()}
	return &stream.Worker{
		Log: logger, Permanent: messaging.Permanent, Park: messaging.ParkEvent(store),
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
