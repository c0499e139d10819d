// Package marks keeps what was done about an order beside the order: what it has had of the stock, and whether it has
// given its discount code back. The order's item is in five indexes, and every write of it writes them all again.
package marks

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Marks are what was done about an order.
type Marks struct {
	Stock        []commercemodel.Taken // what the order has asked of the stock, and got
	CodeReturned bool                  // it has given the use of its discount code back

	was dynamo.Item // as it was read
}

// kept is how long marks outlive their order. DynamoDB deletes what has expired within days: the marks must not go
// first.
const kept = 30 * 24 * time.Hour

// Ref refers to the marks of an order.
func Ref(store, order model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Metrics, Key: keys.OrderMarks(store, order)}
}

// In returns the marks of an order that a batch has read. Until something is marked here, those count that the release
// before has written on the order's item.
func In(found dynamo.Found, order commercemodel.Order) (Marks, error) {
	item := Ref(order.StoreID, order.ID).Found(found)
	m := Marks{Stock: order.Stock, CodeReturned: order.CodeReturned, was: item}
	if item == nil {
		return m, nil
	}
	var here commercemodel.OrderMarks
	if err := dynamo.Unmarshal(item, &here); err != nil {
		return m, err
	}
	if item["stock"] != nil {
		m.Stock = here.Stock
	}
	m.CodeReturned = m.CodeReturned || here.CodeReturned
	return m, nil
}

// Read reads the marks of an order.
func Read(ctx context.Context, db *dynamo.Client, order commercemodel.Order) (Marks, error) {
	found, err := db.BatchGet(ctx, []dynamo.Ref{Ref(order.StoreID, order.ID)})
	if err != nil {
		return Marks{}, err
	}
	return In(found, order)
}

// MarkStock returns the write of what an order has had of the stock, and the marks after it. Its condition is that this
// is as it was read.
func (m Marks) MarkStock(order commercemodel.Order, stock []commercemodel.Taken) (dynamo.Update, Marks, error) {
	if stock == nil {
		stock = []commercemodel.Taken{} // an absent list does not count
	}
	value, err := dynamo.Value(stock)
	if err != nil {
		return dynamo.Update{}, m, err
	}
	u := update(order, "stock", value)
	u.If = dynamo.Same("stock", m.was["stock"], u.Values)
	m.Stock, m.was = stock, dynamo.Item{"stock": value}
	return u, m, nil
}

// MarkReturned returns the write that says that an order has given its code back. Its condition is that it has not.
func MarkReturned(order commercemodel.Order) dynamo.Update {
	u := update(order, "code_returned", dynamo.Bool(true))
	u.If = "attribute_not_exists(code_returned)"
	return u
}

func update(order commercemodel.Order, name string, value dynamo.AttributeValue) dynamo.Update {
	ref := Ref(order.StoreID, order.ID)
	u := dynamo.Update{Table: ref.Table, Key: ref.Key, Values: dynamo.Item{":" + name: value}}
	do := dynamo.Do{Set: []string{name + " = :" + name}}
	if order.TTL > 0 {
		do.Set = append(do.Set, "#ttl = :ttl")
		u.Values[":ttl"] = dynamo.N(order.TTL + int64(kept/time.Second))
	}
	u.Do = do.String()
	return u
}
