package subscriptions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/tables"
)

// EventDeliver is the outbox event that tells an event to one subscription.
const EventDeliver = "subscriptions.deliver"

// KindTest is the kind of the events by which somebody tries a subscription. Nobody subscribes to it.
const KindTest = "subscription.test"

// Handlers returns the handlers of the outbox events. They are of the slow lane. A nil bus is none.
func (s *Subscriptions) Handlers(poster *Poster, bus Bus) map[string]outbox.Handler {
	all := s.Tenants.Holding(map[string]outbox.Handler{EventDeliver: s.deliverHandler(poster, bus)})
	all[publishing.EventPublish], all[EventNote] = s.publishHandler(), s.noteHandler()
	return all
}

// publishHandler returns the handler of what has happened. It sends nothing: with its settling, each subscription that
// wants the event gets an outbox event of its own.
func (s *Subscriptions) publishHandler() outbox.Handler {
	return outbox.Handler{
		Send: func(_ context.Context, event model.OutboxEvent) (string, error) {
			_, err := outbox.PayloadOf[publishing.Published](event)
			return "", err
		},
		Settle: func(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
			if outcome.Failure != nil || outcome.Cancelled != "" {
				return nil, nil
			}
			of, err := outbox.PayloadOf[publishing.Published](event)
			if err != nil {
				return nil, err
			}
			return s.tell(ctx, event.EcosystemID, of)
		},
		Repeats: true,
	}
}

// tell returns the writes by which the subscriptions and the browsers that want an event are told. One that is told
// already, because somebody has replayed the event, is not told again.
func (s *Subscriptions) tell(ctx context.Context, tenant model.TenantID,
	of publishing.Published) ([]dynamo.Write, error) {
	all, err := s.List(ctx, tenant)
	if err != nil {
		return nil, err
	}
	writes, err := s.Browsers.Tell(ctx, tenant, of)
	if err != nil {
		return nil, err
	}
	for _, sub := range all {
		if !sub.Active() || !slices.Contains(sub.Kinds, of.Kind) {
			continue
		}
		_, put, err := s.deliveryOf(ctx, sub, of)
		if err != nil {
			return nil, err
		}
		writes = append(writes, put)
	}
	refs := make([]dynamo.Ref, len(writes))
	for i, put := range writes {
		refs[i] = dynamo.Ref{Table: tables.Outbox, Key: keys.OutboxEvent(dynamo.Text(put.Item, "eventId"))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("tell %s: %w", of.Kind, err)
	}
	var missing []dynamo.Write
	for i, put := range writes {
		if refs[i].Found(found) == nil {
			missing = append(missing, put)
		}
	}
	return missing, nil
}

// deliveryOf returns the outbox event that tells an event to a subscription.
func (s *Subscriptions) deliveryOf(ctx context.Context, sub model.EventSubscription,
	of publishing.Published) (model.OutboxEvent, dynamo.Put, error) {
	payload, err := json.Marshal(delivery{sub.SubscriptionID, of.ID, of.Kind, of.At, of.Data})
	if err != nil {
		return model.OutboxEvent{}, dynamo.Put{}, err
	}
	return s.Outbox.Loose(ctx, outbox.Draft{
		Type: EventDeliver, Tenant: sub.TenantID, EntityType: keys.EntityDelivery,
		EntityID: keys.DeliveryEntity(sub.SubscriptionID, of.ID), Payload: payload})
}

// IsOf reports whether an outbox event tells something to a subscription of its tenant.
func IsOf(event model.OutboxEvent, id model.Name) bool {
	return keys.IsDeliveryTo(event.EntityType, event.EntityID, id)
}

// Test tells a subscription an event of the kind KindTest, whatever kinds it wants, and returns the id of the outbox
// event. what tells the test from others: repeating it does nothing. It returns dynamo.ErrNotFound and ErrDisabled.
func (s *Subscriptions) Test(ctx context.Context, tenant model.TenantID, id model.Name, what string) (string, error) {
	sub, err := s.Get(ctx, tenant, id)
	if err != nil {
		return "", err
	}
	if !sub.Active() {
		return "", ErrDisabled
	}
	data, err := json.Marshal(map[string]string{"subscriptionId": string(id)})
	if err != nil {
		return "", err
	}
	event, put, err := s.deliveryOf(ctx, sub, publishing.Published{
		ID: keys.PublishedID(tenant, KindTest, string(id)+"#"+what), Kind: KindTest, At: model.At(s.Now()),
		Data: data})
	if err == nil {
		err = dynamo.IgnoreConditionFailed(s.DB.Put(ctx, put))
	}
	return event.EventID, err
}
