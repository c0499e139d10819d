package assistant

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// payByUPI is the payment method of an order that is paid by UPI.
const payByUPI = "upi"

// toBePaid answers with what is to be said of an order, and how it is paid by UPI: in WhatsApp, if the store's account
// takes payments there, else by a link, if the store has a UPI address.
func (t *turn) toBePaid(order commercemodel.Order) {
	if details, is := t.details(order); is {
		t.content = details
		return
	}
	if link := t.payLink(order); link != "" {
		t.note("pay_link", wording.Values{"link": link})
	}
	t.answerNotes()
}

// payLink returns the UPI link by which an order is paid; "" for one that is paid otherwise, and in a store without a
// UPI address.
func (t *turn) payLink(o commercemodel.Order) string {
	credit := t.store.Settings.Credit
	if !t.byUPI(o) || credit == nil || credit.VPA == "" {
		return ""
	}
	query := url.Values{
		"pa": {credit.VPA}, "pn": {t.store.Name}, "am": {o.TotalAmount.StringFixed(2)}, "cu": {"INR"},
		"tn": {string(o.OrderNumber)}}
	return "upi://pay?" + strings.NewReplacer("+", "%20", "%40", "@").Replace(query.Encode())
}

// byUPI reports whether an order is paid by UPI, which takes rupees only.
func (t *turn) byUPI(o commercemodel.Order) bool {
	return o.PaymentMethod == payByUPI && t.store.Settings.Currency == "INR" && o.TotalAmount.IsPositive()
}

// details returns the message in which an order is paid. It reports false for one that is paid otherwise, and in a
// store whose account takes no payments. It names no items: WhatsApp asks who has made each of them.
func (t *turn) details(o commercemodel.Order) (content.OrderDetails, bool) {
	configuration := t.store.Settings.PaymentConfiguration
	if configuration == "" || !t.byUPI(o) {
		return content.OrderDetails{}, false
	}
	bill := commercemodel.Bill{Subtotal: orders.Subtotal(o)}
	if o.Bill != nil {
		bill = *o.Bill
	}
	of := content.Order{
		ReferenceID: reference(o), Goods: "physical_goods", Currency: "INR", PaymentType: payByUPI,
		PaymentConfiguration: configuration, QuickPay: true,
		Subtotal: paise(bill.Subtotal), Total: paise(o.TotalAmount),
	}
	if bill.Delivery.IsPositive() {
		of.Shipping = &content.Charge{Amount: paise(bill.Delivery)}
	}
	if bill.Discount.IsPositive() {
		of.Discount = &content.Discount{Amount: paise(bill.Discount), Description: string(bill.Code)}
	}
	if bill.Rounding.IsPositive() { // WhatsApp has no place of its own for it
		of.Tax.Description = t.text("bill.rounding", wording.Values{"amount": t.money(bill.Rounding)})
	}
	// the rest is tax and rounding
	rest := of.Total - of.Subtotal
	if of.Shipping != nil {
		rest -= of.Shipping.Amount
	}
	if of.Discount != nil {
		rest += of.Discount.Amount
	}
	if of.Tax.Amount = max(0, rest); rest < 0 {
		off := content.Discount{Amount: -rest}
		if of.Discount != nil {
			off = *of.Discount
			off.Amount -= rest
		}
		of.Discount = &off
	}
	return content.OrderDetails{Frame: content.Frame{Body: inLines(t.notes, 1024)}, Order: of}, true
}

// reference returns the id under which the payment of an order is reported. An id is used once, so that an order which
// has changed has another one.
func reference(o commercemodel.Order) string {
	if o.Version <= 1 {
		return string(o.OrderNumber)
	}
	return fmt.Sprintf("%s.%d", o.OrderNumber, o.Version)
}

// paise returns an amount in hundredths.
func paise(a model.Amount) content.Amount {
	return content.Amount(a.Mul(decimal.NewFromInt(100)).Round(0).IntPart())
}
