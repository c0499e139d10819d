package orders

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
)

// taxed returns a line of an amount and a rate; "" for no rate.
func taxed(amount, rate string) commercemodel.Line {
	line := commercemodel.Line{Amount: rupees(amount)}
	if rate != "" {
		r := rupees(rate)
		line.TaxRate = &r
	}
	return line
}

func subtotalOf(lines []commercemodel.Line) (sum model.Amount) {
	for _, line := range lines {
		sum = model.Amount{Decimal: sum.Add(line.Amount.Decimal)}
	}
	return sum
}

func TestTheTaxOfAnOrder(t *testing.T) {
	ten, one := rupees("10"), rupees("1")
	tenOff := []commercemodel.Discount{{Amount: &ten}}
	for name, c := range map[string]struct {
		mode     commercemodel.TaxMode
		settings commercemodel.Settings
		lines    []commercemodel.Line
		want     string // rate: taxable cgst sgst of each rate, then the total
	}{
		"inside the price": {
			mode: commercemodel.TaxIncluded, lines: []commercemodel.Line{taxed("118", "18"), taxed("105", "5")},
			want: "5: 100 2.5 2.5, 18: 100 9 9, 223"},
		"on top": {
			mode: commercemodel.TaxAdded, lines: []commercemodel.Line{taxed("100", "18"), taxed("100", "5")},
			want: "5: 100 2.5 2.5, 18: 100 9 9, 223"},
		"lines of one rate are one tax": {
			mode: commercemodel.TaxAdded, lines: []commercemodel.Line{taxed("0.05", "5"), taxed("0.05", "5.0")},
			want: "5: 0.1 0.01 0, 0.11"},
		"half a paisa goes up": {
			mode: commercemodel.TaxAdded, lines: []commercemodel.Line{taxed("0.30", "5")},
			want: "5: 0.3 0.01 0.01, 0.32"},
		"no rate, and nothing": {
			mode: commercemodel.TaxAdded, lines: []commercemodel.Line{taxed("40", ""), taxed("60", "0")},
			want: "0: 60 0 0, 100"},
		"the discount is spread": {
			mode: commercemodel.TaxAdded, settings: commercemodel.Settings{Discounts: tenOff},
			lines: []commercemodel.Line{taxed("10", "18"), taxed("10", "5"), taxed("10", "")},
			want:  "5: 6.66 0.17 0.16, 18: 6.67 0.6 0.6, 21.53"},
		"then delivery, then rounding": {
			mode: commercemodel.TaxAdded,
			settings: commercemodel.Settings{
				Discounts: tenOff, Delivery: &commercemodel.Delivery{Charge: rupees("30")}, RoundTo: &one},
			lines: []commercemodel.Line{taxed("110", "12.5")}, want: "12.5: 100 6.25 6.25, 143"},
	} {
		t.Run(name, func(t *testing.T) {
			c.settings.Tax = &commercemodel.TaxSettings{Mode: c.mode}
			b := BillOf(c.settings, c.lines, subtotalOf(c.lines), "", nil)
			var got []string
			for _, tax := range b.Taxes {
				got = append(got, fmt.Sprintf("%s: %s %s %s", tax.Rate, tax.Taxable, tax.CGST, tax.SGST))
			}
			if got := strings.Join(append(got, b.Total().String()), ", "); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestThePartsOfABillAddUpToItsTotal(t *testing.T) {
	paise := func(most int64) *rapid.Generator[decimal.Decimal] {
		return rapid.Map(rapid.Int64Range(0, most), func(n int64) decimal.Decimal { return decimal.New(n, -2) })
	}
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) commercemodel.Line {
			rate := rapid.SampledFrom([]string{"", "0", "0.25", "3", "5", "12.5", "18", "28", "40"}).Draw(t, "rate")
			return taxed(paise(500_000).Draw(t, "amount").String(), rate)
		}), 1, 20).Draw(t, "lines")
		off, one := model.Amount{Decimal: paise(200_000).Draw(t, "discount")}, rupees("1")
		s := commercemodel.Settings{
			Tax: &commercemodel.TaxSettings{Mode: rapid.SampledFrom([]commercemodel.TaxMode{
				commercemodel.TaxIncluded, commercemodel.TaxAdded}).Draw(t, "mode")},
			Discounts: []commercemodel.Discount{{Amount: &off}}, RoundTo: &one,
			Delivery: &commercemodel.Delivery{Charge: model.Amount{Decimal: paise(9_999).Draw(t, "delivery")}},
		}
		code := rapid.Ptr(rapid.Custom(func(t *rapid.T) commercemodel.UsedCode {
			percent := model.Amount{Decimal: paise(10_000).Draw(t, "per cent")}
			return commercemodel.UsedCode{Code: "TEN", Discount: commercemodel.Discount{Percent: &percent}}
		}), true).Draw(t, "code")
		b := BillOf(s, lines, subtotalOf(lines), "", code)
		parts, untaxed := b.Delivery.Add(b.Rounding.Decimal), decimal.Zero
		for i, left := range lessDiscount(lines, b) {
			if left.IsNegative() || left.GreaterThan(lines[i].Amount.Decimal) {
				t.Fatalf("line %d of %s costs %s after the discount", i, lines[i].Amount, left)
			}
			if lines[i].TaxRate == nil {
				untaxed = untaxed.Add(left)
			}
		}
		for _, tax := range b.Taxes {
			parts = parts.Add(tax.Taxable.Decimal).Add(tax.Amount().Decimal)
			off := tax.Taxable.Mul(tax.Rate.Decimal).Div(hundred).Sub(tax.Amount().Decimal).Abs()
			if apart := tax.CGST.Sub(tax.SGST.Decimal); off.GreaterThan(decimal.New(1, -2)) || apart.IsNegative() ||
				apart.GreaterThan(decimal.New(1, -2)) || !tax.CGST.Equal(tax.CGST.Round(2)) {
				t.Fatalf("%s%% of %s is not %s and %s", tax.Rate, tax.Taxable, tax.CGST, tax.SGST)
			}
		}
		if sum := parts.Add(untaxed); !sum.Equal(b.Total().Decimal) {
			t.Fatalf("the parts come to %s, the total is %s", sum, b.Total())
		}
		plain := s
		plain.Tax = nil
		without := BillOf(plain, lines, subtotalOf(lines), "", code).Total()
		if !b.TaxAdded && !without.Equal(b.Total().Decimal) {
			t.Fatalf("with the tax inside the total is %s, without tax %s", b.Total(), without)
		}
	})
}
