package dynamotest

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// contents is everything in the tables: table, then key, then the item.
type contents map[string]map[string]dynamo.Item

// contents reads everything in the tables.
func (db *DB) contents(t testing.TB) contents {
	t.Helper()
	all := contents{}
	for _, table := range db.tables {
		all[table.ID] = map[string]dynamo.Item{}
		for _, item := range db.Items(t, table) {
			key := dynamo.Text(item, table.Partition.Name)
			if table.Sort.Name != "" {
				key += " / " + dynamo.Text(item, table.Sort.Name)
			}
			all[table.ID][key] = item
		}
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

// without returns the contents without some attributes of the items: those that say how often something was tried.
func (c contents) without(attributes []string) contents {
	rest := contents{}
	for table, items := range c {
		rest[table] = map[string]dynamo.Item{}
		for key, item := range items {
			item = maps.Clone(item)
			maps.DeleteFunc(item, func(name string, _ types.AttributeValue) bool { return slices.Contains(attributes, name) })
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

// restore makes tables that hold one contents hold another. It writes only what differs: that takes much less time than to
// start another engine and to seed it.
func (db *DB) restore(t testing.TB, from, to contents) {
	t.Helper()
	for _, table := range db.tables {
		var writes []types.WriteRequest
		for key, item := range from[table.ID] {
			if to[table.ID][key] == nil {
				writes = append(writes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: keyOf(table, item)}})
			}
		}
		for key, item := range to[table.ID] {
			if !reflect.DeepEqual(from[table.ID][key], item) {
				writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
			}
		}
		const atOnce = 25 // DynamoDB takes no more
		for batch := range slices.Chunk(writes, atOnce) {
			out, err := db.engine.BatchWriteItem(context.WithoutCancel(t.Context()), &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{table.Name(tables.Dev): batch},
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(out.UnprocessedItems) > 0 {
				t.Fatalf("the engine left out %v", out.UnprocessedItems)
			}
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
	if err := document.UnmarshalDynamoDBAttributeValue(&types.AttributeValueMemberM{Value: withoutBinary(item)}); err != nil {
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
