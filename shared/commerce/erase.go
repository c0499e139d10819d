package commerce

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Names of the counts of an erasure.
const (
	countOrders   = "orders"
	countSessions = "sessions"
)

// kept is what an erasure keeps.
var kept = []erasure.Kept{
	{What: "orders with what was sold, without name, number, address and notes, for as long as the store keeps orders",
		Why: "they are the shop's books, which the law has it keep"},
	{What: "the account in the credit book, on orders on credit", Why: "their sale and its reversal have to find it"},
	{What: "the figures of the days", Why: "they know customers only by an id in which the number cannot be read"},
}

// eraser erases one customer.
type eraser struct {
	domain *Domain
	of     erasure.Subject
	count  func(string, int) []dynamo.Write
}

// erase removes what names a customer. Orders are the shop's books: they stay, with what was sold, and name nobody. One
// on credit keeps the account in the credit book. The figures know customers only by an id in which the number cannot
// be read. Sessions are deleted.
//
// It returns an erasure.ErrOpen for an open order on credit, unless the caller has said what becomes of it.
func (d *Domain) erase(ctx context.Context, of erasure.Subject,
	count func(string, int) []dynamo.Write) (func(model.CustomerID) []dynamo.Write, error) {
	e := eraser{domain: d, of: of, count: count}
	for _, customer := range of.Accounts {
		phone := orders.CustomerPhone(customer)
		if err := e.each(ctx, tables.Orders, keys.OrdersOfCustomer(phone), e.erasedOrder); err != nil {
			return nil, err
		}
		if err := e.each(ctx, tables.Sessions, keys.SessionsOf(phone), e.session); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// each erases the tenant's items in a customer's partition of GSI1.
func (e eraser) each(ctx context.Context, table tables.Table, partition string,
	erase func(ctx context.Context, row dynamo.Item) error) error {
	q := ofTenant(e.of.Tenant, table, partition)
	for {
		page, err := e.domain.DB.Query(ctx, q)
		if err != nil {
			return fmt.Errorf("erase commerce: %w", err)
		}
		for _, row := range page.Items {
			if err := erase(ctx, row); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil
		}
	}
}

// ofTenant returns the query for a tenant's items in a customer's partition of GSI1.
func ofTenant(tenant model.TenantID, table tables.Table, partition string) dynamo.Query {
	return dynamo.Query{
		Table: table, Index: "GSI1", Where: "gsi1pk = :customer", Filter: "tenant_id = :tenant",
		Values: dynamo.Item{":customer": dynamo.S(partition), ":tenant": dynamo.S(tenant)},
	}
}

// erasedOrder takes the customer from an order. The new version keeps those who have read the order before from putting
// the customer back.
func (e eraser) erasedOrder(ctx context.Context, row dynamo.Item) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		order, err := e.order(ctx, row)
		if err != nil || order.ID == "" {
			return err
		}
		if e.of.OpenOrders == "" && orders.Blocks(order) {
			return erasure.ErrOpen(standing(order))
		}
		writes, err := e.domain.Orders.PrepareErase(ctx, order, e.of.OpenOrders == erasure.CancelOrders)
		if err != nil {
			return err
		}
		return dynamo.Conflict(e.domain.DB.Transact(ctx, append(e.count(countOrders, 1), writes...)))
	})
}

// order reads an order that an index has named. It returns none for one that is gone or erased: the index is behind.
func (e eraser) order(ctx context.Context, row dynamo.Item) (commercemodel.Order, error) {
	order, err := e.domain.Orders.Get(ctx, model.Name(dynamo.Text(row, "store_id")), model.Name(dynamo.Text(row, "id")))
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && order.ErasedAt != "" {
		return commercemodel.Order{}, nil
	}
	return order, err
}

// open returns the customer's open orders on credit: what becomes of them has to be said before the customer is erased.
func (d *Domain) open(ctx context.Context, of erasure.Subject) ([]erasure.Open, error) {
	var all []erasure.Open
	e := eraser{domain: d, of: of}
	for _, customer := range of.Accounts {
		err := e.each(ctx, tables.Orders, keys.OrdersOfCustomer(orders.CustomerPhone(customer)),
			func(ctx context.Context, row dynamo.Item) error {
				order, err := e.order(ctx, row)
				if orders.Blocks(order) {
					all = append(all, standing(order))
				}
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// standing returns what is said of an open order.
func standing(order commercemodel.Order) erasure.Open {
	return erasure.Open{
		What: "order " + string(order.ID),
		How:  string(order.Status) + ", " + order.TotalAmount.StringFixed(2) + " on credit"}
}

// session deletes a session.
func (e eraser) session(ctx context.Context, row dynamo.Item) error {
	return e.commit(ctx, countSessions, dynamo.Delete{
		Table: tables.Sessions, Key: keys.Session(model.Name(dynamo.Text(row, "session_id"))), If: dynamo.IfPresent,
	})
}

// commit makes one write of the erasure together with its count. A write that finds its work done is no error: the
// index is behind.
func (e eraser) commit(ctx context.Context, counted string, write dynamo.Write) error {
	err := e.domain.DB.Transact(ctx, append(e.count(counted, 1), write))
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) && cancelled.Reasons[len(cancelled.Reasons)-1].Failed() {
		return nil
	}
	return dynamo.Conflict(err)
}
