package contacts

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
)

// Sighting is what a message, a notice or a status shows of a customer's identifiers.
type Sighting struct {
	At     model.Order
	IDs    []model.CustomerID // the best first
	Change *Change            // what a notice says; nil for anything else
}

// Identifiers returns all identifiers that were seen.
func (s Sighting) Identifiers() []model.CustomerID {
	if s.Change != nil {
		return s.Change.Identifiers()
	}
	return s.IDs
}

// Change is what a notice says about a person's identifiers: those they give up, those they take, and those they keep.
type Change struct {
	Gives, Takes, Shows []model.CustomerID
}

// ChangeOf returns the change that a notice reports; nil if nothing is given up or nothing is taken. An identifier that
// is both given up and taken does not change.
func ChangeOf(gives, takes, shows []model.CustomerID) *Change {
	c := Change{Shows: shows}
	for _, id := range gives {
		if !slices.Contains(takes, id) {
			c.Gives = append(c.Gives, id)
		}
	}
	c.Takes = slices.DeleteFunc(takes, func(id model.CustomerID) bool { return slices.Contains(gives, id) })
	if len(c.Gives) == 0 || len(c.Takes) == 0 {
		return nil
	}
	return &c
}

// Identifiers returns all identifiers that a notice names.
func (c Change) Identifiers() []model.CustomerID {
	return slices.Concat(c.Takes, c.Shows, c.Gives)
}

// Before returns the identifiers that the person had before the notice.
func (c Change) Before() []model.CustomerID { return slices.Concat(c.Gives, c.Shows) }

// fact returns the fact to store about the notice.
func (c Change) fact(at model.Order) model.IdentityFact {
	return model.IdentityFact{At: identity.Second(at), Gives: c.Gives, Takes: c.Takes, Shows: c.Shows}
}

// Shown returns the person's address and user id after the notice; "" for what it does not say. The address is a phone
// number rather than a user id.
func (c Change) Shown() (address, userID string) {
	for _, id := range slices.Concat(c.Takes, c.Shows) {
		if address == "" || identity.IsNumber(id) && !identity.IsNumber(model.CustomerID(address)) {
			address = string(id)
		}
		if !identity.IsNumber(id) && userID == "" {
			userID = string(id)
		}
	}
	return address, userID
}

// LastChange returns the last known change of identifiers of a conversation's person, and when it was. It returns the
// zero change if none is known.
func (s *Contacts) LastChange(
	ctx context.Context, phone model.PhoneNumberID, c model.Conversation,
) (last Change, at model.Order, err error) {
	known, err := s.LookUp(phone, nil).componentOf(ctx, model.ParseCustomers(IdentifiersOf(c)...))
	if err != nil {
		return last, "", err
	}
	for _, f := range known.facts {
		if len(f.Takes) == 0 || f.At < at {
			continue
		}
		taken, read := known.ownerships[f.Takes[0]]
		if !read { // too distant
			continue
		}
		if resolved := known.resolved[taken.owner(f.At)].conversation; resolved != nil && resolved.PK == c.PK {
			last, at = Change{Takes: f.Takes, Shows: f.Shows}, f.At
		}
	}
	return last, at, nil
}
