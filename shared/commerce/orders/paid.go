package orders

import (
	"context"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
)

// byPayment names in an order's history what no person has done.
const byPayment = "payment"

// Pay keeps what was paid for an order. The first payment counts, and repeating changes nothing. It returns
// dynamo.ErrNotFound. Its condition is the version that was read.
func (o *Orders) Pay(ctx context.Context, store, id model.Name, paid commercemodel.Paid) error {
	_, err := o.change(ctx, store, id, func(order *commercemodel.Order) (bool, error) {
		if order.Paid != nil {
			return false, nil
		}
		order.Paid = &paid
		o.note(order, commercemodel.Change{By: byPayment, Reason: "paid " + paid.Amount.StringFixed(2)})
		return true, nil
	})
	return err
}
