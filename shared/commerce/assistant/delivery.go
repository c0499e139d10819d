package assistant

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/commerce/addressform"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// billOf returns what a basket comes to, by its lines and what they cost.
func (t *turn) billOf(b *commercemodel.Basket, lines []commercemodel.Line,
	subtotal model.Amount) commercemodel.Bill {
	return orders.BillOf(t.store.Settings, lines, subtotal, b.Details.Way, t.counting(b))
}

// shownBill returns how the total comes about, one line each; none for that of the lines alone.
func (t *turn) shownBill(b commercemodel.Bill) []string {
	if b.Plain() {
		return nil
	}
	var all []string
	discount := "bill.discount"
	if b.Code != "" {
		discount = "bill.discount_code"
	}
	for _, part := range []struct {
		key    string
		amount model.Amount
	}{{"bill.subtotal", b.Subtotal}, {discount, model.Amount{Decimal: b.Discount.Neg()}}, {
		"bill.delivery", b.Delivery}, {"bill.rounding", b.Rounding}} {
		if !part.amount.IsZero() {
			values := wording.Values{"amount": t.money(part.amount), "code": string(b.Code)}
			all = append(all, t.text(part.key, values))
		}
	}
	key := "bill.tax_included"
	if b.TaxAdded {
		key = "bill.tax_added"
	}
	for _, tax := range b.Taxes {
		if amount := tax.Amount(); !amount.IsZero() {
			all = append(all, t.text(key, wording.Values{"rate": tax.Rate.String(), "amount": t.money(amount)}))
		}
	}
	return all
}

// knowAddress takes the customer's default address, or that of their latest order, for that of a new one, in a store
// that brings goods, where nothing else is said. It is shown before the yes, so that the customer can say another.
func (t *turn) knowAddress(ctx context.Context) error {
	b := t.basket()
	if b == nil || t.store.Settings.Delivery == nil || b.Details.Way != "" || b.Details.Address != "" ||
		b.AddressAsked {
		return nil
	}
	known, err := t.defaultAddress(ctx)
	if err != nil {
		return err
	}
	if known == "" {
		latest, err := t.assistant.Orders.Latest(ctx, t.store.ID, t.s.CustomerPhone)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
		known = latest.DeliveryAddress
	}
	if known != "" {
		b.Details.Way, b.Details.Address = nlu.Delivery, known
	}
	return nil
}

// defaultAddress returns the customer's default address in one line; "" if there is none.
func (t *turn) defaultAddress(ctx context.Context) (string, error) {
	if t.assistant.Addresses == nil {
		return "", nil
	}
	a, err := t.assistant.Addresses.DefaultAddress(ctx, t.m.Phone, t.m.Customer)
	if errors.Is(err, dynamo.ErrNotFound) {
		return "", nil
	}
	line := inbound.Address{
		Street: a.Address, City: a.City, State: a.State, PostalCode: a.PostalCode, Country: a.Country}.OneLine()
	return model.Truncate(line, maxAddress), err
}

// asksForAddress asks where the goods are wanted, once for an order, in a store that brings goods: by its form, or in
// words. It reports whether it asks.
func (t *turn) asksForAddress(b *commercemodel.Basket) (bool, error) {
	if t.store.Settings.Delivery == nil || b.Details.Way != "" || b.AddressAsked {
		return false, nil
	}
	b.AddressAsked, t.context.PendingConfirmation = true, false
	t.note("address_ask", nil)
	flow := t.store.Settings.Delivery.AddressFlow
	if flow == "" || t.assistant.Forms == nil {
		t.content = content.Text{Body: inLines(t.notes, 4096)}
		return true, nil
	}
	token, open, err := t.assistant.Forms.Open(model.OpenForm{
		Form: addressform.Name, About: t.store.ID, PhoneNumberID: t.m.Phone, Customer: t.m.Customer,
		CustomerPhone: string(t.m.Identifier()), Language: t.context.Language})
	t.writes = append(t.writes, open)
	t.content = content.Flow{
		Frame: content.Frame{Body: inLines(t.notes, 1024)}, FlowID: string(flow),
		Button: t.text("address_button", nil), Token: token, Action: "data_exchange"}
	return true, err
}

// takesAddress takes a message for the address that was asked for. It reports false for a message that says something
// else.
func (t *turn) takesAddress() bool {
	b := t.basket()
	if b == nil || !b.AddressAsked || t.context.PendingConfirmation || b.Details.Way != "" || len(b.Open) > 0 {
		return false
	}
	r := t.reading
	switch {
	case r.Details.Address != "" || r.Details.Way != "":
		t.takeDetails()
	case r.Reply == nlu.No:
		t.open()
		b.Details.Way = nlu.Pickup
	case r.Reply != "" || r.Question || r.Intent == nlu.Order || r.Intent == nlu.CancelOrder || len(r.Removed) > 0 ||
		r.About != "":
		return false
	default:
		t.open()
		b.Details.Way, b.Details.Address = nlu.Delivery, model.Truncate(oneLine(t.words), maxAddress)
	}
	return true
}
