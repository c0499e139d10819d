package inbox

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
)

// Rekeyed says that what a domain keeps of a person under one key belongs under another: two conversations of the person were merged, or
// a number that nobody had written from turned out to be theirs.
type Rekeyed struct {
	Tenant   model.TenantID
	Phone    model.PhoneNumberID
	From, To model.CustomerID // in the keys of conversations
}

// EventRekey is the outbox event that has the domains move what they keep of a person. EntityRekey is the type of its entity.
const (
	EventRekey  = "inbox.rekey"
	EntityRekey = "person"
)

// rekeying is the payload of the event: the keys that lead to another one by now.
type rekeying struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	Keys          []model.CustomerID  `json:"keys"`
}

// rekeyed returns the keys that lead to another person's conversation after a decision: those of merged conversations, and numbers under
// which a domain may have kept something before their owner was known by another key.
func (p person) rekeyed() []model.CustomerID {
	var all []model.CustomerID
	for _, younger := range p.younger {
		all = append(all, keyOf(younger))
	}
	for _, id := range p.absent {
		if id != p.customer && identity.IsNumber(id) {
			all = append(all, id)
		}
	}
	for _, other := range p.others {
		all = append(all, other.rekeyed()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// rekeyWrites returns the writes of the event that has the domains follow a decision; none for most decisions.
func (s *Inbox) rekeyWrites(ctx context.Context, p person) ([]dynamo.Write, error) {
	changed := p.rekeyed()
	if len(changed) == 0 || s.Events == nil {
		return nil, nil
	}
	tenant, err := s.Numbers.TenantOf(ctx, p.phone)
	if err != nil || tenant == "" { // a number of nobody's: no domain keeps anything
		return nil, err
	}
	payload, err := json.Marshal(rekeying{p.phone, changed})
	if err != nil {
		return nil, err
	}
	draft := outbox.Draft{Type: EventRekey, Tenant: tenant, EntityType: EntityRekey, EntityID: keys.WhatsAppEntityID(p.phone, p.customer), Payload: payload}
	sequence := outbox.SequenceRef(tenant, draft.EntityType, draft.EntityID)
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{sequence})
	if err != nil {
		return nil, err
	}
	_, writes, err := s.Events.Append(ctx, sequence.Found(found), draft)
	return writes, err
}

// RekeyHandler returns the handler of the event. rekey is called for each key that leads elsewhere, by what is known then: the event may
// come late, and twice.
func (s *Inbox) RekeyHandler(rekey func(ctx context.Context, of Rekeyed) error) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		var payload rekeying
		if err := json.Unmarshal(event.Payload, &payload); err != nil {
			return "", &outbox.Failure{Reason: "the stored event cannot be read", Attempts: 1}
		}
		resolved, err := s.lookUp(payload.PhoneNumberID, nil).follow(ctx, payload.Keys)
		if err != nil {
			return "", unfinished(err)
		}
		for _, from := range payload.Keys {
			to := resolved[from].customer
			if to == from {
				continue
			}
			if err := rekey(ctx, Rekeyed{event.EcosystemID, payload.PhoneNumberID, from, to}); err != nil {
				return "", unfinished(err)
			}
		}
		return event.EventID, nil
	}}
}

// unfinished returns the failure after which the event is tried again. What was done is not done twice.
func unfinished(err error) error {
	reason := "what is kept of a person could not be moved"
	if rule := new(problem.Error); errors.As(err, &rule) {
		reason += ": " + rule.Title
	}
	return &outbox.Failure{Class: "rekey", Reason: reason, Attempts: rekeyAttempts, Wait: rekeyWait}
}

// rekeyAttempts bounds the attempts before a person has to look, and rekeyWait is the time between the first two.
const (
	rekeyAttempts = 10
	rekeyWait     = 5 * time.Second
)
