package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// processing is the state of a refund that Meta was asked for. The others are those of orders.
const processing = "processing"

// mostRefunds bounds the refunds of one order, which are named in its item.
const mostRefunds = 50

// The refusals of refunds.
var (
	ErrNothingToRefund = problem.New("the order has nothing to refund", problem.Error{
		Class: problem.Conflict, Code: "nothing-to-refund", Title: "Nothing to give back",
		Detail: "Only what was captured for an order can be given back, by the payment configuration that took it, " +
			"and only once.",
	})
	ErrRefundTooMuch = problem.New("the refund is more than what is left of the payment", problem.Error{
		Class: problem.Conflict, Code: "refund-too-much", Title: "More than what is left",
		Detail: "All refunds of an order together are never more than what was captured for it.",
	})
	ErrTooManyRefunds = problem.New("the order has too many refunds", problem.Error{
		Class: problem.Conflict, Code: "too-many-refunds", Title: "Too many refunds",
		Detail: fmt.Sprintf("An order has at most %d refunds, those that failed included.", mostRefunds),
	})
)

// Wish is a refund that somebody wants to give.
type Wish struct {
	Amount model.Amount
	Reason string
}

// Refund gives money of an order back, and returns the refund. A repeated request gets the refund that the first one
// has made, whose id is the request's. It returns ErrNothingToRefund, ErrRefundTooMuch, ErrTooManyRefunds and
// idempotency.ErrKeyReused. Its condition is that the order is as it was read, and that there is no such refund.
func (s *Payments) Refund(ctx context.Context, of model.PaymentOrder, wish Wish,
	request idempotency.Request) (refund model.Refund, err error) {
	id := model.Name(request.ID())
	err = dynamo.Change(ctx, s.DB, tables.Messages, keys.PaymentOrder(of.PhoneNumberID, model.Name(of.ReferenceID)),
		func(o *model.PaymentOrder) ([]dynamo.Write, bool, error) {
			if o.Version == 0 || o.TenantID != of.TenantID {
				return nil, false, dynamo.ErrNotFound
			}
			if _, known := o.Refunds[id]; known {
				refund, err = s.readRefund(ctx, id)
				if err == nil && !(refund.Amount.Equal(wish.Amount.Decimal) && refund.Reason == wish.Reason) {
					err = idempotency.ErrKeyReused
				}
				return nil, false, err
			}
			if err := refundable(*o, wish.Amount.Decimal); err != nil {
				return nil, false, err
			}
			refund = model.Refund{
				PK: keys.Refund(id).Partition, ItemType: model.ItemRefund, RefundID: id, OrderID: o.OrderID,
				TenantID: o.TenantID, CustomerPhone: o.CustomerPhone, Amount: wish.Amount, Currency: o.PaidCurrency,
				Status: pending, Reason: wish.Reason, CreatedAt: model.At(s.Now()), PhoneNumberID: o.PhoneNumberID,
				ReferenceID: o.ReferenceID, ConfigName: o.ConfigName,
			}
			addTo(o, wish.Amount.Decimal)
			note(o, id, "")
			put, err := dynamo.PutVersion(tables.Messages, &refund)
			if err != nil {
				return nil, false, err
			}
			put.If = dynamo.IfAbsent
			writes, err := s.Outbox.Queue(ctx, entityOf(*o), EventRefund, refundOf(refund))
			return append(writes, put), true, err
		})
	return refund, err
}

// refundable returns why an amount of an order cannot be given back; nil if it can.
func refundable(o model.PaymentOrder, amount decimal.Decimal) error {
	if o.OrderID == "" || o.PaidAmount == nil || o.ConfigName == "" {
		return ErrNothingToRefund
	}
	left := o.PaidAmount.Sub(refunding(o))
	switch {
	case !left.IsPositive():
		return ErrNothingToRefund
	case amount.GreaterThan(left):
		return ErrRefundTooMuch
	case len(o.Refunds) >= mostRefunds:
		return ErrTooManyRefunds
	}
	return nil
}

