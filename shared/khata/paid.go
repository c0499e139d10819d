package khata

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/paying"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
)

// paid writes down what a customer has paid through WhatsApp of what they owe, once, if a message of the domain has
// asked for it. The money has come in, so it counts even if it is more than is owed by now. A store that is gone keeps
// no accounts any more.
func (d *Domain) paid(ctx context.Context, payment model.PaymentOrder) error {
	if payment.PaidAmount == nil {
		return nil
	}
	s, account, err := d.askedBy(ctx, payment)
	if err != nil || account == "" {
		return err
	}
	return lasting(d.Ledger.Collect(ctx, s, ledger.Draft{
		Customer: account, Type: khatamodel.Payment, Amount: *payment.PaidAmount, Method: "upi",
		Reference: payment.ReferenceID, By: khatamodel.FromWhatsApp, Source: khatamodel.FromWhatsApp, Received: true}))
}

// refunded writes down that a customer owes again what has gone back to them of such a payment, once for each refund.
func (d *Domain) refunded(ctx context.Context, payment model.PaymentOrder, refund model.Refund) error {
	s, account, err := d.askedBy(ctx, payment)
	if err != nil || account == "" {
		return err
	}
	return lasting(d.Ledger.GiveBack(ctx, s, ledger.Draft{
		Customer: account, Amount: refund.Amount, Reference: payment.ReferenceID, Reason: "refund",
		By: khatamodel.FromWhatsApp, Source: khatamodel.FromWhatsApp}, refund.RefundID))
}

// askedBy returns the store whose message has asked for a payment, and from whose account; "" for a payment that no
// message of the domain has asked for, and of a store that is gone or another tenant's.
func (d *Domain) askedBy(ctx context.Context, payment model.PaymentOrder) (s shop.Shop, account model.Name,
	err error) {
	store, asked := paying.StoreOf(payment.Purpose, Name)
	if !asked {
		return s, "", nil
	}
	s, err = d.Shops.Shop(ctx, store)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && s.Tenant != payment.TenantID {
		return s, "", nil
	}
	if err != nil {
		return s, "", err
	}
	account, err = paying.AccountOf(ctx, d.DB, store, payment.ReferenceID)
	return s, account, err
}

// Paying returns what asks customers to pay.
func (d *Domain) Paying() *paying.Paying {
	return &paying.Paying{
		DB: d.DB, Now: d.Now, NewID: d.NewID, Domain: Name, Sender: d.Sender, Numbers: d.Numbers,
		Ledger: d.Ledger}
}
