package commerceapi

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

type listOrdersInput struct {
	StoreInput
	httpapi.Page
	Status   string    `query:"status" enum:"pending,confirmed,preparing,ready,out_for_delivery,delivered,cancelled,refunded" doc:"Those in a state."`
	Customer string    `query:"customer" maxLength:"131" doc:"Those of a customer, by number or user id; not together with status."`
	From     time.Time `query:"from" format:"date-time" doc:"Those made at this time or later."`
	To       time.Time `query:"to" format:"date-time" doc:"Those made before this time."`
}

type orderListOutput struct{ Body httpapi.List[orderShown] }

func (o *service) listOrders(ctx context.Context, in *listOrdersInput) (*orderListOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	f := orders.Filter{Store: store.ID, Status: commercemodel.OrderStatus(in.Status), From: at(in.From), To: at(in.To)}
	if f.From != "" && f.To != "" && f.From >= f.To {
		return nil, httpapi.Invalid("query.to", "it is not after from")
	}
	if in.Customer != "" {
		if in.Status != "" {
			return nil, httpapi.Invalid("query.status", "a list is by state or by customer")
		}
		customer, err := o.customer(ctx, store, in.Customer, "query.customer")
		if err != nil {
			return nil, err
		}
		f.Phone = orders.CustomerPhone(customer)
	}
	l, err := operations.PageOf(in.Page, "orders", string(store.ID), in.Status, string(f.Phone), string(f.From),
		string(f.To))
	if err != nil {
		return nil, err
	}
	rows, err := o.shop.Orders.List(ctx, f, in.Probe(), l.After)
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows,
		func(order commercemodel.Order) httpapi.Position { return l.Position(orders.Place(order)) })
	customer, err := o.shop.Shown(ctx, rows...)
	if err != nil {
		return nil, err
	}
	show := func(order commercemodel.Order) orderShown { return showOrder(order, customer(order)) }
	return &orderListOutput{operations.ListOf(rows, show, next)}, nil
}

// at returns an instant in its stored form; "" for none.
func at(t time.Time) model.Time {
	if t.IsZero() {
		return ""
	}
	return model.At(t)
}

// expires returns when an item is deleted; "" for never.
func expires(ttl int64) string {
	if ttl == 0 {
		return ""
	}
	return string(model.At(time.Unix(ttl, 0)))
}
