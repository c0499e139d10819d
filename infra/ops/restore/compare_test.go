package restore

import (
	"maps"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/tables"
)

// A change that is made between the comparison and the write stays, whether it sets, adds or removes an attribute.
func TestWhatChangesMeanwhileIsNotOverwritten(t *testing.T) {
	db := dynamotest.Start(t, tables.Products)
	c := comparison{table: tables.Products}
	key := dynamo.Item{"pk": dynamo.S("STR-1"), "sk": dynamo.S("PRODUCT#1")}
	item := func(more dynamo.Item) dynamo.Item {
		all := maps.Clone(key)
		maps.Copy(all, more)
		return all
	}
	was := item(dynamo.Item{"price": dynamo.N(60), "status#id": dynamo.S("on"), "note": dynamo.S("then")})
	is := item(dynamo.Item{"price": dynamo.N(6), "status#id": dynamo.S("on")})
	for name, meanwhile := range map[string]dynamo.Item{
		"changed": item(dynamo.Item{"price": dynamo.N(7), "status#id": dynamo.S("on")}),
		"removed": item(dynamo.Item{"price": dynamo.N(6)}),
		"added":   item(dynamo.Item{"price": dynamo.N(6), "status#id": dynamo.S("on"), "note": dynamo.S("now")}),
	} {
		put := func(item dynamo.Item) dynamo.Put {
			return dynamo.Put{Table: tables.Products, Item: item, If: dynamo.Unconditional}
		}
		if err := db.Put(t.Context(), put(meanwhile)); err != nil {
			t.Fatal(err)
		}
		for _, read := range []dynamo.Item{is, nil} {
			if err := db.Put(t.Context(), c.put(was, read)); !dynamo.IsConditionFailed(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := db.Put(t.Context(), c.put(was, meanwhile)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
