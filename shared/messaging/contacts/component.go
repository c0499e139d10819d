package contacts

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
)

// component is a connected component of identifiers with everything that is stored about them. A fact connects the
// identifiers that it mentions, and a conversation connects the identifiers that lead to it.
type component struct {
	ids        []model.CustomerID
	ownerships map[model.CustomerID]ownership
	resolved   map[model.CustomerID]resolution // by owner
	facts      map[string]model.IdentityFact
}

// maxComponent bounds how many identifiers are read for one decision. More distant ones stay as they are.
const maxComponent = 200

// componentOf reads the component that contains ids.
func (l *Lookup) componentOf(ctx context.Context, ids []model.CustomerID) (component, error) {
	c := component{
		ownerships: map[model.CustomerID]ownership{}, resolved: map[model.CustomerID]resolution{},
		facts: map[string]model.IdentityFact{},
	}
	ids = slices.Clone(ids) // a fact may name one twice
	slices.Sort(ids)
	for next := slices.Compact(ids); len(next) > 0; {
		next = next[:min(len(next), maxComponent-len(c.ids))]
		if err := l.identifiers(ctx, next); err != nil {
			return c, err
		}
		var owners []model.CustomerID
		for _, id := range next {
			o, err := l.ownership(id)
			if err != nil {
				return c, err
			}
			c.ids, c.ownerships[id] = append(c.ids, id), o
			for _, owner := range o.owners {
				owners = append(owners, owner.CustomerID)
			}
		}
		resolved, err := l.follow(ctx, owners)
		if err != nil {
			return c, err
		}
		next = c.neighbours(next, resolved)
	}
	return c, nil
}

// neighbours adds what is stored about the identifiers in read, and returns the identifiers that it mentions and that
// have not been read yet.
func (c component) neighbours(read []model.CustomerID, resolved map[model.CustomerID]resolution) []model.CustomerID {
	var named []model.CustomerID
	for _, id := range read {
		for _, f := range c.ownerships[id].facts {
			c.facts[identity.FactKey(f)] = f
			named = append(named, identity.Identifiers(f)...)
		}
	}
	for owner, r := range resolved {
		c.resolved[owner] = r
		named = append(named, identity.IdentifierIn(owner))
		if r.conversation != nil {
			named = append(named, model.ParseCustomers(IdentifiersOf(*r.conversation)...)...)
		}
	}
	slices.Sort(named)
	return slices.DeleteFunc(slices.Compact(named), func(id model.CustomerID) bool {
		_, known := c.ownerships[id]
		return known
	})
}

// people resolves the people of the component.
func (c component) people() identity.People {
	facts := make([]model.IdentityFact, 0, len(c.facts))
	for _, f := range c.facts {
		facts = append(facts, f)
	}
	return identity.Resolve(facts, c.ids)
}
