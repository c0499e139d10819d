package restore

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tombstone"
)

// pageSize is how many items are compared at once.
const pageSize = 100

// logItems are the types of the items of the webhook log.
var logItems = []string{model.ItemWebhookEvent, model.ItemWebhookChunk, model.ItemWebhookSource}

// comparison compares one table with what it held.
type comparison struct {
	*restoring
	table  tables.Table
	erased *erasures

	same, gone, changed, written, meanwhile int
	left                                    map[string]int // by the reason
}

func (c *comparison) says() string {
	text := fmt.Sprintf("%s: %d as then, %d gone, %d changed", c.table.ID, c.same, c.gone, c.changed)
	for _, reason := range slices.Sorted(maps.Keys(c.left)) {
		text += fmt.Sprintf(", %d left: %s", c.left[reason], reason)
	}
	if c.write {
		text += fmt.Sprintf("; %d written, %d not, because they changed meanwhile", c.written, c.meanwhile)
	}
	return text
}

// run compares page by page. What is new since then is not looked at, and stays.
func (c *comparison) run(ctx context.Context) error {
	var from dynamo.Item
	for {
		page, err := c.db.Scan(ctx, dynamo.Scan{Table: c.beside(c.table), Limit: pageSize, After: from})
		if err != nil {
			return err
		}
		refs := make([]dynamo.Ref, len(page.Items))
		for i, item := range page.Items {
			refs[i] = dynamo.Ref{Table: c.table, Key: keyOf(c.table, item)}
		}
		found, err := c.db.BatchGet(ctx, refs)
		if err != nil {
			return err
		}
		for i, was := range page.Items {
			if err := c.item(ctx, was, refs[i].Found(found)); err != nil {
				return err
			}
		}
		if from = page.Next; from == nil {
			return nil
		}
	}
}

// item brings one item back, if it has to be.
func (c *comparison) item(ctx context.Context, was, is dynamo.Item) error {
	if reflect.DeepEqual(was, is) {
		c.same++
		return nil
	}
	if reason := c.leaves(was, is); reason != "" {
		c.left[reason]++
		return nil
	}
	if is == nil {
		c.gone++
	} else if c.changed++; !c.order.changed {
		return nil
	}
	if !c.write {
		return nil
	}
	err := c.db.Put(ctx, c.put(was, is))
	if dynamo.IsConditionFailed(err) {
		c.meanwhile++
		return nil
	}
	if err == nil {
		c.written++
	}
	return err
}

// leaves returns why an item is not brought back; "" if it may be.
func (c *comparison) leaves(was, is dynamo.Item) string {
	expires := int64(0)
	if c.table.TTL != "" {
		expires = dynamo.Int(was, c.table.TTL)
	}
	kind := dynamo.Text(was, "itemType")
	switch {
	case expires != 0 && expires < time.Now().Unix():
		return "expired"
	case c.table.ID == tables.Messages.ID && slices.Contains(logItems, kind):
		return "the log, which is replayed and not restored"
	case c.table.ID == tables.Messages.ID && tombstone.Is(is):
		return "erased"
	case c.erased.named(was):
		return "of a person who was erased"
	}
	return ""
}

// put returns the write that brings an item back. Its condition is that the item is as it was read. Its version goes on
// counting, so that nobody who holds the present one overwrites it unawares.
func (c *comparison) put(was, is dynamo.Item) dynamo.Put {
	put := dynamo.Put{Table: c.table, Item: maps.Clone(was), Names: map[string]string{}, Values: dynamo.Item{}}
	if is == nil {
		put.If = "attribute_not_exists(#a0)"
		put.Names["#a0"] = c.table.Partition.Name
		return put
	}
	if version := dynamo.Int(is, "version"); version > 0 && was["version"] != nil {
		put.Item["version"] = dynamo.N(version + 1)
	}
	every := maps.Clone(was)
	maps.Copy(every, is)
	var conditions []string
	for i, name := range slices.Sorted(maps.Keys(every)) {
		placeholder := fmt.Sprintf("#a%d", i)
		put.Names[placeholder] = name
		conditions = append(conditions, dynamo.Same(placeholder, is[name], put.Values))
	}
	put.If = dynamo.And(conditions...)
	return put
}

func keyOf(table tables.Table, item dynamo.Item) keys.Key {
	key := keys.Key{PartitionName: table.Partition.Name, Partition: dynamo.Text(item, table.Partition.Name)}
	if table.Sort.Name != "" {
		key.SortName, key.Sort = table.Sort.Name, dynamo.Text(item, table.Sort.Name)
	}
	return key
}
