package stock

import (
	"slices"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// shelf is the products of an order as they were read, and as they become.
type shelf struct {
	found    dynamo.Found
	products []*counted
}

// counted is a product as it was read and as it becomes.
type counted struct {
	ref      dynamo.Ref
	was      dynamo.Item
	now      commercemodel.Product
	low      []Low
	changed  bool
	turned   bool // something has run out, or is there again
	variants bool // a variant's stock has changed, and not the product's own
}

// count returns where the stock of an article is counted: nowhere for one that is gone.
func (s *shelf) count(ref dynamo.Ref, article model.Name) (count, error) {
	at := slices.IndexFunc(s.products, func(c *counted) bool { return c.ref.Key == ref.Key })
	if at < 0 {
		item := ref.Found(s.found)
		if item == nil {
			return count{}, nil
		}
		c := &counted{ref: ref, was: item}
		if err := dynamo.Unmarshal(item, &c.now); err != nil {
			return count{}, err
		}
		at, s.products = len(s.products), append(s.products, c)
	}
	product := s.products[at]
	for _, a := range product.now.Articles() {
		if a.ID() == article {
			return count{product, a}, nil
		}
	}
	return count{}, nil
}

// count is where the stock of one article is counted.
type count struct {
	in      *counted
	article commercemodel.Article
}

func (c count) stock() *model.Amount { return c.article.Stock }

// since returns since when it is counted.
func (c count) since() model.Time {
	if c.in == nil {
		return ""
	}
	return c.in.now.CountedSince(c.article.ID())
}

// set sets the stock, if it is counted. It notes an article that runs low by it.
func (c count) set(left *model.Amount) {
	was := c.article.Stock
	if was == nil || left == nil || left.Equal(was.Decimal) {
		return
	}
	p := &c.in.now
	threshold := p.LowStockThreshold
	if c.article.SKU == "" {
		p.StockQuantity = left
	} else {
		i := slices.IndexFunc(p.Variants, func(v commercemodel.Variant) bool { return v.SKU == c.article.SKU })
		p.Variants[i].StockQuantity, threshold, c.in.variants = left, p.Variants[i].LowStockThreshold, true
	}
	c.in.changed = true
	c.in.turned = c.in.turned || was.IsPositive() != left.IsPositive()
	if threshold != nil && was.GreaterThan(threshold.Decimal) && left.LessThanOrEqual(threshold.Decimal) {
		c.in.low = append(c.in.low, Low{Name: c.article.Name, Unit: c.article.Unit, Left: *left})
	}
}

// writes returns the writes of the products whose stock has changed, and what runs low. Their condition is that the
// stock is as it was read.
func (s *shelf) writes() (writes []dynamo.Write, low []Low, err error) {
	for _, c := range s.products {
		if !c.changed {
			continue
		}
		item, err := dynamo.Marshal(c.now)
		if err != nil {
			return nil, nil, err
		}
		name := "stock_quantity"
		if c.variants {
			name = "variants"
		}
		u := dynamo.Update{
			Table: tables.Products, Key: c.ref.Key, Values: dynamo.Item{":left": item[name]},
			Do: dynamo.Do{Set: []string{name + " = :left"}}.String()}
		u.If = dynamo.Same(name, c.was[name], u.Values)
		writes, low = append(writes, u), append(low, c.low...)
	}
	return writes, low, nil
}
