package inbox

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tombstone"
)

// Customer is everything that leads to one customer, as it was read: the conversation that goes on, those that were merged into
// it, and the aliases of all of them.
type Customer struct {
	phone   model.PhoneNumberID
	key     model.CustomerID     // in the key of the conversation that goes on; as asked for where there is none
	current *model.Conversation  // nil where there is none
	merged  []model.Conversation // those that are still there
	keys    []model.CustomerID   // of all conversations, the one that goes on first
	aliases []customerAlias
}

// Phone returns the number that the customer writes to.
func (w Customer) Phone() model.PhoneNumberID { return w.phone }

// Key returns the customer in the key of the conversation that goes on; what was asked for where there is none.
func (w Customer) Key() model.CustomerID { return w.key }

// Keys returns the customers in the keys of all conversations, the one that goes on first.
func (w Customer) Keys() []model.CustomerID { return w.keys }

// HasConversation reports whether there is a conversation.
func (w Customer) HasConversation() bool { return w.current != nil }

// customerAlias is an alias item that has to do with the customer.
type customerAlias struct {
	ownership
	shared bool // somebody else who owned the identifier, or owns it, has a conversation
}

// partitions are the conversations' partitions in gsi_conversation.
func (w Customer) partitions() []string {
	var all []string
	for _, customer := range w.keys {
		all = append(all, keys.Conversation(w.phone, customer).Partition)
	}
	return all
}

// owns reports whether a message of a logged value is the customer's: by what is stored under its id, and by who it is with
// where nothing is.
func (w Customer) owns(a decodedMessage, stored dynamo.Item) bool {
	switch {
	case tombstone.Is(stored):
		return true
	case IsMessage(stored):
		return slices.Contains(w.partitions(), dynamo.Text(stored, "conversationPk"))
	}
	return slices.ContainsFunc(a.identifiers(), func(id model.CustomerID) bool {
		i := slices.IndexFunc(w.aliases, func(t customerAlias) bool { return t.id == id })
		if i < 0 {
			return slices.Contains(w.keys, id)
		}
		return slices.Contains(w.keys, w.aliases[i].owner(a.order()))
	})
}

// FindCustomer finds everything that leads to the customer of an identifier. An identifier that has had several owners means
// nobody by itself: to erase the person who had a number must not erase, by the same call, who has it now.
func (s *Inbox) FindCustomer(ctx context.Context, phone model.PhoneNumberID, asked model.CustomerID) (Customer, error) {
	w := Customer{phone: phone, key: asked, keys: []model.CustomerID{asked}}
	l := s.lookUp(phone, nil)
	if err := l.identifiers(ctx, []model.CustomerID{asked}); err != nil {
		return w, err
	}
	o, err := l.ownership(asked)
	if err != nil || len(o.owners) > 1 && l.items[l.conversationKey(asked).Partition] == nil {
		return w, err
	}
	led, err := l.follow(ctx, []model.CustomerID{asked})
	if err != nil || led[asked].conversation == nil {
		return w, err
	}
	w.key, w.current = led[asked].customer, led[asked].conversation
	return s.withMerged(ctx, w, asked)
}

// withMerged adds the conversations that were merged into the one that goes on, and the aliases of all of them. asked is
// one more identifier to look for.
func (s *Inbox) withMerged(ctx context.Context, w Customer, asked model.CustomerID) (Customer, error) {
	w.keys = []model.CustomerID{w.key}
	for _, pk := range w.current.MergedFrom {
		if _, customer, ok := keys.ConversationIDs(pk); ok {
			w.keys = append(w.keys, customer)
		}
	}
	l := s.lookUp(w.phone, nil)
	for _, customer := range w.keys[1:] {
		c, err := l.conversation(ctx, customer)
		if err != nil {
			return w, err
		}
		if c != nil {
			w.merged = append(w.merged, *c)
		}
	}
	ids := append(slices.Clone(w.keys), asked)
	for _, c := range w.conversations() {
		_, customer, _ := keys.ConversationIDs(c.PK)
		ids = append(ids, model.ParseCustomers(append(slices.Clone(c.Aliases), c.From, c.UserID, string(identity.IdentifierIn(customer)))...)...)
	}
	slices.Sort(ids)
	return s.withAliases(ctx, w, slices.Compact(ids))
}

