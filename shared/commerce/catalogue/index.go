package catalogue

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// rebuildAfter is how long an index that a process has built serves before it is built anew, where the catalogue has changed. It bounds
// what a shop that changes many products costs.
const rebuildAfter = 5 * time.Second

// Index returns the index of what a store sells. A process builds it once, and again when the store says that its catalogue has changed.
// It knows neither stock nor, for longer than some seconds, old prices; who makes an order reads the products themselves.
func (c *Catalogue) Index(ctx context.Context, store commercemodel.Store) (*nlu.Index, error) {
	known, some := c.indexes.get(store.ID)
	if some && (known.version == store.CatalogueChangedAt || c.Now().Sub(known.at) < rebuildAfter) {
		return known.index, nil
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
	c.indexes.put(built{store.ID, index, len(goods), store.CatalogueChangedAt, c.Now()})
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

// Search returns up to limit products that a query finds, the best first: by name, local name, brand and keywords, in Latin letters and
// Devanagari, in any spelling.
func (c *Catalogue) Search(ctx context.Context, store commercemodel.Store, query string, limit int) ([]commercemodel.Product, error) {
	index, err := c.Index(ctx, store)
	if err != nil {
		return nil, err
	}
	var refs []dynamo.Ref
	seen := map[model.Name]bool{}
	for _, article := range index.Search(query, 2*limit) { // several variants of one product may be found
		id, _, _ := strings.Cut(article, "/")
		if product := model.Name(id); !seen[product] && len(refs) < limit {
			seen[product] = true
			refs = append(refs, dynamo.Ref{Table: tables.Products, Key: keys.Product(store.ID, product)})
		}
	}
	found, err := c.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("search catalogue: %w", err)
	}
	var all []commercemodel.Product
	for _, ref := range refs {
		item := ref.Found(found)
		if item == nil {
			continue
		}
		var p commercemodel.Product
		if err := dynamo.Unmarshal(item, &p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
