package assistant

import (
	"cmp"
	"context"
	"slices"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/ratelimit"
)

// AutomaticOrders is how many orders a day of a customer whom the shop does not know are confirmed at once, where the
// store does not say.
const AutomaticOrders = 5

// knownBy is how many of a customer's latest orders tell whether the shop knows them.
const knownBy = 20

// waits reports whether an order of a store that confirms at once waits for the shop all the same: the customer has had
// several today, and no person of the shop has ever gone on with one of theirs. counted has the writes that count an
// order which does not wait, for its transaction.
func (t *turn) waits(ctx context.Context) (wait bool, counted []dynamo.Write, err error) {
	if t.store.Settings.Confirmation != commercemodel.ConfirmAutomatic {
		return false, nil, nil
	}
	limit := ratelimit.Limit{
		Kind: "automatic_orders", PerDay: int64(cmp.Or(t.store.Settings.AutomaticOrders, AutomaticOrders))}
	who := t.store.ID + " " + t.s.CustomerPhone
	found, err := t.assistant.DB.BatchGet(ctx, ratelimit.Refs(limit, who))
	if err != nil {
		return false, nil, err
	}
	decision, counted, err := t.assistant.Limiter.Prepare(limit, who, found)
	if err != nil || decision.Allowed {
		return false, counted, err
	}
	latest, err := t.assistant.Orders.List(ctx, orders.Filter{Store: t.store.ID, Phone: t.s.CustomerPhone}, knownBy, "")
	return !slices.ContainsFunc(latest, goneOnWith), nil, err
}

// goneOnWith reports whether a person of the shop has confirmed an order, or done what comes after that.
func goneOnWith(o commercemodel.Order) bool {
	return slices.ContainsFunc(o.History, func(c commercemodel.Change) bool {
		switch c.Status {
		case commercemodel.OrderConfirmed, commercemodel.OrderPreparing, commercemodel.OrderReady,
			commercemodel.OrderOutForDelivery, commercemodel.OrderDelivered:
			return c.By != orders.ByAutomatic && c.By != byCustomer
		}
		return false
	})
}
