package dynamo_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func TestAMissingItemIsNotFound(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages, tables.Cards)
	var message model.Message
	if err := db.Get(t.Context(), tables.Messages, keys.Message("nobody"), &message); !errors.Is(err,
		dynamo.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if message.PK != "" {
		t.Errorf("it was filled with %+v", message)
	}
	card := keys.Key{PartitionName: "ecosystemId", Partition: "shop", SortName: "cardId", Sort: "c-1"}
	if err := db.Put(t.Context(),
		dynamo.Put{Table: tables.Cards,
			Item: dynamo.Item{"ecosystemId": dynamo.S("shop"), "cardId": dynamo.S("c-2")}}); err != nil {
		t.Fatal(err)
	}
	if err := db.Get(t.Context(), tables.Cards, card, &struct{}{}); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("another card of the same partition was taken for it: %v", err)
	}
}

func TestAnItemThatDoesNotFitItsEntityIsAnError(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	put(t, db, messageItem("1", dynamo.Item{"deliveryRank": dynamo.S("high")}))
	var message model.Message
	if err := db.Get(t.Context(), tables.Messages, keys.Message("1"), &message); err == nil ||
		errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

func TestABatchReadsSeveralTablesInAsFewCallsAsPossible(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages, tables.Cards)
	var refs []dynamo.Ref
	for i := range 130 {
		id := model.MessageID(fmt.Sprint("m", i))
		if i%3 != 0 {
			put(t, db, messageItem(id, dynamo.Item{"n": dynamo.N(i)}))
		}
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)})
	}
	for i := range 90 {
		card := keys.Key{PartitionName: "ecosystemId", Partition: "shop", SortName: "cardId", Sort: fmt.Sprint("c", i)}
		if i%2 == 0 {
			item := dynamo.Item{
				"ecosystemId": dynamo.S(card.Partition), "cardId": dynamo.S(card.Sort), "n": dynamo.N(i)}
			if err := db.Put(t.Context(), dynamo.Put{Table: tables.Cards, Item: item}); err != nil {
				t.Fatal(err)
			}
		}
		refs = append(refs, dynamo.Ref{Table: tables.Cards, Key: card})
	}
	refs = append(refs, refs[:75]...)
	refs = append(refs, refs[210:220]...) // duplicates within one call, which DynamoDB refuses
	twice := func(i int) int {            // the index of a reference's first occurrence
		if i >= 295 {
			return i - 85
		}
		return i % 220
	}
	client, meter := db.Metered(t)
	found, err := client.BatchGet(t.Context(), refs)
	if err != nil {
		t.Fatal(err)
	}
	if trips := meter.Cost().RoundTrips; trips != 3 {
		t.Errorf("220 items took %d round trips, want 3", trips)
	}
	for i, ref := range refs {
		n := twice(i)
		there := n < 130 && n%3 != 0 || n >= 130 && n%2 == 0
		if n >= 130 {
			n -= 130
		}
		item := ref.Found(found)
		if (item != nil) != there || there && dynamo.Int(item, "n") != int64(n) {
			t.Errorf("%s %s: %v, want it there: %v", ref.Key.Partition, ref.Key.Sort, item, there)
		}
	}
}

func TestAnEmptyBatchMakesNoCall(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	client, meter := db.Metered(t)
	if found, err := client.BatchGet(t.Context(), nil); err != nil || len(found) != 0 || meter.Cost().RoundTrips != 0 {
		t.Errorf("%v, %v, %d round trips", found, err, meter.Cost().RoundTrips)
	}
}

func conversation(n int) dynamo.Item {
	return messageItem(model.MessageID(fmt.Sprint("m", n)), dynamo.Item{
		"conversationPk": dynamo.S("CONV#1055#91"),
		"receivedAt":     dynamo.S(fmt.Sprintf("2026-11-21T10:00:%02d.000Z", n)), "n": dynamo.N(n),
	})
}

func TestAQueryGoesThroughAPartitionPageByPageInBothDirections(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	for n := range 23 {
		put(t, db, conversation(n))
	}
	for _, backwards := range []bool{false, true} {
		query := dynamo.Query{
			Table: tables.Messages, Index: "gsi_conversation", Where: "#conversationPk = :c AND #receivedAt > :t",
			Limit: 5, Backwards: backwards,
			Values: dynamo.Item{":c": dynamo.S("CONV#1055#91"), ":t": dynamo.S("2026-11-21T10:00:00.000Z")},
		}
		var got []int64
		pages := 0
		for {
			page, err := db.Query(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			pages++
			for _, item := range page.Items {
				got = append(got, dynamo.Int(item, "n"))
			}
			if len(page.Items) > 5 {
				t.Errorf("a page of %d", len(page.Items))
			}
			if page.Next == nil || pages > 10 {
				break
			}
			query.After = page.Next
		}
		var want []int64
		for n := int64(1); n < 23; n++ {
			want = append(want, n)
		}
		if backwards {
			slices.Reverse(want)
		}
		if diff := cmp.Diff(want, got); diff != "" || pages != 5 {
			t.Errorf("backwards %v, %d pages:\n%s", backwards, pages, diff)
		}
	}
}

func TestAFilteredPageMayBeShortAndStillNotTheLast(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	for n := range 9 {
		put(t, db, conversation(n))
	}
	page, err := db.Query(t.Context(), dynamo.Query{
		Table: tables.Messages, Index: "gsi_conversation", Where: "conversationPk = :c", Filter: "#n >= :n", Limit: 4,
		Values: dynamo.Item{":c": dynamo.S("CONV#1055#91"), ":n": dynamo.N(3)},
	})
	if err != nil || len(page.Items) != 1 || page.Next == nil {
		t.Errorf("%d items, next %v, %v", len(page.Items), page.Next, err)
	}
}

func TestAQueryWithoutResultsReturnsAnEmptyLastPage(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	page, err := db.Query(t.Context(), dynamo.Query{
		Table: tables.Messages, Where: "pk = :pk", Values: dynamo.Item{":pk": dynamo.S("MSG#nobody")},
	})
	if err != nil || len(page.Items) != 0 || page.Next != nil {
		t.Errorf("%+v, %v", page, err)
	}
	if _, err := db.Query(t.Context(),
		dynamo.Query{
			Table: tables.Messages, Index: "gsi_nothing", Where: "a = :a",
			Values: dynamo.Item{":a": dynamo.S("a")}}); !dynamo.Permanent(err) {
		t.Errorf("an index that is not there: %v", err)
	}
}
