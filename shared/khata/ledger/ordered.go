package ledger

import (
	"context"
	"errors"
	"maps"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// maxOpenOrders bounds the open orders on credit of one customer in one store: they are part of the balance's item.
const maxOpenOrders = 500

// Order returns the write by which an open order on credit counts against its customer's limit, with what it comes to,
// for the transaction that makes or changes the order. There is no write if nothing changes.
//
// The condition is that the open orders are as they were read. If the order grows, the condition is also that nothing
// else of the balance has changed, and it returns ErrLimit for more than the limit allows.
func (l *Ledger) Order(ctx context.Context, s shop.Shop, customer, order model.Name,
	amount model.Amount) ([]dynamo.Write, error) {
	was, err := l.Balance(ctx, s.ID, customer)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	known, isOpen := was.OpenOrders[order]
	if isOpen && known.Equal(amount.Decimal) {
		return nil, nil
	}
	grows := amount.GreaterThan(known.Decimal)
	if grows {
		if err := Allows(s, without(was, order), amount); err != nil {
			return nil, err
		}
		if !isOpen && len(was.OpenOrders) >= maxOpenOrders {
			return nil, problem.Breaks(ErrLimit, "too-many-open-orders", "Too many open orders",
				"The customer has %d open orders on credit.", maxOpenOrders)
		}
	}
	if was.PK == "" {
		return l.beginOrdered(s, customer, order, amount)
	}
	return []dynamo.Write{ordered(was, order, amount, grows)}, nil
}

// Release returns the write by which an order no longer counts against its customer's limit, for the transaction that
// changes the order. There is no write if it does not count.
func (l *Ledger) Release(ctx context.Context, store, customer, order model.Name) ([]dynamo.Write, error) {
	was, err := l.Balance(ctx, store, customer)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	if _, counts := was.OpenOrders[order]; !counts {
		return nil, nil
	}
	return []dynamo.Write{ordered(was, order, model.Amount{}, false)}, nil
}

// Uncount has an order of a balance that was read before no longer count. It returns the balance as it is then, or
// dynamo.ErrConflict if the open orders are not as they were read.
func (l *Ledger) Uncount(ctx context.Context, was khatamodel.Balance, order model.Name) (khatamodel.Balance, error) {
	err := l.DB.Update(ctx, ordered(was, order, model.Amount{}, false))
	if err != nil {
		return was, dynamo.Conflict(err)
	}
	was = without(was, order)
	was.OrdersVersion++
	return was, nil
}

// beginOrdered returns the write of the balance of a customer who has an open order and no entries yet.
func (l *Ledger) beginOrdered(s shop.Shop, customer, order model.Name, amount model.Amount) ([]dynamo.Write, error) {
	b := begin(s, customer, model.At(l.Now()))
	open(&b, order, amount)
	b.OrdersVersion = 1
	item, err := dynamo.Marshal(b)
	return []dynamo.Write{dynamo.Put{Table: tables.CustomerBalances, Item: item, If: dynamo.IfAbsent}}, err
}

// ordered returns the write of what an open order comes to.
func ordered(was khatamodel.Balance, order model.Name, amount model.Amount, whole bool) dynamo.Update {
	w := dynamo.Update{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(was.StoreID, was.CustomerPhone), Values: dynamo.Item{}}
	w.If = dynamo.And(dynamo.IfPresent, dynamo.SameNumber("orders_version", was.OrdersVersion, w.Values))
	if whole {
		w.If = unchangedBalance(was, w.Values)
	}
	b := was
	b.OpenOrders = maps.Clone(was.OpenOrders)
	open(&b, order, amount)
	var do dynamo.Do
	setOrders(&do, b, w.Values)
	w.Do = do.String()
	return w
}

// setOrders has a change write the open orders of a balance, with a new version of them.
func setOrders(do *dynamo.Do, b khatamodel.Balance, values dynamo.Item) {
	values[":orders_version"] = dynamo.N(b.OrdersVersion + 1)
	do.Set = append(do.Set, "orders_version = :orders_version")
	if len(b.OpenOrders) == 0 {
		do.Remove = append(do.Remove, "open_orders")
		return
	}
	all := dynamo.Item{}
	for order, amount := range b.OpenOrders {
		all[string(order)] = dynamo.Number(amount.String())
	}
	values[":open_orders"] = dynamo.M(all)
	do.Set = append(do.Set, "open_orders = :open_orders")
}

// open sets what an open order comes to; zero takes it out.
func open(b *khatamodel.Balance, order model.Name, amount model.Amount) {
	if !amount.IsPositive() {
		delete(b.OpenOrders, order)
		return
	}
	if b.OpenOrders == nil {
		b.OpenOrders = map[model.Name]model.Amount{}
	}
	b.OpenOrders[order] = amount
}

// without returns a balance as it would be without an open order.
func without(b khatamodel.Balance, order model.Name) khatamodel.Balance {
	b.OpenOrders = maps.Clone(b.OpenOrders)
	delete(b.OpenOrders, order)
	return b
}
