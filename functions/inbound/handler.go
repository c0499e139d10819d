package main

import (
	"context"
	"log/slog"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/webhooklog"
)

// NewHandler wires the consumer of logged messages and the domains that react to them, in order.
func NewHandler(store *messaging.Domain, logger *slog.Logger) *webhooklog.Worker {
	return store.Worker(webhooklog.Inbound, logger, store.MessageReader(store.OptOut(), noteReceived()))
}

// noteReceived notes each received message's id for the log line of its webhook entry.
func noteReceived() inbox.Reaction {
	return inbox.Reaction{Name: "log", React: func(ctx context.Context, r inbox.Received) error {
		id, _ := keys.MessageIDOf(r.Message.PK)
		telemetry.Note(ctx, string(id))
		return nil
	}}
}
