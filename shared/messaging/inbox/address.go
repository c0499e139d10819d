package inbox

import (
	"cmp"
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Addressee is the customer whom a message of the business goes to.
type Addressee struct {
	person   person
	resolved bool // another identifier has led to the customer
}

// AddressRefs names the items that Address decides on, to be read with what else a send needs.
func (s *Inbox) AddressRefs(phone model.PhoneNumberID, customer model.CustomerID) []dynamo.Ref {
	return []dynamo.Ref{
		{Table: tables.Messages, Key: keys.Conversation(phone, customer)}, {Table: tables.Messages, Key: keys.Alias(phone, customer)},
	}
}

// Address finds the customer that a caller means by the key of a conversation, or by any other identifier. found holds the items
// that AddressRefs names. Where the customer has another key, the caller reads that key's items and calls Address again.
func (s *Inbox) Address(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID, found dynamo.Found) (Addressee, error) {
	l := s.lookUp(phone, nil)
	for _, ref := range s.AddressRefs(phone, customer) {
		l.items[ref.Key.Partition] = ref.Found(found)
	}
	p, err := l.resolveAddressee(ctx, customer)
	return Addressee{person: p}, err
}

// ResolvedTo returns the addressee next, which relies on what has led to it from the addressee a.
func (a Addressee) ResolvedTo(next Addressee) Addressee {
	if a.person.checked != nil {
		next.person.checked, next.resolved = a.person.checked, true
	}
	return next
}

// Customer returns the customer in the key of the conversation.
func (a Addressee) Customer() model.CustomerID { return a.person.customer }

// Conversation returns the conversation as it was read, nil where the message opens it.
func (a Addressee) Conversation() *model.Conversation { return a.person.existing }

// Reachable reports whether a message can go to the addressee: something is known of them, or their identifier is a phone number
// or a user id.
func (a Addressee) Reachable() bool {
	return a.person.existing != nil || a.resolved || whatsapp.Reachable(string(a.person.customer))
}

// OptedOut reports whether the customer has asked not to be written to, and has written nothing since.
func (a Addressee) OptedOut() bool { return optedOut(a.person.existing) }

// Recipient returns where messages to the addressee go: what the customer showed last, else the identifier in the key.
func (a Addressee) Recipient() whatsapp.Recipient {
	c := a.person.existing
	if c == nil {
		return whatsapp.Recipient{ID: string(identity.IdentifierIn(a.person.customer))}
	}
	return whatsapp.Recipient{ID: cmp.Or(c.From, string(a.person.customer)), Group: c.GroupID != ""}
}

// Holds reports whether messages stored under a conversation's key are in the addressee's conversation.
func (a Addressee) Holds(conversationPK string) bool {
	return conversationPK == keys.Conversation(a.person.phone, a.person.customer).Partition || a.person.existing != nil && a.person.hasConversation(model.Conversation{PK: conversationPK})
}

// OutboundWrites returns the writes that put a message of the business into the addressee's conversation, for the caller's
// transaction. Their conditions are that the conversation is as it was read, and that no message has the id.
func (s *Inbox) OutboundWrites(a Addressee, m model.Message) ([]dynamo.Write, error) {
	message, err := JoinWrite(m)
	if err != nil {
		return nil, err
	}
	conversation, err := s.personWrites(a.person, []decodedMessage{{message: m}})
	return append([]dynamo.Write{message}, conversation...), err
}

// resolveAddressee finds the conversation that a caller means, now. A conversation that stands is meant itself, unless it was merged
// into another. An alias is followed only where none stands, because the alias of a number that was given up leads to its next
// owner.
func (l *lookup) resolveAddressee(ctx context.Context, customer model.CustomerID) (person, error) {
	p := person{phone: l.phone, customer: customer}
	if err := l.identifiers(ctx, []model.CustomerID{customer}); err != nil {
		return p, err
	}
	o, err := l.ownership(customer)
	if err != nil {
		return p, err
	}
	asked := customer
	if l.items[l.conversationKey(customer).Partition] == nil {
		asked = o.owner(model.OrderOf(model.At(l.Now()), 0))
	}
	led, err := l.follow(ctx, []model.CustomerID{asked})
	if err != nil {
		return p, err
	}
	p.customer, p.existing = led[asked].customer, led[asked].conversation
	if p.existing == nil {
		p.checked = []ownership{o} // a new conversation relies on it
	}
	return p, nil
}

// Knows reports whether an identifier is somebody's: WhatsApp can send to it, or a conversation or an alias stands under it. Any
// other text would make a new customer of a known one.
func (s *Inbox) Knows(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (bool, error) {
	if whatsapp.Reachable(string(customer)) {
		return true, nil
	}
	l := s.lookUp(phone, nil)
	if err := l.identifiers(ctx, []model.CustomerID{customer}); err != nil {
		return false, err
	}
	return l.items[l.aliasKey(customer).Partition] != nil || l.items[l.conversationKey(customer).Partition] != nil, nil
}
