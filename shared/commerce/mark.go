package commerce

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/model"
)

// openOfState is how many open orders of a state are looked at, the newest.
const openOfState = 200

// mark marks those whose orders at the store of a number are still open, by how many.
func (d *Domain) mark() beside.Mark {
	return beside.Mark{
		Name: "open_orders", Scope: "stores.read",
		Of: func(ctx context.Context, number model.Phone, of []model.CustomerID) (map[model.CustomerID]string, error) {
			open, err := d.openOrders(ctx, number)
			counts := map[model.CustomerID]string{}
			for customer, all := range open {
				if slices.Contains(of, customer) {
					counts[customer] = strconv.Itoa(len(all))
				}
			}
			return counts, err
		},
		Page: func(ctx context.Context, number model.Phone, limit int,
			after string) ([]model.CustomerID, string, error) {
			open, err := d.openOrders(ctx, number)
			if err != nil {
				return nil, "", err
			}
			all := make([]ordered, 0, len(open))
			for customer, theirs := range open {
				all = append(all, ordered{customer, theirs[0].CreatedAt})
			}
			slices.SortFunc(all, ordered.compare)
			page, next := pageAfter(all, limit, after)
			return page, next, nil
		},
	}
}

// ordered is a customer with open orders, of which the newest was made at a time.
type ordered struct {
	customer model.CustomerID
	at       model.Time
}

// compare has who has ordered last come first.
func (o ordered) compare(other ordered) int {
	return cmp.Or(cmp.Compare(other.at, o.at), cmp.Compare(o.customer, other.customer))
}

// pageAfter returns the customers of a page after a place, and the place of the next page.
func pageAfter(all []ordered, limit int, after string) (page []model.CustomerID, next string) {
	if at, customer, ok := strings.Cut(after, " "); ok {
		place := ordered{model.CustomerID(customer), model.Time(at)}
		all = slices.DeleteFunc(all, func(o ordered) bool { return o.compare(place) <= 0 })
	}
	if len(all) > limit {
		all = all[:limit]
		next = string(all[limit-1].at) + " " + string(all[limit-1].customer)
	}
	for _, o := range all {
		page = append(page, o.customer)
	}
	return page, next
}

// openOrders returns the open orders that customers have made at a number, the newest of each first.
func (d *Domain) openOrders(ctx context.Context, number model.Phone) (map[model.CustomerID][]commercemodel.Order,
	error) {
	open := map[model.CustomerID][]commercemodel.Order{}
	if number.StoreID == "" {
		return open, nil
	}
	for _, state := range orders.States {
		if !state.Open() {
			continue
		}
		found, err := d.Orders.List(ctx, orders.Filter{Store: number.StoreID, Status: state.Name}, openOfState, "")
		if err != nil {
			return nil, err
		}
		for _, o := range found {
			// An order that a colleague has made knows no number.
			here := o.PhoneNumberID == "" || o.PhoneNumberID == number.PhoneNumberID
			if here && o.Customer != "" && o.ErasedAt == "" {
				open[o.Customer] = append(open[o.Customer], o)
			}
		}
	}
	for _, all := range open {
		slices.SortFunc(all, func(a, b commercemodel.Order) int { return cmp.Compare(b.CreatedAt, a.CreatedAt) })
	}
	return open, nil
}