// conversations are all the customer's conversations that are still there.
func (w Customer) conversations() []model.Conversation {
	if w.current == nil {
		return nil
	}
	return append([]model.Conversation{*w.current}, w.merged...)
}

// withAliases adds the alias items of identifiers that the customer owns or has owned.
func (s *Inbox) withAliases(ctx context.Context, w Customer, ids []model.CustomerID) (Customer, error) {
	l := s.lookUp(w.phone, nil)
	if err := l.identifiers(ctx, ids); err != nil {
		return w, err
	}
	for _, id := range ids {
		o, err := l.ownership(id)
		if err != nil {
			return w, err
		}
		if o.version == 0 || !slices.ContainsFunc(o.owners, func(owner model.Owner) bool { return slices.Contains(w.keys, owner.CustomerID) }) {
			continue
		}
		t := customerAlias{ownership: o}
		for _, owner := range o.owners {
			if slices.Contains(w.keys, owner.CustomerID) {
				continue
			}
			c, err := l.conversation(ctx, owner.CustomerID)
			if err != nil {
				return w, err
			}
			t.shared = t.shared || c != nil
		}
		w.aliases = append(w.aliases, t)
	}
	return w, nil
}

// endWrites returns the writes that end an alias as far as it is the customer's, and whether the identifier is nobody's then.
//
// An identifier that has had several owners separates people, and when one of them is erased, the others must still be told
// apart: the item forgets the one and keeps the intervals. It goes where nobody else has a conversation.
//
// told are the facts about the customer.
func (t customerAlias) endWrites(w Customer, aboutCustomer map[string]bool) (writes []dynamo.Write, free bool, err error) {
	if !t.shared {
		check := t.unchanged(w.phone)
		writes = append(writes, dynamo.Delete{Table: tables.Messages, Key: check.Key, If: check.If, Values: check.Values})
		for _, owner := range t.owners {
			if !slices.Contains(w.keys, owner.CustomerID) {
				writes = append(writes, dynamo.Check{Table: tables.Messages, Key: keys.Conversation(w.phone, owner.CustomerID), If: "attribute_not_exists(pk)"})
			}
		}
		return writes, len(t.owners) == 1, nil
	}
	write, err := t.withoutCustomer(w, aboutCustomer).write(w.phone, 0)
	return []dynamo.Write{write}, false, err
}

// withoutCustomer returns the ownership without the customer: what is known of them goes, and the intervals stay.
func (t customerAlias) withoutCustomer(w Customer, aboutCustomer map[string]bool) ownership {
	left := t.ownership
	left.owners, left.facts = slices.Clone(t.owners), nil
	for i, owner := range t.owners {
		if slices.Contains(w.keys, owner.CustomerID) {
			left.owners[i].CustomerID = identity.UnknownOwner(t.id, string(owner.Since))
		}
		if i > 0 {
			left.facts = append(left.facts, model.IdentityFact{At: owner.Since, Divides: []model.CustomerID{t.id}})
		}
	}
	for _, f := range t.facts {
		if !aboutCustomer[identity.FactKey(f)] {
			left.facts = append(left.facts, f)
		}
	}
	return left
}

// factsAbout returns the facts about the customer, by their keys. A notice that came again later is about them, too, though somebody
// else has what they gave up by then.
func (w Customer) factsAbout() map[string]bool {
	var facts []model.IdentityFact
	var ids []model.CustomerID
	for _, t := range w.aliases {
		facts, ids = append(facts, t.facts...), append(ids, t.id)
	}
	people := identity.Resolve(facts, ids)
	person := map[int]bool{}
	for _, t := range w.aliases {
		for _, s := range people.Segments(t.id) {
			person[s.Person] = person[s.Person] || slices.Contains(w.keys, t.owner(s.Since))
		}
	}
	theirs := map[string]bool{}
	for _, f := range facts {
		theirs[identity.FactKey(f)] = person[people.Subject(f)]
	}
	return theirs
}
