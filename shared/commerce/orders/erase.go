package orders

import (
	"context"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// byErasure says in an order's history that the erasure of its customer changed it.
const byErasure = "erasure"

// Blocks reports whether an order keeps its customer from being erased until somebody says what becomes of it: it is
// open and on credit.
func Blocks(order commercemodel.Order) bool { return onCredit(order).IsPositive() }

// PrepareErase returns the writes that take what names the customer from an order, for the caller's transaction. An
// order on credit keeps the customer's account in the credit book, so that its sale and its reversal find it. An open
// order is cancelled if cancel is set. The condition is that the order is as it was read.
func (o *Orders) PrepareErase(ctx context.Context, order commercemodel.Order, cancel bool) ([]dynamo.Write, error) {
	was := order
	if order.PaymentMethod == OnCredit {
		order.Account = order.CreditAccount()
	}
	if cancel && StateOf(order.Status).Open() {
		if _, err := o.move(&order, Move{To: cancelled, Reason: "the customer was erased", By: byErasure}); err != nil {
			return nil, err
		}
	}
	order.ErasedAt = model.At(o.Now())
	order.CustomerPhone, order.CustomerName, order.Customer, order.MessageID = "", "", "", ""
	order.Unknown = nil // it may name them
	order.CustomerGSTIN = ""
	order.DeliveryAddress, order.DeliveryNotes, order.WantedAt, order.Entities = "", "", "", nil
	return o.writes(ctx, was, &order)
}
