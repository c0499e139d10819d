package catalogue

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// MaxProducts is how many products a store may have.
const MaxProducts = 20_000

// ErrFull means that a store has as many products as it may.
var ErrFull = problem.New("the catalogue is full", problem.Error{
	Class: problem.Conflict, Code: "catalogue-full", Title: "Catalogue full",
	Detail: fmt.Sprintf("A store has at most %d products. Remove some that are not sold any more.", MaxProducts),
})

// The count of a store's products is an item of its own. It changes in the transaction in which a product is created or
// removed, so it is exact, whoever writes at the same time. The first product that is created or removed since there is
// a count has them counted.

// counts returns the write that counts products which come or go. Its condition is that they have been counted, and
// that there is room.
func counts(store model.Name, change int) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Products, Key: keys.ProductCount(store), Do: "ADD products :change",
		If:     "attribute_exists(products)",
		Values: dynamo.Item{":change": dynamo.N(change)},
	}
	if change > 0 {
		u.If += " AND products <= :room"
		u.Values[":room"] = dynamo.N(MaxProducts - change)
	}
	return u
}

// transact commits writes that create or remove products. It returns ErrFull where there is no room, and
// dynamo.ErrConflict where another condition failed, or where the products had not been counted.
func (c *Catalogue) transact(ctx context.Context, store model.Name, change int, writes ...dynamo.Write) error {
	err := c.DB.Transact(ctx, append(writes, counts(store, change)))
	var cancelled *dynamo.TransactionCancelled
	if !errors.As(err, &cancelled) || !cancelled.Reasons[len(writes)].Failed() {
		return dynamo.Conflict(err)
	}
	found, err := c.DB.BatchGet(ctx, []dynamo.Ref{countRef(store)})
	if err != nil {
		return err
	}
	if countRef(store).Found(found)["products"] != nil {
		return ErrFull
	}
	if err := c.count(ctx, store); err != nil {
		return err
	}
	return fmt.Errorf("%w: counted now", dynamo.ErrConflict)
}

func countRef(store model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Products, Key: keys.ProductCount(store)}
}

// count counts the products of a store for the first time. Its condition is that nobody else has. No product comes or
// goes meanwhile: that needs the count.
func (c *Catalogue) count(ctx context.Context, store model.Name) error {
	products := 0
	if err := c.each(ctx, store, func(commercemodel.Product) error { products++; return nil }); err != nil {
		return err
	}
	key := keys.ProductCount(store)
	err := c.DB.Update(ctx, dynamo.Update{
		Table: tables.Products, Key: key, Do: "SET products = :products", If: "attribute_not_exists(products)",
		Values: dynamo.Item{":products": dynamo.N(products)},
	})
	return dynamo.IgnoreConditionFailed(err)
}
