package soak

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

// contents keeps what tables hold, and reads again what somebody may have written since. It owns its state: goroutines
// reach it through its methods.
type contents struct {
	mu      sync.Mutex
	kept    map[string]map[string]dynamo.Item // by table and key; a table that is not in it was never read
	written map[string]map[string]keys.Key    // what was written since it was read
}

// call is a call that writes, as far as it says what it writes to.
type call struct {
	target
	TransactItems []struct{ Put, Update, Delete target }
	RequestItems  map[string][]struct{ PutRequest, DeleteRequest target }
}

// target is a place in a table.
type target struct {
	TableName string
	Key, Item map[string]struct{ S, N string }
}

// note remembers what a call writes to. It is called before and after the call, because the table is read meanwhile.
func (c *contents) note(operation string, body []byte) {
	var of call
	if strings.HasSuffix(operation, "GetItem") || strings.HasSuffix(operation, ".Query") ||
		json.Unmarshal(body, &of) != nil {
		return
	}
	c.noteTarget(of.target)
	for _, item := range of.TransactItems {
		c.noteTarget(item.Put)
		c.noteTarget(item.Update)
		c.noteTarget(item.Delete)
	}
	for name, requests := range of.RequestItems {
		for _, request := range requests {
			request.PutRequest.TableName, request.DeleteRequest.TableName = name, name
			c.noteTarget(request.PutRequest)
			c.noteTarget(request.DeleteRequest)
		}
	}
}

func (c *contents) noteTarget(of target) {
	table, known := tablesByName[of.TableName]
	place := of.Key
	if place == nil {
		place = of.Item
	}
	if !known || place == nil {
		return
	}
	key := keys.Key{PartitionName: table.Partition.Name, Partition: place[table.Partition.Name].S}
	if table.Sort.Name != "" {
		key.SortName, key.Sort = table.Sort.Name, place[table.Sort.Name].S
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.written == nil {
		c.written = map[string]map[string]keys.Key{}
	}
	if c.written[table.ID] == nil {
		c.written[table.ID] = map[string]keys.Key{}
	}
	c.written[table.ID][key.Partition+"\x00"+key.Sort] = key
}

// forget has every table read whole again.
func (c *contents) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = nil
}

// items lists everything in a table, in the order of the keys. Nobody changes the items: others are given them as well.
func (w *simulation) items(table tables.Table) []dynamo.Item {
	c := &w.contents
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string]map[string]dynamo.Item{}
	}
	kept := c.kept[table.ID]
	written := c.written[table.ID]
	delete(c.written, table.ID)
	if kept == nil {
		kept = map[string]dynamo.Item{}
		c.kept[table.ID] = kept
		for _, item := range w.db.Items(w.t, table) {
			kept[textOf(item, table.Partition.Name)+"\x00"+textOf(item, table.Sort.Name)] = item
		}
	} else if len(written) > 0 {
		w.readAgain(table, kept, written)
	}
	items := make([]dynamo.Item, 0, len(kept))
	for _, key := range slices.Sorted(maps.Keys(kept)) {
		items = append(items, kept[key])
	}
	return items
}

// readAgain reads items that were written to.
func (w *simulation) readAgain(table tables.Table, kept map[string]dynamo.Item, written map[string]keys.Key) {
	var refs []dynamo.Ref
	names := slices.Sorted(maps.Keys(written))
	for _, name := range names {
		refs = append(refs, dynamo.Ref{Table: table, Key: written[name]})
	}
	found, err := w.db.BatchGet(w.t.Context(), refs)
	if err != nil {
		w.t.Fatal(err)
	}
	for i, ref := range refs {
		if item := ref.Found(found); item != nil {
			kept[names[i]] = item
		} else {
			delete(kept, names[i])
		}
	}
}

// tablesByName are the tables by their names in the engine.
var tablesByName = func() map[string]tables.Table {
	all := map[string]tables.Table{}
	for _, table := range allTables {
		all[table.Name(tables.Dev)] = table
	}
	return all
}()

// storedMessages returns the items of all messages, by the messages' ids.
func (w *simulation) storedMessages() map[string]dynamo.Item {
	all := map[string]dynamo.Item{}
	for _, item := range w.items(tables.Messages) {
		if id, isMessage := keys.MessageIDOf(textOf(item, "pk")); isMessage {
			all[string(id)] = item
		}
	}
	return all
}

// everyText returns all texts in all tables, names and keys included.
func (w *simulation) everyText() string {
	var b strings.Builder
	for _, table := range allTables {
		for _, item := range w.items(table) {
			writeTexts(&b, &types.AttributeValueMemberM{Value: item})
		}
	}
	return b.String()
}

func writeTexts(b *strings.Builder, value types.AttributeValue) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		fmt.Fprintln(b, v.Value)
	case *types.AttributeValueMemberN:
		fmt.Fprintln(b, v.Value)
	case *types.AttributeValueMemberB:
		fmt.Fprintf(b, "%s\n", v.Value)
	case *types.AttributeValueMemberSS:
		fmt.Fprintln(b, v.Value)
	case *types.AttributeValueMemberL:
		for _, element := range v.Value {
			writeTexts(b, element)
		}
	case *types.AttributeValueMemberM:
		for name, element := range v.Value {
			fmt.Fprintln(b, name)
			writeTexts(b, element)
		}
	}
}
