package cards

import (
	"strings"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// change collects what a transaction changes of one item, because a transaction may hold one write of an item only.
type change struct {
	update dynamo.Update
	sets   []string
	drops  []string
	ifs    []string
}

func changeOf(table tables.Table, key keys.Key) *change {
	return &change{
		update: dynamo.Update{Table: table, Key: key, Names: map[string]string{}, Values: dynamo.Item{}},
		ifs:    []string{"attribute_exists(#" + key.PartitionName + ")"},
	}
}

// set has an attribute get a value. The names of attributes are plain words, or contain a # and have an alias.
func (c *change) set(name string, value dynamo.AttributeValue) *change {
	c.sets = append(c.sets, c.name(name)+" = "+c.value("set", name, value))
	return c
}

// add adds to a number below an attribute.
func (c *change) add(path string, value dynamo.AttributeValue) *change {
	c.sets = append(c.sets, "#"+strings.ReplaceAll(path, ".", ".#")+" = #"+strings.ReplaceAll(path, ".", ".#")+" + "+c.value("add", path, value))
	return c
}

// drop removes attributes.
func (c *change) drop(names ...string) *change {
	for _, name := range names {
		c.drops = append(c.drops, c.name(name))
	}
	return c
}

// where adds the condition that an attribute has a value.
func (c *change) where(name string, value dynamo.AttributeValue) *change {
	c.ifs = append(c.ifs, c.name(name)+" = "+c.value("if", name, value))
	return c
}

// absent adds the condition that an attribute is not there.
func (c *change) absent(name string) *change {
	c.ifs = append(c.ifs, "attribute_not_exists("+c.name(name)+")")
	return c
}

// name returns the placeholder of an attribute's name.
func (c *change) name(name string) string {
	placeholder := "#" + plain(name)
	c.update.Names[placeholder] = name
	return placeholder
}

// value returns the placeholder of a value.
func (c *change) value(use, name string, value dynamo.AttributeValue) string {
	placeholder := ":" + use + plain(name)
	c.update.Values[placeholder] = value
	return placeholder
}

// plain returns a name without the characters that a placeholder may not have.
func plain(name string) string { return strings.NewReplacer("#", "", ".", "").Replace(name) }

func (c *change) write() dynamo.Update {
	c.update.Do, c.update.If = dynamo.Do{Set: c.sets, Remove: c.drops}.String(), dynamo.And(c.ifs...)
	return c.update
}

// number returns the value of an amount.
func number(a model.Amount) dynamo.AttributeValue {
	value, _ := a.MarshalDynamoDBAttributeValue() // it never fails
	return value
}

// changeUser begins a change of a user. Its condition is that the user is there.
func (s *Store) changeUser(id model.Name) *change {
	return changeOf(tables.CardUsers, keys.CardUser(id)).set("updatedAt", dynamo.S(s.now()))
}

// asRead adds the condition that nothing of the user has changed since it was read: not even by an erasure.
func (c *change) asRead(user cardsmodel.User) *change {
	return c.where("updatedAt", dynamo.S(user.UpdatedAt))
}

// active adds the condition that the user is active.
func (c *change) active() *change { return c.where("status", dynamo.S(cardsmodel.UserActive)) }

// put returns the write of a new item. Its condition is that there is none with its key.
func put(table tables.Table, entity any) (dynamo.Put, error) {
	item, err := dynamo.Marshal(entity)
	return dynamo.Put{Table: table, Item: item, If: "attribute_not_exists(#" + table.Partition.Name + ")"}, err
}
