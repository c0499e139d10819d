package inbox

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
)

// identityChange is what a notice says about a person's identifiers: those they give up, those they take, and those they keep.
type identityChange struct {
	gives, takes, shows []model.CustomerID
}

func (c identityChange) identifiers() []model.CustomerID {
	return slices.Concat(c.takes, c.shows, c.gives)
}

// before returns the identifiers that the person had before the notice.
func (c identityChange) before() []model.CustomerID { return slices.Concat(c.gives, c.shows) }

// fact returns the fact to store about the notice.
func (c identityChange) fact(at model.Order) model.IdentityFact {
	return model.IdentityFact{At: identity.Second(at), Gives: c.gives, Takes: c.takes, Shows: c.shows}
}

// contact returns the customer's new address, a phone number rather than a user id.
func (c identityChange) contact() contact {
	shown := contact{}
	for _, id := range slices.Concat(c.takes, c.shows) {
		if shown.address == "" || identity.IsNumber(id) && !identity.IsNumber(model.CustomerID(shown.address)) {
			shown.address = string(id)
		}
		if !identity.IsNumber(id) && shown.userID == "" {
			shown.userID = string(id)
		}
	}
	return shown
}

// pendingFactLifetime is how long a change of a person who has not written yet is stored: as long as a message from before it
// may arrive.
const pendingFactLifetime = model.TombstoneLifetime

// Identify records the change of identifiers that a notice without a message reports. If the person has not written yet, the
// change is stored with an expiry. Identify ignores a notice from before the person's erasure.
func (s *Inbox) Identify(ctx context.Context, phone model.PhoneNumberID, notice model.IdentityFact) error {
	c, at := identityChange{notice.Gives, notice.Takes, notice.Shows}, notice.At
	var settle []model.CustomerID
	err := s.retryDecision(ctx, func(tried *decision) error {
		p, err := s.lookUp(phone, nil).resolveFact(ctx, c.fact(at), false)
		if err != nil {
			return err
		}
		if p.erasedUntil, err = s.erasedUntil(ctx, p, c.before()); err != nil || at.At() <= p.erasedUntil {
			return err
		}
		settle = p.settle
		return s.commitIdentity(ctx, tried, p, decodedMessage{at: at, contact: c.contact()})
	})
	if err != nil {
		return err
	}
	return s.moveMisplaced(ctx, phone, settle)
}

// commitIdentity writes changes of identifiers, and what a notice shows about the person. It opens no conversation.
func (s *Inbox) commitIdentity(ctx context.Context, tried *decision, p person, shown ...decodedMessage) error {
	if !p.changesIdentity() {
		return nil
	}
	var writes []dynamo.Write
	var err error
	if p.existing == nil {
		writes, err = s.identityWrites(p, false)
	} else {
		writes, err = s.personWrites(p, shown)
	}
	if err != nil {
		return err
	}
	rekey, err := s.rekeyWrites(ctx, p)
	if err != nil {
		return err
	}
	return tried.outcome(p, s.DB.Transact(ctx, append(writes, rekey...)))
}

// Sight records that identifiers were shown together, by something that is no message: a status, or WhatsApp's answer to a send. It
// only adds identifiers to the person of a conversation, and ignores what is from before the person's erasure.
func (s *Inbox) Sight(ctx context.Context, phone model.PhoneNumberID, at model.Order, ids []model.CustomerID) error {
	if len(ids) < 2 {
		return nil
	}
	var settle []model.CustomerID
	err := s.retryDecision(ctx, func(tried *decision) error {
		shown := decodedMessage{at: at, ids: ids}
		p, _, err := s.identify(ctx, s.lookUp(phone, nil), []decodedMessage{shown}, false)
		if err != nil || p.existing == nil || !p.changesIdentity() {
			return err
		}
		if p.erasedUntil, err = s.erasedUntil(ctx, p, ids); err != nil || at.At() <= p.erasedUntil {
			return err
		}
		settle = p.settle
		return s.commitIdentity(ctx, tried, p, shown)
	})
	if err != nil {
		return err
	}
	return s.moveMisplaced(ctx, phone, settle)
}
