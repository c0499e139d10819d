package main

import (
	"log/slog"

	"github.com/haatline/haatline/shared/messaging"
)

// NewHandler wires the consumer of logged messages, and the domains that react to them, in order.
func NewHandler(store *messaging.Store, logger *slog.Logger) *messaging.LogWorker {
	return store.InboundWorker(logger, store.OptOut())
}
