// Package dynamotest owns the real engine for tests, and the faults: it starts an engine with its own tables, makes any
// chosen DynamoDB call fail the ways it can fail, replays streams the ways they can come, and counts what calls cost.
package dynamotest

import (
	"context"
	"crypto/sha256"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
)

// DB is an engine of the test's own, with tables.
type DB struct {
	*dynamo.Client
	endpoint string
	engine   *dynamodb.Client
	tables   []tables.Table
	seen     map[[sha256.Size]byte]contents // by their fingerprint
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
	t.Cleanup(func() {
		connections.forget(strings.TrimPrefix(e.Endpoint, "http://"))
		e.Stop()
	})
	db := &DB{endpoint: e.Endpoint, tables: list, seen: map[[sha256.Size]byte]contents{}}
	db.engine = db.dynamoDB(connections)
	if err := engine.CreateTables(t.Context(), db.engine, withoutStreams(list), tables.Dev); err != nil {
		t.Fatal(err)
	}
	db.Client = db.through(connections)
	return db
}

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
	return dynamo.Wrap(db.dynamoDB(transport), tables.Dev, db.tables...)
}

func (db *DB) dynamoDB(transport http.RoundTripper) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(db.endpoint), Region: "ap-south-1", Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		HTTPClient:  &http.Client{Transport: transport},
	})
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
	return db.contents(t).plain(t)
}

// Items lists everything in a table.
func (db *DB) Items(t testing.TB, table tables.Table) []dynamo.Item {
	t.Helper()
	var items []dynamo.Item
	pages := dynamodb.NewScanPaginator(db.engine, &dynamodb.ScanInput{TableName: aws.String(table.Name(tables.Dev))})
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
	out, err := db.engine.Scan(t.Context(), &dynamodb.ScanInput{
		TableName: aws.String(table.Name(tables.Dev)), IndexName: aws.String(index),
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Items
}
