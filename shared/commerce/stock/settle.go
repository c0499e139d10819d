package stock

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/model"
)

// wanted returns what an order should have asked of the stock by now, by article: its lines while it has them taken,
// else nothing.
func wanted(o commercemodel.Order) map[model.Name]commercemodel.Line {
	all := map[model.Name]commercemodel.Line{}
	if !orders.StateOf(o.Status).Taken {
		return all
	}
	for _, line := range o.Items {
		if same, twice := all[line.Article()]; twice {
			line.Quantity = model.Amount{Decimal: line.Quantity.Add(same.Quantity.Decimal)}
		}
		all[line.Article()] = line
	}
	return all
}

// open returns the articles of which an order has asked for more or less than it should have.
func open(o commercemodel.Order) []model.Name {
	var all []model.Name
	lines := wanted(o)
	for _, taken := range o.Stock {
		if line, still := lines[taken.Article()]; !still || !line.Quantity.Equal(taken.Asked.Decimal) {
			all = append(all, taken.Article())
		}
		delete(lines, taken.Article())
	}
	for _, line := range o.Items { // in the order of the lines
		if _, missing := lines[line.Article()]; missing {
			all = append(all, line.Article())
			delete(lines, line.Article())
		}
	}
	return all
}

// settle makes an order ask for as much of an article as it should, and returns the stock after it; nil for a stock
// that is not counted, or an article that is gone. The stock never falls below zero: the order gets less then. What it
// asks for no longer is first what it did not get. It reports whether anything changed: nothing is asked of a stock
// that is not counted, or is counted only since the customer has the goods.
func settle(o *commercemodel.Order, article model.Name, stock *model.Amount,
	since model.Time) (left *model.Amount, changed bool) {
	line, still := wanted(*o)[article]
	at := slices.IndexFunc(o.Stock, func(t commercemodel.Taken) bool { return t.Article() == article })
	if at < 0 && (stock == nil || handedOverBefore(*o, since)) {
		return stock, false
	}
	o.Stock = slices.Clone(o.Stock)
	if at < 0 {
		at = len(o.Stock)
		o.Stock = append(o.Stock, commercemodel.Taken{ProductID: line.ProductID, SKU: line.SKU})
	}
	taken, missing := &o.Stock[at], shortage(o.Oversold, article)
	var moved decimal.Decimal // from the stock to the order
	if more := line.Quantity.Sub(taken.Asked.Decimal); more.IsPositive() {
		if stock != nil {
			moved = decimal.Min(more, decimal.Max(stock.Decimal, decimal.Zero))
			missing = missing.Add(more.Sub(moved))
		}
	} else {
		unmet := decimal.Min(more.Neg(), missing)
		missing = missing.Sub(unmet)
		moved = decimal.Min(more.Neg().Sub(unmet), taken.Quantity.Decimal).Neg()
	}
	taken.Asked, taken.Quantity = line.Quantity, model.Amount{Decimal: taken.Quantity.Add(moved)}
	o.Oversold = withShortage(o.Oversold, line, article, missing)
	if !still {
		o.Stock = slices.Delete(o.Stock, at, at+1)
	}
	if stock != nil {
		left = &model.Amount{Decimal: stock.Sub(moved)}
	}
	return left, true
}

// handedOverBefore reports whether the customer had the goods of an order before an instant.
func handedOverBefore(o commercemodel.Order, since model.Time) bool {
	if orders.StateOf(o.Status).Open() {
		return false
	}
	at := o.CreatedAt // of an order that does not say when it was delivered
	for _, change := range o.History {
		if change.Status == commercemodel.OrderDelivered {
			at = change.At
		}
	}
	return at < since
}

// shortage returns how much of an article an order did not get.
func shortage(all []commercemodel.Shortage, article model.Name) decimal.Decimal {
	for _, s := range all {
		if commercemodel.ArticleID(s.ProductID, s.SKU) == article {
			return s.Missing.Decimal
		}
	}
	return decimal.Zero
}

// withShortage returns shortages with that of one article.
func withShortage(all []commercemodel.Shortage, line commercemodel.Line, article model.Name,
	missing decimal.Decimal) []commercemodel.Shortage {
	var next []commercemodel.Shortage
	for _, s := range all {
		if commercemodel.ArticleID(s.ProductID, s.SKU) != article {
			next = append(next, s)
		}
	}
	if missing.IsPositive() {
		next = append(next,
			commercemodel.Shortage{
				ProductID: line.ProductID, SKU: line.SKU, Name: line.Name, Missing: model.Amount{Decimal: missing}})
	}
	return next
}
