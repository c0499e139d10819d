package main

import (
	"context"
	"log/slog"

	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/outbox"
)

// NewHandler wires the consumer of everything in the log that is no message, and what reacts to a delivery status.
func NewHandler(store *messaging.Store, logger *slog.Logger) *messaging.LogWorker {
	relay := &outbox.Relay{
		Store: outbox.Store{DB: store.DB, Now: store.Now}, Handlers: store.Handlers(nil), Owner: "status", Log: logger,
	}
	return store.Worker(messaging.Status, logger, store.NumberReader(), store.UserIDReader(), store.StatusReader(messaging.SettleByStatus(relay), logStatus(logger)))
}

// logStatus writes a line for each status, in the flow of the message it is about.
func logStatus(logger *slog.Logger) messaging.OnDelivery {
	return messaging.OnDelivery{Name: "log", React: func(ctx context.Context, d messaging.Delivery) error {
		logger.InfoContext(ctx, "status", "status", d.Status, "event", d.EventID)
		return nil
	}}
}
