package main

import (
	"log/slog"
	"maps"

	"github.com/haatline/haatline/shared/commerce/invoicepaper"
	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/calling"
	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/paper"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/arrivals/collecting"
	"github.com/haatline/haatline/shared/messaging/arrivals/taking"
	"github.com/haatline/haatline/shared/messaging/mailing/posting"
	"github.com/haatline/haatline/shared/messaging/media/fetching"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/webhooklog"
)

// newHandler returns the function's handler: a relay of the slow lane. It gets the records of the lane of models as
// well, because the outbox's stream has no room for a third reader, and wakes the function models for them.
func newHandler(rooms *messaging.Domain, by clients, logger *slog.Logger) dispatch.Handler {
	handlers := fetching.New(rooms.Files, by.all, by.bucket).Handlers()
	makers := registry.Khata(rooms).PaperMakers(paper.PDF)
	maps.Copy(makers, registry.Commerce(rooms).PaperMakers(invoicepaper.Of))
	maps.Copy(handlers, rooms.SlowHandlers(
		messaging.SlowClients{
			Templates: by.all, Texts: by.texts, Bucket: by.bucket, Papers: makers, Payments: by.meta,
			Gateways: by.meta, Webhooks: by.meta, Secrets: by.secrets, Writing: by.all,
			Library: by.all,
			Numbers: by.meta, Analytics: by.meta, Catalogs: by.meta, Groups: by.meta, Flows: by.meta,
			Shelf: registry.Commerce(rooms), Endpoints: by.endpoints, Bus: by.bus,
			Browsers: by.browsers}))
	rooms.NumberSettings.Vault, rooms.EventSubscriptions.Vault, rooms.Pushes.Vault = by.vault, by.vault, by.vault
	maps.Copy(handlers, rooms.Tenants.Holding(posting.Handlers(rooms.Mailing, by.emails)))
	talks := registry.Conversations(rooms)
	talks.Companies.Vault = by.vault
	answers := answering.New(conversations.Name, talks.Talks, talks.Replies, registry.Lookups(rooms),
		talks.Outbox)
	calls := &calling.Calling{
		Domain: conversations.Name, Talks: talks.Talks, Companies: talks.Companies, Outbox: talks.Outbox,
		Desk: talks.Replies, Runner: by.functions, Hosts: by.hosts}
	answers.Calls = calls
	maps.Copy(handlers, calls.Handlers())
	maps.Copy(handlers, answers.Handlers())
	maps.Copy(handlers, talks.SlowHandlers())
	maps.Copy(handlers, registry.Community(rooms).SlowHandlers(by.bucket))
	return dispatch.Handler{Relay: &outbox.Relay{
		Outbox: *rooms.Outbox(), Lane: keys.LaneSlow, Handlers: dispatch.Traced(handlers),
		Neighbour: &outbox.Neighbour{Lane: keys.LaneModel, Wake: by.wakes}, Log: logger, Sleep: dynamo.Sleep,
	}}
}

// collectingOf returns what takes emails that come in, which lie in a bucket.
func collectingOf(rooms *messaging.Domain, bucket collecting.Bucket) *collecting.Collecting {
	return &collecting.Collecting{
		Arrivals: rooms.Arrivals, Mailboxes: registry.Conversations(rooms).Companies, Bucket: bucket,
		Log: webhooklog.Appender{DB: rooms.DB, Now: rooms.Now, Sources: &webhooklog.Sources{}},
	}
}

// takingOf returns what takes texts that come in.
func takingOf(rooms *messaging.Domain) *taking.Taking {
	return &taking.Taking{
		Arrivals: rooms.Arrivals, Contacts: rooms.Contacts, Lines: registry.Conversations(rooms).Companies,
		Log: webhooklog.Appender{DB: rooms.DB, Now: rooms.Now, Sources: &webhooklog.Sources{}},
	}
}
