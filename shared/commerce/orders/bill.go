package orders

import (
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/model"
)

// Pickup is the fulfilment of an order that the customer comes for. Nothing is paid for bringing it.
const Pickup = "pickup"

var hundred = decimal.NewFromInt(100)

// BillOf returns what an order comes to in a store, by what its lines cost, how it reaches the customer, and the code
// that it uses (nil for none): less the best discount that fits, with the tax, plus delivery, rounded as the store
// rounds. All of it is exact.
func BillOf(s commercemodel.Settings, lines []commercemodel.Line, subtotal model.Amount, fulfilment string,
	code *commercemodel.UsedCode) commercemodel.Bill {
	b := commercemodel.Bill{Subtotal: subtotal}
	for _, d := range s.Discounts {
		if off := discountOf(d, subtotal.Decimal); off.GreaterThan(b.Discount.Decimal) {
			b.Discount = model.Amount{Decimal: off}
		}
	}
	if code != nil {
		if off := discountOf(code.Discount, subtotal.Decimal); off.GreaterThan(b.Discount.Decimal) {
			b.Discount, b.Code = model.Amount{Decimal: off}, code.Code
		}
	}
	left := subtotal.Sub(b.Discount.Decimal)
	if d := s.Delivery; d != nil && fulfilment != Pickup && (d.FreeFrom == nil || left.LessThan(d.FreeFrom.Decimal)) {
		b.Delivery = d.Charge
	}
	if s.Tax != nil {
		b.TaxAdded = s.Tax.Mode == commercemodel.TaxAdded
		b.Taxes = taxesOf(lines, b)
	}
	if s.RoundTo != nil && s.RoundTo.IsPositive() {
		total := b.Total().Decimal
		rounded := total.DivRound(s.RoundTo.Decimal, 0).Mul(s.RoundTo.Decimal)
		b.Rounding = model.Amount{Decimal: rounded.Sub(total)}
	}
	return b
}

// discountOf returns what a discount takes off, to two decimals; never more than there is.
func discountOf(d commercemodel.Discount, subtotal decimal.Decimal) decimal.Decimal {
	if subtotal.LessThan(d.From.Decimal) {
		return decimal.Zero
	}
	off := decimal.Zero
	switch {
	case d.Percent != nil:
		off = subtotal.Mul(d.Percent.Decimal).DivRound(hundred, 2)
	case d.Amount != nil:
		off = d.Amount.Decimal
	}
	return decimal.Min(off, subtotal)
}

// bill sets what an order comes to, and where its supply is. What a business fetches at the counter is supplied in the
// store's own state.
func bill(store commercemodel.Store, order *commercemodel.Order, subtotal model.Amount) {
	b := BillOf(store.Settings, order.Items, subtotal, order.Fulfilment, order.Code)
	if stores.IsGSTIN(store.GSTIN) && stores.IsGSTIN(order.CustomerGSTIN) {
		b.Place, _ = stores.StateOf(store.GSTIN)
	}
	if order.Fulfilment != Pickup && stores.BetweenStates(store.GSTIN, order.CustomerGSTIN) {
		b.Place, _ = stores.StateOf(order.CustomerGSTIN)
		for i := range b.Taxes {
			whole := b.Taxes[i].Amount()
			b.Taxes[i].IGST, b.Taxes[i].CGST, b.Taxes[i].SGST = &whole, model.Amount{}, model.Amount{}
		}
	}
	order.TotalAmount, order.Bill = b.Total(), nil
	if !b.Plain() {
		order.Bill = &b
	}
}

// Subtotal returns what the lines of an order cost.
func Subtotal(o commercemodel.Order) model.Amount {
	if o.Bill != nil {
		return o.Bill.Subtotal
	}
	return o.TotalAmount
}
