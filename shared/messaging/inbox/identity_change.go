package inbox

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
)

// identityChange is what a notice says of a person's identifiers: those they give up, those they have from then on, and those they
// have before and after.
type identityChange struct {
	gives, takes, shows []model.CustomerID
}

func (c identityChange) identifiers() []model.CustomerID {
	return slices.Concat(c.takes, c.shows, c.gives)
}

// before are the identifiers that the person had before the notice.
func (c identityChange) before() []model.CustomerID { return slices.Concat(c.gives, c.shows) }

// fact is what is kept of the notice.
func (c identityChange) fact(at model.Order) model.IdentityFact {
	return model.IdentityFact{At: identity.Second(at), Gives: c.gives, Takes: c.takes, Shows: c.shows}
}

// contact is what a change shows of the customer: where they can be reached from then on, a number rather than a user id.
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

// pendingFactLifetime is how long a change of somebody who has not written yet is kept: as long as a message of before may come.
const pendingFactLifetime = model.TombstoneLifetime

// Identify records what a notice apart from any message says of a person's identifiers. Where
// nobody has written yet it is kept with an expiry, unless the person has been erased since.
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

// commitIdentity writes what changes of identifiers, and what a notice shows of the person. It opens no conversation.
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
	return tried.outcome(p, s.DB.Transact(ctx, writes))
}
