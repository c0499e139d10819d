package commerce

import (
	"context"

	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// exporter exports what the eraser erases, and what it keeps of orders.
func (d *Domain) exporter() *export.Exporter {
	return &export.Exporter{Domain: Name, Lists: []export.List{
		{Kind: "order", Read: d.ofCustomer(tables.Orders, keys.OrdersOfCustomer)},
		{Kind: "session", Read: d.ofCustomer(tables.Sessions, keys.SessionsOf)},
	}}
}

// ofCustomer reads the items of a table in a customer's partitions.
func (d *Domain) ofCustomer(table tables.Table, partition func(model.Name) string) func(
	context.Context, erasure.Subject, string, int) (export.Rows, error) {
	return func(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
		var parts []export.Part
		for _, customer := range of.Accounts {
			q := ofTenant(of.Tenant, table, partition(orders.CustomerPhone(customer)))
			parts = append(parts, export.Query{DB: d.DB, Of: q}.Under(string(customer)))
		}
		return export.Parts(ctx, parts, after, limit)
	}
}
