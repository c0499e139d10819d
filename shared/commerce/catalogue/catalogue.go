// Package catalogue owns what stores sell: their products with variants, prices and stock, the import and export of
// whole catalogues, and the index in which customers' words are looked up.
package catalogue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// The rules that a change of the catalogue may break.
var (
	ErrProduct = errors.New("the product is wrong")
	ErrStale   = errors.New("changed since it was read")
	ErrFile    = errors.New("the file cannot be read")
)

// Catalogue reads and writes products.
type Catalogue struct {
	DB  *dynamo.Client
	Now func() time.Time
	// Follows returns the writes by which the catalogue at Meta follows a change; nil if none does.
	Follows func(store commercemodel.Store) ([]dynamo.Write, error)

	indexes indexes
}

// Get returns a store's product, or dynamo.ErrNotFound.
func (c *Catalogue) Get(ctx context.Context, store, id model.Name) (p commercemodel.Product, err error) {
	return p, c.DB.Get(ctx, tables.Products, keys.Product(store, id), &p)
}

// Set creates a product, or changes it as set says. version is the one that the caller has read; 0 for a new product.
// Its condition is that the product, its stock included, is as it was read. It returns ErrProduct, ErrStale and
// ErrFull.
func (c *Catalogue) Set(
	ctx context.Context, store commercemodel.Store, id model.Name, version int64, set func(p *commercemodel.Product),
) (p commercemodel.Product, err error) {
	return p, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		p, err = c.Get(ctx, store.ID, id)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
		was := p
		if set(&p); sameProduct(was, p) {
			return nil // a repeated request
		}
		if was.Version != version {
			return problem.Breaks(ErrStale, "stale-version", "Changed meanwhile",
				"The product has the version %d. Read it again.", was.Version)
		}
		put, err := c.put(store, id, was, &p)
		if err != nil {
			return err
		}
		writes, err := c.changed(store)
		if err != nil {
			return err
		}
		if writes = append(writes, put); was.Version == 0 {
			return c.transact(ctx, store.ID, 1, writes...)
		}
		return dynamo.Conflict(c.DB.Transact(ctx, writes))
	})
}

// PrepareSet returns a product that was read as set changes it, and the writes that do so, for the caller's
// transaction; no write for one that is like that already. Their condition is that the product, its stock included, is
// as it was read.
func (c *Catalogue) PrepareSet(
	store commercemodel.Store, was commercemodel.Product, set func(p *commercemodel.Product),
) (commercemodel.Product, []dynamo.Write, error) {
	p := was
	if set(&p); sameProduct(was, p) {
		return p, nil, nil
	}
	put, err := c.put(store, was.ProductID, was, &p)
	if err != nil {
		return p, nil, err
	}
	writes, err := c.changed(store)
	return p, append(writes, put), err
}

// Remove removes a product; one that is not there stays away. Orders keep what they say of it.
func (c *Catalogue) Remove(ctx context.Context, store commercemodel.Store, id model.Name) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if _, err := c.Get(ctx, store.ID, id); errors.Is(err, dynamo.ErrNotFound) {
			return nil
		} else if err != nil {
			return err
		}
		writes, err := c.changed(store)
		if err != nil {
			return err
		}
		return c.transact(ctx, store.ID, -1, append(writes,
			dynamo.Delete{Table: tables.Products, Key: keys.Product(store.ID, id), If: dynamo.IfPresent})...)
	})
}

// put returns the write of a product. Its condition is that the product is as it was read.
func (c *Catalogue) put(store commercemodel.Store, id model.Name, was commercemodel.Product,
	p *commercemodel.Product) (dynamo.Put, error) {
	p.ProductID, p.StoreID, p.TenantID = id, store.ID, store.TenantID
	if err := Check(*p); err != nil {
		return dynamo.Put{}, err
	}
	p.UpdatedAt = model.At(c.Now())
	if was.Version == 0 {
		p.CreatedAt = p.UpdatedAt
	}
	p.CountedFrom = countedFrom(was, *p)
	setKeys(p)
	put, err := dynamo.PutVersion(tables.Products, p)
	if err != nil || was.Version == 0 {
		return put, err
	}
	return put, stockAsRead(&put, was)
}

// countedFrom returns since when the articles of a product are counted, where that began after the product was made.
func countedFrom(was, is commercemodel.Product) map[string]model.Time {
	if was.Version == 0 {
		return nil
	}
	counted := map[model.Name]bool{}
	for _, a := range was.Articles() {
		counted[a.ID()] = a.Stock != nil
	}
	all := map[string]model.Time{}
	for _, a := range is.Articles() {
		id := a.ID()
		switch since, later := was.CountedFrom[string(id)]; {
		case a.Stock == nil:
		case !counted[id]:
			all[string(id)] = is.UpdatedAt
		case later:
			all[string(id)] = since
		}
	}
	return all
}

