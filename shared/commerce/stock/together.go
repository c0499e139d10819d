package stock

import (
	"context"
	"maps"
	"slices"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/marks"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// Case is an order with its marks, as they were read.
type Case struct {
	Order commercemodel.Order
	Had   marks.Marks
}

const (
	// maxWrites bounds a transaction of several orders: DynamoDB takes a hundred writes, and the message that something
	// runs low needs some.
	maxWrites = 90
	ofOrder   = 2 // writes of an order: its marks, and the condition that it is as it was read
)

// SettleTogether brings the stock in line with the orders of a batch, many in one transaction, because in a sale all of
// them want the same few products. It returns the orders that are settled. The others are for Settle: a transaction
// fails as a whole, and an order that cannot be settled must not keep the others from it.
func (s *Stock) SettleTogether(ctx context.Context, store commercemodel.Store, cases []Case) map[model.Name]bool {
	settled := map[model.Name]bool{}
	for _, group := range groups(cases) {
		first := true
		err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() (err error) {
			if !first {
				if group, err = s.read(ctx, group); err != nil {
					return err
				}
			}
			first = false
			return s.settleGroup(ctx, store, group)
		})
		for _, c := range group {
			settled[c.Order.ID] = err == nil
		}
	}
	return settled
}

// groups divides cases into those of one transaction each. It leaves out orders that ask for nothing, and those that
// are alone or too large.
func groups(cases []Case) (all [][]Case) {
	var group []Case
	products := map[model.Name]bool{} // of the group
	end := func() {
		if len(group) > 1 {
			all = append(all, group)
		}
		group, products = nil, map[model.Name]bool{}
	}
	for _, c := range cases {
		wants := map[model.Name]bool{}
		for _, article := range c.open() {
			wants[commercemodel.ProductOf(article)] = true
		}
		if len(wants) == 0 || ofOrder+len(wants) > maxWrites {
			continue
		}
		both := maps.Clone(products)
		maps.Copy(both, wants)
		if ofOrder*(len(group)+1)+len(both) > maxWrites {
			end()
			both = wants
		}
		group, products = append(group, c), both
	}
	end()
	return all
}

// open returns the articles of which the order has asked for more or less than it should have.
func (c Case) open() []model.Name {
	now := c.Order
	now.Stock = c.Had.Stock
	return open(now)
}

// read reads cases again. An order that is gone asks for nothing any more.
func (s *Stock) read(ctx context.Context, cases []Case) (now []Case, err error) {
	var refs []dynamo.Ref
	for _, c := range cases {
		refs = append(refs, orders.Ref(c.Order.StoreID, c.Order.ID), marks.Ref(c.Order.StoreID, c.Order.ID))
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, c := range cases {
		order, err := orders.In(found, c.Order.StoreID, c.Order.ID)
		if err != nil {
			return nil, err
		}
		had, err := marks.In(found, order)
		if err != nil {
			return nil, err
		}
		now = append(now, Case{order, had})
	}
	return now, nil
}

// settleGroup settles some orders in one transaction. Its condition is that they, their marks and the stock are as they
// were read. The orders take from the stock in their order.
func (s *Stock) settleGroup(ctx context.Context, store commercemodel.Store, cases []Case) error {
	var refs []dynamo.Ref
	for _, c := range cases {
		for _, article := range c.open() {
			refs = append(refs, orders.ProductRef(c.Order.StoreID, commercemodel.ProductOf(article)))
		}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return err
	}
	goods := shelf{found: found}
	var writes []dynamo.Write
	for _, c := range cases {
		more, err := goods.take(c)
		if err != nil {
			return err
		}
		writes = append(writes, more...)
	}
	if len(writes) == 0 {
		return nil
	}
	of, low, err := goods.writes()
	if err != nil {
		return err
	}
	if len(low) > 0 {
		told, err := s.TellLow(ctx, store, low)
		if err != nil {
			return err
		}
		writes = append(writes, told...)
	}
	more, err := s.follows(store, goods)
	if err != nil {
		return err
	}
	writes = append(writes, more...)
	return dynamo.Conflict(s.DB.Transact(ctx, slices.Concat(of, writes)))
}

// take has an order take from the shelf what it should have, and returns the writes of its marks; none if nothing
// changes.
func (s *shelf) take(c Case) ([]dynamo.Write, error) {
	now, changed := c.Order, false
	now.Stock = slices.Clone(c.Had.Stock)
	for _, article := range c.open() {
		count, err := s.count(orders.ProductRef(c.Order.StoreID, commercemodel.ProductOf(article)), article)
		if err != nil {
			return nil, err
		}
		left, moved := settle(&now, article, count.stock(), count.since())
		changed = changed || moved
		count.set(left)
	}
	if !changed {
		return nil, nil
	}
	mark, _, err := c.Had.MarkStock(c.Order, now.Stock)
	if err != nil {
		return nil, err
	}
	asRead, err := asRead(c.Order, now.Oversold)
	return []dynamo.Write{mark, asRead}, err
}
