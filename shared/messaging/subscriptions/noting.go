package subscriptions

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// EventNote is the outbox event after which the domains know whether somebody is told events of a tenant.
const EventNote = "subscriptions.note"

const (
	// cached is how long a process may rely on what it has read of a number. Until then it may publish nothing.
	cached = 10 * time.Second
	// noteAgain is when the domains are told a second time: what somebody was making while they were told first, such
	// as a store, is found then.
	noteAgain = 2 * time.Minute
)

// Noting returns the writes by which the domains get to know whether somebody is told events of a tenant.
func (s *Subscriptions) Noting(ctx context.Context, tenant model.TenantID) ([]dynamo.Write, error) {
	return s.Outbox.Queue(ctx, entityOf(tenant), EventNote, struct{}{})
}

func entityOf(tenant model.TenantID) outbox.Entity {
	return outbox.Entity{Tenant: tenant, Type: keys.EntitySubscriptions, ID: string(tenant)}
}

// noteHandler returns the handler of the event. It decides by how things are then: it may come late, and twice. Its
// settling plans the second time.
func (s *Subscriptions) noteHandler() outbox.Handler {
	return outbox.Handler{
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			return "", outbox.Unfinished(s.note(ctx, event.EcosystemID), outbox.NotWritten)
		},
		Settle: func(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
			if event.SequenceNumber == 0 { // it is the second time
				return nil, nil
			}
			of := entityOf(event.EcosystemID)
			plan, err := s.Outbox.Plan(outbox.Draft{
				Type: EventNote, Tenant: of.Tenant, EntityType: of.Type, EntityID: of.ID,
				Payload: model.Document("{}")}, model.At(outcome.At.Go().Add(noteAgain)))
			return []dynamo.Write{plan}, err
		},
		Repeats: true,
	}
}

// note has the numbers and the domains note whether somebody is told events of a tenant. Afterwards its subscriptions
// are told every event.
func (s *Subscriptions) note(ctx context.Context, tenant model.TenantID) error {
	all, err := s.List(ctx, tenant)
	if err != nil {
		return err
	}
	heard := slices.ContainsFunc(all, model.EventSubscription.Active)
	if !heard {
		if heard, err = s.Browsers.Any(ctx, tenant); err != nil {
			return err
		}
	}
	if err := s.Tenants.MarkSubscribed(ctx, tenant, heard); err != nil {
		return err
	}
	if s.Note != nil {
		if err := s.Note(ctx, tenant, heard); err != nil {
			return err
		}
	}
	since := model.At(s.Now().Add(cached))
	for _, sub := range all {
		if !sub.Active() || sub.ListensSince != "" {
			continue
		}
		listens := func(sub *model.EventSubscription) ([]dynamo.Write, bool, error) {
			if sub.Version == 0 || !sub.Active() || sub.ListensSince != "" {
				return nil, false, nil
			}
			sub.ListensSince = since
			return nil, true, nil
		}
		if err := s.change(ctx, tenant, sub.SubscriptionID, listens); err != nil {
			return err
		}
	}
	return nil
}

// delivery is the payload of an event that is told to one subscription.
type delivery struct {
	Subscription model.Name      `json:"subscription"`
	ID           string          `json:"id"` // the webhook's id
	Kind         string          `json:"kind"`
	At           model.Time      `json:"at"`
	Data         json.RawMessage `json:"data"`
}
