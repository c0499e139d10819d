package main

import (
	"context"
	"log/slog"

	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/hints"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/webhooklog"
)

// NewHandler wires the consumer of logged messages, and the domains that react to them, in order.
func NewHandler(rooms *messaging.Domain, logger *slog.Logger) *webhooklog.Worker {
	return rooms.Worker(webhooklog.Inbound, logger,
		rooms.MessageReader(append([]inbound.Subscription{noteReceived(), hinted()}, rooms.Subscriptions()...)...),
		rooms.Arrivals.Reader(rooms.Subscriptions))
}

// hinted has open pages told in which conversations messages have come.
func hinted() inbound.Subscription {
	return inbound.Subscription{
		Domain: "hints", Wants: func(m inbound.Message) bool { return m.Channel == model.ChannelWhatsApp },
		React: func(ctx context.Context, m inbound.Message) (bool, error) {
			hints.Note(ctx, m.Phone, m.Customer)
			return false, nil
		},
	}
}

// noteReceived has the log line of an entry name the messages that came with it, so that each is found by its id.
func noteReceived() inbound.Subscription {
	return inbound.Subscription{
		Domain: "log", Wants: func(inbound.Message) bool { return true },
		React: func(ctx context.Context, m inbound.Message) (bool, error) {
			telemetry.Note(ctx, string(m.ID))
			return false, nil
		},
	}
}
