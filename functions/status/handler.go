package main

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Start is what the function runs: on the stream the worker, on the schedule the sweep of what the stream has left.
func Start(store *messaging.Store, logger *slog.Logger) func(context.Context, json.RawMessage) (events.DynamoDBEventResponse, error) {
	worker := NewHandler(store, logger)
	sweep := messaging.LogSweep{
		Store: store, Consumer: messaging.Status, Work: worker.Work,
		Takes: func(kind string) bool { return kind != whatsapp.KindMessage },
	}
	return stream.Scheduled(worker.Handle, sweep.Run)
}

// NewHandler wires the consumer of everything in the log that is no message, and what reacts to a delivery status.
func NewHandler(store *messaging.Store, logger *slog.Logger) *stream.Worker {
	relay := &outbox.Relay{
		Store: outbox.Store{DB: store.DB, Now: store.Now}, Handlers: store.Handlers(nil), Owner: "status", Log: logger,
	}
	reactions := []messaging.OnDelivery{messaging.SettleByStatus(relay), told(logger)}
	return &stream.Worker{
		Log: logger, Permanent: messaging.Permanent, Park: messaging.ParkEvent(store), SetAside: store.SetAside(messaging.Status),
		Open: func(ctx context.Context, images []dynamo.Item) []stream.Job {
			return jobs(ctx, store, reactions, logger, images)
		},
	}
}

// jobs takes the entries of a batch apart, to see which of them change the same.
func jobs(ctx context.Context, store *messaging.Store, reactions []messaging.OnDelivery, logger *slog.Logger, images []dynamo.Item) []stream.Job {
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
	for n, report := range store.OpenReports(ctx, logged) {
		jobs[at[n]] = stream.Job{Order: report.Order(), Do: func(ctx context.Context) error {
			if err := report.Apply(ctx, reactions); err != nil {
				return err
			}
			logger.InfoContext(ctx, "processed", "kind", logged[n].EventType)
			return store.MarkProcessed(ctx, logged[n].EventID)
		}}
	}
	return jobs
}

// told writes a line for each status, in the flow of the message it is about.
func told(logger *slog.Logger) messaging.OnDelivery {
	return messaging.OnDelivery{Name: "log", React: func(ctx context.Context, d messaging.Delivery) error {
		logger.InfoContext(ctx, "status", "status", d.Status, "event", d.EventID)
		return nil
	}}
}
