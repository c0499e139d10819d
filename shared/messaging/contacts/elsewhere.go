package contacts

import (
	"context"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// KeyAt returns the key under which a customer of one number is known at another number of the business now. What is
// known at one number says nothing of another, so it reports false unless their identifiers leave no doubt:
//   - an identifier that has passed to somebody else is not theirs;
//   - one that they have got from somebody else counts only if the other number knows that, too;
//   - two identifiers that lead to two people there lead to nobody;
//   - nor does a number whose holder there has another user id than the customer.
//
// Somebody whom the other number does not know has the key that their number would give them.
func (s *Contacts) KeyAt(ctx context.Context, of Customer, phone model.PhoneNumberID) (key model.CustomerID,
	certain bool, err error) {
	if phone == of.phone {
		return of.key, true, nil
	}
	if of.current == nil || of.current.GroupID != "" {
		return "", false, nil
	}
	ids := slices.DeleteFunc(of.Identifiers(),
		func(id model.CustomerID) bool { return !whatsapp.Reachable(string(id)) })
	l := s.LookUp(phone, nil)
	// A number that is given up changes hands at the end of the notice's second.
	found, err := l.whoHad(ctx, model.At(s.Now().Add(time.Second)), ids)
	if err != nil {
		return "", false, err
	}
	known := false
	for _, id := range ids {
		h := found[id]
		switch {
		case h.Group:
			return "", false, nil
		case h.Since < of.since(id): // there it may still be that of the person before
		case h.Known && known && h.Key != key:
			return "", false, nil
		case h.Known:
			key, known = h.Key, true
		case key == "" && identity.IsNumber(id):
			key = h.Key
		}
	}
	if !known {
		return key, key != "", nil
	}
	there, err := l.conversation(ctx, key)
	if err != nil {
		return "", false, err
	}
	return key, there == nil || of.current.UserID == "" || there.UserID == "" ||
		slices.Contains(append(IdentifiersOf(*there), there.UserID), of.current.UserID), nil
}

// since returns from which place in the order an identifier is the customer's; "" for always.
func (of Customer) since(id model.CustomerID) model.Order {
	at := slices.IndexFunc(of.aliases, func(t customerAlias) bool { return t.id == id })
	if at < 0 {
		return ""
	}
	return of.aliases[at].owners[len(of.aliases[at].owners)-1].Since
}
