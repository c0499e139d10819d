package contacts

import (
	"cmp"
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Addressee is the customer to whom the business sends a message.
type Addressee struct {
	person   Person
	reach    model.CustomerID // the identifier that leads to them now; "" if all have passed to others
	resolved bool             // found through another identifier
}

// AddressRefs returns the items that Address needs, so that the caller reads them together with its own.
func (s *Contacts) AddressRefs(phone model.PhoneNumberID, customer model.CustomerID) []dynamo.Ref {
	return []dynamo.Ref{
		{Table: tables.Messages, Key: keys.Conversation(phone, customer)},
		{Table: tables.Messages, Key: keys.Alias(phone, customer)},
	}
}

// Address finds the customer whom a caller names by the key of a conversation or by any other identifier. found holds
// the items of AddressRefs. If the customer has another key, the caller must read that key's items and call Address
// again.
func (s *Contacts) Address(
	ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID, found dynamo.Found,
) (Addressee, error) {
	l := s.LookUp(phone, nil)
	for _, ref := range s.AddressRefs(phone, customer) {
		l.items[ref.Key.Partition] = ref.Found(found)
	}
	p, err := l.resolveAddressee(ctx, customer)
	if err != nil {
		return Addressee{person: p}, err
	}
	reach, err := l.reach(ctx, resolution{p.Customer, p.Existing})
	return Addressee{person: p, reach: reach}, err
}

// ResolvedTo returns the addressee next with the checks of a: next is valid only as long as a still leads to it.
func (a Addressee) ResolvedTo(next Addressee) Addressee {
	if a.person.checked != nil {
		next.person.checked, next.resolved = a.person.checked, true
	}
	return next
}

// Customer returns the customer in the conversation's key.
func (a Addressee) Customer() model.CustomerID { return a.person.Customer }

// Person returns who the addressee is, and what must not have changed when a message to them is written.
func (a Addressee) Person() Person { return a.person }

// Conversation returns the conversation as it was read; nil if the message opens it.
func (a Addressee) Conversation() *model.Conversation { return a.person.Existing }

// Reachable reports whether WhatsApp can deliver a message to the addressee: an identifier leads to them, and they have
// a conversation or an alias, or the identifier is a phone number or a user id.
func (a Addressee) Reachable() bool {
	return a.reach != "" && (a.person.Existing != nil || a.resolved || whatsapp.Reachable(string(a.person.Customer)))
}

// Recipient returns the recipient of messages to the addressee: the identifier that the customer showed last and still
// has, or the one in the key.
func (a Addressee) Recipient() whatsapp.Recipient {
	c := a.person.Existing
	return whatsapp.Recipient{ID: string(a.reach), Group: c != nil && c.GroupID != ""}
}

// Holds reports whether messages stored under a conversation's key belong to the addressee's conversation.
func (a Addressee) Holds(conversationPK string) bool {
	own := conversationPK == keys.Conversation(a.person.Phone, a.person.Customer).Partition
	return own || a.person.Existing != nil && slices.Contains(a.person.Existing.MergedFrom, conversationPK)
}

// Names returns the identifiers by which somebody may have named the addressee, the key of their conversation included.
// Some may belong to another person by now.
func (a Addressee) Names() (all []model.CustomerID) {
	names := []model.CustomerID{a.person.Customer}
	if c := a.person.Existing; c != nil {
		names = append(names, model.ParseCustomers(c.Aliases...)...)
		for _, pk := range c.MergedFrom {
			if _, id, ok := keys.ConversationIDs(pk); ok {
				names = append(names, id)
			}
		}
	}
	for _, name := range names {
		all = append(all, FormsOf(name)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// resolveAddressee finds the conversation that a caller names. If there is a conversation under the customer's key, it
// is that one, or the one it was merged into. Only otherwise resolveAddressee follows an alias, because the alias of a
// given-up number leads to the number's next owner.
func (l *Lookup) resolveAddressee(ctx context.Context, customer model.CustomerID) (Person, error) {
	p := Person{Phone: l.phone, Customer: customer}
	if err := l.identifiers(ctx, []model.CustomerID{customer}); err != nil {
		return p, err
	}
	o, err := l.ownership(customer)
	if err != nil {
		return p, err
	}
	asked := customer
	if l.items[l.conversationKey(customer).Partition] == nil {
		asked = o.owner(model.OrderOf(model.At(l.contacts.Now()), 0))
	}
	resolved, err := l.follow(ctx, []model.CustomerID{asked})
	if err != nil {
		return p, err
	}
	p.Customer, p.Existing = resolved[asked].customer, resolved[asked].conversation
	if p.Existing == nil {
		p.checked = []ownership{o} // a new conversation depends on the ownership
	}
	return p, nil
}

// reach returns the identifier by which WhatsApp reaches a person now: the one that they showed last, their user id, or
// the one in their key. It leaves out an identifier that has passed to somebody else, and returns "" if none is left.
func (l *Lookup) reach(ctx context.Context, to resolution) (model.CustomerID, error) {
	candidates := []model.CustomerID{identity.IdentifierIn(to.customer)}
	if c := to.conversation; c != nil {
		candidates = slices.Concat(model.ParseCustomers(c.From, c.UserID), candidates)
		if c.GroupID != "" {
			return candidates[0], nil
		}
	}
	now := model.OrderOf(model.At(l.contacts.Now()), 0)
	for _, id := range candidates {
		if err := l.read(ctx, l.aliasKey(id)); err != nil {
			return "", err
		}
		o, err := l.ownership(id)
		if err != nil {
			return "", err
		}
		if o.version == 0 {
			return id, nil // it has never had another owner
		}
		resolved, err := l.follow(ctx, []model.CustomerID{o.owner(now)})
		if err != nil {
			return "", err
		}
		if resolved[o.owner(now)].customer == to.customer {
			return id, nil
		}
	}
	return "", nil
}

// Shown returns how people are named to others: the number in E.164 or the user id that leads to them now, by the
// customer in the key of their conversation. Somebody whom nothing leads to any more is named by the identifier in the
// key.
func (s *Contacts) Shown(
	ctx context.Context, phone model.PhoneNumberID, customers ...model.CustomerID,
) (map[model.CustomerID]string, error) {
	l := s.LookUp(phone, nil)
	if err := l.identifiers(ctx, customers); err != nil {
		return nil, err
	}
	resolved, err := l.follow(ctx, customers)
	if err != nil {
		return nil, err
	}
	var aliases []keys.Key
	for _, to := range resolved {
		if to.conversation != nil {
			for _, id := range model.ParseCustomers(to.conversation.From, to.conversation.UserID) {
				aliases = append(aliases, l.aliasKey(id))
			}
		}
	}
	if err := l.read(ctx, aliases...); err != nil {
		return nil, err
	}
	all := make(map[model.CustomerID]string, len(customers))
	for customer, to := range resolved {
		id, err := l.reach(ctx, to)
		if err != nil {
			return nil, err
		}
		all[customer] = string(model.PhoneOf(cmp.Or(id, identity.IdentifierIn(to.customer))))
	}
	return all, nil
}

// Knows reports whether WhatsApp can send to an identifier, or a conversation or an alias exists under it. Accepting
// any other text would create a second customer for a known one.
func (s *Contacts) Knows(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (bool, error) {
	if whatsapp.Reachable(string(customer)) {
		return true, nil
	}
	l := s.LookUp(phone, nil)
	if err := l.identifiers(ctx, []model.CustomerID{customer}); err != nil {
		return false, err
	}
	return l.items[l.aliasKey(customer).Partition] != nil || l.items[l.conversationKey(customer).Partition] != nil, nil
}
