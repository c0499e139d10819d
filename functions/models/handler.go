package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"

	shopasking "github.com/haatline/haatline/shared/commerce/asking"
	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/asking"
	"github.com/haatline/haatline/shared/conversations/calling"
	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/wake"
)

// newRelay returns the relay of the lane of models. An invocation serves one conversation, of a company or of a shop,
// so it may wait for it.
func newRelay(rooms *messaging.Domain, by world, logger *slog.Logger) *outbox.Relay {
	talks := registry.Conversations(rooms)
	talks.Companies.Vault = by.vault
	answers := answering.New(conversations.Name, talks.Talks, talks.Replies, registry.Lookups(rooms), talks.Outbox)
	calls := &calling.Calling{
		Domain: conversations.Name, Talks: talks.Talks, Companies: talks.Companies, Outbox: talks.Outbox,
		Desk: talks.Replies, Runner: by.functions, Hosts: by.hosts}
	answers.Calls = calls
	handlers := (&asking.Asking{
		DB: rooms.DB, Now: rooms.Now, Answers: answers, Functions: calls,
		Models: by.models, Clients: by.clients, DayLimit: by.dayLimit, Log: logger,
	}).Handlers()
	stores := registry.Commerce(rooms)
	maps.Copy(handlers, (&shopasking.Asking{
		DB: rooms.DB, Now: rooms.Now, Shop: stores.Assistant, Orders: stores.Orders,
		Models: by.models, Clients: by.clients, DayLimit: by.dayLimit, Log: logger,
	}).Handlers())
	return &outbox.Relay{
		Outbox: *rooms.Outbox(), Lane: keys.LaneModel, Handlers: dispatch.Traced(handlers), Patient: true,
		Log: logger, Sleep: dynamo.Sleep,
	}
}

// handler serves the event that the function is woken for.
type handler struct {
	relay *outbox.Relay
	log   *slog.Logger
}

// Handle serves one event. If it fails, the event waits for the next sweep of the lane, which wakes the function again.
func (h handler) Handle(ctx context.Context, raw json.RawMessage) (any, error) {
	of, is := wake.Read(raw)
	if !is {
		h.log.WarnContext(ctx, "woken for something that is no event", "bytes", len(raw))
		return nil, nil
	}
	event, err := h.relay.Get(ctx, of.ID)
	if errors.Is(err, dynamo.ErrNotFound) { // it was erased, or has been answered long ago
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", of.ID, err)
	}
	return nil, h.relay.Deliver(ctx, event)
}
