package catalogue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// rebuildAfter is how long an index that a process has built serves before it is built anew, where the catalogue has
// changed. It bounds what a shop that changes many products costs.
const rebuildAfter = 5 * time.Second

// Building an index has a budget of its own: the articles of a store, and a time. A catalogue beyond it does not delay
// other stores.
const (
	maxArticles = maxGoods
	buildTime   = 10 * time.Second
	// tryAgainAfter is how long a catalogue that could not be read is not read again, unless it changes.
	tryAgainAfter = time.Minute
)

// ErrTooLarge means that the catalogue of a store cannot be read as a whole within the budget.
var ErrTooLarge = problem.New("the catalogue is too large to be searched", problem.Error{
	Class: problem.Conflict, Code: "catalogue-too-large", Title: "Catalogue too large",
	Detail: fmt.Sprintf(
		"The catalogue takes too long to be read as a whole, or has over %d articles. Remove products that are not "+
			"sold any more.", maxArticles),
})

// Index returns the index of what a store sells. A process builds it once, and again when the store says that its
// catalogue has changed. It knows neither stock nor, for longer than some seconds, old prices; who makes an order reads
// the products themselves. It returns ErrTooLarge for a catalogue that is beyond the budget, and then for a while
// without reading it again.
func (c *Catalogue) Index(ctx context.Context, store commercemodel.Store) (*nlu.Index, error) {
	for {
		known, some := c.indexes.get(store.ID)
		if some && (known.version == store.CatalogueChangedAt || c.Now().Sub(known.at) < rebuildAfter) {
			return known.index, nil
		}
		done, mine, refused := c.indexes.build(store.ID, store.CatalogueChangedAt, c.Now())
		switch {
		case refused:
			return nil, ErrTooLarge
		case mine:
			return c.buildIndex(ctx, store)
		}
		select { // somebody builds it already: two would take twice the memory
		case <-done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// buildIndex builds the index of a store, and lets go of whoever waits for it.
func (c *Catalogue) buildIndex(ctx context.Context, store commercemodel.Store) (index *nlu.Index, err error) {
	defer func() { c.indexes.built(store.ID, store.CatalogueChangedAt, errors.Is(err, ErrTooLarge), c.Now()) }()
	within, cancel := context.WithTimeout(ctx, buildTime)
	defer cancel()
	goods, err := c.goods(within, store.ID)
	if err != nil {
		if ctx.Err() == nil && within.Err() != nil {
			err = ErrTooLarge
		}
		return nil, err
	}
	index = nlu.NewIndex(goods)
	c.indexes.put(built{store.ID, index, len(goods), store.CatalogueChangedAt, c.Now()})
	return index, nil
}

// goods reads what a store sells. It returns ErrTooLarge where that is too much.
func (c *Catalogue) goods(ctx context.Context, store model.Name) (goods []nlu.Product, err error) {
	return goods, c.each(ctx, store, func(p commercemodel.Product) error {
		if p.IsActive {
			goods = append(goods, GoodsOf(p)...)
		}
		if len(goods) > maxArticles {
			return ErrTooLarge
		}
		return nil
	})
}

// GoodsOf returns the articles of a product as the index has them.
func GoodsOf(p commercemodel.Product) []nlu.Product {
	var goods []nlu.Product
	for _, a := range p.Articles() {
		goods = append(goods, nlu.Product{
			ID: string(a.ID()), Name: p.Name, LocalName: p.LocalName, Category: p.Category, Brand: p.Brand,
			Unit: a.Unit, PackSize: a.Size,
			Price: a.Price.Decimal, Keywords: p.Keywords,
		})
	}
	return goods
}

// Search returns up to limit products that a query finds, the best first: by name, local name, brand and keywords, in
// Latin letters and Devanagari, in any spelling.
func (c *Catalogue) Search(ctx context.Context, store commercemodel.Store, query string,
	limit int) ([]commercemodel.Product, error) {
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
