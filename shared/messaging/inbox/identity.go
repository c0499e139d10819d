package inbox

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A customer has a phone number (wa_id), a user id (BSUID), or both. The number dialled may differ from the number that
// answers, and a number may pass to another person and back. A person has one conversation for all their identifiers. The
// conversation's key holds one of them. Every other one has an alias item that says who owns it, and since when.
//
// In the common case, all identifiers of a message lead to one conversation, and the message shows nothing new. Anything else
// is a fact about identifiers. The owners follow from all facts together and not from the order of their arrival; see
// resolveFact.

// person is the customer of messages: their conversation as it was read, and the changes of identifiers to write.
type person struct {
	phone    model.PhoneNumberID
	customer model.CustomerID     // in the conversation's key
	existing *model.Conversation  // nil if there is none yet
	younger  []model.Conversation // other conversations of the same person, to be merged into it

	aliases         []model.CustomerID // their other identifiers, which the conversation must name
	losesIdentifier bool               // an identifier led to the conversation and leads elsewhere now
	unsettled       model.Order        // since when the conversation may hold messages of others, "" where it does not

	changedOwnerships []ownership        // of any person
	checked           []ownership        // must not have changed
	absent            []model.CustomerID // keys under which no conversation may have opened
	others            []person           // other people whose conversations change too
	settle            []model.CustomerID // customers whose conversations may hold messages of others

	factDecided bool             // a fact was decided on
	erasedUntil model.Time       // their messages up to then are erased
	decisions   []model.Decision // opt-out decisions that move here from another conversation
	files       media.Orders     // of the files that their messages show
}

// changesIdentity reports whether an identifier gets another owner, or two conversations are merged.
func (p person) changesIdentity() bool {
	return len(p.changedOwnerships)+len(p.younger)+len(p.others) > 0 || p.losesIdentifier
}

// identify finds the customer of the first message, and how many of the following messages are theirs too, each by its own
// time. It handles a notice of a change alone. opens says that the person's conversation opens if there is none.
func (s *Inbox) identify(ctx context.Context, l *lookup, messages []decodedMessage, opens bool) (person, int, error) {
	var all []model.CustomerID
	for _, a := range messages {
		all = append(all, a.identifiers()...)
	}
	if err := l.identifiers(ctx, all); err != nil {
		return person{}, 0, err
	}
	first := messages[0]
	if first.change != nil {
		p, err := l.resolveFact(ctx, first.change.fact(first.order()), opens)
		return p, 1, err
	}
	v, err := l.view(ctx, messages)
	if err != nil {
		return person{}, 0, err
	}
	if p, n := v.known(messages); n > 0 {
		return p, n, nil
	}
	p, err := l.resolveFact(ctx, model.IdentityFact{At: first.order(), Shows: first.ids}, opens)
	return p, 1, err
}

// view holds where the identifiers of messages lead.
type view struct {
	phone      model.PhoneNumberID
	ownerships map[model.CustomerID]ownership
	resolved   map[model.CustomerID]resolution // by owner
}

