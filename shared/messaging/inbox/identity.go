package inbox

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A customer has a wa_id, a BSUID, or both; the number dialled may differ from the one that answers; a number may pass
// to somebody else and back. A person has one conversation, under all their identifiers: the conversation's key
// holds one of them, and every other one has an alias item that says who owns it, and since when.
//
// A message whose identifiers lead to one conversation says nothing new, and is the common case. Anything else is a fact
// about identifiers: who owns them follows from all facts together, and not from the order in which they came (decide).

// person is the customer of messages: the conversation as it stands, and what has to be written about identifiers.
type person struct {
	phone    model.PhoneNumberID
	customer model.CustomerID     // in the conversation's key
	existing *model.Conversation  // nil where there is none yet
	younger  []model.Conversation // others that turned out to be the same person's: they are merged into it

	aliases         []model.CustomerID // other identifiers of theirs, which the conversation has to name
	losesIdentifier bool               // an identifier led to the conversation and leads elsewhere now
	unsettled       model.Order        // since when the conversation may hold messages of others, "" where it does not

	changedOwnerships []ownership        // identifiers of anybody whose ownership changes
	checked           []ownership        // identifiers whose ownership must not have changed
	absent            []model.CustomerID // keys under which no conversation may have opened
	others            []person           // other people whose conversation changes with it
	settle            []model.CustomerID // conversations that may hold messages of others

	factDecided bool             // a fact was decided on
	erasedUntil model.Time       // what they wrote until then has been erased
	decisions   []model.Decision // words of theirs that come along from another conversation
}

// changesIdentity reports whether an identifier changes hands, or two conversations become one.
func (p person) changesIdentity() bool {
	return len(p.changedOwnerships)+len(p.younger)+len(p.others) > 0 || p.losesIdentifier
}

// identify finds the customer of the first message, and how many of the next messages are theirs, too, each by its own
// time. A notice of a change is dealt with alone. opens reports whether the person's conversation is going to open where there
// is none.
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

// view is where the identifiers of messages lead.
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

// unknown reports whether nothing is known of an identifier.
func (v view) unknown(id model.CustomerID) bool {
	o := v.ownerships[id]
	return o.version == 0 && v.resolved[id].conversation == nil
}

// known finds the person of the first messages, where that follows from what stands: all that is known of their
// identifiers leads to one conversation. It returns no messages where it does not follow.
func (v view) known(messages []decodedMessage) (person, int) {
	home, ok := v.currentConversation(messages[0])
	if !ok {
		return person{}, 0
	}
	p := person{phone: v.phone, customer: home.customer, existing: home.conversation}
	if c := home.conversation; c != nil && c.UnsettledSince != "" {
		p.settle = []model.CustomerID{home.customer}
	}
	n := 0
	for ; n < len(messages) && messages[n].change == nil; n++ {
		a := messages[n]
		stranger := func(id model.CustomerID) bool {
			return v.at(id, a.order()).customer != home.customer && !p.changesOwner(id)
		}
		if n > 0 && (slices.ContainsFunc(a.ids, stranger) || v.precedesSighting(a)) {
			break
		}
		for _, id := range a.ids {
			v.recordIdentifier(&p, id, messages[0])
		}
	}
	return p, n
}

// currentConversation is the one conversation, or the key for one, that the identifiers of a message lead to. Where none is known, it is
// that of the first.
func (v view) currentConversation(a decodedMessage) (home resolution, ok bool) {
	for _, id := range a.ids {
		switch led := v.at(id, a.order()); {
		case v.unknown(id):
		case led.conversation == nil: // known from notices alone: whose else the identifier is has to be asked
			return home, false
		case home.conversation == nil:
			home = led
		case led.customer != home.customer:
			return home, false
		}
	}
	if home.conversation == nil {
		home = resolution{customer: a.ids[0]}
	}
	return home, !v.precedesSighting(a)
}

// precedesSighting reports whether a message shows identifiers together earlier than any that is known: a change of hands between the
// two, of which a notice is still to come, has to find them together before.
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

// recordIdentifier notes what a message has to write, or to rely on, of an identifier that it shows. first is the message that shows it
// with the others.
func (v view) recordIdentifier(p *person, id model.CustomerID, first decodedMessage) {
	o := v.ownerships[id]
	switch {
	case p.changesOwner(id) || slices.ContainsFunc(p.checked, func(checked ownership) bool { return checked.id == id }):
	case v.unknown(id) && id != p.customer:
		o.owners = []model.Owner{{CustomerID: p.customer}}
		o.facts = []model.IdentityFact{{At: first.order(), Shows: first.ids}}
		p.changedOwnerships, p.aliases, p.absent = append(p.changedOwnerships, o), append(p.aliases, id), append(p.absent, id)
	case o.expires && !o.isDefault(): // a message has confirmed it
		o.expires = false
		p.changedOwnerships, p.aliases = append(p.changedOwnerships, o), append(p.aliases, id)
	case p.existing == nil || p.existing.IdentityRevision > 0: // the conversation may have been read after the owner has changed
		p.checked = append(p.checked, o)
	}
}

// changesOwner reports whether the ownership of an identifier is going to be written.
func (p *person) changesOwner(id model.CustomerID) bool {
	return slices.ContainsFunc(p.changedOwnerships, func(o ownership) bool { return o.id == id })
}

// identifiersOf returns the identifiers that a conversation's customer has, or had.
func identifiersOf(c model.Conversation) []string {
	_, customer, _ := keys.ConversationIDs(c.PK)
	return append([]string{string(identity.IdentifierIn(customer))}, c.Aliases...)
}

// identityWrites are the writes and checks of identifiers, and of other people's conversations. opening says that the person
// has a conversation then: what is known of people who have none is kept for a time only.
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
		if id != p.customer || p.existing != nil || !opening { // the conversation's own write says it otherwise
			writes = append(writes, dynamo.Check{Table: tables.Messages, Key: keys.Conversation(p.phone, id), If: "attribute_not_exists(pk)"})
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
