package invoicepaper

import (
	"bytes"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/slip/sliptest"
)

func amount(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

func some(text string) *model.Amount { a := amount(text); return &a }

// sample is an invoice with everything that one can have.
func sample(mode commercemodel.TaxMode) commercemodel.Invoice {
	lines := []commercemodel.Line{
		{Name: "बासमती चावल 5 kg", Quantity: amount("2"), Unit: "packet", Price: amount("780"), Amount: amount("1560"),
			TaxRate: some("5"), HSN: "1006"},
		{Name: strings.Repeat("Coriander Powder ", 8), Quantity: amount("0.25"), Unit: "kg", Price: amount("200"),
			Amount: amount("50"), TaxRate: some("12")},
		{Name: "Milk", Quantity: amount("1"), Unit: "packet", Price: amount("30"), Amount: amount("30")},
	}
	s := commercemodel.Settings{
		Tax: &commercemodel.TaxSettings{Mode: mode}, RoundTo: some("1"),
		Delivery: &commercemodel.Delivery{Charge: amount("20")}}
	code := commercemodel.UsedCode{Code: "DIWALI10", Discount: commercemodel.Discount{Percent: some("10")}}
	return commercemodel.Invoice{
		OrderID: "ORD-20261121-7KQ2ABCD", Number: "26K3FJ82-17", Date: "2026-11-21",
		Seller: commercemodel.Seller{
			Name: "शर्मा किराना स्टोर", Address: "14 MG Road, Pune, Maharashtra, 411001", GSTIN: "27AAPFU0939F1ZV",
			Currency: "INR"},
		Items: lines, Bill: orders.BillOf(s, lines, amount("1640"), "", &code),
	}
}

func TestWhatAnInvoiceSays(t *testing.T) {
	asha := Customer{"Asha <b>Rao</b>", "B-45 Sudama Nagar, Indore"}
	inside, between, plain := sample(commercemodel.TaxIncluded), sample(commercemodel.TaxAdded),
		sample(commercemodel.TaxIncluded)
	between.CustomerGSTIN = "23AAPFU0939F1Z3"
	for i, tax := range between.Bill.Taxes {
		whole := tax.Amount()
		between.Bill.Taxes[i].IGST = &whole
	}
	plain.Seller.GSTIN, plain.Bill.Taxes = "", nil
	erased, island := between, inside // the bill of who was erased still says where the supply was
	erased.CustomerGSTIN, erased.Bill.Place = "", "23"
	island.Seller.GSTIN = "35AAPFU0939F1ZY"
	note := inside
	note.Number, note.OfNumber, note.OfDate, note.Reason = "C26K3FJ82-1", inside.Number, inside.Date, "bad rice"
	var all strings.Builder
	for _, i := range []commercemodel.Invoice{inside, between, plain, note, erased, island} {
		all.WriteString(sliptest.Text(t, "en", paper{i, asha}.blocks()))
	}
	golden.Compare(t, "testdata/invoices.txt", all.String())
}

func TestTheSameInvoiceMakesTheSameBytes(t *testing.T) {
	first, err := PDF(sample(commercemodel.TaxAdded), Customer{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := PDF(sample(commercemodel.TaxAdded), Customer{})
	if err != nil || !bytes.Equal(first, again) || !bytes.HasPrefix(first, []byte("%PDF-")) {
		t.Errorf("%d and %d bytes, %v", len(first), len(again), err)
	}
}
