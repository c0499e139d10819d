package commerce

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
)

// ordersBeside is how many orders of a person are shown, in all stores of the tenant.
const ordersBeside = 5

// What fills texts, of a person's latest order.
const (
	valueNumber = "order_number"
	valueStatus = "order_status"
	valueTotal  = "order_total"
)

// section shows the shop's people the latest orders of a person.
func (d *Domain) section() beside.Section {
	return beside.Section{
		Name: "orders", Scope: "stores.read", Values: []string{valueNumber, valueStatus, valueTotal}, Of: d.ordersOf}
}

func (d *Domain) ordersOf(ctx context.Context, p lookup.Person) (all beside.Shown, err error) {
	var newest commercemodel.Order
	var settings commercemodel.Settings
	err = p.InStores(ctx, func(store model.Name, key model.CustomerID) error {
		of := orders.Filter{Store: store, Phone: orders.CustomerPhone(key)}
		found, err := d.Orders.List(ctx, of, ordersBeside, "")
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(o commercemodel.Order) bool {
			return o.TenantID != p.Tenant || o.Customer != key || o.ErasedAt != ""
		})
		if len(found) == 0 {
			return nil
		}
		shop, err := d.Stores.Get(ctx, store)
		if err != nil {
			return err
		}
		for _, o := range found {
			all.Entries = append(all.Entries, entryOf(o, shop))
			if o.CreatedAt > newest.CreatedAt {
				newest, settings = o, shop.Settings
			}
		}
		return nil
	})
	if err != nil || newest.ID == "" {
		return beside.Shown{}, err
	}
	all.Entries = beside.Newest(all.Entries, ordersBeside)
	settings.Texts = nil // a shop's own words may ask for what only its assistant understands
	all.Values = map[string]string{
		valueNumber: string(newest.OrderNumber), valueTotal: wording.Money(settings, newest.TotalAmount),
		valueStatus: wording.Text(settings, "state."+string(newest.Status), p.Language, nil),
	}
	return all, nil
}

func entryOf(o commercemodel.Order, shop commercemodel.Store) beside.Entry {
	total := o.TotalAmount
	entry := beside.Entry{
		Path: beside.Path("stores", string(o.StoreID), "orders", string(o.ID)), ID: string(o.ID), In: string(o.StoreID),
		Title: string(o.OrderNumber), Status: string(o.Status), Amount: &total, Currency: shop.Settings.Currency,
		At: o.CreatedAt, Version: o.Version,
	}
	for i, l := range o.Items {
		if i > 0 {
			entry.Detail += ", "
		}
		entry.Detail += l.Quantity.String() + " " + l.Unit + " " + l.Name
	}
	entry.Detail = model.Truncate(model.ShownLine(entry.Detail), 200)
	for _, next := range orders.StateOf(o.Status).Next {
		entry.Next = append(entry.Next, string(next))
	}
	return entry
}
