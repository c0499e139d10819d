package commerce

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/model"
)

// audienceBought is the kind of audience of those who have bought something.
const audienceBought = "bought"

// bought adds the customers of a number's store whose orders since a time hold a product, or anything. Orders that came
// to nothing, and those of people who were erased, count for nobody.
func (d *Domain) bought(ctx context.Context, number model.Phone, ask campaigns.Ask,
	add func(model.CustomerID, string) error) error {
	if number.StoreID == "" {
		return campaigns.ErrAudience
	}
	filter, after := orders.Filter{Store: number.StoreID, From: ask.Since}, ""
	for {
		page, err := d.Orders.List(ctx, filter, pageOfOrders, after)
		if err != nil {
			return err
		}
		for _, order := range page {
			void := order.Status == commercemodel.OrderCancelled || order.Status == commercemodel.OrderRefunded
			if void || order.ErasedAt != "" || order.PhoneNumberID != number.PhoneNumberID ||
				!holds(order, ask.Product) {
				continue
			}
			if err := add(order.Customer, order.CustomerName); err != nil {
				return err
			}
		}
		if len(page) < pageOfOrders {
			return nil
		}
		after = orders.Place(page[len(page)-1])
	}
}

const pageOfOrders = 500

// holds reports whether an order holds a product; "" for any.
func holds(order commercemodel.Order, product model.Name) bool {
	return product == "" || slices.ContainsFunc(order.Items, func(l commercemodel.Line) bool {
		return l.ProductID == product
	})
}
