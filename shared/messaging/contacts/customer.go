package contacts

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Customer is everything that identifies one customer, as it was read: the current conversation, the conversations
// merged into it, and the aliases of all of them.
type Customer struct {
	phone   model.PhoneNumberID
	key     model.CustomerID     // in the key of the current conversation; the requested one if there is none
	current *model.Conversation  // nil if there is none
	merged  []model.Conversation // those that still exist
	keys    []model.CustomerID   // of all conversations, the current one first
	aliases []customerAlias
	former  []model.CustomerID // identifiers that lead to the current conversation where a key is meant
}

// Phone returns the business number that the customer writes to.
func (of Customer) Phone() model.PhoneNumberID { return of.phone }

// Key returns the customer in the key of the current conversation, or the requested customer if there is none.
func (of Customer) Key() model.CustomerID { return of.key }

// Keys returns the customers in the keys of all conversations, the current one first.
func (of Customer) Keys() []model.CustomerID { return of.keys }

// Accounts returns the keys under which domains may keep what is the customer's: those of all conversations, and
// identifiers under which something was kept before the customer was known by another one. An identifier that is the
// key of somebody else is left out.
func (of Customer) Accounts() []model.CustomerID {
	all := slices.Concat(of.keys, of.former)
	slices.Sort(all)
	return slices.Compact(all)
}

// Identifiers returns the numbers and user ids that are the customer's now. One that has passed on to somebody else is
// left out.
func (of Customer) Identifiers() []model.CustomerID {
	candidates := make([]model.CustomerID, len(of.keys), len(of.keys)+len(of.aliases))
	for i, key := range of.keys {
		candidates[i] = identity.IdentifierIn(key)
	}
	passedOn := map[model.CustomerID]bool{}
	for _, alias := range of.aliases {
		candidates = append(candidates, alias.id)
		passedOn[alias.id] = !slices.Contains(of.keys, alias.owners[len(alias.owners)-1].CustomerID)
	}
	slices.Sort(candidates)
	return slices.DeleteFunc(slices.Compact(candidates), func(id model.CustomerID) bool { return passedOn[id] })
}

// HasConversation reports whether there is a conversation.
func (of Customer) HasConversation() bool { return of.current != nil }

// Current returns the current conversation; nil if there is none.
func (of Customer) Current() *model.Conversation { return of.current }

// Merged returns the conversations that were merged into the current one and still exist.
func (of Customer) Merged() []model.Conversation { return of.merged }

// Conversations returns all of the customer's conversations that still exist, the current one first.
func (of Customer) Conversations() []model.Conversation {
	if of.current == nil {
		return nil
	}
	return append([]model.Conversation{*of.current}, of.merged...)
}

// Held says since when a customer has an identifier, and until when they had it.
type Held struct {
	ID           model.CustomerID
	Since, Until model.Order // "" for always
}

// Held returns the identifiers that the customer has or has had by alias items, with the times.
func (of Customer) Held() []Held {
	var all []Held
	for _, alias := range of.aliases {
		for i, owner := range alias.owners {
			if slices.Contains(of.keys, owner.CustomerID) {
				all = append(all, Held{alias.id, owner.Since, alias.until(i)})
			}
		}
	}
	return all
}

// customerAlias is an alias item of which the customer is or was an owner.
type customerAlias struct {
	ownership
	shared bool // another owner of the identifier has a conversation
}

// Partitions returns the conversations' partitions in gsi_conversation.
func (of Customer) Partitions() []string {
	var all []string
	for _, customer := range of.keys {
		all = append(all, keys.Conversation(of.phone, customer).Partition)
	}
	return all
}

// Owns reports whether something that was sighted is the customer's, by its identifiers.
func (of Customer) Owns(seen Sighting) bool {
	return slices.ContainsFunc(seen.Identifiers(), func(id model.CustomerID) bool {
		i := slices.IndexFunc(of.aliases, func(t customerAlias) bool { return t.id == id })
		if i < 0 {
			return slices.Contains(of.keys, id)
		}
		return slices.Contains(of.keys, of.aliases[i].owner(seen.At))
	})
}

// KnownByKey returns a customer of whom nothing is known but the key of a conversation.
func KnownByKey(phone model.PhoneNumberID, key model.CustomerID) Customer {
	return Customer{phone: phone, key: key, keys: []model.CustomerID{key}}
}

// FindCustomer finds everything that identifies the owner of an identifier. An identifier with several owners
// identifies no one by itself: erasing the person who had a number must not erase the person who has it now.
func (s *Contacts) FindCustomer(
	ctx context.Context, phone model.PhoneNumberID, asked model.CustomerID,
) (Customer, error) {
	of := KnownByKey(phone, asked)
	l := s.LookUp(phone, nil)
	if err := l.identifiers(ctx, []model.CustomerID{asked}); err != nil {
		return of, err
	}
	o, err := l.ownership(asked)
	if err != nil || len(o.owners) > 1 && l.items[l.conversationKey(asked).Partition] == nil {
		return of, err
	}
	resolved, err := l.follow(ctx, []model.CustomerID{asked})
	if err != nil || resolved[asked].conversation == nil {
		return of, err
	}
	of.key, of.current = resolved[asked].customer, resolved[asked].conversation
	return s.withMerged(ctx, of, asked)
}

