package main

import (
	"crypto/rand"
	"log/slog"
	"maps"

	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/media/fetching"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
)

// newHandler returns the function's handler: a relay of the slow lane.
func newHandler(store *messaging.Domain, meta *source, bucket fetching.Bucket, texts khata.Texts, logger *slog.Logger) dispatch.Handler {
	handlers := fetching.New(store.Files, meta, bucket).Handlers()
	maps.Copy(handlers, store.SyncHandlers(meta))
	maps.Copy(handlers, registry.Khata(store).SMSHandlers(texts))
	return dispatch.Handler{Relay: &outbox.Relay{
		Store: *store.Outbox(), Lane: keys.LaneSlow, Handlers: dispatch.Traced(handlers), Owner: rand.Text(), Log: logger, Sleep: dynamo.Sleep,
	}}
}
