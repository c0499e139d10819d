package payments

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Query returns the query for the keys of a customer's orders, and of other items that name the customer.
func Query(customer model.CustomerID) dynamo.Query {
	return dynamo.Query{
		Table: tables.Messages, Index: tables.IndexCustomerPhone, Where: "customerPhone = :p",
		Values: dynamo.Item{":p": dynamo.S(customer)},
	}
}

// CountOrders and CountRefunds name the counts of orders and refunds that lost an erased customer's number.
const (
	CountOrders  = "paymentOrders"
	CountRefunds = "refunds"
)

// Erase removes a customer's identifiers from a tenant's orders and refunds. count returns the writes by which
// an audit record counts.
func (s *Payments) Erase(
	ctx context.Context, tenant model.TenantID, who []model.CustomerID, count func(name string, n int) []dynamo.Write,
) error {
	for _, customer := range who {
		q := Query(customer)
		for {
			page, err := s.DB.Query(ctx, q)
			if err != nil {
				return fmt.Errorf("list orders: %w", err)
			}
			for _, row := range page.Items {
				pk := dynamo.Text(row, keys.PK)
				erase := s.eraseFrom
				if keys.IsRefund(pk) {
					erase = s.eraseFromRefund
				}
				if err := erase(ctx, tenant, keys.ByPK(pk), customer, count); err != nil {
					return err
				}
			}
			if q.After = page.Next; q.After == nil {
				break
			}
		}
	}
	return nil
}

// eraseFrom erases from an order, and then from its refunds: none is made with the customer's number any more.
func (s *Payments) eraseFrom(
	ctx context.Context, tenant model.TenantID, key keys.Key, customer model.CustomerID,
	count func(name string, n int) []dynamo.Write,
) error {
	var refunds []model.Name
	err := dynamo.Change(ctx, s.DB, tables.Messages, key, func(o *model.PaymentOrder) ([]dynamo.Write, bool, error) {
		if o.ItemType != model.ItemPaymentOrder || o.TenantID != tenant || o.CustomerPhone != string(customer) {
			return nil, false, nil
		}
		o.CustomerPhone, o.Unknown = "", nil // what this release does not know may name them
		refunds = slices.Sorted(maps.Keys(o.Refunds))
		return count(CountOrders, 1), true, nil
	})
	if err != nil {
		return fmt.Errorf("erase from order: %w", err)
	}
	for _, id := range refunds {
		if err := s.eraseFromRefund(ctx, tenant, keys.Refund(id), customer, count); err != nil {
			return err
		}
	}
	return nil
}

func (s *Payments) eraseFromRefund(
	ctx context.Context, tenant model.TenantID, key keys.Key, customer model.CustomerID,
	count func(name string, n int) []dynamo.Write,
) error {
	err := dynamo.Change(ctx, s.DB, tables.Messages, key, func(r *model.Refund) ([]dynamo.Write, bool, error) {
		if r.ItemType != model.ItemRefund || r.TenantID != tenant || r.CustomerPhone != string(customer) {
			return nil, false, nil
		}
		r.CustomerPhone, r.Unknown = "", nil // as above
		return count(CountRefunds, 1), true, nil
	})
	if err != nil {
		return fmt.Errorf("erase from refund: %w", err)
	}
	return nil
}
