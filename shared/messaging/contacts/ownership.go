package contacts

import (
	"reflect"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// ownership holds the owners of an identifier over time and the facts about it, as in its alias item. A number or a
// user id can pass from one person to another and back, so each owner has an interval. An identifier without an alias
// item has one owner: the customer with the identifier in their key.
type ownership struct {
	id      model.CustomerID
	owners  []model.Owner // never empty; the first interval has no beginning
	facts   []model.IdentityFact
	version int64 // 0 if there is no alias item
	expires bool  // the item has a ttl: no message has confirmed it yet
}

// ownershipOf decodes an alias item; nil for none. It ignores an expired item's content.
func ownershipOf(id model.CustomerID, item dynamo.Item, now int64) (ownership, error) {
	o := ownership{id: id, owners: []model.Owner{{CustomerID: id}}}
	if item == nil {
		return o, nil
	}
	var alias model.Alias
	if err := dynamo.Unmarshal(item, &alias); err != nil {
		return o, err
	}
	o.version = alias.Version
	if o.expires = alias.TTL != 0; o.expires && alias.TTL <= now || len(alias.Owners) == 0 {
		return o, nil
	}
	o.owners, o.facts = alias.Owners, alias.Facts
	return o, nil
}

// at returns the index of the owner at a place in the order.
func (o ownership) at(order model.Order) int {
	index := 0
	for i, owner := range o.owners {
		if owner.Since <= order {
			index = i
		}
	}
	return index
}

// owner returns the customer who owns the identifier at a place in the order.
func (o ownership) owner(order model.Order) model.CustomerID { return o.owners[o.at(order)].CustomerID }

// until returns the end of the interval at index; "" if it has none.
func (o ownership) until(index int) model.Order {
	if index+1 < len(o.owners) {
		return o.owners[index+1].Since
	}
	return ""
}

// isDefault reports whether an ownership equals that of an identifier without an alias item.
func (o ownership) isDefault() bool { return len(o.owners) == 1 && o.owners[0].CustomerID == o.id }

// equal reports whether two ownerships have the same owners and facts.
func (o ownership) equal(other ownership) bool {
	return slices.Equal(o.owners, other.owners) && reflect.DeepEqual(o.facts, other.facts)
}

// write returns the write that stores the ownership. The condition is that the alias item is as it was read. expires is
// the time to live, in epoch seconds, of an ownership that no message has confirmed; 0 for none.
func (o ownership) write(phone model.PhoneNumberID, expires int64) (dynamo.Write, error) {
	owners, err := dynamo.Value(o.owners)
	if err != nil {
		return nil, err
	}
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Alias(phone, o.id),
		If:     dynamo.IfAbsent,
		Values: dynamo.Item{":type": dynamo.S(model.ItemAlias), ":owners": owners, ":next": dynamo.N(o.version + 1)},
	}
	if o.version > 0 {
		u.If = "#version = :was"
		u.Values[":was"] = dynamo.N(o.version)
	}
	do := dynamo.Do{Set: []string{"itemType = :type", "#owners = :owners", "#version = :next"}}
	if len(o.facts) > 0 {
		do.Set = append(do.Set, "#facts = :facts")
		if u.Values[":facts"], err = dynamo.Value(o.facts); err != nil {
			return nil, err
		}
	} else {
		do.Remove = append(do.Remove, "#facts")
	}
	if expires > 0 {
		do.Set = append(do.Set, "#ttl = :ttl")
		u.Values[":ttl"] = dynamo.N(expires)
	} else {
		do.Remove = append(do.Remove, "#ttl")
	}
	u.Do = do.String()
	return u, nil
}

// unchanged returns the check that the alias item is as it was read.
func (o ownership) unchanged(phone model.PhoneNumberID) dynamo.Check {
	check := dynamo.Check{Table: tables.Messages, Key: keys.Alias(phone, o.id), If: dynamo.IfAbsent}
	if o.version > 0 {
		check.If, check.Values = "#version = :was", dynamo.Item{":was": dynamo.N(o.version)}
	}
	return check
}
