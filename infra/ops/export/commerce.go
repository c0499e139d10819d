package export

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"time"
)

// The kinds of lines of commerce.
const (
	storeLine   = "store"
	productLine = "product"
	codeLine    = "discount code"
	orderLine   = "order"
	figuresLine = "figures"
)

// figuresDays is how far back figures go; today's day may be tomorrow's where the store is.
const figuresDays = 90

// exportCommerce exports the stores, each followed by what it sells, its discount codes, its orders, and its figures by
// day. A deployment without stores has nothing to export.
func exportCommerce(ctx context.Context, e *exporter, tenants []string) error {
	return e.stores(ctx, tenants, e.store)
}

// stores calls a function for each store of the tenants. A deployment without stores has none.
func (e *exporter) stores(ctx context.Context, tenants []string,
	each func(ctx context.Context, id string, row json.RawMessage) error) error {
	for _, tenant := range tenants {
		err := e.pages(ctx, "/v1/stores", url.Values{"tenantId": {tenant}}, func(rows []json.RawMessage) error {
			for _, row := range rows {
				id := textOf(row, "id")
				if id == "" {
					return errors.New("a store has no id")
				}
				if err := each(ctx, id, row); err != nil {
					return err
				}
			}
			return nil
		})
		switch {
		case errors.Is(err, errGone):
			return nil
		case err != nil:
			return cannot("export the stores of "+tenant, err)
		}
	}
	return nil
}

// store exports one store.
func (e *exporter) store(ctx context.Context, id string, row json.RawMessage) error {
	if err := e.write(storeLine, row); err != nil {
		return err
	}
	path, now := "/v1/stores/"+url.PathEscape(id), time.Now().UTC()
	days := url.Values{
		"from": {now.AddDate(0, 0, -figuresDays).Format(time.DateOnly)},
		"to":   {now.AddDate(0, 0, 1).Format(time.DateOnly)}}
	for _, list := range []struct {
		path, kind string
		query      url.Values
	}{
		{"/products", productLine, nil}, {"/codes", codeLine, nil}, {"/orders", orderLine, nil},
		{"/metrics", figuresLine, days},
	} {
		err := e.pages(ctx, path+list.path, list.query,
			func(rows []json.RawMessage) error { return e.all(list.kind, rows) })
		if errors.Is(err, errGone) {
			return errors.New("the store was there a moment ago") // no reason to leave out its rows
		}
		if err != nil {
			return err
		}
	}
	return nil
}
