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
func NewHandler(rooms *messaging.Domain, logger *slog.Logger) *webhooklog.Worker {
	relay := &outbox.Relay{
		Outbox: outbox.Outbox{DB: rooms.DB, Now: rooms.Now}, Handlers: rooms.Handlers(nil), Log: logger,
	}
	return rooms.Worker(webhooklog.Status, logger, rooms.Readers(rooms.SettleByStatus(relay), logStatus(logger))...)
}

// logStatus logs each status with the correlation id of its message.
func logStatus(logger *slog.Logger) delivery.OnDelivery {
	return delivery.OnDelivery{Name: "log", React: func(ctx context.Context, d delivery.Delivery) error {
		logger.InfoContext(ctx, "status", "status", d.Status, "event", d.EventID)
		return nil
	}}
}
