package orders

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
)

func rupees(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

func TestWhatAnOrderComesTo(t *testing.T) {
	free, five, fifty, one := rupees("500"), rupees("5"), rupees("50"), rupees("1")
	for name, c := range map[string]struct {
		settings   commercemodel.Settings
		subtotal   string
		fulfilment string
		want       string // subtotal, discount, delivery, rounding, total
	}{
		"nothing is added": {subtotal: "120.50", want: "120.5 0 0 0 120.5"},
		"delivery": {
			settings: commercemodel.Settings{Delivery: &commercemodel.Delivery{Charge: rupees("30"), FreeFrom: &free}},
			subtotal: "499.99", want: "499.99 0 30 0 529.99"},
		"delivery is free": {
			settings: commercemodel.Settings{Delivery: &commercemodel.Delivery{Charge: rupees("30"), FreeFrom: &free}},
			subtotal: "500", want: "500 0 0 0 500"},
		"the customer comes": {
			settings: commercemodel.Settings{Delivery: &commercemodel.Delivery{Charge: rupees("30")}}, subtotal: "100",
			fulfilment: Pickup, want: "100 0 0 0 100"},
		"a discount by percentage": {
			settings: commercemodel.Settings{
				Discounts: []commercemodel.Discount{{From: rupees("100"), Percent: &five}}}, subtotal: "333.33",
			want: "333.33 16.67 0 0 316.66"},
		"the better discount": {
			settings: commercemodel.Settings{
				Discounts: []commercemodel.Discount{{Percent: &five}, {From: rupees("400"), Amount: &fifty}}},
			subtotal: "400", want: "400 50 0 0 350",
		},
		"too little for a discount": {
			settings: commercemodel.Settings{
				Discounts: []commercemodel.Discount{{From: rupees("400"), Amount: &fifty}}}, subtotal: "399",
			want: "399 0 0 0 399"},
		"never below nothing": {
			settings: commercemodel.Settings{Discounts: []commercemodel.Discount{{Amount: &fifty}}}, subtotal: "20",
			want: "20 20 0 0 0"},
		"rounded down": {
			settings: commercemodel.Settings{RoundTo: &one}, subtotal: "100.49", want: "100.49 0 0 -0.49 100"},
		"rounded up": {
			settings: commercemodel.Settings{RoundTo: &one, Delivery: &commercemodel.Delivery{Charge: rupees("29.50")}},
			subtotal: "100.01", want: "100.01 0 29.5 0.49 130",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := BillOf(c.settings, nil, rupees(c.subtotal), c.fulfilment, nil)
			got := b.Subtotal.String() + " " + b.Discount.String() + " " + b.Delivery.String() + " " +
				b.Rounding.String() + " " + b.Total().String()
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
