package commerce

import (
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// paid settles an order of a store that its customer has paid through WhatsApp. The reference of a payment is the
// order's number, with its version behind a dot if it has changed. An order that is gone is nobody's any more.
func (d *Domain) paid(ctx context.Context, payment model.PaymentOrder) error {
	if domain, _ := payment.Purpose.Parts(); domain != Name {
		return nil
	}
	number, _, _ := strings.Cut(payment.ReferenceID, ".")
	id, err := model.Parse[model.Name](number)
	if err != nil {
		return nil
	}
	store, _, err := d.Numbers.StoreOf(ctx, payment.PhoneNumberID)
	if err != nil || store == "" {
		return err
	}
	err = d.Orders.Pay(ctx, store, id, commercemodel.Paid{
		At: payment.PaymentOrder.At(), Amount: *payment.PaidAmount, ReferenceID: payment.ReferenceID,
		TransactionID: payment.TransactionID})
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	return err
}
