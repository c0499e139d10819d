package orders

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// taxesOf returns the GST of lines by rate, the lowest first. The discount of the bill is spread over the lines in
// proportion. A line without a rate has no tax. Each tax is rounded to the paisa, half up. It is split in
// two halves: one of the country (CGST), one of the store's state (SGST). For a supply into another state, bill makes
// one tax (IGST) of the halves.
func taxesOf(lines []commercemodel.Line, b commercemodel.Bill) (all []commercemodel.Tax) {
	left := lessDiscount(lines, b)
	for i, line := range lines {
		if line.TaxRate == nil {
			continue
		}
		at := slices.IndexFunc(all, func(t commercemodel.Tax) bool { return t.Rate.Equal(line.TaxRate.Decimal) })
		if at < 0 {
			at, all = len(all), append(all, commercemodel.Tax{Rate: *line.TaxRate})
		}
		all[at].Taxable = model.Amount{Decimal: all[at].Taxable.Add(left[i])}
	}
	for i := range all {
		all[i] = taxOf(all[i].Rate, all[i].Taxable.Decimal, b.TaxAdded)
	}
	sorting.Func(all, func(a, b commercemodel.Tax) int { return a.Rate.Cmp(b.Rate.Decimal) })
	return all
}

// taxOf returns the tax on a value, or the tax inside it.
func taxOf(rate model.Amount, value decimal.Decimal, added bool) commercemodel.Tax {
	base, taxable := hundred, value
	if !added {
		base = hundred.Add(rate.Decimal)
	}
	tax := value.Mul(rate.Decimal).DivRound(base, 2)
	if !added {
		taxable = value.Sub(tax)
	}
	half := tax.DivRound(decimal.NewFromInt(2), 2)
	return commercemodel.Tax{
		Rate: rate, Taxable: model.Amount{Decimal: taxable}, CGST: model.Amount{Decimal: half},
		SGST: model.Amount{Decimal: tax.Sub(half)}}
}

// Half returns half of a rate: that of CGST, and that of SGST.
func Half(rate model.Amount) model.Amount {
	return model.Amount{Decimal: rate.Div(decimal.NewFromInt(2))}
}

// lessDiscount returns what is left of each line after its share of the discount. A share is what the discount of the
// lines so far increases by, so that the last line takes the rest, and no line less than nothing or more than it costs.
func lessDiscount(lines []commercemodel.Line, b commercemodel.Bill) []decimal.Decimal {
	left := make([]decimal.Decimal, len(lines))
	var cost, taken decimal.Decimal
	for i, line := range lines {
		cost = cost.Add(line.Amount.Decimal)
		until := decimal.Zero
		if b.Subtotal.IsPositive() {
			until = b.Discount.Mul(cost).DivRound(b.Subtotal.Decimal, 2)
		}
		left[i] = line.Amount.Sub(until.Sub(taken))
		taken = until
	}
	return left
}
