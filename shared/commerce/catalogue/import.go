package catalogue

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Report is what became of a file.
type Report struct {
	Rows   int // of products and variants
	Stored int // rows whose product is stored as they say, also where it was before
	Faulty int // rows with faults
	Faults []LineFault
}

// LineFault is what is wrong with a cell.
type LineFault struct {
	Line   int
	Column string
	Detail string
}

const (
	// MaxFaults bounds the faults that a report names. It counts all of them.
	MaxFaults = 500
	// MaxRows bounds a file.
	MaxRows = 20_000
	// importWidth bounds the writes at once.
	importWidth = 32
	// importPage is how many products are read at once.
	importPage = 100
)

// Import stores a catalogue: its good rows, or, where all is set, all rows or none. A product that a row names and that
// is there already becomes what the row says; what rows do not say of it (its picture, its threshold) stays. A product
// that no row names stays. Repeating an import that ended in the middle goes on with it.
func (c *Catalogue) Import(ctx context.Context, store commercemodel.Store, file []byte,
	all bool) (report Report, err error) {
	seen := map[model.Name]int{}
	check := func(row Row) error {
		id := commercemodel.ArticleID(row.Product.ProductID, row.SKU)
		if first := seen[id]; first > 0 {
			row.Faults = append(row.Faults, Fault{"product_id", fmt.Sprintf("line %d has it as well", first)})
		} else {
			seen[id] = row.Line
		}
		report.count(row)
		if report.Rows > MaxRows {
			return fileTooLong()
		}
		return nil
	}
	if err := Rows(bytes.NewReader(file), check); err != nil {
		return report, err
	}
	if all && report.Faulty > 0 {
		return report, nil
	}
	first := func(row Row) bool { return seen[commercemodel.ArticleID(row.Product.ProductID, row.SKU)] == row.Line }
	if err := c.store(ctx, store, file, first, &report); err != nil {
		return report, err
	}
	writes, err := c.changed(store)
	if err == nil && len(writes) == 1 { // a single write is no transaction, which would cost twice as much
		err = c.DB.Update(ctx, stores.CatalogueChanged(store.ID, c.Now()))
	} else if err == nil {
		err = c.DB.Transact(ctx, writes)
	}
	return report, err
}

func (r *Report) count(row Row) {
	r.Rows++
	if len(row.Faults) == 0 {
		return
	}
	r.Faulty++
	for _, fault := range row.Faults {
		if len(r.Faults) < MaxFaults {
			r.Faults = append(r.Faults, LineFault{row.Line, fault.Field, fault.Detail})
		}
	}
}

// store stores the good rows of a file, a page at a time. first reports whether a row is the first with its id.
func (c *Catalogue) store(ctx context.Context, store commercemodel.Store, file []byte, first func(Row) bool,
	report *Report) error {
	var page []Row
	flush := func() error {
		err := c.storePage(ctx, store, page)
		report.Stored += len(page)
		page = page[:0]
		return err
	}
	err := Rows(bytes.NewReader(file), func(row Row) error {
		if len(row.Faults) > 0 || !first(row) {
			return nil
		}
		// The rows of one product go together.
		if last := len(page) - 1; last >= importPage && page[last].Product.ProductID != row.Product.ProductID {
			if err := flush(); err != nil {
				return err
			}
		}
		page = append(page, row)
		return nil
	})
	if err != nil || len(page) == 0 {
		return err
	}
	return flush()
}

// storePage stores rows, several products at once.
func (c *Catalogue) storePage(ctx context.Context, store commercemodel.Store, rows []Row) error {
	var ids []model.Name
	of := map[model.Name][]Row{}
	for _, row := range rows {
		id := row.Product.ProductID
		if of[id] == nil {
			ids = append(ids, id)
		}
		of[id] = append(of[id], row)
	}
	there, err := c.storeNew(ctx, store, ids, of)
	if err != nil {
		return err
	}
	jobs := make([]func() error, len(there))
	for i, was := range there {
		jobs[i] = func() error { return c.storeRows(ctx, store, was, of[was.ProductID]) }
	}
	return errors.Join(lanes.Concurrently(importWidth, jobs...)...)
}

