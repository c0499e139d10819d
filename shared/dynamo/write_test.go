package dynamo_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func messageItem(id model.MessageID, more dynamo.Item) dynamo.Item {
	item := dynamo.Item{"pk": dynamo.S(keys.Message(id).Partition), "itemType": dynamo.S(model.ItemMessage)}
	maps.Copy(item, more)
	return item
}

func put(t *testing.T, db *dynamotest.DB, item dynamo.Item) {
	t.Helper()
	if err := db.Put(t.Context(),
		dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}); err != nil {
		t.Fatal(err)
	}
}

// stored returns a message's stored item, or nil if there is none.
func stored(t *testing.T, db *dynamotest.DB, id model.MessageID) dynamo.Item {
	t.Helper()
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)}
	found, err := db.BatchGet(t.Context(), []dynamo.Ref{ref})
	if err != nil {
		t.Fatal(err)
	}
	return ref.Found(found)
}

func TestAWriteWithAFailedConditionChangesNothing(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	put(t, db, messageItem("1", dynamo.Item{"preview": dynamo.S("first")}))

	err := db.Put(t.Context(), dynamo.Put{
		Table: tables.Messages, Item: messageItem("1", dynamo.Item{"preview": dynamo.S("second")}),
		If: "attribute_not_exists(pk)",
	})
	if !dynamo.IsConditionFailed(err) || dynamo.Permanent(err) {
		t.Errorf("put: %v", err)
	}

	err = db.Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.Message("1"), Do: "SET preview = :new", If: "preview = :old",
		Values: dynamo.Item{":new": dynamo.S("third"), ":old": dynamo.S("another")},
	})
	var failed *dynamo.ConditionFailed
	if !errors.As(err, &failed) || dynamo.Text(failed.Item, "preview") != "first" {
		t.Errorf("update: %v, %v: it should give what is there", err, failed)
	}

	err = db.Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.Message("nobody"), Do: "SET preview = :new", If: "attribute_exists(pk)",
		Values: dynamo.Item{":new": dynamo.S("third")},
	})
	if !errors.As(err, &failed) || len(failed.Item) != 0 {
		t.Errorf("update of nothing: %v, %v", err, failed)
	}
	if got := dynamo.Text(stored(t, db, "1"), "preview"); got != "first" || stored(t, db, "nobody") != nil {
		t.Errorf("%q was written, or an item that was not there", got)
	}
}

func TestAnUpdateReturnsTheItemBeforeIt(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	update := dynamo.Update{
		Table: tables.Messages, Key: keys.Message("1"), Do: "SET preview = :new",
		Values: dynamo.Item{":new": dynamo.S("second")},
	}
	// For an item that did not exist, DynamoDB returns nothing and the local engine returns its key.
	if before, err := db.UpdateReturning(t.Context(), update); err != nil || dynamo.Text(before, "preview") != "" {
		t.Errorf("of an item that was not there: %v, %v", before, err)
	}
	before, err := db.UpdateReturning(t.Context(), update)
	if err != nil || dynamo.Text(before, "preview") != "second" || len(before) != 2 {
		t.Errorf("%v, %v", before, err)
	}
}

