package orders

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Filter selects orders of a store: in a state, of a customer, or all of them; between two instants.
type Filter struct {
	Store  model.Name
	Status commercemodel.OrderStatus // "" for any
	Phone  model.Name                // how orders name the customer; "" for any. Status is not looked at then.
	From   model.Time                // "" for the oldest
	To     model.Time                // exclusive; "" for the newest
}

// index returns the index of the filter's orders, with the attributes of its key.
func (f Filter) index() (name, partition, sort string) {
	switch {
	case f.Phone != "":
		return "GSI1", "gsi1pk", "gsi1sk"
	case f.Status != "":
		return "GSI3", "gsi3pk", "gsi3sk"
	}
	return tables.IndexOrdersByTime, "store_id", "created_at"
}

func (f Filter) partition() string { _, partition, _ := f.index(); return partition }
func (f Filter) sort() string      { _, _, sort := f.index(); return sort }

// query returns the query of the filter's orders, newest first.
func (f Filter) query(limit int) dynamo.Query {
	q := dynamo.Query{
		Table: tables.Orders, Backwards: true, Limit: int32(limit),
		Names: map[string]string{"#pk": f.partition(), "#sk": f.sort()}, Values: dynamo.Item{}}
	q.Index, _, _ = f.index()
	switch {
	case f.Phone != "":
		q.Values[":pk"] = dynamo.S(keys.OrdersOfCustomer(f.Phone))
		q.Filter, q.Values[":store"] = "store_id = :store", dynamo.S(f.Store)
	case f.Status != "":
		q.Values[":pk"] = dynamo.S(keys.OrdersInState(f.Store, string(f.Status)))
	default:
		q.Values[":pk"] = dynamo.S(f.Store)
	}
	q.Where = "#pk = :pk"
	switch from, to := f.From, f.To; {
	case from != "" && to != "":
		q.Where += " AND #sk BETWEEN :from AND :to"
		q.Values[":from"], q.Values[":to"] = dynamo.S(from), dynamo.S(model.At(to.Go().Add(-time.Millisecond)))
	case from != "":
		q.Where += " AND #sk >= :from"
		q.Values[":from"] = dynamo.S(from)
	case to != "":
		q.Where += " AND #sk < :to"
		q.Values[":to"] = dynamo.S(to)
	}
	return q
}

// List returns up to limit orders, newest first, from after a place ("" for the newest). The indexes may be behind by a
// moment.
func (o *Orders) List(ctx context.Context, f Filter, limit int, after string) (all []commercemodel.Order, err error) {
	q := f.query(limit)
	if after != "" {
		at, id, _ := strings.Cut(after, " ")
		q.After = dynamo.Item{
			"store_id": dynamo.S(f.Store), "id": dynamo.S(id), f.partition(): q.Values[":pk"], f.sort(): dynamo.S(at),
		}
	}
	for {
		page, err := o.DB.Query(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("list orders: %w", err)
		}
		for _, item := range page.Items {
			var order commercemodel.Order
			if err := dynamo.Unmarshal(item, &order); err != nil {
				return nil, err
			}
			all = append(all, order)
		}
		if q.After = page.Next; q.After == nil || len(all) >= limit {
			return all[:min(len(all), limit)], nil
		}
	}
}

// Place returns an order's place in every list of its store.
func Place(order commercemodel.Order) string { return string(order.CreatedAt) + " " + string(order.ID) }

// Latest returns a customer's newest order of a store, or dynamo.ErrNotFound. The index may be behind by a moment.
func (o *Orders) Latest(ctx context.Context, store, phone model.Name) (commercemodel.Order, error) {
	page, err := o.List(ctx, Filter{Store: store, Phone: phone}, 1, "")
	if err == nil && len(page) == 0 {
		err = dynamo.ErrNotFound
	}
	if err != nil {
		return commercemodel.Order{}, err
	}
	return page[0], nil
}
