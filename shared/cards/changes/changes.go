// Package changes writes what changes of the items of cards, and the audit record of who has changed it.
package changes

import (
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Change collects what a transaction changes of one item, because a transaction may hold one write of an item only.
type Change struct {
	update dynamo.Update
	sets   []string
	drops  []string
	ifs    []string
}

// Of begins a change of an item. Its condition is that the item is there.
func Of(table tables.Table, key keys.Key) *Change {
	return &Change{
		update: dynamo.Update{Table: table, Key: key, Names: map[string]string{}, Values: dynamo.Item{}},
		ifs:    []string{"attribute_exists(#" + key.PartitionName + ")"},
	}
}

// Set has an attribute get a value. The names of attributes are plain words, or contain a # and have an alias.
func (c *Change) Set(name string, value dynamo.AttributeValue) *Change {
	c.sets = append(c.sets, c.name(name)+" = "+c.value("set", name, value))
	return c
}

// Add adds to a number below an attribute.
func (c *Change) Add(path string, value dynamo.AttributeValue) *Change {
	c.sets = append(c.sets,
		"#"+strings.ReplaceAll(path, ".", ".#")+" = #"+strings.ReplaceAll(path, ".", ".#")+" + "+
			c.value("add", path, value))
	return c
}

// Drop removes attributes.
func (c *Change) Drop(names ...string) *Change {
	for _, name := range names {
		c.drops = append(c.drops, c.name(name))
	}
	return c
}

// Where adds the condition that an attribute has a value.
func (c *Change) Where(name string, value dynamo.AttributeValue) *Change {
	c.ifs = append(c.ifs, c.name(name)+" = "+c.value("if", name, value))
	return c
}

// Absent adds the condition that an attribute is not there.
func (c *Change) Absent(name string) *Change {
	c.ifs = append(c.ifs, "attribute_not_exists("+c.name(name)+")")
	return c
}

// name returns the placeholder of an attribute's name.
func (c *Change) name(name string) string {
	placeholder := "#" + plain(name)
	c.update.Names[placeholder] = name
	return placeholder
}

// value returns the placeholder of a value.
func (c *Change) value(use, name string, value dynamo.AttributeValue) string {
	placeholder := ":" + use + plain(name)
	c.update.Values[placeholder] = value
	return placeholder
}

// plain returns a name without the characters that a placeholder may not have.
func plain(name string) string { return strings.NewReplacer("#", "", ".", "").Replace(name) }

// Write returns the change as one write.
func (c *Change) Write() dynamo.Update {
	c.update.Do, c.update.If = dynamo.Do{Set: c.sets, Remove: c.drops}.String(), dynamo.And(c.ifs...)
	return c.update
}

// Number returns the value of an amount.
func Number(a model.Amount) dynamo.AttributeValue {
	value, _ := a.MarshalDynamoDBAttributeValue() // it never fails
	return value
}

// AsRead adds the condition that nothing of the item has changed since it was read: not even by an erasure.
func (c *Change) AsRead(updatedAt model.Time) *Change {
	return c.Where("updatedAt", dynamo.S(updatedAt))
}

// Put returns the write of a new item. Its condition is that there is none with its key.
func Put(table tables.Table, entity any) (dynamo.Put, error) {
	item, err := dynamo.Marshal(entity)
	return dynamo.Put{Table: table, Item: item, If: "attribute_not_exists(#" + table.Partition.Name + ")"}, err
}
