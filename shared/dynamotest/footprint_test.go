package dynamotest

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

// footprints is a transport that notes what calls touch.
type footprints struct {
	db  *DB
	all []touch
}

func (f *footprints) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := bodyOf(request)
	if err != nil {
		return nil, err
	}
	f.all = append(f.all, footprintOf(request.Header.Get("X-Amz-Target"), body, f.db.tables)...)
	return connections.RoundTrip(request)
}

// If an item of a call were missed here, some order of calls would never be tried.
func TestAFootprintHoldsEveryItemThatACallTouches(t *testing.T) {
	db := Start(t, tables.Messages, tables.Outbox)
	seen := &footprints{db: db}
	client, ctx, table := db.Through(seen), t.Context(), tables.Messages
	key := func(name string) keys.Key { return keys.ByPK(name) }
	item := func(name string) dynamo.Item { return dynamo.Item{"pk": dynamo.S(name)} }
	ref := func(name string) dynamo.Ref { return dynamo.Ref{Table: table, Key: key(name)} }
	values := dynamo.Item{":v": dynamo.S("a")}
	put := func(name string) dynamo.Put {
		return dynamo.Put{Table: table, Item: item(name), If: dynamo.Unconditional}
	}
	update := func(name string) dynamo.Update {
		return dynamo.Update{
			Table: table, Key: key(name), Do: "SET seen = :v", If: dynamo.Unconditional, Values: values}
	}
	touches := func(name string, write bool) touch {
		if name == "" {
			return touch{table: table.Name(tables.Dev), write: write}
		}
		return touch{table: table.Name(tables.Dev), partition: fmt.Sprintf(`{"S":%q}`, name), write: write}
	}
	for name, c := range map[string]struct {
		call func() error
		want []touch
	}{
		"Put":    {func() error { return client.Put(ctx, put("a")) }, []touch{touches("a", true)}},
		"Update": {func() error { err := client.Update(ctx, update("a")); return err }, []touch{touches("a", true)}},
		"BatchGet": {func() error { _, err := client.BatchGet(ctx, []dynamo.Ref{ref("a"), ref("b")}); return err },
			[]touch{touches("a", false), touches("b", false)}},
		"Transact": {func() error {
			return client.Transact(ctx,
				[]dynamo.Write{
					put("a"), update("b"), dynamo.Delete{Table: table, Key: key("c"), If: dynamo.Unconditional},
					dynamo.Check{Table: table, Key: key("d"), If: "attribute_not_exists(pk)"}})
		}, []touch{touches("a", true), touches("b", true), touches("c", true), touches("d", false)}},
		"Query": {func() error {
			_, err := client.Query(ctx, dynamo.Query{Table: table, Where: "pk = :v", Values: values})
			return err
		}, []touch{touches("a", false)}},
		"Query of an index": {func() error {
			_, err := client.Query(ctx,
				dynamo.Query{Table: table, Index: tables.IndexInbox, Where: "inboxPk = :v", Values: values})
			return err
		}, []touch{touches("", false)}},
		"Scan": {func() error { _, err := client.Scan(ctx, dynamo.Scan{Table: table, Limit: 1}); return err }, []touch{
			touches("", false)}},
	} {
		seen.all = nil
		if err := c.call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !sameTouches(seen.all, c.want) {
			t.Errorf("%s touches %v, want %v", name, seen.all, c.want)
		}
	}
}

func sameTouches(a, b []touch) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(one touch) bool { return !slices.Contains(b, one) })
}

func TestACallThatIsNotKnownConflictsWithEveryOther(t *testing.T) {
	db := Start(t, tables.Messages)
	read := footprint{{table: tables.Messages.Name(tables.Dev), partition: "a"}}
	for _, body := range []string{`{"TableName":"other"}`, `no JSON`} {
		if got := footprintOf("DynamoDB_20120810.DeleteTable", []byte(body), db.tables); !got.conflicts(read) {
			t.Errorf("%s touches %v", body, got)
		}
	}
}