// refunding is the sum of the refunds of an order that are not failed or cancelled.
func refunding(o model.PaymentOrder) decimal.Decimal {
	if o.Refunding == nil {
		return decimal.Decimal{}
	}
	return o.Refunding.Decimal
}

// addTo adds to the sum of an order's refunds.
func addTo(o *model.PaymentOrder, amount decimal.Decimal) {
	o.Refunding = &model.Amount{Decimal: refunding(*o).Add(amount)}
}

// note notes a refund of an order, with Meta's id of it, "" if it is not known.
func note(o *model.PaymentOrder, id model.Name, meta string) {
	if o.Refunds == nil {
		o.Refunds = map[model.Name]string{}
	}
	o.Refunds[id] = meta
}

func (s *Payments) readRefund(ctx context.Context, id model.Name) (r model.Refund, err error) {
	return r, s.DB.Get(ctx, tables.Messages, keys.Refund(id), &r)
}

// Refunds returns the refunds of an order, newest first.
func (s *Payments) Refunds(ctx context.Context, o model.PaymentOrder) ([]model.Refund, error) {
	rows := make([]dynamo.Item, 0, len(o.Refunds))
	for id := range o.Refunds {
		rows = append(rows, dynamo.Item{keys.PK: dynamo.S(keys.Refund(id).Partition)})
	}
	all, err := dynamo.Whole[model.Refund](ctx, s.DB, tables.Messages, rows)
	if err != nil {
		return nil, fmt.Errorf("list refunds: %w", err)
	}
	slices.SortFunc(all, func(a, b model.Refund) int {
		return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(a.RefundID, b.RefundID))
	})
	return all, nil
}

// ListRefunds returns up to limit refunds of an order, newest first, behind one of them ("" for the first page), and
// the last one if a page follows; "" for none.
func (s *Payments) ListRefunds(ctx context.Context, o model.PaymentOrder, limit int,
	after model.Name) (page []model.Refund, next model.Name, err error) {
	all, err := s.Refunds(ctx, o)
	if after != "" {
		i := slices.IndexFunc(all, func(r model.Refund) bool { return r.RefundID == after })
		all = all[i+1:]
	}
	if len(all) <= limit {
		return all, "", err
	}
	return all[:limit], all[limit-1].RefundID, err
}

// RefundOf returns a refund of an order, or dynamo.ErrNotFound.
func (s *Payments) RefundOf(ctx context.Context, o model.PaymentOrder, id model.Name) (model.Refund, error) {
	if _, known := o.Refunds[id]; !known {
		return model.Refund{}, dynamo.ErrNotFound
	}
	return s.readRefund(ctx, id)
}

// changeRefund changes a refund together with its order. pick says which refund of the order it is, "" for none. If the
// refund is completed by that, the event that tells the domains commits with it, for an order of which they were told
// that it is paid. The condition is that both are as they were read.
func (s *Payments) changeRefund(ctx context.Context, of named, pick func(o model.PaymentOrder) model.Name,
	decide func(o *model.PaymentOrder, r *model.Refund) bool) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.PaymentOrder(of.PhoneNumberID, of.ReferenceID),
		func(o *model.PaymentOrder) ([]dynamo.Write, bool, error) {
			id := pick(*o)
			if id == "" {
				return nil, false, nil
			}
			r, err := s.readRefund(ctx, id)
			if errors.Is(err, dynamo.ErrNotFound) {
				return nil, false, nil
			}
			was := r.Status
			if err != nil || !decide(o, &r) {
				return nil, false, err
			}
			put, err := dynamo.PutVersion(tables.Messages, &r)
			if err != nil || r.Status != completed || was == completed || o.Status != completed || o.Purpose == "" {
				return []dynamo.Write{put}, true, err
			}
			writes, err := s.Outbox.Queue(ctx, entityOf(*o), EventRefunded, refundOf(r))
			return append(writes, put), true, err
		})
}
