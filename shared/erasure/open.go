package erasure

import (
	"context"

	"github.com/haatline/haatline/shared/problem"
)

// OpenOrders says what becomes of the open orders of a customer who is erased.
type OpenOrders string

const (
	// CancelOrders cancels the open orders.
	CancelOrders OpenOrders = "cancel"
	// KeepOrders leaves the open orders to the shop. They name nobody any more. One on credit keeps the account in the
	// credit book.
	KeepOrders OpenOrders = "keep"
)

// Open is something that stands open with a customer. It names nobody.
type Open struct {
	What string // such as "order ORD-20260101-AB12CD34"
	How  string // such as "confirmed, 120.00 on credit"
}

// ErrOpen returns the error of an erasure that has to wait until somebody says what becomes of what stands open. The
// API answers 409 and lists it.
func ErrOpen(all ...Open) error {
	fields := make([]problem.Field, len(all))
	for i, open := range all {
		fields[i] = problem.Field{Path: open.What, Detail: open.How}
	}
	return problem.New("orders on credit are open", problem.Error{
		Class: problem.Conflict, Code: "open-orders", Title: "Orders on credit are open",
		Detail: "The customer has open orders on credit. Have them paid, deliver or cancel them. Or say what " +
			"becomes of them: openOrders is cancel or keep.",
		Fields: fields,
	})
}

// refuseOpen returns ErrOpen if something stands open and the request does not say what becomes of it.
func (e run) refuseOpen(ctx context.Context) error {
	if e.of.OpenOrders != "" {
		return nil
	}
	var all []Open
	for _, eraser := range e.Erasers {
		if eraser.Open == nil {
			continue
		}
		open, err := eraser.Open(ctx, e.subject())
		if err != nil {
			return err
		}
		all = append(all, open...)
	}
	if len(all) > 0 {
		return ErrOpen(all...)
	}
	return nil
}
