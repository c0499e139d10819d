package main

import (
	"context"
	"log/slog"

	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/delivery"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/webhooklog"
)

// NewHandler wires the consumer of all log entries that are no messages, and what reacts to delivery statuses.
func NewHandler(store *messaging.Domain, logger *slog.Logger) *webhooklog.Worker {
	relay := &outbox.Relay{
		Outbox: outbox.Outbox{DB: store.DB, Now: store.Now}, Handlers: store.Handlers(nil), Owner: "status",
		Log: logger,
	}
	return store.Worker(webhooklog.Status, logger, store.Readers(store.SettleByStatus(relay), logStatus(logger))...)
}

// logStatus logs each status with the correlation id of its message.
func logStatus(logger *slog.Logger) delivery.OnDelivery {
	return delivery.OnDelivery{Name: "log", React: func(ctx context.Context, d delivery.Delivery) error {
		logger.InfoContext(ctx, "status", "status", d.Status, "event", d.EventID)
		return nil
	}}
}
