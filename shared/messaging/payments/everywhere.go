package payments

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Of selects payment orders of the whole deployment by one of Status and OrderID.
type Of struct {
	Status  string // of the payment, in Meta's words
	OrderID model.Name
	// Since and Before bound when the order was created; the zero time for not at all.
	Since, Before time.Time
}

// query returns the query of an index, and reports whether anything can be in its time. Both indexes have all
// tenants' orders under one key.
func (of Of) query() (q dynamo.Query, some bool) {
	q = dynamo.Query{Table: tables.Messages, Backwards: true}
	partition, value := "paymentStatus", of.Status
	if q.Index = tables.IndexPaymentStatus; of.OrderID != "" {
		q.Index, partition, value = tables.IndexOrder, "orderId", string(of.OrderID)
	}
	since, until, some := model.Within(of.Since, of.Before)
	q.Where = partition + " = :is AND createdAt BETWEEN :since AND :until"
	q.Values = dynamo.Item{":is": dynamo.S(value), ":since": dynamo.S(since), ":until": dynamo.S(until)}
	return q, some
}

// Everywhere reads a page of the payment orders of all tenants, newest first, and returns the place behind which the
// next page begins; "" at the end. It returns none for an empty time.
func (s *Payments) Everywhere(ctx context.Context, of Of, limit int, after string) (all []model.PaymentOrder,
	next string, err error) {
	q, some := of.query()
	if !some {
		return nil, "", nil
	}
	rows, next, err := s.DB.Some(ctx, q, limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.PaymentOrder](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list payment orders of all tenants: %w", err)
	}
	// gsi_order has the refunds of orders, too
	isNone := func(o model.PaymentOrder) bool { return o.ItemType != model.ItemPaymentOrder }
	return slices.DeleteFunc(all, isNone), next, nil
}