// Half of the contracts' attribute names are reserved words in DynamoDB, and some contain a #.
func TestNamesInExpressionsArePlaceholdersForAttributeNames(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages, tables.Outbox)
	put(t, db, messageItem("1",
		dynamo.Item{"status": dynamo.S("a"), "from": dynamo.S("b"), "content": dynamo.AsMap(dynamo.N(1))}))
	err := db.Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.Message("1"),
		Do:     "SET #status = :new, #content.#value = :n, #with_under_score9 = :new REMOVE #from",
		If:     "#status = :old AND attribute_exists(#from) AND attribute_not_exists(#name) AND size(#itemType) > :n",
		Values: dynamo.Item{":new": dynamo.S("c"), ":old": dynamo.S("a"), ":n": dynamo.N(2)},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := messageItem("1",
		dynamo.Item{"status": dynamo.S("c"), "with_under_score9": dynamo.S("c"), "content": dynamo.AsMap(dynamo.N(2))})
	if diff := cmp.Diff(plain(t, want), plain(t, stored(t, db, "1"))); diff != "" {
		t.Error(diff)
	}

	event := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent("5e9-0000000001"), Do: "SET #created = :key, #status = :s",
		If:    "attribute_not_exists(#created)",
		Names: map[string]string{"#created": "createdAt#eventId", "#unused": "nothing"},
		Values: dynamo.Item{
			":key": dynamo.S(keys.Joined("2026-11-21T10:00:00.000Z", "5e9-0000000001")),
			":s":   dynamo.S(model.OutboxPending)},
	}
	if err := db.Update(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if err := db.Update(t.Context(), event); !dynamo.IsConditionFailed(err) {
		t.Errorf("the name that holds a # was not the attribute's: %v", err)
	}
	if rows := db.Index(t, tables.Outbox, "OutboxByStatusCreatedAt"); len(rows) != 1 {
		t.Errorf("%d rows by the composite key, want 1", len(rows))
	}
}

