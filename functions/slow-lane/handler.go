package main

import (
	"crypto/rand"
	"log/slog"
	"maps"

	"github.com/haatline/haatline/shared/commerce/invoicepaper"
	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/paper"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/media/fetching"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
)

// newHandler returns the function's handler: a relay of the slow lane.
func newHandler(rooms *messaging.Domain, meta source, bucket fetching.Bucket, texts texting.Client,
	logger *slog.Logger) dispatch.Handler {
	handlers := fetching.New(rooms.Files, meta, bucket).Handlers()
	makers := registry.Khata(rooms).PaperMakers(paper.PDF)
	maps.Copy(makers, registry.Commerce(rooms).PaperMakers(invoicepaper.Of))
	maps.Copy(handlers, rooms.SlowHandlers(
		messaging.SlowClients{Templates: meta, Texts: texts, Bucket: bucket, Papers: makers}))
	talks := registry.Conversations(rooms)
	maps.Copy(handlers, answering.New(conversations.Name, talks.Talks, talks.Replies).Handlers())
	return dispatch.Handler{Relay: &outbox.Relay{
		Outbox: *rooms.Outbox(), Lane: keys.LaneSlow, Handlers: dispatch.Traced(handlers), Owner: rand.Text(),
		Log: logger, Sleep: dynamo.Sleep,
	}}
}
