// Package dynamotest owns the real engine for tests, and the faults: it starts an engine with its own tables, makes any
// chosen DynamoDB call fail the ways it can fail, replays streams the ways they can come, and counts what calls cost.
package dynamotest

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// DB is an engine of the test's own, with tables.
type DB struct {
	*dynamo.Client
	endpoint string
	tables   []tables.Table
}

// Start starts an engine in memory with the tables, for as long as the test lasts. An engine that cannot be started fails
// the test: there is nothing else to run it on.
func Start(t testing.TB, list ...tables.Table) *DB {
	t.Helper()
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Start(t.Context(), engine.Options{Root: root})
	if err != nil {
		t.Fatalf("%v (make test installs the engine)", err)
	}
	t.Cleanup(e.Stop)
	if err := engine.CreateTables(t.Context(), engine.Client(e.Endpoint), withoutStreams(list), tables.Dev); err != nil {
		t.Fatal(err)
	}
	db := &DB{endpoint: e.Endpoint, tables: list}
	db.Client = db.through(connections)
	return db
}

// connections keeps as many connections as a handler makes calls at once, as the functions' own client does: to open one for
// each call takes longer than the call.
var connections = func() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost, transport.MaxConnsPerHost = 0, 64, 64
	return transport
}()

// withoutStreams are the tables without their streams: tests bring records themselves, and the engine's writes slow down as a
// stream grows.
func withoutStreams(list []tables.Table) []tables.Table {
	list = slices.Clone(list)
	for i := range list {
		list[i].Stream = tables.NoStream
	}
	return list
}

// through is a client of the engine whose calls go through a transport. It does not retry: what the SDK would hide is
// what the tests are about.
func (db *DB) through(transport http.RoundTripper) *dynamo.Client {
	return dynamo.Wrap(dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(db.endpoint), Region: "ap-south-1", Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		HTTPClient:  &http.Client{Transport: transport},
	}), tables.Dev, db.tables...)
}

// Through is a client of the engine whose calls go through a transport of the test's.
func (db *DB) Through(transport http.RoundTripper) *dynamo.Client { return db.through(transport) }

// Seed puts entities into a table as they are.
func (db *DB) Seed(t testing.TB, table tables.Table, entities ...any) {
	t.Helper()
	for _, entity := range entities {
		item, err := dynamo.Marshal(entity)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Put(t.Context(), dynamo.Put{Table: table, Item: item, If: dynamo.Unconditional}); err != nil {
			t.Fatal(err)
		}
	}
}

// Dump is everything in the tables: table, then key, then the item as plain values.
func (db *DB) Dump(t testing.TB) map[string]map[string]map[string]any {
	t.Helper()
	dump := map[string]map[string]map[string]any{}
	for _, table := range db.tables {
		dump[table.ID] = map[string]map[string]any{}
		for _, item := range db.Items(t, table) {
			key := dynamo.Text(item, table.Partition.Name)
			if table.Sort.Name != "" {
				key += " / " + dynamo.Text(item, table.Sort.Name)
			}
			dump[table.ID][key] = plain(t, item)
		}
	}
	return dump
}

// Items lists everything in a table.
func (db *DB) Items(t testing.TB, table tables.Table) []dynamo.Item {
	t.Helper()
	var items []dynamo.Item
	client := engine.Client(db.endpoint)
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: aws.String(table.Name(tables.Dev))})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.WithoutCancel(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, page.Items...)
	}
	return items
}

// Index lists the keys in an index, so that a test sees what is in it and what is not.
func (db *DB) Index(t testing.TB, table tables.Table, index string) []dynamo.Item {
	t.Helper()
	out, err := engine.Client(db.endpoint).Scan(t.Context(), &dynamodb.ScanInput{
		TableName: aws.String(table.Name(tables.Dev)), IndexName: aws.String(index),
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Items
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

// without is a dump with some attributes of each item left out: those that say how often something was tried.
func without(dump map[string]map[string]map[string]any, attributes []string) map[string]map[string]map[string]any {
	for _, items := range dump {
		for _, item := range items {
			maps.DeleteFunc(item, func(name string, _ any) bool { return slices.Contains(attributes, name) })
		}
	}
	return dump
}
