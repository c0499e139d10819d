package messaging

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
)

// otherChannel is the data of an event of an SMS or an email. It has the id by which the API shows the message, and
// says neither who has written it nor to whom it goes.
type otherChannel struct {
	Channel   model.Channel `json:"channel"`
	ArrivalID model.EventID `json:"arrivalId,omitempty"`     // of a message that has come
	OutboxID  string        `json:"outboxEventId,omitempty"` // of a message that was to go
	Kind      string        `json:"kind,omitempty"`
	Code      int64         `json:"code,omitempty"`
}

// ofOtherChannel returns an event of an SMS or an email. told reports whether the tenant has a subscription, which the
// items of these channels do not say: it reads the tenant.
func (d *Domain) ofOtherChannel(ctx context.Context, tenant model.TenantID, kind, of string, at model.Time,
	data otherChannel) (e publishing.Event, told bool, err error) {
	told, err = d.Tenants.Subscribed(ctx, tenant)
	return publishing.Event{Tenant: tenant, Kind: kind, Of: of, At: at, Data: data}, told, err
}

func (d *Domain) publishOther(ctx context.Context, tenant model.TenantID, kind, of string, at model.Time,
	data otherChannel) error {
	e, told, err := d.ofOtherChannel(ctx, tenant, kind, of, at, data)
	if err == nil && told {
		err = d.Publisher.Publish(ctx, e)
	}
	return err
}

// tellArrived returns the subscription that publishes the texts and emails of people.
func (d *Domain) tellArrived() inbound.Subscription {
	return inbound.Subscription{
		Domain: "events", Channels: []model.Channel{model.ChannelSMS, model.ChannelEmail},
		Wants: func(m inbound.Message) bool { return m.Live },
		React: func(ctx context.Context, m inbound.Message) (bool, error) {
			tenant, err := m.Tenant(ctx)
			if err != nil || tenant == "" {
				return false, err
			}
			return false, d.publishOther(ctx, tenant, inbox.EventReceived, string(m.ID), m.At,
				otherChannel{Channel: m.Channel, ArrivalID: model.EventID(m.ID), Kind: m.Kind})
		},
	}
}

// tellDecided publishes that somebody wants no texts or emails any more, or wants them again.
func (d *Domain) tellDecided(ctx context.Context, id model.EventID, m model.Received, out bool) error {
	kind := inbox.EventOptedIn
	if out {
		kind = inbox.EventOptedOut
	}
	return d.publishOther(ctx, m.TenantID, kind, string(id), m.ReceivedAt,
		otherChannel{Channel: m.Channel, ArrivalID: id})
}

// unsentWrites returns the writes that publish that a text or an email could not be sent, for the transaction that
// settles it.
func (d *Domain) unsentWrites(ctx context.Context, channel model.Channel, event model.OutboxEvent,
	outcome outbox.Outcome) ([]dynamo.Write, error) {
	e, told, err := d.ofOtherChannel(ctx, event.EcosystemID, inbox.EventFailed, event.EventID, outcome.At,
		otherChannel{Channel: channel, OutboxID: event.EventID, Code: outcome.Failure.Code})
	if err != nil || !told {
		return nil, err
	}
	write, err := d.Publisher.Write(ctx, e)
	return []dynamo.Write{write}, err
}

// tellReturned publishes that an email has come back.
func (d *Domain) tellReturned(ctx context.Context, event model.OutboxEvent) error {
	return d.publishOther(ctx, event.EcosystemID, inbox.EventFailed, event.EventID, model.At(d.Now()),
		otherChannel{Channel: model.ChannelEmail, OutboxID: event.EventID})
}

// isThere reports whether what an event of an SMS or an email is about is still there, and not erased.
func (d *Domain) isThere(ctx context.Context, data map[string]any) (there bool, err error) {
	if id, is := data["arrivalId"].(string); is {
		_, err = d.Arrivals.Get(ctx, model.EventID(id))
	} else if id, is := data["outboxEventId"].(string); is {
		_, err = d.Outbox().Get(ctx, id)
	}
	if errors.Is(err, dynamo.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
