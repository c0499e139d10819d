package contacts

import (
	"cmp"
	"context"
	"time"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp"
)

// addressHolder is the person to whom an address leads now.
type addressHolder struct {
	// Key is the customer in the key of the person's conversation, or of the one that will open. What a domain keeps of
	// a person hangs on it.
	Key model.CustomerID
	// Since is the place in the order of messages from which the person has the address; "" for always. An authority
	// that somebody gave to the address before is not this person's.
	Since model.Order
	// Group reports whether the address is that of a group.
	Group bool
	// Known reports whether the person has a conversation, or the address an alias.
	Known bool
}

// HasHeld reports whether the person has had the address since an instant.
func (h addressHolder) HasHeld(since model.Time) bool { return h.Since <= model.OrderOf(since, 0) }

// WhoHad returns the key of the person who had an address at an instant: a number, a user id, or the key of a
// conversation that is neither. An address passes from one person to another, so the key of a conversation is not the
// address of its customer. The person is reached by the identifier that leads to them now.
//
// It reads the address in one batch, and one batch more for each alias or merge on the way.
func (s *Contacts) WhoHad(
	ctx context.Context, phone model.PhoneNumberID, address model.CustomerID, at model.Time,
) (model.CustomerID, error) {
	found, err := s.LookUp(phone, nil).whoHad(ctx, at, []model.CustomerID{address})
	return found[address].Key, err
}

// whoHad returns the people to whom addresses led at an instant. others are customers whose conversations are read in
// the same batch.
func (l *Lookup) whoHad(
	ctx context.Context, at model.Time, addresses []model.CustomerID, others ...model.CustomerID,
) (map[model.CustomerID]addressHolder, error) {
	forms := make(map[model.CustomerID][]model.CustomerID, len(addresses))
	var all []model.CustomerID
	for _, address := range addresses {
		forms[address] = FormsOf(address)
		all = append(all, forms[address]...)
	}
	var wanted []keys.Key
	for _, id := range all {
		wanted = append(wanted, l.aliasKey(id), l.conversationKey(id))
	}
	for _, customer := range others {
		wanted = append(wanted, l.conversationKey(customer))
	}
	if err := l.read(ctx, wanted...); err != nil {
		return nil, err
	}
	owners := make(map[model.CustomerID]model.Owner, len(all))
	var asked []model.CustomerID
	for _, form := range all {
		o, err := l.ownership(form)
		if err != nil {
			return nil, err
		}
		owners[form] = o.owners[o.at(model.OrderOf(at, 0))]
		asked = append(asked, owners[form].CustomerID)
	}
	resolved, err := l.follow(ctx, asked)
	if err != nil {
		return nil, err
	}
	holders := make(map[model.CustomerID]addressHolder, len(addresses))
	for address, of := range forms {
		for _, form := range of {
			to := resolved[owners[form].CustomerID]
			h := addressHolder{
				Key: to.customer, Since: owners[form].Since,
				Group: to.conversation != nil && to.conversation.GroupID != "",
				Known: to.conversation != nil || l.items[l.aliasKey(form).Partition] != nil,
			}
			if _, has := holders[address]; !has || h.Known && !holders[address].Known {
				holders[address] = h
			}
		}
	}
	return holders, nil
}

// FormsOf returns an address, and the other form that Meta uses of some numbers.
func FormsOf(address model.CustomerID) []model.CustomerID {
	return append([]model.CustomerID{address}, model.ParseCustomers(whatsapp.OtherForms(string(address))...)...)
}

// StillTheirs returns the person behind a conversation's key as they are now, and reports whether an address that was
// theirs still leads to them. If it does, a message to the address reaches nobody else.
func (s *Contacts) StillTheirs(
	ctx context.Context, phone model.PhoneNumberID, customer, address model.CustomerID,
) (to Addressee, theirs bool, err error) {
	l := s.LookUp(phone, nil)
	p, err := l.resolveAddressee(ctx, customer)
	if err != nil {
		return to, false, err
	}
	if p.Existing != nil && p.Existing.GroupID != "" {
		return Addressee{person: p, reach: p.Customer}, address == p.Customer, nil
	}
	reach, err := l.reach(ctx, resolution{p.Customer, p.Existing})
	if err != nil {
		return to, false, err
	}
	// A number that is given up changes hands at the end of the notice's second. Nothing is sent to it from its
	// beginning.
	found, err := l.whoHad(ctx, model.At(s.Now().Add(time.Second)), []model.CustomerID{address})
	return Addressee{person: p, reach: reach}, found[address].Key == p.Customer, err
}

// ErrNobody means that a text names nobody: neither a number, nor a user id, nor anybody who has written.
var ErrNobody = problem.New("it names nobody", problem.Error{
	Class:  problem.Invalid,
	Detail: "neither a phone number with its country code, nor a user id of Meta's, nor anybody who has written",
})

// Named returns the key of the person whom somebody names by a text: by a number in any of its forms, by a user id, or
// by the key of a conversation. country is the country whose national forms are understood. The first of the numbers of
// the business at which the person is known decides; without any, the address is the key. It returns ErrNobody.
func (s *Contacts) Named(
	ctx context.Context, phones []model.PhoneNumberID, country, text string,
) (model.CustomerID, error) {
	return s.NamedAt(ctx, phones, country, text, model.At(s.Now()))
}

// NamedAt is Named for somebody who wrote the text at an instant: the person is the one who had the number then. A
// message may be read late.
func (s *Contacts) NamedAt(
	ctx context.Context, phones []model.PhoneNumberID, country, text string, at model.Time,
) (model.CustomerID, error) {
	address, err := AddressOf(text, country)
	if err != nil {
		return "", err
	}
	key := model.CustomerID("")
	for _, phone := range phones {
		found, err := s.LookUp(phone, nil).whoHad(ctx, at, []model.CustomerID{address})
		if err != nil {
			return "", err
		}
		switch h := found[address]; {
		case h.Group:
			return "", ErrNobody
		case h.Known:
			return h.Key, nil
		case key == "":
			key = h.Key
		}
	}
	if !whatsapp.Reachable(string(address)) {
		return "", ErrNobody
	}
	return cmp.Or(key, address), nil
}

// AddressOf returns the identifier that a text names: the digits of a number, or the text itself. It returns ErrNobody
// for a text that can be no identifier.
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
