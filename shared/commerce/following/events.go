package following

import (
	"cmp"
	"context"
	"strconv"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
)

// The kinds of events that are published of orders.
const (
	EventCreated = "order.created"
	EventChanged = "order.changed"
)

// Events are the kinds of events that are published of orders.
var Events = []publishing.Kind{
	{Name: EventCreated, Means: "A customer has made an order, or your people have made one for them."},
	{Name: EventChanged, Means: "An order has another status or other contents. The status is the one that the " +
		"change has led to."},
}

// publish publishes a change of an order, where somebody outside is told. Repeating does nothing.
func (c *Consumer) publish(ctx context.Context, store commercemodel.Store, order commercemodel.Order,
	change commercemodel.OrderChange) error {
	if c.Publisher == nil || !store.Subscribed {
		return nil
	}
	kind := EventChanged
	if change.From == "" && change.To != "" {
		kind = EventCreated
	}
	return c.Publisher.Publish(ctx, publishing.Event{
		Tenant: store.TenantID, Kind: kind, At: cmp.Or(change.At, model.At(c.Now())),
		Of: string(order.StoreID) + "#" + string(order.ID) + "#" + strconv.FormatInt(change.Version, 10),
		Data: struct {
			StoreID model.Name                `json:"storeId"`
			OrderID model.Name                `json:"orderId"`
			Status  commercemodel.OrderStatus `json:"status"`
			Version int64                     `json:"version"`
		}{order.StoreID, order.ID, cmp.Or(change.To, order.Status), change.Version},
	})
}
