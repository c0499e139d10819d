package catalogue_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func named(p *commercemodel.Product) {
	p.Name, p.Unit = "Rice", "kg"
	p.Price = model.Amount{Decimal: decimal.NewFromInt(62)}
}

// counted returns how many products are counted, and how many there are.
func counted(t *testing.T, db *dynamotest.DB) (count string, products int) {
	t.Helper()
	for _, item := range db.Items(t, tables.Products) {
		if dynamo.Text(item, "sk") != "PRODUCTS" {
			products++
			continue
		}
		var c struct {
			Products int64 `dynamodbav:"products"`
		}
		if err := dynamo.Unmarshal(item, &c); err != nil {
			t.Fatal(err)
		}
		count = fmt.Sprint(c.Products)
	}
	return count, products
}

// A store has no more products than it may, whoever creates them at the same time.
func TestACatalogueHasABound(t *testing.T) {
	shop, store, db := shop(t)
	seed := func(n int) {
		key := keys.ProductCount(store.ID)
		db.Seed(t, tables.Products,
			map[string]any{key.PartitionName: key.Partition, key.SortName: key.Sort, "products": n})
	}
	seed(catalogue.MaxProducts - 3)
	jobs := make([]func() error, 8)
	for i := range jobs {
		jobs[i] = func() error {
			_, err := shop.Set(t.Context(), store, model.Name(fmt.Sprint("P", i)), 0, named)
			return err
		}
	}
	made := 0
	for i, err := range lanes.Concurrently(len(jobs), jobs...) {
		for errors.Is(err, dynamo.ErrConflict) { // the caller tries again
			err = jobs[i]()
		}
		if err == nil {
			made++
		} else if !errors.Is(err, catalogue.ErrFull) {
			t.Error(err)
		}
	}
	if count, products := counted(t, db); made != 3 || products != 3 || count != fmt.Sprint(catalogue.MaxProducts) {
		t.Errorf("%d made, %d there, %s counted", made, products, count)
	}
	if _, err := shop.Import(t.Context(), store, []byte(header+"X,Rice,,,,kg,,62,10,\n"), true); !errors.Is(err,
		catalogue.ErrFull) {
		t.Errorf("an import: %v", err)
	}
	one := model.Name(dynamo.Text(db.Items(t, tables.Products)[0], "product_id"))
	for range 2 {
		if err := shop.Remove(t.Context(), store, one); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := shop.Import(t.Context(), store, []byte(header+"X,Rice,,,,kg,,62,10,\n"), true); err != nil {
		t.Errorf("where there is room again: %v", err)
	}
}

// The products of a store that has never counted them are counted when one comes.
func TestProductsAreCountedOnce(t *testing.T) {
	shop, store, db := shop(t)
	if _, err := shop.Import(t.Context(), store, []byte(header+"A,Rice,,,,kg,,62,10,\nB,Dal,,,,kg,,62,10,\n"),
		true); err != nil {
		t.Fatal(err)
	}
	if err := db.Update(context.Background(),
		dynamo.Update{Table: tables.Products, Key: keys.ProductCount(store.ID), Do: "REMOVE products"}); err != nil {
		t.Fatal(err)
	}
	if err := shop.Remove(t.Context(), store, "A"); err != nil {
		t.Fatal(err)
	}
	if _, err := shop.Set(t.Context(), store, "C", 0, named); err != nil {
		t.Fatal(err)
	}
	if count, products := counted(t, db); count != "2" || products != 2 {
		t.Errorf("%d products, %s counted", products, count)
	}
}
