package payments

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Place is the place of an order in the list of its number. The zero Place is the beginning.
type Place struct {
	At model.Time
	PK string
}

// List returns a page of the orders of a tenant's number, newest first, and the place of its last one; the zero Place
// if no page follows.
func (s *Payments) List(
	ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID, limit int, after Place,
) (page []model.PaymentOrder, end Place, err error) {
	of := keys.PaymentOrdersOf(tenant, phone)
	q := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexFrom, Where: "fromPk = :p", Values: dynamo.Item{":p": dynamo.S(of)},
		Backwards: true, Limit: int32(limit + 1),
	}
	if after != (Place{}) {
		q.After = dynamo.Item{"fromPk": dynamo.S(of), "receivedAt": dynamo.S(after.At), keys.PK: dynamo.S(after.PK)}
	}
	read, err := s.DB.Query(ctx, q)
	if err != nil {
		return nil, end, fmt.Errorf("list orders: %w", err)
	}
	rows := read.Items
	if len(rows) > limit { // the extra row proves that a page follows
		rows = rows[:limit]
		last := rows[limit-1]
		end = Place{model.Time(dynamo.Text(last, "receivedAt")), dynamo.Text(last, keys.PK)}
	}
	if page, err = dynamo.Whole[model.PaymentOrder](ctx, s.DB, tables.Messages, rows); err != nil {
		return nil, Place{}, fmt.Errorf("list orders: %w", err)
	}
	return page, end, nil
}

// Get returns an order of a tenant's number, or dynamo.ErrNotFound.
func (s *Payments) Get(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID,
	reference model.Name) (model.PaymentOrder, error) {
	var o model.PaymentOrder
	err := s.DB.Get(ctx, tables.Messages, keys.PaymentOrder(phone, reference), &o)
	if err == nil && o.TenantID != tenant {
		err = dynamo.ErrNotFound // of the tenant that had the number before
	}
	return o, err
}
