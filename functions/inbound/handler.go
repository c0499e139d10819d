package main

import (
	"context"
	"log/slog"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/telemetry"
)

// NewHandler wires the consumer of logged messages and the domains that react to them, in order.
func NewHandler(store *messaging.Store, logger *slog.Logger) *messaging.LogWorker {
	return store.Worker(messaging.Inbound, logger, store.MessageReader(store.OptOut(), noteReceived()))
}

// noteReceived notes each received message's id for the log line of its webhook entry.
func noteReceived() messaging.Reaction {
	return messaging.Reaction{Name: "log", React: func(ctx context.Context, r messaging.Received) error {
		id, _ := keys.MessageIDOf(r.Message.PK)
		telemetry.Note(ctx, string(id))
		return nil
	}}
}
