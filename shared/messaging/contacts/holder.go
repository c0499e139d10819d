package contacts

import (
	"cmp"
	"slices"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// holder is one person of a component, with the conversations that belong to them.
type holder struct {
	segments      []identity.Segment
	key           model.CustomerID     // of their conversation, or of the one that will open
	conversations []model.Conversation // the oldest first; the others are merged into it
	unopenedKeys  []model.CustomerID   // keys without a conversation to which their identifiers led
	// lostSince says since when another person has an identifier that led to their conversation; nil if nobody has.
	lostSince *model.Order
}

// claim says that an identifier led to a conversation, or to a key without one, during a part of a segment.
type claim struct {
	identity.Segment
	resolved resolution
}

// claims returns the claims of a segment according to the stored owners of its identifier.
func (c component) claims(s identity.Segment) []claim {
	was := c.ownerships[s.ID]
	var all []claim
	for i, owner := range was.owners {
		if overlap(s, owner.Since, was.until(i)) {
			part := s
			part.Since, part.Until = max(s.Since, owner.Since), earlier(s.Until, was.until(i))
			all = append(all, claim{part, c.resolved[owner.CustomerID]})
		}
	}
	return all
}

// assignConversations assigns every conversation to one of the people whose identifiers led to it: the one who wrote
// its first message. Messages of the others must be moved out of it. first are the identifiers whose keys are preferred
// for a new conversation.
func (c component) assignConversations(people identity.People, first []model.CustomerID) []*holder {
	var all []*holder
	claims := map[string][]claim{} // by conversation
	for _, id := range slices.Sorted(slices.Values(c.ids)) {
		for _, s := range people.Segments(id) {
			for len(all) <= s.Person {
				all = append(all, &holder{})
			}
			h := all[s.Person]
			h.segments = append(h.segments, s)
			for _, one := range c.claims(s) {
				if one.resolved.conversation == nil {
					h.unopenedKeys = append(h.unopenedKeys, one.resolved.customer)
				} else {
					claims[one.resolved.conversation.PK] = append(claims[one.resolved.conversation.PK], one)
				}
			}
		}
	}
	for _, of := range claims {
		winner := firstWriter(of)
		all[winner].conversations = append(all[winner].conversations, *of[0].resolved.conversation)
		for _, other := range of {
			if other.Person != winner {
				all[winner].loseSince(other.Since)
			}
		}
	}
	assignKeys(all, people, first)
	return all
}

// returnUnclaimed marks conversations that hold the business's messages to a person who had the identifier only for a
// time. While that person had no conversation, these messages stayed in the conversation to which the identifier led
// before. has reports whether a person has a conversation now.
func (c component) returnUnclaimed(all []*holder, has func(*holder) bool) {
	for _, h := range all {
		if !has(h) {
			continue
		}
		for _, s := range h.segments {
			for _, one := range c.claims(s) {
				if one.resolved.conversation == nil {
					markGivenBack(all, h, one)
				}
			}
		}
	}
}

// markGivenBack marks every other person's conversations that an identifier had led to, if they hold messages of the
// claim's time or later.
func markGivenBack(all []*holder, to *holder, during claim) {
	named := func(c model.Conversation) bool {
		return c.LastOrder >= during.Since && slices.Contains(IdentifiersOf(c), string(during.ID))
	}
	for _, h := range all {
		if h != to && slices.ContainsFunc(h.conversations, named) {
			h.loseSince(during.Since)
		}
	}
}

// earlier returns the earlier of two ends of intervals; "" means no end.
func earlier(a, b model.Order) model.Order {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// firstWriter returns the person who most likely wrote the first message of a conversation: the one who had most of the
// identifiers that led to it at that time. Between equals it prefers the one who had the identifier in the
// conversation's key.
func firstWriter(claims []claim) int {
	c := *claims[0].resolved.conversation
	ranks := map[int]int{}
	for _, one := range claims {
		if one.Holds(c.FirstOrder) {
			ranks[one.Person] += 2
		}
		if one.ID == identity.IdentifierIn(keyOf(c)) {
			ranks[one.Person]++
		}
	}
	best := claims[0].Person
	for holder, rank := range ranks {
		if rank > ranks[best] || rank == ranks[best] && holder < best {
			best = holder
		}
	}
	return best
}

func (h *holder) loseSince(since model.Order) {
	if h.lostSince == nil || since < *h.lostSince {
		h.lostSince = &since
	}
}

// assignKeys gives every holder the key of their oldest conversation, or else a key without a conversation. Only the
// first owner of an identifier may have the identifier itself as the key.
func assignKeys(all []*holder, people identity.People, first []model.CustomerID) {
	taken := map[model.CustomerID]bool{}
	for _, h := range all {
		sorting.Func(h.conversations, byAge)
		sorting.Func(h.segments, func(a, b identity.Segment) int {
			return cmp.Or(cmp.Compare(a.Since, b.Since), cmp.Compare(a.ID, b.ID))
		})
		if len(h.conversations) > 0 {
			h.key = keyOf(h.conversations[0])
		}
	}
	for index, h := range all {
		sorting.Func(h.unopenedKeys, func(a, b model.CustomerID) int {
			return place(first, a) - place(first, b)
		})
		for _, key := range h.unopenedKeys {
			segments := people.Segments(key)
			own := identity.IsUnknownOwner(key) || len(segments) > 0 && segments[0].Person == index
			if h.key == "" && own && !taken[key] {
				h.key, taken[key] = key, true
			}
		}
	}
}

// place returns the index of an identifier among others; their number if it is not among them.
func place(among []model.CustomerID, id model.CustomerID) int {
	if i := slices.Index(among, id); i >= 0 {
		return i
	}
	return len(among)
}

// byAge orders conversations by their earliest message.
func byAge(a, b model.Conversation) int {
	return cmp.Or(cmp.Compare(a.FirstOrder, b.FirstOrder), cmp.Compare(a.PK, b.PK))
}

// includes reports whether a resolution leads to the holder's conversation.
func (h *holder) includes(to resolution) bool {
	if to.conversation == nil {
		return len(h.conversations) == 0 && to.customer == h.key
	}
	return slices.ContainsFunc(h.conversations, func(c model.Conversation) bool { return c.PK == to.conversation.PK })
}

// unsettledSince returns from which place in the order the holder's conversation may hold messages of others, or
// changes that are decided again; "" if it holds none.
func (h *holder) unsettledSince() model.Order {
	var since model.Order
	for _, c := range h.conversations {
		if c.UnsettledSince != "" && (since == "" || c.UnsettledSince < since) {
			since = c.UnsettledSince
		}
		if lost := h.lostSince; lost != nil && c.LastOrder >= *lost {
			if from := max(*lost, c.FirstOrder); since == "" || from < since {
				since = from
			}
		}
		if (c.Undecided || h.lostSince != nil) && since == "" {
			since = c.LastOrder // its changes are decided again
		}
	}
	return since
}

// person returns the holder as a person.
func (h *holder) person(phone model.PhoneNumberID) Person {
	p := Person{
		Phone: phone, Customer: h.key,
		FactDecided: true, LosesIdentifier: h.lostSince != nil, Unsettled: h.unsettledSince(),
	}
	if len(h.conversations) > 0 {
		p.Existing, p.Younger = &h.conversations[0], h.conversations[1:]
	}
	for _, s := range h.segments {
		if s.ID != identity.IdentifierIn(h.key) && !slices.Contains(p.Aliases, s.ID) {
			p.Aliases = append(p.Aliases, s.ID)
		}
	}
	return p
}