func (l *lookup) view(ctx context.Context, messages []decodedMessage) (v view, err error) {
	v = view{phone: l.phone, ownerships: map[model.CustomerID]ownership{}}
	var owners []model.CustomerID
	for _, a := range messages {
		for _, id := range a.ids {
			o, err := l.ownership(id)
			if err != nil {
				return v, err
			}
			v.ownerships[id] = o
			owners = append(owners, o.owner(a.order()))
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
func (v view) known(messages []decodedMessage) (person, int) {
	current, ok := v.currentConversation(messages[0])
	if ok && current.conversation != nil && current.conversation.Undecided {
		ok = !slices.ContainsFunc(messages[0].ids, v.unknown) // a fact decides again who has made its changes
	}
	if !ok {
		return person{}, 0
	}
	p := person{phone: v.phone, customer: current.customer, existing: current.conversation}
	if c := current.conversation; c != nil && c.UnsettledSince != "" {
		p.settle = []model.CustomerID{current.customer}
	}
	n := 0
	for ; n < len(messages) && messages[n].change == nil; n++ {
		a := messages[n]
		other := func(id model.CustomerID) bool {
			return v.at(id, a.order()).customer != current.customer && !p.changesOwner(id)
		}
		if n > 0 && (slices.ContainsFunc(a.ids, other) || v.precedesSighting(a)) {
			break
		}
		for _, id := range a.ids {
			v.recordIdentifier(&p, id, messages[0])
		}
	}
	return p, n
}

// currentConversation returns the one conversation, or the key of a new one, to which the identifiers of a message lead. If all
// identifiers are unknown, it is the key of the first.
func (v view) currentConversation(a decodedMessage) (current resolution, ok bool) {
	for _, id := range a.ids {
		switch r := v.at(id, a.order()); {
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
		current = resolution{customer: a.ids[0]}
	}
	return current, !v.precedesSighting(a)
}

// precedesSighting reports whether a message shows identifiers together earlier than any stored fact. If a notice arrives later
// about a change of owner between the two, the earlier sighting must be stored.
func (v view) precedesSighting(a decodedMessage) bool {
	for _, id := range a.ids {
		o, first := v.ownerships[id], model.Order("")
		for _, f := range o.facts {
			sighting := len(f.Takes)+len(f.Divides) == 0 && o.at(f.At) == o.at(a.order())
			if sighting && sameIdentifiers(f.Shows, a.ids) && (first == "" || f.At < first) {
				first = f.At
			}
		}
		if a.order() < first {
			return true
		}
	}
	return false
}

func sameIdentifiers(a, b []model.CustomerID) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(id model.CustomerID) bool { return !slices.Contains(b, id) })
}

// recordIdentifier adds what must be written or checked for an identifier that a message shows. first is the message that shows
// it together with the others.
func (v view) recordIdentifier(p *person, id model.CustomerID, first decodedMessage) {
	o := v.ownerships[id]
	switch {
	case p.changesOwner(id) || slices.ContainsFunc(p.checked, func(checked ownership) bool { return checked.id == id }):
	case v.unknown(id) && id != p.customer:
		o.owners = []model.Owner{{CustomerID: p.customer}}
		o.facts = []model.IdentityFact{{At: first.order(), Shows: first.ids}}
		p.changedOwnerships, p.aliases, p.absent = append(p.changedOwnerships, o), append(p.aliases, id), append(p.absent, id)
	case o.expires && !o.isDefault(): // this message confirms it
		o.expires = false
		p.changedOwnerships, p.aliases = append(p.changedOwnerships, o), append(p.aliases, id)
	case p.existing == nil || p.existing.IdentityRevision > 0: // the owner may have changed before the conversation was read
		p.checked = append(p.checked, o)
	}
}

// changesOwner reports whether the person's changes include the ownership of an identifier.
func (p *person) changesOwner(id model.CustomerID) bool {
	return slices.ContainsFunc(p.changedOwnerships, func(o ownership) bool { return o.id == id })
}

// identifiersOf returns the current and former identifiers of a conversation's customer.
func identifiersOf(c model.Conversation) []string {
	_, customer, _ := keys.ConversationIDs(c.PK)
	return append([]string{string(identity.IdentifierIn(customer))}, c.Aliases...)
}

// identityWrites returns the writes and checks of identifiers, and of other people's conversations. opening says that the
// person has a conversation afterwards. Facts about people without a conversation expire.
func (s *Inbox) identityWrites(p person, opening bool) ([]dynamo.Write, error) {
	var writes []dynamo.Write
	for _, o := range p.changedOwnerships {
		expires := int64(0)
		confirms := func(owner model.Owner) bool { return opening && owner.CustomerID == p.customer }
		if o.expires && !slices.ContainsFunc(o.owners, confirms) {
			expires = s.Now().Add(pendingFactLifetime).Unix()
		}
		write, err := o.write(p.phone, expires)
		if err != nil {
			return nil, err
		}
		writes = append(writes, write)
	}
	for _, o := range p.checked {
		writes = append(writes, o.unchanged(p.phone))
	}
	for _, id := range p.absent {
		if id != p.customer || p.existing != nil || !opening { // otherwise the conversation's own write checks it
			writes = append(writes, dynamo.Check{Table: tables.Messages, Key: keys.Conversation(p.phone, id), If: dynamo.IfAbsent})
		}
	}
	for _, other := range p.others {
		more, err := s.personWrites(other, nil)
		if err != nil {
			return nil, err
		}
		writes = append(writes, more...)
	}
	return writes, nil
}
