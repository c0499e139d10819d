package contacts

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

// Rekeyed says that what a domain keeps of a person under one key belongs under another: two conversations of the
// person were merged, or a number that nobody had written from turned out to be theirs.
type Rekeyed struct {
	Tenant   model.TenantID
	Phone    model.PhoneNumberID
	From, To model.CustomerID // in the keys of conversations
}

// PassedOn says that a number has passed from one person to another.
type PassedOn struct {
	Tenant model.TenantID
	Phone  model.PhoneNumberID
	Number model.CustomerID
}

// Followers are called if a change of identifiers concerns what domains keep. Both may be called again after any
// failure.
type Followers struct {
	// Rekey moves what is kept of a person.
	Rekey func(ctx context.Context, of Rekeyed) error
	// Passed does what has to be done because a number has passed on.
	Passed func(ctx context.Context, of PassedOn) error
}

// EventRekey is the outbox event that tells the domains to follow a change of identifiers. EntityRekey is the type of
// its entity.
const (
	EventRekey  = "inbox.rekey"
	EntityRekey = "person"
)

// rekeying is the payload of the event: the keys that lead to another one by now, and the numbers that have passed on.
type rekeying struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	Keys          []model.CustomerID  `json:"keys,omitempty"`
	Passed        []model.CustomerID  `json:"passed,omitempty"`
}

// passed returns the numbers that have another owner after a decision.
func (p Person) passed() []model.CustomerID {
	var all []model.CustomerID
	for _, o := range p.changedOwnerships {
		if identity.IsNumber(o.id) && len(o.owners) > 1 {
			all = append(all, o.id)
		}
	}
	return all
}

// rekeyed returns the keys that lead to another person's conversation after a decision: those of merged conversations,
// and numbers under which a domain may have kept something before their owner was known by another key.
func (p Person) rekeyed() []model.CustomerID {
	var all []model.CustomerID
	for _, younger := range p.Younger {
		all = append(all, keyOf(younger))
	}
	for _, id := range p.absent {
		if id != p.Customer && identity.IsNumber(id) {
			all = append(all, id)
		}
	}
	for _, other := range p.Others {
		all = append(all, other.rekeyed()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// RekeyWrites returns the writes of the event that tells the domains to follow a decision. It returns none if the
// domains have nothing to follow.
func (s *Contacts) RekeyWrites(ctx context.Context, p Person) ([]dynamo.Write, error) {
	told := rekeying{p.Phone, p.rekeyed(), p.passed()}
	if len(told.Keys)+len(told.Passed) == 0 || s.Events == nil {
		return nil, nil
	}
	tenant, err := s.Numbers.TenantOf(ctx, p.Phone)
	if err != nil || tenant == "" { // a number of nobody's: no domain keeps anything
		return nil, err
	}
	payload, err := json.Marshal(told)
	if err != nil {
		return nil, err
	}
	draft := outbox.Draft{
		Type: EventRekey, Tenant: tenant, EntityType: EntityRekey,
		EntityID: keys.WhatsAppEntityID(p.Phone, p.Customer), Payload: payload,
	}
	sequence := outbox.SequenceRef(tenant, draft.EntityType, draft.EntityID)
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{sequence})
	if err != nil {
		return nil, err
	}
	_, writes, err := s.Events.Append(ctx, sequence.Found(found), draft)
	return writes, err
}

// RekeyHandler returns the handler of the event. It decides by what is known then: the event may come late, and twice.
func (s *Contacts) RekeyHandler(followers Followers) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		payload, err := outbox.PayloadOf[rekeying](event)
		if err != nil {
			return "", err
		}
		if err := s.followKeys(ctx, event.EcosystemID, payload, followers); err != nil {
			return "", unfinished(err)
		}
		for _, number := range payload.Passed {
			if err := followers.Passed(ctx, PassedOn{event.EcosystemID, payload.PhoneNumberID, number}); err != nil {
				return "", unfinished(err)
			}
		}
		return event.EventID, nil
	}}
}

// followKeys tells the domains to move what they keep under keys to where the keys lead now.
func (s *Contacts) followKeys(ctx context.Context, tenant model.TenantID, payload rekeying, followers Followers) error {
	resolved, err := s.LookUp(payload.PhoneNumberID, nil).follow(ctx, payload.Keys)
	if err != nil {
		return err
	}
	for _, from := range payload.Keys {
		if to := resolved[from].customer; to != from {
			if err := followers.Rekey(ctx, Rekeyed{tenant, payload.PhoneNumberID, from, to}); err != nil {
				return err
			}
		}
	}
	return nil
}

// FormerOwner returns the key of the person who had a number before it passed to the one who has it now; "" if it has
// not passed on.
func (s *Contacts) FormerOwner(
	ctx context.Context, phone model.PhoneNumberID, number model.CustomerID,
) (model.CustomerID, error) {
	l := s.LookUp(phone, nil)
	if err := l.identifiers(ctx, []model.CustomerID{number}); err != nil {
		return "", err
	}
	o, err := l.ownership(number)
	if err != nil || len(o.owners) < 2 {
		return "", err
	}
	return o.owners[len(o.owners)-2].CustomerID, nil
}

// unfinished returns the failure after which the event is tried again. Finished parts are not done twice.
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
