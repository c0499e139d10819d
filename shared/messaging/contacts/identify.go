package contacts

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A customer has a phone number (wa_id), a user id (BSUID), or both. The number dialled may differ from the number that
// answers, and a number may pass to another person and back. A person has one conversation for all their identifiers.
// The conversation's key holds one of them. Every other one has an alias item that says who owns it, and since when.
//
// In the common case, all identifiers of a message lead to one conversation, and the message shows nothing new.
// Anything else is a fact about identifiers. The owners follow from all facts together and not from the order of their
// arrival; see resolveFact.

// Person is the customer of what was sighted: their conversation as it was read, and what changes with what is known of
// their identifiers. Writes returns the writes of the identifiers. The caller writes what changes for conversations.
type Person struct {
	Phone    model.PhoneNumberID
	Customer model.CustomerID     // in the conversation's key
	Existing *model.Conversation  // nil if there is none yet
	Younger  []model.Conversation // other conversations of the same person, to be merged into it

	Aliases         []model.CustomerID // their other identifiers, which the conversation must name
	LosesIdentifier bool               // an identifier led to the conversation and leads elsewhere now
	FactDecided     bool               // a fact was decided on: Unsettled replaces what the conversation says
	Unsettled       model.Order        // since when the conversation may hold messages of others; "" if it holds none

	Others []Person           // other people whose conversations change too
	Settle []model.CustomerID // customers whose conversations may hold messages of others

	changedOwnerships []ownership        // of any person
	checked           []ownership        // must not have changed
	absent            []model.CustomerID // keys under which no conversation may have opened
}

// ChangesIdentity reports whether an identifier gets another owner, or two conversations are merged.
func (p Person) ChangesIdentity() bool {
	return len(p.changedOwnerships)+len(p.Younger)+len(p.Others) > 0 || p.LosesIdentifier
}

// Identify finds the customer of the first sighting, and how many of the following sightings are theirs too, each by
// its own time. It handles a notice of a change alone. opens says that the person's conversation opens if there is
// none.
func (l *Lookup) Identify(ctx context.Context, seen []Sighting, opens bool) (Person, int, error) {
	var all []model.CustomerID
	for _, a := range seen {
		all = append(all, a.Identifiers()...)
	}
	if err := l.identifiers(ctx, all); err != nil {
		return Person{}, 0, err
	}
	first := seen[0]
	if first.Change != nil {
		p, err := l.resolveFact(ctx, first.Change.fact(first.At), opens)
		return p, 1, err
	}
	v, err := l.view(ctx, seen)
	if err != nil {
		return Person{}, 0, err
	}
	if p, n := v.known(seen); n > 0 {
		return p, n, nil
	}
	p, err := l.resolveFact(ctx, model.IdentityFact{At: first.At, Shows: first.IDs}, opens)
	return p, 1, err
}

// view holds where the identifiers of sightings lead.
type view struct {
	phone      model.PhoneNumberID
	ownerships map[model.CustomerID]ownership
	resolved   map[model.CustomerID]resolution // by owner
}

func (l *Lookup) view(ctx context.Context, seen []Sighting) (v view, err error) {
	v = view{phone: l.phone, ownerships: map[model.CustomerID]ownership{}}
	var owners []model.CustomerID
	for _, a := range seen {
		for _, id := range a.IDs {
			o, err := l.ownership(id)
			if err != nil {
				return v, err
			}
			v.ownerships[id] = o
			owners = append(owners, o.owner(a.At))
		}
	}
	v.resolved, err = l.follow(ctx, owners)
	return v, err
}

// at returns where an identifier leads at a place in the order.
func (v view) at(id model.CustomerID, at model.Order) resolution {
	return v.resolved[v.ownerships[id].owner(at)]
}

// unknown reports whether nothing is stored about an identifier.
func (v view) unknown(id model.CustomerID) bool {
	o := v.ownerships[id]
	return o.version == 0 && v.resolved[id].conversation == nil
}

// known finds the person of the first messages if the stored ownerships are enough: all known identifiers lead to one
// conversation. Otherwise it returns no messages.
func (v view) known(seen []Sighting) (Person, int) {
	current, ok := v.currentConversation(seen[0])
	if ok && current.conversation != nil && current.conversation.Undecided {
		ok = !slices.ContainsFunc(seen[0].IDs, v.unknown) // a fact decides again who has made its changes
	}
	if !ok {
		return Person{}, 0
	}
	p := Person{Phone: v.phone, Customer: current.customer, Existing: current.conversation}
	if c := current.conversation; c != nil && c.UnsettledSince != "" {
		p.Settle = []model.CustomerID{current.customer}
	}
	n := 0
	for ; n < len(seen) && seen[n].Change == nil; n++ {
		a := seen[n]
		other := func(id model.CustomerID) bool {
			return v.at(id, a.At).customer != current.customer && !p.changesOwner(id)
		}
		if n > 0 && (slices.ContainsFunc(a.IDs, other) || v.precedesSighting(a)) {
			break
		}
		for _, id := range a.IDs {
			v.recordIdentifier(&p, id, seen[0])
		}
	}
	return p, n
}

