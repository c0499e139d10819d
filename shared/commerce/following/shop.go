package following

import (
	"context"
	"errors"
	"sync"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/figures"
	"github.com/haatline/haatline/shared/commerce/marks"
	"github.com/haatline/haatline/shared/commerce/notices"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stock"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// shop is the work of a batch on the orders of one store. The stock is settled first, for all of them. The rest of the
// work on orders that share nothing goes on at the same time.
type shop struct {
	consumer *Consumer
	found    dynamo.Found // the orders of the batch, and their stores
	changes  []commercemodel.OrderChange

	goods   sync.Once            // settles the stock of the batch's orders
	settled map[model.Name]error // what came of it
	mu      sync.Mutex
	days    map[string]*day // whose figures have been set
}

// day is a day of a shop. Its figures are set once for all orders of the batch; failed says why that failed.
type day struct {
	once   sync.Once
	mu     sync.Mutex // of what sets an order alone
	failed error
}

// follow does what follows from a change. The figures, the stock, the notices, the credit book, the discount code and
// what is told outside do not hold up each other.
func (s *shop) follow(ctx context.Context, change commercemodel.OrderChange) error {
	order, err := orders.In(s.found, change.StoreID, change.OrderID)
	gone := errors.Is(err, dynamo.ErrNotFound)
	if err != nil && !gone {
		return err
	}
	counted := s.count(ctx, change)
	if gone {
		return counted
	}
	store, err := stores.In(s.found, change.StoreID)
	if err != nil {
		return worst(counted, err)
	}
	done, err := marks.In(s.found, order)
	if err != nil {
		return worst(counted, err)
	}
	err = s.settle(ctx, store, order)
	told := s.consumer.Notices.Tell(ctx, store, order, notices.Step{
		From: change.From, To: change.To, Version: change.Version, At: change.At, Late: change.Again,
	})
	return worst(counted, err, told, s.credit(ctx, order), s.consumer.Codes.GiveBack(ctx, order, done),
		s.consumer.publish(ctx, store, order, change))
}

// settleAll settles the stock of the batch's orders, many in one transaction. Those that this does not settle are
// settled alone, in the batch's order: who comes first gets the goods.
func (s *shop) settleAll(ctx context.Context, store commercemodel.Store) {
	var cases []stock.Case
	for _, change := range s.changes {
		order, err := orders.In(s.found, change.StoreID, change.OrderID)
		if _, seen := s.settled[order.ID]; err != nil || seen {
			continue // what cannot be read, the work on the change reports
		}
		if had, err := marks.In(s.found, order); err == nil {
			s.settled[order.ID] = nil
			cases = append(cases, stock.Case{Order: order, Had: had})
		}
	}
	together := s.consumer.Stock.SettleTogether(ctx, store, cases)
	var outage error
	for _, c := range cases {
		if together[c.Order.ID] {
			continue
		}
		err := outage // others would wait for the same
		if err == nil {
			err = s.consumer.Stock.Settle(ctx, store, c.Order, c.Had)
		}
		if s.settled[c.Order.ID] = err; dynamo.Unavailable(err) {
			outage = err
		}
	}
}

// settle settles the stock of an order, once in a batch: with the first of its orders, that of all.
func (s *shop) settle(ctx context.Context, store commercemodel.Store, order commercemodel.Order) error {
	s.goods.Do(func() { s.settleAll(ctx, store) })
	return s.settled[order.ID]
}

// day returns a day of the shop.
func (s *shop) day(date string) *day {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.days[date] == nil {
		s.days[date] = &day{}
	}
	return s.days[date]
}

// credit writes an order on credit into the credit book, when the customer has got it.
func (s *shop) credit(ctx context.Context, order commercemodel.Order) error {
	had := order.Status == commercemodel.OrderDelivered || order.Status == commercemodel.OrderRefunded
	if s.consumer.Credit == nil || order.PaymentMethod != orders.OnCredit || !had {
		return nil
	}
	return s.consumer.Credit.Follow(ctx, order)
}

// count sets the figures of a change's day: with the first change of a day, those of all orders of the batch that were
// made on it. Where that fails, each order is set alone, so that only the one at fault fails.
func (s *shop) count(ctx context.Context, change commercemodel.OrderChange) error {
	of := s.day(change.Date)
	of.once.Do(func() {
		if parts := s.parts(change.Date, ""); len(parts) > 0 {
			of.failed = s.consumer.Figures.Set(ctx, change.StoreID, change.Date, parts)
		}
	})
	if of.failed == nil || !dynamo.Permanent(of.failed) {
		return of.failed
	}
	of.mu.Lock()
	defer of.mu.Unlock()
	return s.consumer.Figures.Set(ctx, change.StoreID, change.Date, s.parts(change.Date, change.OrderID))
}

// parts returns what the orders of a day add to it, or one of them. An order that is gone adds nothing any more if a
// person has deleted it; else nobody knows what it would add now, and its day stays as it is.
func (s *shop) parts(date string, only model.Name) []figures.Part {
	var all []figures.Part
	for _, change := range s.changes {
		if change.Date != date || only != "" && change.OrderID != only {
			continue
		}
		order, err := orders.In(s.found, change.StoreID, change.OrderID)
		switch {
		case err == nil:
			all = append(all, figures.PartOf(order))
		case errors.Is(err, dynamo.ErrNotFound) && change.Removed:
			all = append(all, figures.Removed(change.OrderID, change.CustomerID, change.Version))
		}
	}
	return all
}

// worst returns the failures that may pass, so that they are tried again, before those that cannot.
func worst(failures ...error) error {
	var passing, all error
	for _, err := range failures {
		all = errors.Join(all, err)
		if err != nil && !dynamo.Permanent(err) {
			passing = errors.Join(passing, err)
		}
	}
	if passing != nil {
		return passing
	}
	return all
}
