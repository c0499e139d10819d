package commerce

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
)

// orderState tells a person how far their latest order is, in whichever store of the tenant.
func (d *Domain) orderState(ctx context.Context, p lookup.Person) (string, error) {
	var newest commercemodel.Order
	err := p.InStores(ctx, func(store model.Name, key model.CustomerID) error {
		order, err := d.Orders.Latest(ctx, store, orders.CustomerPhone(key))
		if err == nil {
			order, err = d.Orders.Get(ctx, store, order.ID) // the index may be behind
		}
		if errors.Is(err, dynamo.ErrNotFound) {
			return nil
		}
		if err == nil && order.TenantID == p.Tenant && order.Customer == key && order.CreatedAt > newest.CreatedAt {
			newest = order
		}
		return err
	})
	if err != nil || newest.ID == "" {
		return "", err
	}
	store, err := d.Stores.Get(ctx, newest.StoreID)
	if err != nil {
		return "", err
	}
	own := store.Settings
	own.Texts = nil // a shop's own words may ask for what only its assistant understands
	return store.Name + ": " + wording.Text(own, "order_status", p.Language, wording.Values{
		"number": string(newest.OrderNumber), "total": wording.Money(own, newest.TotalAmount),
		"status": wording.Text(own, "state."+string(newest.Status), p.Language, nil),
	}), nil
}
