package dynamotest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
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

// contents returns everything in the tables. What was read before is not decoded again.
func (db *DB) contents(t testing.TB) contents {
	t.Helper()
	return db.contentsAt(t, db.fingerprint(t))
}

// contentsAt returns everything in the tables, of which the fingerprint has just been taken.
func (db *DB) contentsAt(t testing.TB, mark [sha256.Size]byte) contents {
	t.Helper()
	all, known := db.seen[mark]
	if !known {
		all = db.read(t)
		db.seen[mark] = all
	}
	return all
}

// fingerprint returns a hash of everything in the tables: those with the same one hold the same. The engine writes the
// attributes of an item in any order, so they are sorted first.
func (db *DB) fingerprint(t testing.TB) [sha256.Size]byte {
	t.Helper()
	hash := sha256.New()
	for _, table := range db.tables {
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
		fmt.Fprintf(hash, "%s %q\n", table.ID, items)
	}
	return [sha256.Size]byte(hash.Sum(nil))
}

// scan returns a page of a table as the engine answers. The SDK would take longer to decode it.
func (db *DB) scan(t testing.TB, table tables.Table, from json.RawMessage) []byte {
	t.Helper()
	input := fmt.Sprintf(`{"TableName":%q,"ExclusiveStartKey":%s}`, table.Name(tables.Dev), from)
	if string(from) == "null" {
		input = fmt.Sprintf(`{"TableName":%q}`, table.Name(tables.Dev))
	}
	request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodPost, db.endpoint+"/", strings.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810.Scan")
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20261121/ap-south-1/dynamodb/aws4_request, SignedHeaders=host, Signature=local")
	request.Header.Set("X-Amz-Date", "20261121T120000Z")
	response, err := connections.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("scan %s: %s, %v: %s", table.ID, response.Status, err, page)
	}
	return page
}

// read decodes everything in the tables.
func (db *DB) read(t testing.TB) contents {
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
	if len(attributes) == 0 {
		return c
	}
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
