package chat

import (
	"context"

	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
)

// Adjustment is a change of what a customer owes that somebody of the shop asks for.
type Adjustment struct {
	Account model.Name // "" if nobody fits
	Who     string     // what names the customer to the shop
	Balance model.Amount
	Amount  model.Amount // what is added; negative takes away
	Reason  string
}

// ReadAdjustment returns the adjustment that a text asks for: -300 98765 43210 counted twice. question is what has to
// be said first, if several customers fit the name.
func (c *Chat) ReadAdjustment(ctx context.Context, s shop.Shop, m inbound.Message, text string) (a Adjustment,
	question string, err error) {
	command, is := ParseCommand(text)
	if !is || len(command.words) == 0 || !command.Amount.IsPositive() {
		return a, "", nil
	}
	t := talk{Chat: c, shop: s, m: m}
	w, question, err := t.wantedOf(ctx, command)
	switch {
	case err != nil:
		return a, "", err
	case len(w.among) > 1:
		return a, question, nil
	case question != "":
		return a, "", nil
	}
	if a, err = c.AdjustmentOf(ctx, s, m.Phone, model.PhoneOf(w.to)); err != nil {
		return a, "", err
	}
	a.Amount, a.Reason = w.amount, w.note
	if !w.sale {
		a.Amount = model.Amount{Decimal: w.amount.Neg()}
	}
	return a, "", nil
}

// AdjustmentOf returns an account, which may be empty, as an adjustment without an amount.
func (c *Chat) AdjustmentOf(ctx context.Context, s shop.Shop, phone model.PhoneNumberID,
	account model.Name) (a Adjustment, err error) {
	b, err := c.Ledger.Balance(ctx, s.ID, account)
	if err := ignoreMissing(err); err != nil {
		return a, err
	}
	t := talk{Chat: c, shop: s, m: inbound.Message{Phone: phone}}
	who, err := t.who(ctx, account)
	if b.CustomerName != "" {
		who = b.CustomerName + " (" + who + ")"
	}
	return Adjustment{Account: account, Who: who, Balance: b.OutstandingBalance}, err
}

// CustomerOf returns the person of an account.
func (a Adjustment) CustomerOf() model.CustomerID { return khatamodel.CustomerOf(a.Account) }