// currentConversation returns the one conversation, or the key of a new one, to which the identifiers of a message
// lead. If all identifiers are unknown, it is the key of the first.
func (v view) currentConversation(a Sighting) (current resolution, ok bool) {
	for _, id := range a.IDs {
		switch r := v.at(id, a.At); {
		case v.unknown(id):
		case r.conversation == nil: // known from notices only: its other owners matter
			return current, false
		case current.conversation == nil:
			current = r
		case r.customer != current.customer:
			return current, false
		}
	}
	if current.conversation == nil {
		current = resolution{customer: a.IDs[0]}
	}
	return current, !v.precedesSighting(a)
}

// precedesSighting reports whether a message shows identifiers together earlier than any stored fact. If a notice
// arrives later about a change of owner between the two, the earlier sighting must be stored.
func (v view) precedesSighting(a Sighting) bool {
	for _, id := range a.IDs {
		o, first := v.ownerships[id], model.Order("")
		for _, f := range o.facts {
			sighting := len(f.Takes)+len(f.Divides) == 0 && o.at(f.At) == o.at(a.At)
			if sighting && sameIdentifiers(f.Shows, a.IDs) && (first == "" || f.At < first) {
				first = f.At
			}
		}
		if a.At < first {
			return true
		}
	}
	return false
}

func sameIdentifiers(a, b []model.CustomerID) bool {
	missing := func(id model.CustomerID) bool { return !slices.Contains(b, id) }
	return len(a) == len(b) && !slices.ContainsFunc(a, missing)
}

// recordIdentifier adds what must be written or checked for an identifier that a message shows. first is the message
// that shows it together with the others.
func (v view) recordIdentifier(p *Person, id model.CustomerID, first Sighting) {
	o := v.ownerships[id]
	switch {
	case p.changesOwner(id) || slices.ContainsFunc(p.checked, func(checked ownership) bool { return checked.id == id }):
	case v.unknown(id) && id != p.Customer:
		o.owners = []model.Owner{{CustomerID: p.Customer}}
		o.facts = []model.IdentityFact{{At: first.At, Shows: first.IDs}}
		p.changedOwnerships = append(p.changedOwnerships, o)
		p.Aliases, p.absent = append(p.Aliases, id), append(p.absent, id)
	case o.expires && !o.isDefault(): // this message confirms it
		o.expires = false
		p.changedOwnerships, p.Aliases = append(p.changedOwnerships, o), append(p.Aliases, id)
	case p.Existing == nil || p.Existing.IdentityRevision > 0:
		// The owner may have changed after the alias was read and before the conversation was.
		p.checked = append(p.checked, o)
	}
}

// changesOwner reports whether the person's changes include the ownership of an identifier.
func (p *Person) changesOwner(id model.CustomerID) bool {
	return slices.ContainsFunc(p.changedOwnerships, func(o ownership) bool { return o.id == id })
}

// Writes returns the writes and checks of a person's identifiers. opening says that the person has a conversation
// afterwards. Facts about people without a conversation expire.
func (s *Contacts) Writes(p Person, opening bool) ([]dynamo.Write, error) {
	var writes []dynamo.Write
	for _, o := range p.changedOwnerships {
		expires := int64(0)
		confirms := func(owner model.Owner) bool { return opening && owner.CustomerID == p.Customer }
		if o.expires && !slices.ContainsFunc(o.owners, confirms) {
			expires = s.Now().Add(pendingFactLifetime).Unix()
		}
		write, err := o.write(p.Phone, expires)
		if err != nil {
			return nil, err
		}
		writes = append(writes, write)
	}
	for _, o := range p.checked {
		writes = append(writes, o.unchanged(p.Phone))
	}
	for _, id := range p.absent {
		if id != p.Customer || p.Existing != nil || !opening { // otherwise the conversation's own write checks it
			writes = append(writes, dynamo.Check{
				Table: tables.Messages, Key: keys.Conversation(p.Phone, id), If: dynamo.IfAbsent,
			})
		}
	}
	return writes, nil
}

// pendingFactLifetime is how long a change of a person who has not written yet is stored: as long as a message from
// before it may arrive.
const pendingFactLifetime = model.TombstoneLifetime
