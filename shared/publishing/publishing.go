// Package publishing puts what happens into the outbox, for those outside who are told. A domain publishes an event in
// the transaction of what has happened, or in a reaction that is repeated until it succeeds: either way none is lost.
// It publishes only where somebody listens. What it reads anyway says so: a number, a store or a card program has
// subscribed. A tenant without subscriptions pays nothing.
package publishing

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// EventPublish is the outbox event of what has happened. The slow lane tells it to each subscription that wants it.
const EventPublish = "subscriptions.publish"

// Kind is a kind of events.
type Kind struct {
	Name  string // hierarchical, with dots: order.created
	Means string // one sentence, for the description of the API
}

// Event is something that has happened.
type Event struct {
	Tenant model.TenantID
	Kind   string
	// Of tells it from all others of its kind and its tenant. Its id follows from them, so that an event which is
	// published again has the same id.
	Of string
	At model.Time
	// Data is ids and states. It has no name, number or text of a person: nobody erases what is on its way.
	Data any
}

// Published is the payload of the outbox event.
type Published struct {
	ID   string          `json:"id"`
	Kind string          `json:"kind"`
	At   model.Time      `json:"at"`
	Data json.RawMessage `json:"data"`
}

// Publisher publishes events.
type Publisher struct {
	DB  *dynamo.Client
	Now func() time.Time
}

// Write returns the write that publishes an event, for the transaction of what has happened, whose conditions see to it
// that it happens once. It has no condition of its own: it never stands in the way of what has happened.
func (p *Publisher) Write(ctx context.Context, e Event) (dynamo.Write, error) {
	put, err := p.put(ctx, e)
	put.If = dynamo.Unconditional
	return put, err
}

func (p *Publisher) put(ctx context.Context, e Event) (put dynamo.Put, err error) {
	id := keys.PublishedID(e.Tenant, e.Kind, e.Of)
	data, err := json.Marshal(e.Data)
	if err != nil {
		return put, err
	}
	payload, err := json.Marshal(Published{id, e.Kind, e.At, data})
	if err != nil {
		return put, err
	}
	_, put, err = (&outbox.Outbox{DB: p.DB, Now: p.Now}).Loose(ctx, outbox.Draft{
		Type: EventPublish, Tenant: e.Tenant, EntityType: keys.EntityEvent, EntityID: id, Payload: payload})
	return put, err
}

// Publish publishes an event of something that is committed. Repeating does nothing, for as long as the outbox keeps
// the event: the caller repeats until it succeeds.
func (p *Publisher) Publish(ctx context.Context, e Event) error {
	put, err := p.put(ctx, e)
	if err == nil {
		err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
			return dynamo.Conflict(dynamo.IgnoreConditionFailed(p.DB.Put(ctx, put)))
		})
	}
	if err != nil {
		return fmt.Errorf("publish %s: %w", e.Kind, err)
	}
	return nil
}
