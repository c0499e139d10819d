package catalogue

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/model"
)

// rebuildAfter is how long an index that a process has built serves before it is built anew, where the catalogue has changed. It bounds
// what a shop that changes many products costs.
const rebuildAfter = 5 * time.Second

// built is an index and of what it was built.
type built struct {
	index   *nlu.Index
	version model.Time // of the catalogue: when it changed
	at      time.Time
}

// Index returns the index of what a store sells. A process builds it once, and again when the store says that its catalogue has changed.
// It knows neither stock nor, for longer than some seconds, old prices; who makes an order reads the products themselves.
func (c *Catalogue) Index(ctx context.Context, store commercemodel.Store) (*nlu.Index, error) {
	if known, ok := c.indexes.Load(store.ID); ok {
		b := known.(built)
		if b.version == store.CatalogueChangedAt || c.Now().Sub(b.at) < rebuildAfter {
			return b.index, nil
		}
	}
	var goods []nlu.Product
	err := c.each(ctx, store.ID, func(p commercemodel.Product) error {
		if p.IsActive {
			goods = append(goods, GoodsOf(p)...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	index := nlu.NewIndex(goods)
	c.indexes.Store(store.ID, built{index, store.CatalogueChangedAt, c.Now()})
	return index, nil
}

// GoodsOf returns the articles of a product as the index has them.
func GoodsOf(p commercemodel.Product) []nlu.Product {
	var goods []nlu.Product
	for _, a := range p.Articles() {
		goods = append(goods, nlu.Product{
			ID: string(a.ID()), Name: p.Name, LocalName: p.LocalName, Category: p.Category, Brand: p.Brand, Unit: a.Unit, PackSize: a.Size,
			Price: a.Price.Decimal, Keywords: p.Keywords,
		})
	}
	return goods
}
