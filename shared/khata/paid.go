package khata

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/paying"
	"github.com/haatline/haatline/shared/model"
)

// byWhatsApp says of an entry that it follows from a payment through WhatsApp.
const byWhatsApp = "whatsapp"

// paid writes down what a customer has paid through WhatsApp of what they owe, once, if a message of the domain has
// asked for it. The money has come in, so it counts even if it is more than is owed by now. A store that is gone keeps
// no accounts any more.
func (d *Domain) paid(ctx context.Context, payment model.PaymentOrder) error {
	store, asked := paying.StoreOf(payment.Purpose, Name)
	if !asked || payment.PaidAmount == nil {
		return nil
	}
	s, err := d.Shops.Shop(ctx, store)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && s.Tenant != payment.TenantID {
		return nil
	}
	if err != nil {
		return err
	}
	account, err := paying.AccountOf(ctx, d.DB, store, payment.ReferenceID)
	if err != nil {
		return err
	}
	return lasting(d.Ledger.Collect(ctx, s, ledger.Draft{
		Customer: account, Type: khatamodel.Payment, Amount: *payment.PaidAmount, Method: "upi",
		Reference: payment.ReferenceID, By: byWhatsApp, Source: byWhatsApp, Received: true}))
}

// Paying returns what asks customers to pay.
func (d *Domain) Paying() *paying.Paying {
	return &paying.Paying{
		DB: d.DB, Now: d.Now, NewID: d.NewID, Domain: Name, Sender: d.Sender, Numbers: d.Numbers,
		Ledger: d.Ledger}
}
