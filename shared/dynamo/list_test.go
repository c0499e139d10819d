package dynamo_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/tables"
)

// Whatever lies between the rows that somebody may see, a page reads a bounded number of items, and the pages show each
// row once.
func TestAFilteredListReadsABoundedNumberOfItems(t *testing.T) {
	db := dynamotest.Start(t, tables.Products)
	const rows, every = 2500, 300
	var want []string
	for from := 0; from < rows; from += 20 {
		var writes []dynamo.Write
		for i := from; i < from+20; i++ {
			id, tenant := fmt.Sprintf("PRD-%05d", i), "other"
			if i%every == every/2 || i > rows-4 {
				tenant, want = "mine", append(want, id)
			}
			writes = append(writes, dynamo.Put{Table: tables.Products, Item: dynamo.Item{
				"pk": dynamo.S(id), "sk": dynamo.S("PRODUCT"), "gsi1pk": dynamo.S("CATEGORY#Staples"),
				"gsi1sk": dynamo.S(id), "tenant_id": dynamo.S(tenant),
			}})
		}
		if err := db.Transact(t.Context(), writes); err != nil {
			t.Fatal(err)
		}
	}
	query := dynamo.Query{
		Table: tables.Products, Index: "GSI1", Where: "gsi1pk = :pk", Filter: "tenant_id = :tenant",
		Values: dynamo.Item{":pk": dynamo.S("CATEGORY#Staples"), ":tenant": dynamo.S("mine")},
	}
	for _, limit := range []int{1, 3, 100} {
		var seen []string
		place, pages := "", 0
		for {
			found, next, err := db.Some(t.Context(), query, limit, place)
			if err != nil || len(found) > limit {
				t.Fatalf("%d rows of %d, %v", len(found), limit, err)
			}
			for _, row := range found {
				seen = append(seen, dynamo.Text(row, "pk"))
			}
			pages++
			if place = next; place == "" {
				break
			}
		}
		if !slices.Equal(seen, want) || pages < 3 {
			t.Errorf("by %d: %v on %d pages, want %v", limit, seen, pages, want)
		}
	}
	for _, place := range []string{"x", "{}", `{"pk":1}`, `null`, `["pk"]`} {
		if _, _, err := db.Some(t.Context(), query, 1, place); !errors.Is(err, dynamo.ErrPlace) {
			t.Errorf("%s: %v", place, err)
		}
	}
}
