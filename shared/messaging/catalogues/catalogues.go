// Package catalogues keeps the product catalogues of accounts: which there are, which one customers see, and what is in
// them. Meta has all of it, and is asked for each change. A store may keep a catalogue: then its products go to Meta.
package catalogues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

// The refusals.
var (
	ErrWaits = problem.New("another request waits for Meta's answer", problem.Error{
		Class: problem.Conflict, Code: "catalogue-waits", Title: "Another request is under way",
		Detail: "Meta is being asked about the catalogue already. Try again when that is answered.",
	})
	ErrThere = problem.New("the product is there", problem.Error{
		Class: problem.Conflict, Code: "catalogue-product-exists", Title: "The product is there",
		Detail: "The catalogue has a product of this retailer id. Change that one.",
	})
	ErrKept = problem.New("a store keeps the catalogue", problem.Error{
		Class: problem.Conflict, Code: "catalogue-kept", Title: "A store keeps the catalogue",
		Detail: "A store keeps the catalogue. Have the store keep none first.",
	})
)

// Catalogues keeps the catalogues.
type Catalogues struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Outbox  *outbox.Outbox
	Numbers *tenancy.Numbers
}

// Get returns a catalogue, or dynamo.ErrNotFound.
func (s *Catalogues) Get(ctx context.Context, id model.Name) (c model.Catalog, err error) {
	return c, s.DB.Get(ctx, tables.Messages, keys.Catalog(id), &c)
}

// List returns up to limit catalogues of an account from after a place ("" for the first page), and the place of the
// next page; "" for none. It may take a moment until a new one shows.
func (s *Catalogues) List(ctx context.Context, waba model.WABAID, limit int, after string) (all []model.Catalog,
	next string, err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWABAItemType, Where: "wabaMetaId = :waba AND itemType = :type",
		Values: dynamo.Item{":waba": dynamo.S(waba), ":type": dynamo.S(model.ItemCatalog)},
	}, limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.Catalog](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list catalogues: %w", err)
	}
	return all, next, nil
}

// OfAccount returns when the catalogues of an account were asked for, and the answer; nil for never.
func (s *Catalogues) OfAccount(ctx context.Context, waba model.WABAID) (*model.CatalogAsked, error) {
	var a model.Account
	err := s.DB.Get(ctx, tables.Messages, keys.Account(waba), &a)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = nil
	}
	return a.Catalogs, err
}

// Products returns up to limit products of a catalogue in the order of their retailer ids, from after a place ("" for
// the first page), and the place of the next page; "" for none. It may take a moment until a new one shows. A page may
// be short even if another one follows.
func (s *Catalogues) Products(ctx context.Context, id model.Name, limit int, after string) (all []model.CatalogItem,
	next string, err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexCatalog, Where: "catalogId = :id",
		Values: dynamo.Item{":id": dynamo.S(id)},
	}, limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.CatalogItem](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list products of a catalogue: %w", err)
	}
	return all, next, nil
}

// Product returns a product of a catalogue, or dynamo.ErrNotFound.
func (s *Catalogues) Product(ctx context.Context, id, retailer model.Name) (p model.CatalogItem, err error) {
	return p, s.DB.Get(ctx, tables.Messages, keys.CatalogItem(id, retailer), &p)
}

// underWay reports whether Meta is being asked.
func (s *Catalogues) underWay(a *model.CatalogAsked) bool {
	return a != nil && asking.Waits(a.At, a.AnsweredAt, s.Now())
}

// change changes a catalogue that is there. The condition is that it is as it was read.
func (s *Catalogues) change(ctx context.Context, id model.Name,
	decide func(c *model.Catalog) ([]dynamo.Write, bool, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.Catalog(id),
		func(c *model.Catalog) ([]dynamo.Write, bool, error) {
			if c.Version == 0 {
				return nil, false, dynamo.ErrNotFound
			}
			return decide(c)
		})
}
