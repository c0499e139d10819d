package main

import (
	"context"
	"log/slog"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
)

// NewHandler wires the consumer of logged messages, and the domains that react to them, in order.
func NewHandler(store *messaging.Store, logger *slog.Logger) *messaging.LogWorker {
	return store.InboundWorker(logger, store.OptOut(), logReceived(logger))
}

// logReceived writes a line for each message that came in, so that it is found in the log by its id.
func logReceived(logger *slog.Logger) messaging.Reaction {
	return messaging.Reaction{Name: "log", React: func(ctx context.Context, r messaging.Received) error {
		id, _ := keys.MessageIDOf(r.Message.PK)
		logger.InfoContext(ctx, "received", "message", id, "event", r.Message.EventID)
		return nil
	}}
}
