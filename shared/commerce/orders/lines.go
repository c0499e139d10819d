package orders

import (
	"context"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Limits of an order.
const (
	MaxLines         = 100
	quantityDecimals = 3
)

var (
	maxQuantity = decimal.NewFromInt(100_000)
	maxTotal    = decimal.NewFromInt(10_000_000)
)

// Wanted is an article that is ordered: so much of it, or so many rupees' worth of what is sold loose.
type Wanted struct {
	Product  model.Name
	SKU      model.Name
	Quantity model.Amount
	Worth    *model.Amount
}

// WantedOf returns an article as something wanted, of which nobody has said how much.
func WantedOf(article model.Name) Wanted {
	product, sku, _ := strings.Cut(string(article), "/")
	return Wanted{Product: model.Name(product), SKU: model.Name(sku)}
}

// WantedAgain returns what a line of an order has as something wanted. What was sold by its worth is again.
func WantedAgain(l commercemodel.Line) Wanted {
	w := Wanted{Product: l.ProductID, SKU: l.SKU, Quantity: l.Quantity}
	if !l.Amount.Equal(cost(l.Unit, l.Price, l.Quantity)) {
		w.Worth = &l.Amount
	}
	return w
}

// ProductRef refers to a product.
func ProductRef(store, product model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Products, Key: keys.Product(store, product)}
}

// ArticleRefs returns the products of what is wanted, to read them.
func ArticleRefs(store model.Name, wanted []Wanted) []dynamo.Ref {
	refs := make([]dynamo.Ref, len(wanted))
	for i, w := range wanted {
		refs[i] = ProductRef(store, w.Product)
	}
	return refs
}

// Articles are what can be ordered, by id.
type Articles map[model.Name]commercemodel.Article

// ArticlesIn returns the articles of what is wanted, as a batch has read them. An article that is not there is left
// out.
func ArticlesIn(found dynamo.Found, store model.Name, wanted []Wanted) (Articles, error) {
	all := Articles{}
	for _, w := range wanted {
		item := ProductRef(store, w.Product).Found(found)
		if item == nil {
			continue
		}
		var p commercemodel.Product
		if err := dynamo.Unmarshal(item, &p); err != nil {
			return nil, err
		}
		for _, a := range p.Articles() {
			all[a.ID()] = a
		}
	}
	return all, nil
}

// Read reads the articles of what is wanted.
func (o *Orders) Read(ctx context.Context, store model.Name, wanted []Wanted) (Articles, error) {
	found, err := o.DB.BatchGet(ctx, ArticleRefs(store, wanted))
	if err != nil {
		return nil, err
	}
	return ArticlesIn(found, store, wanted)
}

// Price returns the lines of what is wanted, at today's prices, and their total. An article that is wanted twice is one
// line.
func (a Articles) Price(wanted []Wanted) (lines []commercemodel.Line, total model.Amount, err error) {
	if len(wanted) == 0 || len(wanted) > MaxLines {
		return nil, total, problem.Wrong(ErrLines, "body.items", "from 1 to %d lines", MaxLines)
	}
	at := map[model.Name]int{}
	for i, w := range wanted {
		field := fmt.Sprintf("body.items[%d]", i)
		article, ok := a[commercemodel.ArticleID(w.Product, w.SKU)]
		if !ok || !article.Active {
			return nil, total, problem.Wrong(ErrLines, field+".productId", "the store sells no such product")
		}
		line, err := lineOf(article, w, field)
		if err != nil {
			return nil, total, err
		}
		if first, twice := at[article.ID()]; twice {
			lines[first].Quantity = model.Amount{Decimal: lines[first].Quantity.Add(line.Quantity.Decimal)}
			lines[first].Amount = model.Amount{Decimal: lines[first].Amount.Add(line.Amount.Decimal)}
		} else {
			at[article.ID()] = len(lines)
			lines = append(lines, line)
		}
		total = model.Amount{Decimal: total.Add(line.Amount.Decimal)}
	}
	if total.GreaterThan(maxTotal) {
		return nil, total, problem.Wrong(ErrLines, "body.items", "they come to over %s", maxTotal)
	}
	return lines, total, nil
}

// lineOf returns the line of one article.
func lineOf(a commercemodel.Article, w Wanted, field string) (commercemodel.Line, error) {
	line := commercemodel.Line{
		ProductID: a.Product, SKU: a.SKU, Name: a.Name, Quantity: w.Quantity, Price: a.Price, Unit: a.Unit,
		TaxRate: a.TaxRate, HSN: a.HSN}
	if w.Worth != nil {
		if !a.Loose() || !a.Price.IsPositive() {
			return line, problem.Wrong(ErrLines, field+".worth", "only what is sold loose is sold by its worth")
		}
		if !w.Worth.IsPositive() || w.Worth.Exponent() < -2 {
			return line, problem.Wrong(ErrLines, field+".worth", "not a positive amount with at most two decimals")
		}
		line.Quantity = model.Amount{Decimal: w.Worth.DivRound(a.Price.Decimal, quantityDecimals)}
		line.Amount = *w.Worth
	}
	if err := checkQuantity(a, line.Quantity, field); err != nil {
		return line, err
	}
	if w.Worth == nil {
		line.Amount = model.Amount{Decimal: cost(a.Unit, a.Price, line.Quantity)}
	}
	return line, nil
}

var twelve = decimal.NewFromInt(12)

// cost returns what a quantity costs, to two decimals. Pieces of what is sold by the dozen cost what they are of a
// dozen, though quantities have three decimals only: 0.833 is ten pieces.
func cost(unit string, price, quantity model.Amount) decimal.Decimal {
	if unit == "dozen" {
		pieces := quantity.Mul(twelve).Round(0)
		if pieces.DivRound(twelve, quantityDecimals).Equal(quantity.Decimal) {
			return price.Mul(pieces).DivRound(twelve, 2)
		}
	}
	return price.Mul(quantity.Decimal).Round(2)
}

// checkQuantity returns ErrLines for a quantity that nobody can sell.
func checkQuantity(a commercemodel.Article, q model.Amount, field string) error {
	switch {
	case !q.IsPositive() || q.GreaterThan(maxQuantity):
		return problem.Wrong(ErrLines, field+".quantity", "more than 0, and at most %s", maxQuantity)
	case !q.Equal(q.Round(quantityDecimals)):
		return problem.Wrong(ErrLines, field+".quantity", "at most %d decimals", quantityDecimals)
	case !a.Loose() && !q.IsInteger():
		return problem.Wrong(ErrLines, field+".quantity", "only whole ones are sold")
	}
	return nil
}

// InStock returns ErrStock for a line of which there is not enough. Another order may take it before this one: the
// orders table's stream then marks the order as oversold.
func (a Articles) InStock(lines []commercemodel.Line) error {
	for _, line := range lines {
		if stock := a[line.Article()].Stock; stock != nil && stock.LessThan(line.Quantity.Decimal) {
			return problem.Breaks(ErrStock, "out-of-stock", "Not enough in stock", "Of %s the store has %s %s.",
				line.Name, stock.String(), line.Unit)
		}
	}
	return nil
}
