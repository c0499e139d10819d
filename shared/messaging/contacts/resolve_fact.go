package contacts

import (
	"context"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// resolveFact finds the person whom a fact is about, and everything that the fact changes: which identifiers get other
// owners, which conversations are merged, and which lose an identifier to another person. A known fact changes nothing.
func (l *Lookup) resolveFact(ctx context.Context, f model.IdentityFact, opens bool) (Person, error) {
	c, err := l.componentOf(ctx, identity.Identifiers(f))
	if err != nil {
		return Person{}, err
	}
	c.facts[identity.FactKey(f)] = f
	people := c.people()
	subject := people.Subject(f)
	all := c.assignConversations(people, identity.Identifiers(f))
	c.returnUnclaimed(all, func(h *holder) bool { return len(h.conversations) > 0 || opens && h == all[subject] })
	if err := l.assignMissingKeys(ctx, all); err != nil {
		return Person{}, err
	}
	p := all[subject].person(l.phone)
	for _, id := range c.ids {
		c.updateOwnership(&p, id, all, people, len(f.Takes) == 0)
	}
	for i, h := range all {
		person := h.person(l.phone)
		if person.Unsettled != "" {
			p.Settle = append(p.Settle, h.key)
		}
		if i != subject && person.Existing != nil && person.changes() {
			p.Others = append(p.Others, person)
		}
	}
	c.addChecks(&p, f, all[subject])
	return p, nil
}

// changes reports whether a person's conversation changes with their identity alone.
func (p Person) changes() bool {
	named := IdentifiersOf(*p.Existing)
	return p.LosesIdentifier || len(p.Younger) > 0 || p.Unsettled != p.Existing.UnsettledSince ||
		slices.ContainsFunc(p.Aliases, func(id model.CustomerID) bool { return !slices.Contains(named, string(id)) })
}

// updateOwnership records the ownership of an identifier that follows from the facts, if it differs from the stored
// one. If the stored one led to the key of an unopened conversation, the transaction checks that it is still unopened.
//
// The identifier in a conversation's key needs no alias item if the conversation names the others. opens says that the
// person's conversation is about to open.
func (c component) updateOwnership(p *Person, id model.CustomerID, all []*holder, people identity.People, opens bool) {
	was := c.ownerships[id]
	next := was
	next.owners, next.facts = nil, c.factsOf(id, people)
	confirmed := false
	for _, s := range people.Segments(id) {
		h := all[s.Person]
		confirmed = confirmed || len(h.conversations) > 0 || opens && h.key == p.Customer
		next.owners = append(next.owners, model.Owner{CustomerID: c.ownerFor(h, s), Since: s.Since})
	}
	next.owners = slices.CompactFunc(next.owners, func(a, b model.Owner) bool { return a.CustomerID == b.CustomerID })
	next.expires = !confirmed
	first := all[people.Segments(id)[0].Person]
	opened := len(first.conversations) > 0 || opens && first.key == p.Customer
	named := len(first.segments) == 1 || id == first.key && opened
	needsNone := next.isDefault() && was.version == 0 && named
	stands := next.equal(was) && !(was.expires && confirmed)
	if needsNone || stands {
		return
	}
	p.changedOwnerships = append(p.changedOwnerships, next)
	for _, owner := range was.owners {
		if c.resolved[owner.CustomerID].conversation == nil && !slices.Contains(p.absent, owner.CustomerID) {
			p.absent = append(p.absent, owner.CustomerID)
		}
	}
}

// ownerFor returns the key by which a segment leads to its holder. It keeps the stored key where possible.
func (c component) ownerFor(h *holder, s identity.Segment) model.CustomerID {
	was := c.ownerships[s.ID]
	first := model.CustomerID("")
	for i, owner := range was.owners {
		if !overlap(s, owner.Since, was.until(i)) {
			continue
		}
		if resolved := c.resolved[owner.CustomerID]; !h.includes(resolved) {
			return h.key
		}
		if first == "" {
			first = owner.CustomerID
		}
	}
	return first
}

func overlap(s identity.Segment, since, until model.Order) bool {
	return (until == "" || s.Since < until) && (s.Until == "" || since < s.Until)
}

// factsOf returns the facts to store in an identifier's alias item. Of identifiers that were shown together between the
// same changes of owner, the earliest fact is enough.
func (c component) factsOf(id model.CustomerID, people identity.People) []model.IdentityFact {
	earliest := map[string]model.IdentityFact{}
	for key, f := range c.facts {
		if !slices.Contains(identity.Identifiers(f), id) {
			continue
		}
		if len(f.Takes)+len(f.Divides) == 0 {
			if len(f.Shows) < 2 {
				continue
			}
			key = people.Where(f)
		}
		if other, there := earliest[key]; !there || f.At < other.At {
			earliest[key] = f
		}
	}
	var facts []model.IdentityFact
	for _, f := range earliest {
		facts = append(facts, f)
	}
	sorting.Func(facts, func(a, b model.IdentityFact) int {
		return strings.Compare(identity.FactKey(a), identity.FactKey(b))
	})
	return facts
}

// addChecks adds the checks of what the decision depends on: the identifiers of the fact and, if the person's
// conversation is about to open, all of theirs.
func (c component) addChecks(p *Person, f model.IdentityFact, h *holder) {
	ids := identity.Identifiers(f)
	if p.Existing == nil {
		for _, s := range h.segments {
			ids = append(ids, s.ID)
		}
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if o, read := c.ownerships[id]; read && !p.changesOwner(id) {
			p.checked = append(p.checked, o)
		}
	}
}

// assignMissingKeys gives a key to people without a conversation. It must not be the key of an existing conversation,
// merged or not.
func (l *Lookup) assignMissingKeys(ctx context.Context, all []*holder) error {
	for _, h := range all {
		for salt := ""; h.key == "" && len(h.segments) > 0; salt += "'" {
			first := h.segments[0]
			interval := string(first.Since)
			if first.Until != "" {
				interval += " until " + string(first.Until)
			}
			key := identity.UnknownOwner(first.ID, interval+salt)
			taken := slices.ContainsFunc(all, func(other *holder) bool { return other.key == key })
			if c, err := l.conversation(ctx, key); err != nil {
				return err
			} else if c == nil && !taken {
				h.key = key
			}
		}
	}
	return nil
}
