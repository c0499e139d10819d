package catalogue

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// pageSize is how many products a page has.
const pageSize = 100

// Page returns a page of a store's products in the order of their ids, from after a place ("" for the first page), and
// the place of the next page; "" for none.
func (c *Catalogue) Page(ctx context.Context, store model.Name, after string) (all []commercemodel.Product,
	next string, err error) {
	rows, next, err := c.DB.Some(ctx, dynamo.Query{
		Table: tables.Products, Where: "pk = :pk AND begins_with(sk, :product)",
		Values: dynamo.Item{":pk": dynamo.S(keys.StoreScope(store)), ":product": dynamo.S(keys.ProductPrefix)},
	}, pageSize, after)
	if err != nil {
		return nil, "", fmt.Errorf("read catalogue: %w", err)
	}
	all, err = dynamo.Entities[commercemodel.Product](rows)
	return all, next, err
}

// Some returns the products of some articles that a store has.
func (c *Catalogue) Some(ctx context.Context, store model.Name, articles []model.Name) ([]commercemodel.Product,
	error) {
	var refs []dynamo.Ref
	seen := map[model.Name]bool{}
	for _, article := range articles {
		if id := commercemodel.ProductOf(article); !seen[id] && id != "" {
			seen[id] = true
			refs = append(refs, dynamo.Ref{Table: tables.Products, Key: keys.Product(store, id)})
		}
	}
	found, err := c.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	var rows []dynamo.Item
	for _, ref := range refs {
		if item := ref.Found(found); item != nil {
			rows = append(rows, item)
		}
	}
	return dynamo.Entities[commercemodel.Product](rows)
}

// InStock reports whether anything is left of an article, or nobody counts it.
func InStock(a commercemodel.Article) bool { return a.Stock == nil || a.Stock.IsPositive() }

// changed returns the writes by which everybody learns that the catalogue of a store has changed.
func (c *Catalogue) changed(store commercemodel.Store) ([]dynamo.Write, error) {
	writes := []dynamo.Write{stores.CatalogueChanged(store.ID, c.Now())}
	if c.Follows == nil {
		return writes, nil
	}
	more, err := c.Follows(store)
	return append(writes, more...), err
}