func TestATransactionMakesAllItsWrites(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages, tables.Cards)
	put(t, db, messageItem("old", nil))
	put(t, db, messageItem("guard", dynamo.Item{"status": dynamo.S("open")}))
	card := keys.Key{PartitionName: "ecosystemId", Partition: "shop", SortName: "cardId", Sort: "c-1"}
	err := db.Transact(t.Context(), []dynamo.Write{
		dynamo.Put{Table: tables.Messages, Item: messageItem("new", nil), If: "attribute_not_exists(pk)"},
		dynamo.Update{
			Table: tables.Cards, Key: card, Do: "ADD #version :one", Values: dynamo.Item{":one": dynamo.N(1)}},
		dynamo.Delete{Table: tables.Messages, Key: keys.Message("old"), If: "attribute_exists(#pk)"},
		dynamo.Check{
			Table: tables.Messages, Key: keys.Message("guard"), If: "#status = :open",
			Values: dynamo.Item{":open": dynamo.S("open")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Version int }
	if err := db.Get(t.Context(), tables.Cards, card, &got); err != nil || got.Version != 1 {
		t.Errorf("the card: %+v, %v", got, err)
	}
	if stored(t, db, "new") == nil || stored(t, db, "old") != nil {
		t.Error("put and delete were not both made")
	}
}

func TestACancelledTransactionWritesNothingAndReturnsReasonsInOrder(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	put(t, db, messageItem("1", dynamo.Item{"preview": dynamo.S("first")}))
	err := db.Transact(t.Context(), []dynamo.Write{
		dynamo.Put{Table: tables.Messages, Item: messageItem("new", nil), If: "attribute_not_exists(pk)"},
		dynamo.Check{Table: tables.Messages, Key: keys.Message("nobody"), If: "attribute_exists(pk)"},
		dynamo.Update{
			Table: tables.Messages, Key: keys.Message("1"), Do: "SET preview = :new", If: "preview = :old",
			Values: dynamo.Item{":new": dynamo.S("second"), ":old": dynamo.S("another")},
		},
		dynamo.Delete{Table: tables.Messages, Key: keys.Message("other"), If: dynamo.Unconditional},
	})
	var canceled *dynamo.TransactionCancelled
	if !errors.As(err, &canceled) || len(canceled.Reasons) != 4 {
		t.Fatalf("%v", err)
	}
	for i, failed := range []bool{false, true, true, false} {
		if reason := canceled.Reasons[i]; reason.Failed() != failed || !failed && reason.Code != "" {
			t.Errorf("reason %d is %+v, failed should be %v", i, reason, failed)
		}
	}
	if got := dynamo.Text(canceled.Reasons[2].Item, "preview"); got != "first" {
		t.Errorf("the update's reason gives %q, not what is there", got)
	}
	if !canceled.AnyConditionFailed() || dynamo.Permanent(err) || !errors.Is(dynamo.Conflict(err), dynamo.ErrConflict) {
		t.Errorf("taken for something else than a failed condition: %v", err)
	}
	if stored(t, db, "new") != nil || dynamo.Text(stored(t, db, "1"), "preview") != "first" {
		t.Error("a part of it was made")
	}
}

// What a key with an empty id names is no item and no empty list.
func TestAnEmptyIDInAKeyIsAnError(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages, tables.CustomerBalances)
	nobody := keys.Message("")
	updated := db.Update(t.Context(),
		dynamo.Update{Table: tables.Messages, Key: nobody, Do: "SET a = :a", If: dynamo.Unconditional,
			Values: dynamo.Item{":a": dynamo.N(1)}})
	_, batch := db.BatchGet(t.Context(), []dynamo.Ref{{Table: tables.Messages, Key: nobody}})
	_, list := db.Query(t.Context(), dynamo.Query{
		Table: tables.CustomerBalances, Where: "pk = :pk AND begins_with(sk, :customer)",
		Values: dynamo.Item{":pk": dynamo.S(keys.StoreScope("")), ":customer": dynamo.S(keys.KhataCustomerPrefix)}})
	_, index := db.Query(t.Context(), dynamo.Query{
		Table: tables.CustomerBalances, Index: "GSI1", Where: "#pk = :pk", Names: map[string]string{"#pk": "gsi1pk"},
		Values: dynamo.Item{":pk": dynamo.S(keys.KhataOf(""))}})
	transact := func(write dynamo.Write) error { return db.Transact(t.Context(), []dynamo.Write{write}) }
	for name, err := range map[string]error{
		"get": db.Get(t.Context(), tables.Messages, nobody, &struct{}{}), "update": updated, "batch": batch,
		"query": list, "query of an index": index,
		"a sort key": db.Get(t.Context(), tables.CustomerBalances, keys.KhataBalance("S", ""), &struct{}{}),
		"put": db.Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: messageItem("", nil), If: dynamo.Unconditional}),
		"delete": transact(dynamo.Delete{Table: tables.Messages, Key: nobody, If: dynamo.Unconditional}),
		"check":  transact(dynamo.Check{Table: tables.Messages, Key: nobody, If: dynamo.IfAbsent}),
	} {
		if !dynamo.Permanent(err) || !strings.Contains(fmt.Sprint(err), "an id in a key is empty") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestARequestThatDynamoDBRejectsIsAPermanentError(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	large := messageItem("1", dynamo.Item{"textBody": dynamo.S(strings.Repeat("x", 400<<10))})
	for name, err := range map[string]error{
		"an empty key": db.Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: dynamo.Item{"pk": dynamo.S("")}}),
		"a key of another type": db.Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: dynamo.Item{"pk": dynamo.N(1)}}),
		"an index key of that kind": db.Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: messageItem("1", dynamo.Item{"inboxPk": dynamo.N(1)})}),
		"no key": db.Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: dynamo.Item{"a": dynamo.N(1)}}),
		"a broken condition": db.Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: messageItem("1", nil), If: "pk ="}),
		"an item over 400 KB": db.Put(t.Context(), dynamo.Put{Table: tables.Messages, Item: large}),
		"a transaction on one item twice": db.Transact(t.Context(), []dynamo.Write{
			dynamo.Put{Table: tables.Messages, Item: messageItem("1", nil)},
			dynamo.Delete{Table: tables.Messages, Key: keys.Message("1")},
		}),
	} {
		if !dynamo.Permanent(err) || dynamo.IsConditionFailed(err) ||
			errors.Is(dynamo.Conflict(err), dynamo.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if items := db.Items(t, tables.Messages); len(items) != 0 {
		t.Errorf("%d items were written", len(items))
	}
}

func TestTheErrorNamesATableThatWasNotOpened(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	err := db.Get(t.Context(), tables.Outbox, keys.OutboxEvent("1"), &struct{}{})
	if err == nil || errors.Is(err, dynamo.ErrNotFound) || dynamo.Permanent(err) {
		t.Errorf("%v", err)
	}
}

// plain formats an item as text, for comparison.
func plain(t *testing.T, item dynamo.Item) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(item)) {
		var document model.Document
		if err := document.UnmarshalDynamoDBAttributeValue(item[name]); err != nil {
			t.Fatal(err)
		}
		texts[name] = string(document)
	}
	return texts
}
