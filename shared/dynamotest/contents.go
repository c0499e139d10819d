package dynamotest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// contents is everything in the tables: table, then key, then the item.
type contents map[string]map[string]dynamo.Item

// mark is a hash of everything in one table, or in all: those with the same mark hold the same.
type mark = [sha256.Size]byte

// contents returns everything in the tables. Items that were read before are not decoded again.
func (db *DB) contents(t testing.TB) contents {
	t.Helper()
	db.fingerprint(t)
	all := contents{}
	for _, table := range db.tables {
		items, known := db.seen[db.marks[table.ID]]
		if !known {
			items = db.read(t, table)
			db.seen[db.marks[table.ID]] = items
		}
		all[table.ID] = items
	}
	return all
}

// fingerprint returns a hash of everything in the tables. It reads the tables that were written to since the last one.
func (db *DB) fingerprint(t testing.TB) mark {
	t.Helper()
	for name := range connections.takeWritten(db.endpoint) {
		for _, table := range db.tables {
			if table.Name(tables.Dev) == name {
				delete(db.marks, table.ID)
			}
		}
	}
	hash := sha256.New()
	for _, table := range db.tables {
		m, known := db.marks[table.ID]
		if db.recall != nil {
			m = db.recall.markOf(table.Name(tables.Dev), func() mark { return db.markOf(t, table) })
		} else if !known {
			m = db.markOf(t, table)
		}
		db.marks[table.ID] = m
		hash.Write(m[:])
	}
	return mark(hash.Sum(nil))
}

// markOf reads a table for its hash. The engine writes the attributes of an item in any order, so they are sorted
// first.
func (db *DB) markOf(t testing.TB, table tables.Table) mark {
	t.Helper()
	var items []string
	for from := json.RawMessage("null"); from != nil; {
		var page struct {
			Items            []any
			LastEvaluatedKey json.RawMessage
		}
		if err := json.Unmarshal(db.scan(t, table, from), &page); err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			sorted, err := json.Marshal(item)
			if err != nil {
				t.Fatal(err)
			}
			items = append(items, string(sorted))
		}
		from = page.LastEvaluatedKey
	}
	slices.Sort(items)
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %q\n", table.ID, items)
	return mark(hash.Sum(nil))
}

// scan returns a page of a table as the engine answers.
func (db *DB) scan(t testing.TB, table tables.Table, from json.RawMessage) []byte {
	t.Helper()
	input := fmt.Sprintf(`{"TableName":%q,"ExclusiveStartKey":%s}`, table.Name(tables.Dev), from)
	if from == nil || string(from) == "null" {
		input = fmt.Sprintf(`{"TableName":%q}`, table.Name(tables.Dev))
	}
	return db.call(t, "Scan", []byte(input))
}

// read decodes everything in a table.
func (db *DB) read(t testing.TB, table tables.Table) map[string]dynamo.Item {
	t.Helper()
	all := map[string]dynamo.Item{}
	for _, item := range db.Items(t, table) {
		key := dynamo.Text(item, table.Partition.Name)
		if table.Sort.Name != "" {
			key += " / " + dynamo.Text(item, table.Sort.Name)
		}
		all[key] = item
	}
	return all
}

// plain returns the items as plain values.
func (c contents) plain(t testing.TB) map[string]map[string]map[string]any {
	t.Helper()
	dump := map[string]map[string]map[string]any{}
	for table, items := range c {
		dump[table] = map[string]map[string]any{}
		for key, item := range items {
			dump[table][key] = plain(t, item)
		}
	}
	return dump
}

// without returns the contents without some attributes of the items: those that say how often something was tried. It
// leaves out when an item was marked as changed, too: what is written late is marked, and what is written in time is
// not.
func (c contents) without(attributes []string) contents {
	rest := contents{}
	for table, items := range c {
		rest[table] = map[string]dynamo.Item{}
		for key, item := range items {
			item = maps.Clone(item)
			if item["changesPk"] != nil {
				delete(item, "changesPk")
				delete(item, "changedAt")
			}
			maps.DeleteFunc(item,
				func(name string, _ types.AttributeValue) bool { return slices.Contains(attributes, name) })
			rest[table][key] = item
		}
	}
	return rest
}

// diff returns how two contents differ, or "". Most do not, and to turn items into plain values takes time.
func diff(t testing.TB, want, got contents) string {
	t.Helper()
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want.plain(t), got.plain(t))
}

// atOnce is how many items DynamoDB takes in a batch.
const atOnce = 25

// rewind makes the tables hold what they did when they were seeded. The engine has work only if it was asked anything.
func (db *DB) rewind(t testing.TB, seeded contents, marks map[string]mark) {
	t.Helper()
	if db.recall.rewind() {
		return
	}
	holds := db.contents(t)
	connections.setRecall(db.endpoint, nil)
	db.restore(t, holds, seeded, marks)
	db.recall.restored()
	connections.setRecall(db.endpoint, db.recall)
}

// restore makes tables that hold one contents hold another, which has been read before with these marks. It writes only
// what differs: that takes much less time than to start another engine and to seed it.
func (db *DB) restore(t testing.TB, from, to contents, marks map[string]mark) {
	t.Helper()
	defer func() {
		connections.takeWritten(db.endpoint)
		db.marks = maps.Clone(marks)
	}()
	for _, table := range db.tables {
		if db.marks[table.ID] == marks[table.ID] {
			continue
		}
		var writes []types.WriteRequest
		for key, item := range from[table.ID] {
			if to[table.ID][key] == nil {
				writes = append(writes,
					types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: keyOf(table, item)}})
			}
		}
		for key, item := range to[table.ID] {
			if !reflect.DeepEqual(from[table.ID][key], item) {
				writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
			}
		}
		for batch := range slices.Chunk(writes, atOnce) {
			db.batch(t, table, batch)
		}
	}
}

func keyOf(table tables.Table, item dynamo.Item) dynamo.Item {
	key := dynamo.Item{table.Partition.Name: item[table.Partition.Name]}
	if table.Sort.Name != "" {
		key[table.Sort.Name] = item[table.Sort.Name]
	}
	return key
}

func plain(t testing.TB, item dynamo.Item) map[string]any {
	t.Helper()
	var document model.Document
	if err := document.UnmarshalDynamoDBAttributeValue(&types.AttributeValueMemberM{
		Value: withoutBinary(item)}); err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := json.Unmarshal(document, &values); err != nil {
		t.Fatal(err)
	}
	return values
}

func withoutBinary(item dynamo.Item) dynamo.Item {
	item = maps.Clone(item)
	for name, value := range item {
		if binary, ok := value.(*types.AttributeValueMemberB); ok {
			item[name] = dynamo.S(string(binary.Value))
		}
	}
	return item
}
