package inbox

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// ApplyNotice records the change of identifiers that a notice without a message reports. If the person has not written
// yet, the change is stored with an expiry. ApplyNotice ignores a notice from before the person's erasure.
func (s *Inbox) ApplyNotice(ctx context.Context, phone model.PhoneNumberID, notice model.IdentityFact) error {
	c := contacts.Change{Gives: notice.Gives, Takes: notice.Takes, Shows: notice.Shows}
	seen := contacts.Sighting{At: notice.At, Change: &c}
	var settle []model.CustomerID
	err := s.retryDecision(ctx, func(tried *decision) error {
		decided, _, err := s.Contacts.LookUp(phone, nil).Identify(ctx, []contacts.Sighting{seen}, false)
		if err != nil {
			return err
		}
		p := person{Person: decided}
		if p.erasedUntil, err = s.erasedUntil(ctx, decided, c.Before()); err != nil || notice.At.At() <= p.erasedUntil {
			return err
		}
		settle = p.Settle
		return s.commitIdentity(ctx, tried, p, decodedMessage{at: notice.At, contact: contactAfter(c)})
	})
	if err != nil {
		return err
	}
	return s.moveMisplaced(ctx, phone, settle)
}

// commitIdentity writes changes of identifiers, and what a notice shows about the person. It opens no conversation.
func (s *Inbox) commitIdentity(ctx context.Context, tried *decision, p person, shown ...decodedMessage) error {
	if !p.ChangesIdentity() {
		return nil
	}
	var writes []dynamo.Write
	var err error
	if p.Existing == nil {
		writes, err = s.identityWrites(p.Person, false)
	} else {
		writes, err = s.personWrites(p, shown)
	}
	if err != nil {
		return err
	}
	rekey, err := s.Contacts.RekeyWrites(ctx, p.Person)
	if err != nil {
		return err
	}
	return tried.outcome(p, s.DB.Transact(ctx, append(writes, rekey...)))
}

// Sight records that identifiers were shown together, by something that is no message: a status, or WhatsApp's answer
// to a send. It only adds identifiers to the person of a conversation, and ignores what is from before the person's
// erasure.
func (s *Inbox) Sight(ctx context.Context, phone model.PhoneNumberID, at model.Order, ids []model.CustomerID) error {
	if len(ids) < 2 {
		return nil
	}
	var settle []model.CustomerID
	err := s.retryDecision(ctx, func(tried *decision) error {
		shown := decodedMessage{at: at, ids: ids}
		decided, _, err := s.Contacts.LookUp(phone, nil).Identify(ctx, sightings([]decodedMessage{shown}), false)
		if err != nil || decided.Existing == nil || !decided.ChangesIdentity() {
			return err
		}
		p := person{Person: decided}
		if p.erasedUntil, err = s.erasedUntil(ctx, decided, ids); err != nil || at.At() <= p.erasedUntil {
			return err
		}
		settle = p.Settle
		return s.commitIdentity(ctx, tried, p, shown)
	})
	if err != nil {
		return err
	}
	return s.moveMisplaced(ctx, phone, settle)
}

// contactAfter returns the customer's address and user id after a change of identifiers.
func contactAfter(c contacts.Change) contact {
	address, userID := c.Shown()
	return contact{address: address, userID: userID}
}
