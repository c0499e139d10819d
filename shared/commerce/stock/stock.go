// Package stock moves goods between the stock of a store and its orders. The marks of an order say what it has taken
// from the stock, and change in one transaction with the stock, so that every order takes its goods once and brings
// them back once. An article whose stock is counted from some time on is taken with the next step of the orders that
// were open then. What an order has in the end does not depend on when its steps are read: one that was refunded before
// anybody looked has taken its goods, as it would have when it was confirmed.
package stock

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/marks"
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
	// Follows returns the writes by which the catalogue at Meta follows, if an article runs out or is there again; nil
	// if none does.
	Follows func(store commercemodel.Store) ([]dynamo.Write, error)
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

// Settle brings the stock in line with an order and its marks as they were read. Its condition is that order, marks and
// stock are as they were read; if not, all is read and decided again. It does not raise the versions of products and
// orders: nobody's edit becomes stale because goods were taken.
func (s *Stock) Settle(ctx context.Context, store commercemodel.Store, order commercemodel.Order,
	had marks.Marks) error {
	first := true
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		if !first {
			found, err := s.DB.BatchGet(ctx,
				[]dynamo.Ref{orders.Ref(order.StoreID, order.ID), marks.Ref(order.StoreID, order.ID)})
			if err != nil {
				return err
			}
			if order, err = orders.In(found, order.StoreID, order.ID); err != nil {
				return err
			}
			if had, err = marks.In(found, order); err != nil {
				return err
			}
		}
		first = false
		return s.settleAll(ctx, store, order, had)
	})
	if err == nil || errors.Is(err, dynamo.ErrNotFound) { // it was deleted meanwhile
		return nil
	}
	return fmt.Errorf("stock: %w", err)
}

// settleAll settles the articles of an order, as many at once as a transaction takes.
func (s *Stock) settleAll(ctx context.Context, store commercemodel.Store, order commercemodel.Order,
	had marks.Marks) (err error) {
	now := order
	now.Stock = had.Stock
	for articles := range slices.Chunk(open(now), maxProducts) {
		if now, had, err = s.settle(ctx, store, order, now, had, articles); err != nil {
			return err
		}
		order.Oversold = now.Oversold
	}
	return nil
}

// settle settles some articles of an order. now is the order with what it has had of the stock; settle returns it and
// the marks as they are then.
func (s *Stock) settle(ctx context.Context, store commercemodel.Store, order, now commercemodel.Order,
	had marks.Marks, articles []model.Name) (commercemodel.Order, marks.Marks, error) {
	refs := make([]dynamo.Ref, len(articles))
	for i, article := range articles {
		refs[i] = orders.ProductRef(order.StoreID, commercemodel.ProductOf(article))
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return now, had, err
	}
	goods, changed := shelf{found: found}, false
	now.Stock = slices.Clone(now.Stock)
	for i, article := range articles {
		count, err := goods.count(refs[i], article)
		if err != nil {
			return now, had, err
		}
		left, moved := settle(&now, article, count.stock(), count.since())
		changed = changed || moved
		count.set(left)
	}
	if !changed {
		return now, had, nil
	}
	writes, low, err := goods.writes()
	if err != nil {
		return now, had, err
	}
	if len(low) > 0 {
		told, err := s.TellLow(ctx, store, low)
		if err != nil {
			return now, had, err
		}
		writes = append(writes, told...)
	}
	more, err := s.follows(store, goods)
	if err != nil {
		return now, had, err
	}
	writes = append(writes, more...)
	mark, marked, err := had.MarkStock(order, now.Stock)
	if err != nil {
		return now, had, err
	}
	asRead, err := asRead(order, now.Oversold)
	if err != nil {
		return now, had, err
	}
	return now, marked, dynamo.Conflict(s.DB.Transact(ctx, append(writes, mark, asRead)))
}

// asRead returns the condition that an order is as it was read, and writes what it lacks if that has changed: the item
// is in five indexes, and few orders lack anything. The release before has kept what the order had of the stock there.
func asRead(order commercemodel.Order, oversold []commercemodel.Shortage) (dynamo.Write, error) {
	key, values := orders.Ref(order.StoreID, order.ID).Key, dynamo.Item{}
	next := order
	next.Oversold = oversold
	was, err := dynamo.Marshal(order)
	if err != nil {
		return nil, err
	}
	is, err := dynamo.Marshal(next)
	if err != nil {
		return nil, err
	}
	same := dynamo.And(dynamo.Same("#version", was["version"], values), dynamo.Same("stock", was["stock"], values))
	if dynamo.StoredAlike(order, next) {
		return dynamo.Check{Table: tables.Orders, Key: key, If: same, Values: values}, nil
	}
	do := dynamo.Do{Remove: []string{"oversold"}}
	if value, some := is["oversold"]; some {
		do = dynamo.Do{Set: []string{"oversold = :oversold"}}
		values[":oversold"] = value
	}
	return dynamo.Update{Table: tables.Orders, Key: key, Do: do.String(), If: same, Values: values}, nil
}

// follows returns the writes by which the catalogue at Meta follows, if an article has run out or is there again.
func (s *Stock) follows(store commercemodel.Store, goods shelf) ([]dynamo.Write, error) {
	if s.Follows == nil || !slices.ContainsFunc(goods.products, func(c *counted) bool { return c.turned }) {
		return nil, nil
	}
	return s.Follows(store)
}
