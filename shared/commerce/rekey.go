package commerce

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// rekey moves the session and the orders of a person who was known under two keys. A basket that was begun goes on, and
// the newest order is found. Figures keep counting by the id that an order was made with.
func (d *Domain) rekey(ctx context.Context, of contacts.Rekeyed) error {
	store, tenant, err := d.Numbers.StoreOf(ctx, of.Phone)
	if err != nil || store == "" || tenant != of.Tenant {
		return err
	}
	if _, err := d.Assistant.Rekey(ctx, store, of.From, of.To); err != nil {
		return err
	}
	q := dynamo.Query{
		Table: tables.Orders, Index: "GSI1", Where: "gsi1pk = :customer", Filter: "store_id = :store",
		Values: dynamo.Item{
			":customer": dynamo.S(keys.OrdersOfCustomer(orders.CustomerPhone(of.From))), ":store": dynamo.S(store)},
	}
	for {
		page, err := d.DB.Query(ctx, q)
		if err != nil {
			return fmt.Errorf("rekey orders: %w", err)
		}
		for _, row := range page.Items {
			if err := d.rekeyOrder(ctx, store, model.Name(dynamo.Text(row, "id")), of); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil
		}
	}
}

// rekeyOrder gives an order the other key of its customer. The condition is that it has the first one still: the index
// is behind. The new version keeps those who have read the order before from putting the first key back.
func (d *Domain) rekeyOrder(ctx context.Context, store, id model.Name, of contacts.Rekeyed) error {
	phone := orders.CustomerPhone(of.To)
	err := d.DB.Update(ctx, dynamo.Update{
		Table: tables.Orders, Key: keys.Order(store, id), If: "customer_phone = :from",
		Do: dynamo.Do{
			Set: []string{"customer_phone = :to", "customer = :customer", "gsi1pk = :partition"},
			Add: []string{"#version :one"}}.String(),
		Values: dynamo.Item{
			":from": dynamo.S(orders.CustomerPhone(of.From)), ":to": dynamo.S(phone), ":customer": dynamo.S(of.To),
			":partition": dynamo.S(keys.OrdersOfCustomer(phone)), ":one": dynamo.N(1),
		},
	})
	if err := dynamo.IgnoreConditionFailed(err); err != nil {
		return fmt.Errorf("rekey order: %w", err)
	}
	return nil
}