// withMerged adds the conversations that were merged into the current one, and the aliases of all of them. asked is one
// more identifier to include.
func (s *Contacts) withMerged(ctx context.Context, of Customer, asked model.CustomerID) (Customer, error) {
	of.keys = []model.CustomerID{of.key}
	for _, pk := range of.current.MergedFrom {
		if _, customer, ok := keys.ConversationIDs(pk); ok {
			of.keys = append(of.keys, customer)
		}
	}
	l := s.LookUp(of.phone, nil)
	for _, customer := range of.keys[1:] {
		c, err := l.conversation(ctx, customer)
		if err != nil {
			return of, err
		}
		if c != nil {
			of.merged = append(of.merged, *c)
		}
	}
	ids := append(slices.Clone(of.keys), asked)
	for _, c := range of.Conversations() {
		ids = append(ids, model.ParseCustomers(append(IdentifiersOf(c), c.From, c.UserID)...)...)
	}
	slices.Sort(ids)
	return s.withAliases(ctx, of, slices.Compact(ids))
}

// withAliases adds the alias items of identifiers that the customer owns or has owned.
func (s *Contacts) withAliases(ctx context.Context, of Customer, ids []model.CustomerID) (Customer, error) {
	l := s.LookUp(of.phone, nil)
	if err := l.identifiers(ctx, ids); err != nil {
		return of, err
	}
	for _, id := range ids {
		o, err := l.ownership(id)
		if err != nil {
			return of, err
		}
		if l.items[l.conversationKey(id).Partition] == nil && slices.Contains(of.keys, o.owners[0].CustomerID) {
			of.former = append(of.former, id)
		}
		theirs := func(owner model.Owner) bool { return slices.Contains(of.keys, owner.CustomerID) }
		if o.version == 0 || !slices.ContainsFunc(o.owners, theirs) {
			continue
		}
		t := customerAlias{ownership: o}
		for _, owner := range o.owners {
			if slices.Contains(of.keys, owner.CustomerID) {
				continue
			}
			c, err := l.conversation(ctx, owner.CustomerID)
			if err != nil {
				return of, err
			}
			t.shared = t.shared || c != nil
		}
		of.aliases = append(of.aliases, t)
	}
	return of, nil
}

// AliasErasure erases a customer from one alias item.
type AliasErasure struct {
	ID     model.CustomerID
	Writes []dynamo.Write
	Free   bool // nobody has the identifier then
}

// AliasErasures returns the erasures of the customer from the alias items of all identifiers that they have or have
// had.
func (of Customer) AliasErasures() ([]AliasErasure, error) {
	about := of.factsAbout()
	all := make([]AliasErasure, len(of.aliases))
	for i, alias := range of.aliases {
		writes, free, err := alias.endWrites(of, about)
		if err != nil {
			return nil, err
		}
		all[i] = AliasErasure{alias.id, writes, free}
	}
	return all, nil
}

// endWrites returns the writes that remove the customer from an alias, and whether the identifier then has no owner.
//
// An identifier with several owners keeps people apart, also after one of them is erased: the item keeps the intervals
// and forgets the customer. It is deleted if no other owner has a conversation. aboutCustomer holds the keys of the
// facts about the customer.
func (t customerAlias) endWrites(
	of Customer, aboutCustomer map[string]bool,
) (writes []dynamo.Write, free bool, err error) {
	if !t.shared {
		check := t.unchanged(of.phone)
		writes = append(writes, dynamo.Delete{
			Table: tables.Messages, Key: check.Key, If: check.If, Values: check.Values,
		})
		for _, owner := range t.owners {
			if !slices.Contains(of.keys, owner.CustomerID) {
				writes = append(writes, dynamo.Check{
					Table: tables.Messages, Key: keys.Conversation(of.phone, owner.CustomerID), If: dynamo.IfAbsent,
				})
			}
		}
		return writes, len(t.owners) == 1, nil
	}
	write, err := t.withoutCustomer(of, aboutCustomer).write(of.phone, 0)
	return []dynamo.Write{write}, false, err
}

// withoutCustomer returns the ownership without the customer and the facts about them. The intervals stay.
func (t customerAlias) withoutCustomer(of Customer, aboutCustomer map[string]bool) ownership {
	left := t.ownership
	left.owners, left.facts = slices.Clone(t.owners), nil
	for i, owner := range t.owners {
		if slices.Contains(of.keys, owner.CustomerID) {
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

// factsAbout returns the keys of the facts about the customer. They include a repeated notice, even if the identifiers
// that it gives up belong to another person by then.
func (of Customer) factsAbout() map[string]bool {
	var facts []model.IdentityFact
	var ids []model.CustomerID
	for _, t := range of.aliases {
		facts, ids = append(facts, t.facts...), append(ids, t.id)
	}
	people := identity.Resolve(facts, ids)
	person := map[int]bool{}
	for _, t := range of.aliases {
		for _, s := range people.Segments(t.id) {
			person[s.Person] = person[s.Person] || slices.Contains(of.keys, t.owner(s.Since))
		}
	}
	theirs := map[string]bool{}
	for _, f := range facts {
		theirs[identity.FactKey(f)] = person[people.Subject(f)]
	}
	return theirs
}
