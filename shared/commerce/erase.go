package commerce

import (
	"context"
	"errors"
	"fmt"

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

// eraser erases one customer.
type eraser struct {
	domain *Domain
	tenant model.TenantID
	count  func(string, int) []dynamo.Write
}

// erase removes what names a customer. Orders are the shop's books: they stay, with what was sold, and name nobody. The figures know
// customers only by an id in which the number cannot be read. Sessions are deleted.
func (d *Domain) erase(ctx context.Context, of erasure.Subject, count func(string, int) []dynamo.Write) (func(model.CustomerID) []dynamo.Write, error) {
	e := eraser{domain: d, tenant: of.Tenant, count: count}
	for _, customer := range of.Accounts {
		phone := orders.CustomerPhone(customer)
		if err := e.each(ctx, tables.Orders, keys.OrdersOfCustomer(phone), e.order); err != nil {
			return nil, err
		}
		if err := e.each(ctx, tables.Sessions, keys.SessionsOf(phone), e.session); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// each erases the tenant's items in a customer's partition of GSI1.
func (e eraser) each(ctx context.Context, table tables.Table, partition string, erase func(ctx context.Context, row dynamo.Item) error) error {
	q := dynamo.Query{
		Table: table, Index: "GSI1", Where: "gsi1pk = :customer", Filter: "tenant_id = :tenant",
		Values: dynamo.Item{":customer": dynamo.S(partition), ":tenant": dynamo.S(e.tenant)},
	}
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

// order takes the customer from an order. The new version keeps those who have read the order before from putting the customer back.
func (e eraser) order(ctx context.Context, row dynamo.Item) error {
	return e.commit(ctx, countOrders, dynamo.Update{
		Table: tables.Orders, Key: keys.Order(model.Name(dynamo.Text(row, "store_id")), model.Name(dynamo.Text(row, "id"))),
		If: "attribute_exists(id) AND attribute_not_exists(erased_at)",
		Do: dynamo.Do{
			Set: []string{"erased_at = :now"}, Add: []string{"#version :one"},
			Remove: []string{"customer_phone", "customer_name", "delivery_address", "delivery_notes", "customer", "entities", "message_id", "gsi1pk", "gsi1sk"},
		}.String(),
		Values: dynamo.Item{":now": dynamo.S(model.At(e.domain.Now())), ":one": dynamo.N(1)},
	})
}

// session deletes a session.
func (e eraser) session(ctx context.Context, row dynamo.Item) error {
	return e.commit(ctx, countSessions, dynamo.Delete{
		Table: tables.Sessions, Key: keys.Session(model.Name(dynamo.Text(row, "session_id"))), If: dynamo.IfPresent,
	})
}

// commit makes one write of the erasure together with its count. A write that finds its work done is no error: the index is behind.
func (e eraser) commit(ctx context.Context, counted string, write dynamo.Write) error {
	err := e.domain.DB.Transact(ctx, append(e.count(counted, 1), write))
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) && cancelled.Reasons[len(cancelled.Reasons)-1].Failed() {
		return nil
	}
	return dynamo.Conflict(err)
}
