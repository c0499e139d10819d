package dynamotest

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/tables"
)

func put(t testing.TB, client *dynamo.Client, table tables.Table, key string) error {
	t.Helper()
	item := dynamo.Item{table.Partition.Name: dynamo.S(key)}
	if table.Sort.Name != "" {
		item[table.Sort.Name] = dynamo.S("sort")
	}
	return client.Put(context.WithoutCancel(t.Context()),
		dynamo.Put{Table: table, Item: item, If: dynamo.Unconditional})
}

func TestATestGetsEmptyTablesOnAnEngineThatAnotherHasUsed(t *testing.T) {
	var first *DB
	t.Run("first", func(t *testing.T) {
		first = Start(t, tables.Messages, tables.Outbox)
		for _, key := range []string{"a", "b"} {
			if err := put(t, first.Client, tables.Messages, key); err != nil {
				t.Fatal(err)
			}
		}
	})
	second := Start(t, tables.Messages, tables.Outbox)
	if keeps := first.endpoint == second.endpoint; keeps != kept {
		t.Errorf("the engine is used again: %v", keeps)
	}
	if items := second.Items(t, tables.Messages); len(items) > 0 {
		t.Errorf("the tables hold %v", items)
	}
	if err := put(t, first.Client, tables.Messages, "c"); !errors.Is(err, errEnded) {
		t.Errorf("the test that has ended writes: %v", err)
	}
	if items := second.Items(t, tables.Messages); len(items) > 0 {
		t.Errorf("the tables hold %v", items)
	}
}

func TestAnEngineWithOtherTablesOrWithACallThatWasGivenUpIsNotUsedAgain(t *testing.T) {
	var first *DB
	t.Run("first", func(t *testing.T) { first = Start(t, tables.Outbox) })
	if other := Start(t, tables.Messages); other.endpoint == first.endpoint {
		t.Error("the engine has other tables")
	}
	var second *DB
	t.Run("second", func(t *testing.T) {
		second = Start(t, tables.OutboxSequences)
		ctx, cancel := context.WithCancel(t.Context())
		client := second.Through(canceling{cancel})
		if err := client.Put(ctx,
			dynamo.Put{Table: tables.OutboxSequences,
				Item: dynamo.Item{tables.OutboxSequences.Partition.Name: dynamo.S("a")},
				If:   dynamo.Unconditional}); err == nil {
			t.Error("the call was made")
		}
	})
	if third := Start(t, tables.OutboxSequences); third.endpoint == second.endpoint {
		t.Error("the call that was given up may reach the engine yet")
	}
}

type canceling struct{ cancel func() }

func (c canceling) RoundTrip(request *http.Request) (*http.Response, error) {
	c.cancel()
	return nil, request.Context().Err()
}

func TestContentsAreReadAnewWhereSomethingWasWritten(t *testing.T) {
	db := Start(t, tables.Messages, tables.Outbox)
	empty, before := db.contents(t), db.fingerprint(t)
	marks := maps.Clone(db.marks)
	if err := put(t, db.Client, tables.Messages, "a"); err != nil {
		t.Fatal(err)
	}
	if db.fingerprint(t) == before {
		t.Error("a write does not show")
	}
	full := db.contents(t)
	if len(full[tables.Messages.ID]) != 1 || len(full[tables.Outbox.ID]) != 0 {
		t.Errorf("%v", full)
	}
	db.restore(t, full, empty, marks)
	if diff := diff(t, empty, db.contents(t)); diff != "" {
		t.Error(diff)
	}
	clear(db.marks)
	if diff := diff(t, empty, db.contents(t)); diff != "" {
		t.Errorf("read anew after a restoration: %s", diff)
	}
}
