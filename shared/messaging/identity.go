package messaging

import (
	"context"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// A customer has a wa_id, a BSUID, or both; the number dialled may differ from the one that answers; a number may pass
// to somebody else and back. A person has one conversation, under all their identifiers: the conversation's key
// holds one of them, and every other one has an alias item that says who owns it, and since when.

// person is the customer of messages: the conversation as it stands, and what has to be written about identifiers.
type person struct {
	phone    model.PhoneNumberID
	customer model.CustomerID     // in the conversation's key
	existing *model.Conversation  // nil where there is none yet
	younger  []model.Conversation // others that turned out to be the same person's: they are merged into it

	owned   []ownership          // identifiers whose ownership changes
	checked []ownership          // identifiers whose ownership led to a new conversation and must not have changed
	absent  []model.CustomerID   // keys under which no conversation may have opened
	losers  []model.Conversation // other people's, who do not have an identifier any more

	erasedUntil model.Time       // what they wrote until then has been erased
	decisions   []model.Decision // words of theirs that come along from another conversation
}

// changesIdentity reports whether an identifier changes hands, or two conversations become one.
func (p person) changesIdentity() bool { return len(p.owned)+len(p.younger) > 0 }

// identify finds the customer of the first message, and how many of the next messages show, by their own times, the same
// owners. A notice of a change is dealt with alone.
func (s *Store) identify(ctx context.Context, l *lookup, messages []arrival) (person, int, error) {
	var all []model.CustomerID
	for _, a := range messages {
		all = append(all, a.identifiers()...)
	}
	if err := l.identifiers(ctx, all); err != nil {
		return person{}, 0, err
	}
	first := messages[0]
	if first.change != nil {
		p, err := l.changed(ctx, *first.change, first.order())
		return p, 1, err
	}
	ids, n, err := l.together(messages)
	if err != nil {
		return person{}, 0, err
	}
	p, err := l.resolve(ctx, ids, first.order())
	return p, n, err
}

// together returns the identifiers of the first messages that one person has written, the best of the first message
// first, and how many messages these are: each identifier has the same owner at the times of all of them.
func (l *lookup) together(messages []arrival) ([]model.CustomerID, int, error) {
	var ids []model.CustomerID
	owned := map[model.CustomerID]ownership{}
	for n, a := range messages {
		if a.change != nil {
			return ids, n, nil
		}
		more := ids
		for _, id := range a.ids {
			if _, known := owned[id]; known {
				continue
			}
			o, err := l.ownership(id)
			if err != nil {
				return nil, 0, err
			}
			owned[id], more = o, append(more, id)
		}
		for _, id := range more {
			for _, earlier := range messages[:n] {
				if owned[id].at(earlier.order()) != owned[id].at(a.order()) {
					return ids, n, nil
				}
			}
		}
		ids = more
	}
	return ids, len(messages), nil
}

// resolve finds the person behind identifiers that one message shows at a place in the order, the best identifier first.
// Their items must be known.
func (l *lookup) resolve(ctx context.Context, ids []model.CustomerID, at model.Order) (person, error) {
	owned := make([]ownership, len(ids))
	tokens := make([]model.CustomerID, len(ids))
	for i, id := range ids {
		var err error
		if owned[i], err = l.ownership(id); err != nil {
			return person{}, err
		}
		tokens[i] = owned[i].owner(at)
	}
	led, err := l.follow(ctx, tokens)
	if err != nil {
		return person{}, err
	}
	found := make([]standing, len(ids))
	for i, token := range tokens {
		found[i] = led[token]
	}
	p := person{phone: l.phone}
	p.settleOn(ids, found)
	for i := range owned {
		p.assign(owned[i], found[i], at)
	}
	return p, l.guardOpening(&p, ids, owned)
}

// settleOn chooses the conversation: the only one the identifiers lead to, the oldest of several of one person, or a new
// one under the best identifier.
func (p *person) settleOn(ids []model.CustomerID, found []standing) {
	p.customer = found[0].customer
	for i := range ids {
		if found[i].conversation == nil && found[i].customer != ids[i] { // a notice has led there before anybody wrote
			p.customer = found[i].customer
			break
		}
	}
	p.join(distinct(found, personal(ids)))
}

// personal returns the index of the identifier that is most a person's own: a user id rather than a number.
func personal(ids []model.CustomerID) int {
	return max(0, slices.IndexFunc(ids, func(id model.CustomerID) bool { return !allDigits(id) }))
}

func allDigits(id model.CustomerID) bool { return strings.Trim(string(id), "0123456789") == "" }

// distinct returns the conversations found, without repetition, the preferred one first.
func distinct(found []standing, preferred int) []model.Conversation {
	ordered := append([]standing{found[preferred]}, found...)
	var conversations []model.Conversation
	for _, s := range ordered {
		if s.conversation != nil && !slices.ContainsFunc(conversations, func(c model.Conversation) bool { return c.PK == s.conversation.PK }) {
			conversations = append(conversations, *s.conversation)
		}
	}
	return conversations
}

// join makes one person's of several conversations. Those that have owned one identifier at different times are two
// people's: they are never merged, and the first of the list, with the others of the same person, takes the message. certain
// are conversations that are the person's in any case.
func (p *person) join(candidates []model.Conversation, certain ...model.Conversation) {
	var same []model.Conversation
	for _, c := range candidates {
		if slices.ContainsFunc(same, func(other model.Conversation) bool { return strangers(c, other) }) {
			p.losers = append(p.losers, c)
			continue
		}
		same = append(same, c)
	}
	for _, c := range certain {
		if !slices.ContainsFunc(same, func(other model.Conversation) bool { return other.PK == c.PK }) {
			same = append(same, c)
		}
	}
	if len(same) == 0 {
		return
	}
	oldest := slices.MinFunc(same, byAge)
	_, p.customer, _ = keys.ConversationIDs(oldest.PK)
	p.existing = &oldest
	p.younger = slices.DeleteFunc(same, func(c model.Conversation) bool { return c.PK == oldest.PK })
}

// strangers reports whether two conversations that stand are known to be two people's: each has owned the same identifier,
// which has one owner at a time.
func strangers(a, b model.Conversation) bool {
	return a.PK != b.PK && slices.ContainsFunc(identifiersOf(a), func(id string) bool { return slices.Contains(identifiersOf(b), id) })
}

// identifiersOf returns the identifiers that a conversation's customer has, or had.
func identifiersOf(c model.Conversation) []string {
	_, customer, _ := keys.ConversationIDs(c.PK)
	return append([]string{string(identifierOf(customer))}, c.Aliases...)
}

// byAge orders conversations by their earliest message.
func byAge(a, b model.Conversation) int {
	if order := strings.Compare(string(a.FirstOrder), string(b.FirstOrder)); order != 0 {
		return order
	}
	return strings.Compare(a.PK, b.PK)
}

// assign gives an identifier that leads elsewhere to the person. An interval that nobody has used becomes theirs whole;
// from another owner, or from an unknown owner of a number that the person has given up, they have it from this
// message on.
func (p *person) assign(o ownership, led standing, at model.Order) {
	index := o.at(at)
	switch seen := o.owners[index].Seen; {
	case (led.customer == p.customer || p.merges(led)) && o.version > 0 && at < seen: // a message that was late
		p.own(o.claimed(index, o.owners[index].CustomerID, at))
		return
	case led.customer == p.customer || p.merges(led):
		return
	case led.conversation != nil:
		p.own(o.since(at, p.customer))
		return
	case o.owners[index].Since != "" && p.had(o.id):
		p.reliesOnAbsence(led.customer)
		p.own(o.since(at, p.customer))
		return
	}
	p.reliesOnAbsence(led.customer)
	p.own(o.claimed(index, p.customer, at))
}

// reliesOnAbsence records that no conversation may have opened under a key: an identifier that leads there is given to the
// person.
func (p *person) reliesOnAbsence(customer model.CustomerID) {
	if !slices.Contains(p.absent, customer) {
		p.absent = append(p.absent, customer)
	}
}

// own records an ownership to be written.
func (p *person) own(o ownership) { p.owned = append(p.owned, o) }

func (p *person) merges(led standing) bool {
	return led.conversation != nil && slices.ContainsFunc(p.younger, func(c model.Conversation) bool { return c.PK == led.conversation.PK })
}

// had reports whether the person's conversation knows the identifier as one of theirs.
func (p *person) had(id model.CustomerID) bool {
	return p.existing != nil && slices.Contains(identifiersOf(*p.existing), string(id))
}

// guardOpening has a new conversation open only as long as the alias items that led to its key are as they were read, and has
// an identifier that has changed hands before lead only to who owns it still. An alias that nobody has confirmed yet loses
// its expiry.
func (l *lookup) guardOpening(p *person, ids []model.CustomerID, owned []ownership) error {
	for i := range owned {
		written := slices.ContainsFunc(p.owned, func(o ownership) bool { return o.id == ids[i] })
		switch {
		case written:
		case owned[i].expires && owned[i].version > 0 && !isDefault(owned[i]):
			p.own(owned[i])
		case p.existing == nil || len(owned[i].owners) > 1: // the conversation may have been read after the owner has changed again
			p.checked = append(p.checked, owned[i])
		}
	}
	written := slices.ContainsFunc(p.owned, func(o ownership) bool { return o.id == p.customer })
	if p.existing != nil || written || isStranger(p.customer) || slices.Contains(ids, p.customer) {
		return nil
	}
	o, err := l.ownership(p.customer) // the last step before the key, which follow has read
	p.checked = append(p.checked, o)
	return err
}

// isDefault reports whether an ownership says no more than its absence would.
func isDefault(o ownership) bool { return len(o.owners) == 1 && o.owners[0].CustomerID == o.id }

// identityWrites are the writes and checks of a person's identifiers and of the people who have lost one.
func (p person) identityWrites(expires int64) ([]dynamo.Write, error) {
	var writes []dynamo.Write
	for _, o := range p.owned {
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
		if id != p.customer || p.existing != nil { // the conversation's own write says it otherwise
			writes = append(writes, dynamo.Check{Table: table, Key: keys.Conversation(p.phone, id), If: "attribute_not_exists(pk)"})
		}
	}
	for _, loser := range p.losers {
		writes = append(writes, revised(loser))
	}
	return writes, nil
}

// revised moves on the identity revision of a conversation, so that a message which was led to it by what no longer holds
// is resolved anew. Its condition is that the conversation stands as it was read.
func revised(c model.Conversation) dynamo.Write {
	u := dynamo.Update{
		Table: table, Key: keys.Key{PartitionName: "pk", Partition: c.PK},
		Do:     "SET identityRevision = :next",
		If:     "attribute_exists(pk) AND attribute_not_exists(mergedInto) AND ",
		Values: dynamo.Item{":next": dynamo.N(c.IdentityRevision + 1)},
	}
	u.If += sameNumber("identityRevision", c.IdentityRevision, u.Values)
	return u
}

// sameNumber is the condition that a number, absent where it is zero, is as it was read.
func sameNumber(name string, was int64, values dynamo.Item) string {
	if was == 0 {
		return "attribute_not_exists(" + name + ")"
	}
	values[":was_"+name] = dynamo.N(was)
	return name + " = :was_" + name
}
