// Package dynamotest owns the real engine for tests, and the faults: it starts an engine with its own tables, makes any
// chosen DynamoDB call fail the ways it can fail, replays streams the ways they can come, and counts what calls cost.
package dynamotest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/tables"
)

// DB is an engine of the test's own, with tables.
type DB struct {
	*dynamo.Client
	*running
	gate   *gate
	tables []tables.Table
	marks  map[string]mark                 // of the tables, by their id; a table that was written to since has none
	seen   map[mark]map[string]dynamo.Item // what tables held, by their mark
	recall *recall                         // what answers in the engine's place, if anything does
}

// The tests make much garbage beside a small heap, and under the race detector to collect it takes a good part of their
// time.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(800)
	}
}

// Start gives a test an engine in memory with the tables, empty. An engine that cannot be started fails the test: there
// is nothing else to run it on.
//
// The tables lack the indexes that no function reads. The engine takes most of its time to keep indexes, the more so as
// most of them are of the table of messages. The engine does not check the index keys of what is left out; what runs on
// StartWhole and in infra/e2e has all indexes.
func Start(t testing.TB, list ...tables.Table) *DB {
	t.Helper()
	return StartWhole(t, tables.Read(list...)...)
}

// StartWhole gives a test an engine with the tables and all their indexes.
func StartWhole(t testing.TB, list ...tables.Table) *DB {
	t.Helper()
	db := &DB{running: take(t, list), gate: &gate{}, tables: list, marks: map[string]mark{},
		seen: map[mark]map[string]dynamo.Item{}}
	t.Cleanup(func() { db.giveBack(t) })
	db.Client = db.through(connections)
	return db
}

// Indexed returns a table with some of its global indexes. The engine takes most of its time to keep indexes, so a test
// that makes very many calls leaves out those that it does not read: a query on one of them fails. The engine does not
// check the index keys of what is left out, so other tests of the same writes run on the whole table.
func Indexed(table tables.Table, indexes ...string) tables.Table {
	table.Global = slices.DeleteFunc(slices.Clone(table.Global),
		func(x tables.Index) bool { return !slices.Contains(indexes, x.Name) })
	return table
}

// withoutStreams are the tables without their streams: tests bring records themselves, and the engine's writes slow
// down as a stream grows.
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
	return dynamo.Wrap(sdkClient(db.endpoint, gated{db.gate, transport}), tables.Dev)
}

// Client returns a client of an engine that a test has started itself. It leaves out what onlyTheCall says.
func Client(endpoint string) *dynamodb.Client { return sdkClient(endpoint, connections) }

// sdkClient returns a client that leaves out what an engine on this machine does not need: see onlyTheCall.
func sdkClient(endpoint string, transport http.RoundTripper) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "ap-south-1", BaseEndpoint: aws.String(endpoint), Retryer: aws.NopRetryer{},
		Credentials: aws.AnonymousCredentials{}, HTTPClient: direct{transport},
		APIOptions: []func(*middleware.Stack) error{onlyTheCall(endpoint)},
	})
}

// onlyTheCall takes from the SDK's steps of a call those that make the request and read the answer. The others find the
// address, sign, retry, name the client and measure: under the race detector they take half of a call. The tests of
// shared/dynamo and what runs in infra/e2e use the SDK as it is deployed.
//
// A transaction gets no token by which DynamoDB knows a repetition: nothing here repeats a call, and the engine looks
// through all tokens of ten minutes at each transaction.
func onlyTheCall(endpoint string) func(*middleware.Stack) error {
	return func(stack *middleware.Stack) error {
		serializer, writes := stack.Serialize.Get("OperationSerializer")
		deserializer, reads := stack.Deserialize.Get("OperationDeserializer")
		if !writes || !reads {
			return fmt.Errorf("the SDK has no step that makes the request or none that reads the answer")
		}
		_, _ = stack.Initialize.Remove("OperationIdempotencyTokenAutoFill") // most operations have none
		stack.Serialize.Clear()
		stack.Build.Clear()
		stack.Finalize.Clear()
		stack.Deserialize.Clear()
		return errors.Join(
			stack.Serialize.Add(serializer, middleware.After),
			stack.Finalize.Add(at(endpoint), middleware.After),
			stack.Deserialize.Add(deserializer, middleware.After),
		)
	}
}

// at is the step that gives a request its address, and what the engine wants in the place of a signature.
type at string

func (at) ID() string { return "Local" }

func (a at) HandleFinalize(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (
	middleware.FinalizeOutput, middleware.Metadata, error,
) {
	request := in.Request.(*smithyhttp.Request)
	request.URL.Scheme, request.URL.Host, request.URL.Path = "http", strings.TrimPrefix(string(a), "http://"), "/"
	sign(request.Request)
	return next.HandleFinalize(ctx, in)
}

// direct is an HTTP client that leaves out redirects, cookies and time-outs.
type direct struct{ http.RoundTripper }

func (d direct) Do(request *http.Request) (*http.Response, error) { return d.RoundTrip(request) }

func sign(request *http.Request) {
	request.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=local/20261121/ap-south-1/dynamodb/aws4_request, SignedHeaders=host, "+
			"Signature=local")
	request.Header.Set("X-Amz-Date", "20261121T120000Z")
}

// Through is a client of the engine whose calls go through a transport of the test's.
func (db *DB) Through(transport http.RoundTripper) *dynamo.Client { return db.through(transport) }

// Seed puts entities into a table as they are. No two of them have the same key.
func (db *DB) Seed(t testing.TB, table tables.Table, entities ...any) {
	t.Helper()
	for some := range slices.Chunk(entities, atOnce) {
		writes := make([]types.WriteRequest, len(some))
		for i, entity := range some {
			item, err := dynamo.Marshal(entity)
			if err != nil {
				t.Fatal(err)
			}
			writes[i] = types.WriteRequest{PutRequest: &types.PutRequest{Item: item}}
		}
		db.batch(t, table, writes)
	}
}

// batch makes writes to a table, at most atOnce of them.
func (db *DB) batch(t testing.TB, table tables.Table, writes []types.WriteRequest) {
	t.Helper()
	out, err := db.engine.BatchWriteItem(context.WithoutCancel(t.Context()), &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{table.Name(tables.Dev): writes},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.UnprocessedItems) > 0 {
		t.Fatalf("the engine left out %v", out.UnprocessedItems)
	}
}

// Dump is everything in the tables: table, then key, then the item as plain values.
func (db *DB) Dump(t testing.TB) map[string]map[string]map[string]any {
	t.Helper()
	clear(db.marks) // a client of the test's own may have written past the harness
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
