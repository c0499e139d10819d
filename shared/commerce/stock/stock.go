// Package stock moves goods between the stock of a store and its orders. The order says what it has taken from the
// stock, and changes in one transaction with the stock, so that every order takes its goods once and brings them back
// once. An article whose stock is counted from some time on is taken with the next step of the orders that were open
// then. What an order has in the end does not depend on when its steps are read: one that was refunded before anybody
// looked has taken its goods, as it would have when it was confirmed.
package stock

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Stock settles what orders take.
type Stock struct {
	DB *dynamo.Client
	// TellLow returns the writes by which the shop is told that articles run low because of an order. They commit with
	// the stock, so that the shop is told once.
	TellLow func(ctx context.Context, store commercemodel.Store, low []Low) ([]dynamo.Write, error)
}

// Low is an article of which so little is left that the shop should know.
type Low struct {
	Name string
	Unit string
	Left model.Amount
}

// maxProducts bounds the products of one transaction: DynamoDB takes a hundred writes, and the order and a message need
// some.
const maxProducts = 80

// Settle brings the stock in line with an order as it was read. Its condition is that order and stock are as they were
// read; if not, all is read and decided again. It does not raise the versions of products and orders: nobody's edit
// becomes stale because goods were taken.
func (s *Stock) Settle(ctx context.Context, store commercemodel.Store, order commercemodel.Order) error {
	first := true
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		if !first {
			found, err := s.DB.BatchGet(ctx, []dynamo.Ref{orders.Ref(order.StoreID, order.ID)})
			if err != nil {
				return err
			}
			if order, err = orders.In(found, order.StoreID, order.ID); err != nil {
				return err
			}
		}
		first = false
		for articles := range slices.Chunk(open(order), maxProducts) {
			next, err := s.settle(ctx, store, order, articles)
			if err != nil {
				return err
			}
			order = next
		}
		return nil
	})
	if err == nil || errors.Is(err, dynamo.ErrNotFound) { // it was deleted meanwhile
		return nil
	}
	return fmt.Errorf("stock: %w", err)
}

// settle settles some articles of an order, and returns the order as it is then.
func (s *Stock) settle(ctx context.Context, store commercemodel.Store, order commercemodel.Order,
	articles []model.Name) (commercemodel.Order, error) {
	refs := make([]dynamo.Ref, len(articles))
	for i, article := range articles {
		refs[i] = orders.ProductRef(order.StoreID, commercemodel.ProductOf(article))
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return order, err
	}
	goods, next, changed := shelf{found: found}, order, false
	next.Stock = slices.Clone(order.Stock)
	for i, article := range articles {
		count, err := goods.count(refs[i], article)
		if err != nil {
			return order, err
		}
		left, moved := settle(&next, article, count.stock(), count.since())
		changed = changed || moved
		count.set(left)
	}
	if !changed {
		return order, nil
	}
	writes, low, err := goods.writes()
	if err != nil {
		return order, err
	}
	if len(low) > 0 {
		told, err := s.TellLow(ctx, store, low)
		if err != nil {
			return order, err
		}
		writes = append(writes, told...)
	}
	mark, err := markWrite(order, next)
	if err != nil {
		return order, err
	}
	return next, dynamo.Conflict(s.DB.Transact(ctx, append(writes, mark)))
}

// markWrite returns the write of what an order has asked of the stock. Its condition is that neither the order nor this
// has changed.
func markWrite(was, next commercemodel.Order) (dynamo.Update, error) {
	u := dynamo.Update{Table: tables.Orders, Key: orders.Ref(was.StoreID, was.ID).Key, Values: dynamo.Item{}}
	item, err := dynamo.Marshal(was)
	if err != nil {
		return u, err
	}
	changed, err := dynamo.Marshal(next)
	if err != nil {
		return u, err
	}
	u.If = dynamo.And(dynamo.Same("#version", item["version"], u.Values), dynamo.Same("stock", item["stock"], u.Values))
	var do dynamo.Do
	for _, name := range []string{"stock", "oversold"} {
		if value, some := changed[name]; some {
			do.Set = append(do.Set, name+" = :"+name)
			u.Values[":"+name] = value
		} else {
			do.Remove = append(do.Remove, name)
		}
	}
	u.Do = do.String()
	return u, nil
}
