package messaging

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// ownership says who owns an identifier over time, as its alias item holds it. A number, and a user id, can pass from one
// person to another and back, so each owner has an interval. An identifier without an alias item has one owner for all
// time: the customer with the identifier in their key.
type ownership struct {
	id      model.CustomerID
	owners  []model.Owner    // never empty; the first has no beginning
	version int64            // 0 where there is no alias item
	leads   model.CustomerID // whom the identifier stands for as an owner's key; "" for whom the first owner is
	expires bool             // the item has a ttl: nobody has written yet
}

// ownershipOf reads an alias item, nil for none. An expired item says nothing any more.
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
	o.owners, o.leads = alias.Owners, alias.Leads
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

// before returns the index of the owner just before a place in the order.
func (o ownership) before(order model.Order) int {
	index := 0
	for i, owner := range o.owners {
		if owner.Since < order {
			index = i
		}
	}
	return index
}

// owner returns the customer who owns the identifier at a place in the order.
func (o ownership) owner(order model.Order) model.CustomerID { return o.owners[o.at(order)].CustomerID }

// claimed returns the ownership with the interval at index given to a customer. seen is the earliest message that shows it
// to be theirs, "" where a notice says so.
func (o ownership) claimed(index int, customer model.CustomerID, seen model.Order) ownership {
	o.owners = slices.Clone(o.owners)
	o.owners[index] = model.Owner{CustomerID: customer, Since: o.owners[index].Since, Seen: seen}
	return o.joined()
}

// since returns the ownership with a customer as the owner from a place in the order on, until the next owner's.
func (o ownership) since(order model.Order, customer model.CustomerID) ownership {
	index := o.at(order)
	if o.owners[index].Since == order {
		return o.claimed(index, customer, "")
	}
	o.owners = slices.Insert(slices.Clone(o.owners), index+1, model.Owner{CustomerID: customer, Since: order})
	return o.joined()
}

// divided returns the ownership with the interval at index given to one owner until a place in the order, and to a customer from
// there on.
func (o ownership) divided(index int, until model.Owner, order model.Order, from model.CustomerID) ownership {
	o.owners = slices.Clone(o.owners)
	until.Since = o.owners[index].Since
	o.owners[index] = until
	if index+1 == len(o.owners) || o.owners[index+1].Since > order {
		o.owners = slices.Insert(o.owners, index+1, model.Owner{CustomerID: from, Since: order})
	}
	return o.joined()
}

// joined returns the ownership with neighbouring intervals of one owner made one.
func (o ownership) joined() ownership {
	o.owners = slices.CompactFunc(slices.Clone(o.owners), func(a, b model.Owner) bool { return a.CustomerID == b.CustomerID })
	return o
}

// same reports whether two ownerships say the same.
func (o ownership) same(other ownership) bool {
	return o.leads == other.leads && slices.Equal(o.owners, other.owners)
}

// strangerMark stands between an identifier that has passed to somebody unknown and what makes the new owner's key.
const strangerMark = "~"

// stranger returns the key of the unknown person who owns an identifier from a place in the order on. The key of the person
// who owned it before may hold the identifier already.
func stranger(id model.CustomerID, since model.Order) model.CustomerID {
	return id + strangerMark + model.CustomerID(shortHash(string(id)+" "+string(since)))
}

// isStranger reports whether a customer's key is one that stranger makes.
func isStranger(customer model.CustomerID) bool {
	return strings.Contains(string(customer), strangerMark)
}

// identifierOf returns the identifier in a customer's key.
func identifierOf(customer model.CustomerID) model.CustomerID {
	id, _, _ := strings.Cut(string(customer), strangerMark)
	return model.CustomerID(id)
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// write stores the ownership. Its condition is that the alias item is as it was read. expires is the time to live in epoch
// seconds of an ownership that nobody's message has confirmed, 0 for none.
func (o ownership) write(phone model.PhoneNumberID, expires int64) (dynamo.Write, error) {
	owners, err := dynamo.Value(o.owners)
	if err != nil {
		return nil, err
	}
	u := dynamo.Update{
		Table: table, Key: keys.Alias(phone, o.id),
		Do:     "SET itemType = :type, #owners = :owners, #version = :next",
		If:     "attribute_not_exists(pk)",
		Values: dynamo.Item{":type": dynamo.S(model.ItemAlias), ":owners": owners, ":next": dynamo.N(o.version + 1)},
	}
	if o.version > 0 {
		u.If = "#version = :was"
		u.Values[":was"] = dynamo.N(o.version)
	}
	if o.leads != "" {
		u.Do += ", leads = :leads"
		u.Values[":leads"] = dynamo.S(o.leads)
	}
	if expires == 0 {
		u.Do += " REMOVE #ttl"
		return u, nil
	}
	u.Do += ", #ttl = :ttl"
	u.Values[":ttl"] = dynamo.N(expires)
	return u, nil
}

// unchanged is the check that the alias item is as it was read.
func (o ownership) unchanged(phone model.PhoneNumberID) dynamo.Check {
	check := dynamo.Check{Table: table, Key: keys.Alias(phone, o.id), If: "attribute_not_exists(pk)"}
	if o.version > 0 {
		check.If, check.Values = "#version = :was", dynamo.Item{":was": dynamo.N(o.version)}
	}
	return check
}