// newTogether is how many products are created in one transaction, which counts them.
const newTogether = 50

// storeNew creates those of the products that are not there yet, and returns the others. Creating them together changes
// their count seldom, as all imports into a store change it one after the other.
func (c *Catalogue) storeNew(ctx context.Context, store commercemodel.Store, ids []model.Name,
	of map[model.Name][]Row) (there []commercemodel.Product, err error) {
	for some := range slices.Chunk(ids, newTogether) {
		refs := make([]dynamo.Ref, len(some))
		for i, id := range some {
			refs[i] = dynamo.Ref{Table: tables.Products, Key: keys.Product(store.ID, id)}
		}
		var existing []commercemodel.Product
		err := dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
			found, err := c.DB.BatchGet(ctx, refs)
			if err != nil {
				return err
			}
			existing = nil
			var puts []dynamo.Write
			for i, ref := range refs {
				var p commercemodel.Product
				if item := ref.Found(found); item != nil {
					if err := dynamo.Unmarshal(item, &p); err != nil {
						return err
					}
					existing = append(existing, p)
					continue
				}
				for _, row := range of[some[i]] {
					merge(&p, row)
				}
				put, err := c.put(store, some[i], commercemodel.Product{}, &p)
				if err != nil {
					return err
				}
				puts = append(puts, put)
			}
			if len(puts) == 0 {
				return nil
			}
			return c.transact(ctx, store.ID, len(puts), puts...)
		})
		if err != nil {
			return nil, err
		}
		there = append(there, existing...)
	}
	return there, nil
}

// storeRows makes a product that was there what its rows say. Its condition is that the product is as it was read: if
// it is not, it is read again.
func (c *Catalogue) storeRows(
	ctx context.Context, store commercemodel.Store, was commercemodel.Product, rows []Row) error {
	id, read := was.ProductID, true
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() (err error) {
		if !read {
			if was, err = c.Get(ctx, store.ID, id); err != nil && !errors.Is(err, dynamo.ErrNotFound) {
				return err
			}
		}
		read = false
		next := was
		next.Variants = slices.Clone(was.Variants)
		for _, row := range rows {
			merge(&next, row)
		}
		if sameProduct(was, next) {
			return nil
		}
		put, err := c.put(store, id, was, &next)
		if err != nil {
			return err
		}
		if was.Version == 0 { // it was removed a moment ago
			return c.transact(ctx, store.ID, 1, put)
		}
		return dynamo.Conflict(c.DB.Put(ctx, put))
	})
}

// merge makes a product what a row says.
func merge(p *commercemodel.Product, row Row) {
	said := row.Product
	p.Name, p.LocalName, p.Category, p.Brand, p.Unit = said.Name, said.LocalName, said.Category, said.Brand, said.Unit
	p.Keywords, p.IsActive, p.PackSize, p.Price = said.Keywords, true, said.PackSize, said.Price
	if said.TaxRate != nil { // an empty cell says nothing of the tax, as of the stock
		p.TaxRate = said.TaxRate
	}
	p.HSN = cmp.Or(said.HSN, p.HSN)
	if row.SKU == "" {
		p.Variants = nil
		if said.StockQuantity != nil {
			p.StockQuantity = said.StockQuantity
		}
		return
	}
	variant := said.Variants[0]
	at := slices.IndexFunc(p.Variants, func(v commercemodel.Variant) bool { return v.SKU == row.SKU })
	if at < 0 {
		p.Variants = append(p.Variants, variant)
		return
	}
	variant.LowStockThreshold = p.Variants[at].LowStockThreshold
	if variant.StockQuantity == nil {
		variant.StockQuantity = p.Variants[at].StockQuantity
	}
	p.Variants[at] = variant
}

// sameProduct reports whether a stored product says what another one says.
func sameProduct(stored, next commercemodel.Product) bool {
	return stored.Version > 0 && dynamo.StoredAlike(stored, next)
}