// stockAsRead adds to a write's condition that nobody has taken from the stock since it was read.
func stockAsRead(put *dynamo.Put, was commercemodel.Product) error {
	item, err := dynamo.Marshal(was)
	if err != nil {
		return err
	}
	for _, name := range []string{"stock_quantity", "variants"} {
		if value, ok := item[name]; ok {
			put.If = dynamo.And(put.If, name+" = :was_"+name)
			put.Values[":was_"+name] = value
		} else {
			put.If = dynamo.And(put.If, "attribute_not_exists("+name+")")
		}
	}
	return nil
}

// none stands in an index key for what a product has not.
const none = "-"

// setKeys sets a product's keys.
func setKeys(p *commercemodel.Product) {
	key := keys.Product(p.StoreID, p.ProductID)
	p.PK, p.SK = key.Partition, key.Sort
	category, brand := keyPart(p.Category), keyPart(p.Brand)
	p.GSI1PK, p.GSI1SK, p.GSI2PK, p.GSI2SK = "", "", "", ""
	if category != none {
		p.GSI1PK, p.GSI1SK = keys.ProductsIn(category), keys.BrandProduct(brand, p.ProductID)
	}
	if brand != none {
		p.GSI2PK, p.GSI2SK = keys.ProductsOf(brand), keys.StoreProduct(p.StoreID, p.ProductID)
	}
	p.GSI3PK, p.GSI3SK = keys.StoreScope(p.StoreID), keys.Listed(category, keyPart(p.Name))
}

// maxKeyPart keeps a sort key of two texts below DynamoDB's 1,024 bytes.
const maxKeyPart = 400

// keyPart returns a text as a part of a key.
func keyPart(text string) model.Name {
	text = model.Truncate(strings.TrimSpace(strings.ReplaceAll(text, "#", " ")), maxKeyPart)
	if text == "" {
		return none
	}
	return model.Name(text)
}

// Filter selects products: of a store, of a brand or in a category, or of a tenant's stores by one of these.
type Filter struct {
	Store    model.Name     // "" for all stores of the tenant, which needs a brand or a category
	Tenant   model.TenantID // of the stores
	Category string
	Brand    string
}

// query returns the query of the filter's products.
func (f Filter) query() dynamo.Query {
	q := dynamo.Query{Table: tables.Products, Values: dynamo.Item{}}
	var filters []string
	switch {
	case f.Brand != "" && f.Store != "":
		q.Index, q.Where = "GSI2", "gsi2pk = :pk AND begins_with(gsi2sk, :of)"
		q.Values[":pk"], q.Values[":of"] = dynamo.S(keys.ProductsOf(keyPart(f.Brand))),
			dynamo.S(keys.StoreScope(f.Store)+"#")
	case f.Brand != "":
		q.Index, q.Where, q.Values[":pk"] = "GSI2", "gsi2pk = :pk", dynamo.S(keys.ProductsOf(keyPart(f.Brand)))
	case f.Store == "":
		q.Index, q.Where, q.Values[":pk"] = "GSI1", "gsi1pk = :pk", dynamo.S(keys.ProductsIn(keyPart(f.Category)))
	default:
		q.Index, q.Where, q.Values[":pk"] = "GSI3", "gsi3pk = :pk", dynamo.S(keys.StoreScope(f.Store))
		if f.Category != "" {
			q.Where += " AND begins_with(gsi3sk, :of)"
			q.Values[":of"] = dynamo.S(keys.Listed(keyPart(f.Category), ""))
		}
	}
	if f.Store == "" {
		filters, q.Values[":tenant"] = append(filters, "tenant_id = :tenant"), dynamo.S(f.Tenant)
	}
	if f.Brand != "" && f.Category != "" {
		filters, q.Values[":category"] = append(filters, "category = :category"), dynamo.S(f.Category)
	}
	q.Filter = strings.Join(filters, " AND ")
	return q
}

// List returns up to limit products in the order of the list, from after a place ("" for the first page), and the place
// of the next page; "" for none. A page may be short even if another one follows. It may take a moment until a change
// shows.
func (c *Catalogue) List(ctx context.Context, f Filter, limit int,
	after string) (all []commercemodel.Product, next string, err error) {
	rows, next, err := c.DB.Some(ctx, f.query(), limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("list products: %w", err)
	}
	if all, err = dynamo.Entities[commercemodel.Product](rows); err != nil {
		return nil, "", err
	}
	return all, next, nil
}

// each reads all products of a store in the order of their ids and passes them on, a page at a time.
func (c *Catalogue) each(ctx context.Context, store model.Name, pass func(p commercemodel.Product) error) error {
	q := dynamo.Query{
		Table: tables.Products, Where: "pk = :pk AND begins_with(sk, :product)",
		Values: dynamo.Item{":pk": dynamo.S(keys.StoreScope(store)), ":product": dynamo.S(keys.ProductPrefix)},
	}
	for {
		page, err := c.DB.Query(ctx, q)
		if err != nil {
			return fmt.Errorf("read catalogue: %w", err)
		}
		for _, item := range page.Items {
			var p commercemodel.Product
			if err := dynamo.Unmarshal(item, &p); err != nil {
				return err
			}
			if err := pass(p); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil
		}
	}
}
