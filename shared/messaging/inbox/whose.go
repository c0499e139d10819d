package inbox

import (
	"cmp"
	"context"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Holder is the person to whom an address leads now.
type Holder struct {
	// Key is the customer in the key of the person's conversation, or of the one that will open. What a domain keeps of a person
	// hangs on it.
	Key model.CustomerID
	// Since is the place in the order of messages from which the person has the address; "" for always. An authority that somebody
	// gave to the address before is not this person's.
	Since model.Order
	// Group reports whether the address is that of a group.
	Group bool
	// Known reports whether the person has a conversation, or the address an alias.
	Known bool
}

// HasHeld reports whether the person has had the address since an instant.
func (h Holder) HasHeld(since model.Time) bool { return h.Since <= model.OrderOf(since, 0) }

// WhoHas returns the people to whom addresses lead now: numbers, user ids, or keys of conversations that are neither. An address
// passes from one person to another, so the key of a conversation is not the address of its customer.
//
// It reads the addresses in one batch, and one batch more for each alias or merge on the way.
func (s *Inbox) WhoHas(ctx context.Context, phone model.PhoneNumberID, addresses ...model.CustomerID) (map[model.CustomerID]Holder, error) {
	l := s.lookUp(phone, nil)
	if err := l.identifiers(ctx, addresses); err != nil {
		return nil, err
	}
	now := model.OrderOf(model.At(l.Now()), 0)
	owners := make(map[model.CustomerID]model.Owner, len(addresses))
	var asked []model.CustomerID
	for _, address := range addresses {
		o, err := l.ownership(address)
		if err != nil {
			return nil, err
		}
		owners[address] = o.owners[o.at(now)]
		asked = append(asked, owners[address].CustomerID)
	}
	resolved, err := l.follow(ctx, asked)
	if err != nil {
		return nil, err
	}
	all := make(map[model.CustomerID]Holder, len(addresses))
	for address, owner := range owners {
		to := resolved[owner.CustomerID]
		all[address] = Holder{
			Key: to.customer, Since: owner.Since, Group: to.conversation != nil && to.conversation.GroupID != "",
			Known: to.conversation != nil || l.items[l.aliasKey(address).Partition] != nil,
		}
	}
	return all, nil
}

// ErrNobody means that a text names nobody: neither a number, nor a user id, nor anybody who has written.
var ErrNobody = problem.New("it names nobody", problem.Error{
	Class: problem.Invalid, Detail: "neither a phone number with its country code, nor a user id of Meta's, nor anybody who has written",
})

// Named returns the key of the person whom somebody names by a text: by a number in any of its forms, by a user id, or by the key of a
// conversation. country is the country whose national forms are understood. The first of the numbers of the business at which the
// person is known decides; without any, the address is the key. It returns ErrNobody.
func (s *Inbox) Named(ctx context.Context, phones []model.PhoneNumberID, country, text string) (model.CustomerID, error) {
	address, err := AddressOf(text, country)
	if err != nil {
		return "", err
	}
	forms := []model.CustomerID{address}
	for _, form := range whatsapp.OtherForms(string(address)) {
		forms = append(forms, model.CustomerID(form))
	}
	key := model.CustomerID("")
	for _, phone := range phones {
		found, err := s.WhoHas(ctx, phone, forms...)
		if err != nil {
			return "", err
		}
		for _, form := range forms {
			switch h := found[form]; {
			case h.Group:
				return "", ErrNobody
			case h.Known:
				return h.Key, nil
			case key == "":
				key = h.Key
			}
		}
	}
	if !whatsapp.Reachable(string(address)) {
		return "", ErrNobody
	}
	return cmp.Or(key, address), nil
}

// AddressOf returns the identifier that a text names: the digits of a number, or the text itself. It returns ErrNobody for a text that can
// be no identifier.
func AddressOf(text, country string) (model.CustomerID, error) {
	if digits, err := phonenumber.Parse(text, country); err == nil {
		return model.CustomerID(digits), nil
	}
	id, err := model.ParseCustomer(text)
	if err != nil || identity.IsNumber(id) {
		return "", ErrNobody
	}
	return id, nil
}
