package contacts

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// SamePerson reports whether the person who had one of some identifiers at a place in the order also had one of others
// at another place.
func (s *Contacts) SamePerson(
	ctx context.Context, phone model.PhoneNumberID,
	a []model.CustomerID, atA model.Order, b []model.CustomerID, atB model.Order,
) (bool, error) {
	l := s.LookUp(phone, nil)
	if err := l.identifiers(ctx, slices.Concat(a, b)); err != nil {
		return false, err
	}
	first, err := l.owners(a, atA)
	if err != nil {
		return false, err
	}
	second, err := l.owners(b, atB)
	if err != nil {
		return false, err
	}
	resolved, err := l.follow(ctx, slices.Concat(first, second))
	if err != nil {
		return false, err
	}
	for _, one := range first {
		for _, other := range second {
			if SameCustomer(resolved[one].customer, resolved[other].customer) {
				return true, nil
			}
		}
	}
	return false, nil
}

// owners returns the owners of identifiers at a place in the order. Their alias items must be loaded.
func (l *Lookup) owners(ids []model.CustomerID, at model.Order) (all []model.CustomerID, err error) {
	for _, id := range ids {
		o, err := l.ownership(id)
		if err != nil {
			return nil, err
		}
		all = append(all, o.owner(at))
	}
	return all, nil
}

// SameCustomer reports whether two customers are one by their keys alone: the keys are equal, or one number in the two
// forms in which WhatsApp writes the numbers of some countries.
func SameCustomer(a, b model.CustomerID) bool {
	return a == b || identity.IsNumber(a) && identity.IsNumber(b) &&
		whatsapp.CanonicalNumber(string(a)) == whatsapp.CanonicalNumber(string(b))
}
