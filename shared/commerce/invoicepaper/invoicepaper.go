// Package invoicepaper makes PDF files of invoices and credit notes. The same invoice makes the same bytes.
package invoicepaper

import (
	"cmp"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/invoices"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/slip"
)

// Customer is who has bought, as the order names them; "" where it names nobody any more.
type Customer struct{ Name, Address string }

// PDF returns an invoice or a credit note as a file.
func PDF(i commercemodel.Invoice, c Customer) ([]byte, error) {
	return slip.PDF(i.Seller.Name+" "+i.Number, wording.English, paper{i, c}.blocks())
}

// Of returns an invoice of an order as a file.
func Of(i commercemodel.Invoice, o commercemodel.Order) ([]byte, error) {
	return PDF(i, Customer{o.CustomerName, o.DeliveryAddress})
}

type paper struct {
	commercemodel.Invoice
	customer Customer
}

// heading says what the paper is. Goods without a tax rate are sold by a bill of supply, and a store without a GSTIN
// gives a plain bill.
func (p paper) heading() string {
	switch {
	case p.OfNumber != "":
		return "Credit note"
	case p.Seller.GSTIN == "":
		return "Bill"
	case len(p.Bill.Taxes) == 0:
		return "Bill of supply"
	}
	return "Tax invoice"
}

func (p paper) money(a model.Amount) string {
	return wording.Money(commercemodel.Settings{Currency: p.Seller.Currency}, a)
}

// blocks returns the paper from above to below.
func (p paper) blocks() []slip.Block {
	all := []slip.Block{p.seller(), p.buyer()}
	for _, line := range p.Items {
		all = append(all, p.line(line))
	}
	all = append(all, p.sums())
	if taxes := p.taxes(); len(taxes) > 0 {
		all = append(all, taxes)
	}
	total := p.Bill.Total()
	end := slip.Block{
		{Ruled: true, Left: "Total", Look: slip.Plain}, {Left: p.money(total), Look: slip.Huge}}
	if p.Seller.Currency == "INR" {
		end = append(end, slip.Line{Left: invoices.InWords(total.Decimal), Look: slip.Small})
	}
	return append(all, end)
}

func (p paper) seller() slip.Block {
	all := slip.Block{{Left: p.Seller.Name, Look: slip.Title}, {Left: p.heading(), Look: slip.Strong}}
	all = put(all, p.Seller.Address, slip.Small)
	if p.Seller.GSTIN != "" {
		all = put(all, "GSTIN "+p.Seller.GSTIN, slip.Small)
	}
	all = append(all,
		slip.Line{Ruled: true, Left: "No. " + p.Number, Look: slip.Strong},
		slip.Line{Left: "Date " + p.Date, Look: slip.Plain},
		slip.Line{Left: "Order " + string(p.OrderID), Look: slip.Small})
	if p.OfNumber != "" {
		all = append(all, slip.Line{Left: "For No. " + p.OfNumber + " of " + p.OfDate, Look: slip.Plain})
		all = put(all, p.Reason, slip.Small)
	}
	return all
}

// put adds a text, if there is one.
func put(to slip.Block, text string, look slip.Look) slip.Block {
	if text = strings.TrimSpace(model.ShownLine(text)); text == "" {
		return to
	}
	return append(to, slip.Line{Left: text, Look: look})
}

// buyer returns who has bought, and where the supply is: where the bill says, or else in the state of their GSTIN, or
// else in the store's own.
func (p paper) buyer() slip.Block {
	all := put(nil, p.customer.Name, slip.Strong)
	all = put(all, p.customer.Address, slip.Small)
	if p.CustomerGSTIN != "" {
		all = put(all, "GSTIN "+p.CustomerGSTIN, slip.Small)
	}
	code, state := stores.StateOf(cmp.Or(p.Bill.Place, p.CustomerGSTIN, p.Seller.GSTIN))
	if p.Seller.GSTIN != "" && state != "" {
		all = put(all, "Place of supply "+code+" "+state, slip.Small)
	}
	if len(all) > 0 {
		all[0].Ruled = true
	}
	return all
}

func (p paper) line(l commercemodel.Line) slip.Block {
	details := []string{l.Quantity.String() + " " + l.Unit + " × " + p.money(l.Price)}
	if l.HSN != "" {
		details = append(details, "HSN "+l.HSN)
	}
	if l.TaxRate != nil {
		details = append(details, "GST "+l.TaxRate.String()+"%")
	}
	return slip.Block{
		{Ruled: true, Left: l.Name, Right: p.money(l.Amount), Look: slip.Strong},
		{Left: strings.Join(details, ", "), Look: slip.Small}}
}

// sums returns how the total comes about, but for the taxes.
func (p paper) sums() slip.Block {
	all := slip.Block{{Ruled: true, Left: "Goods", Right: p.money(p.Bill.Subtotal), Look: slip.Plain}}
	discount := "Discount"
	if p.Bill.Code != "" {
		discount += " " + string(p.Bill.Code)
	}
	for _, part := range []struct {
		name   string
		amount model.Amount
	}{{discount, model.Amount{Decimal: p.Bill.Discount.Neg()}}, {"Delivery", p.Bill.Delivery}, {
		"Round-off", p.Bill.Rounding}} {
		if !part.amount.IsZero() {
			all = append(all, slip.Line{Left: part.name, Right: p.money(part.amount), Look: slip.Plain})
		}
	}
	return all
}

// taxes returns the taxable value and the tax of each rate, with the halves' rates.
func (p paper) taxes() (all slip.Block) {
	if len(p.Bill.Taxes) == 0 {
		return nil
	}
	key := "The prices include:"
	if p.Bill.TaxAdded {
		key = "Added to the prices:"
	}
	all = append(all, slip.Line{Ruled: true, Left: key, Look: slip.Small})
	for _, tax := range p.Bill.Taxes {
		rate := tax.Rate.String()
		all = append(all, slip.Line{Left: "Taxable at " + rate + "%", Right: p.money(tax.Taxable), Look: slip.Small})
		if tax.IGST != nil {
			all = append(all, slip.Line{Left: "IGST " + rate + "%", Right: p.money(*tax.IGST), Look: slip.Small})
			continue
		}
		half := orders.Half(tax.Rate).String()
		all = append(all,
			slip.Line{Left: "CGST " + half + "%", Right: p.money(tax.CGST), Look: slip.Small},
			slip.Line{
				Left: stores.OwnTax(p.Seller.GSTIN) + " " + half + "%", Right: p.money(tax.SGST), Look: slip.Small})
	}
	return all
}
