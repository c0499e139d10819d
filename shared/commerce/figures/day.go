package figures

import (
	"maps"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/model"
)

// Part is what one order adds to the figures of a day.
type Part struct {
	Order    model.Name
	Customer model.Name
	commercemodel.Contribution
}

// PartOf returns what an order adds to the figures of its day.
func PartOf(o commercemodel.Order) Part {
	c := commercemodel.Contribution{Version: o.Version, Total: 1, Channel: o.Channel}
	if orders.StateOf(o.Status).Sold {
		c.Confirmed, c.Revenue = 1, o.TotalAmount
	}
	if o.Status == commercemodel.OrderCancelled {
		c.Cancelled = 1
	}
	return Part{Order: o.ID, Customer: o.CustomerID, Contribution: c}
}

// Removed returns the part of an order that a person has deleted when it had a version.
func Removed(order, customer model.Name, version int64) Part {
	return Part{Order: order, Customer: customer, Contribution: commercemodel.Contribution{Version: version + 1}}
}

// keep is how long figures are kept after their day.
const keep = 90 * 24 * time.Hour

// expiry returns when the figures of a day are deleted; the zero time for a text that is no day.
func expiry(date string) time.Time {
	day, err := time.Parse(stores.DateLayout, date)
	if err != nil {
		return time.Time{}
	}
	return day.AddDate(0, 0, 1).Add(keep)
}

// apply moves a day and what one customer has added to it by the difference between a part and what was applied of its
// order. It reports whether the part was news: an earlier version of the order is none, nor is one that adds the same,
// nor the end of one that never counted.
func apply(day *commercemodel.Metric, customer *commercemodel.CustomerDay, p Part) bool {
	was, known := customer.Orders[p.Order]
	next := p.Contribution
	if known && next.Version < was.Version || same(was, next) {
		return false
	}
	counted := counts(*customer)
	customer.Orders = maps.Clone(customer.Orders)
	if customer.Orders == nil {
		customer.Orders = map[model.Name]commercemodel.Contribution{}
	}
	customer.Orders[p.Order] = next
	f := &day.Values
	f.TotalOrders += next.Total - was.Total
	f.ConfirmedOrders += next.Confirmed - was.Confirmed
	f.CancelledOrders += next.Cancelled - was.Cancelled
	f.TotalRevenue = model.Amount{Decimal: f.TotalRevenue.Add(next.Revenue.Decimal).Sub(was.Revenue.Decimal)}
	f.UniqueCustomers += counts(*customer) - counted
	day.ChannelBreakdown = moved(day.ChannelBreakdown, was.Channel, -was.Total)
	day.ChannelBreakdown = moved(day.ChannelBreakdown, next.Channel, next.Total)
	setAverage(f)
	return true
}

// same reports whether two contributions add the same, whatever their versions.
func same(a, b commercemodel.Contribution) bool {
	return a.Total == b.Total && a.Confirmed == b.Confirmed && a.Cancelled == b.Cancelled && a.Channel == b.Channel &&
		a.Revenue.Equal(b.Revenue.Decimal)
}

// counts returns 1 for a customer who has an order that counts, else 0.
func counts(c commercemodel.CustomerDay) int64 {
	for _, part := range c.Orders {
		if part.Total > 0 {
			return 1
		}
	}
	return 0
}

// moved returns a breakdown in which a channel has n orders more. A channel without orders is not in it.
func moved(channels map[commercemodel.Channel]int64, channel commercemodel.Channel,
	n int64) map[commercemodel.Channel]int64 {
	all := maps.Clone(channels)
	if all == nil {
		all = map[commercemodel.Channel]int64{}
	}
	if all[channel] += n; all[channel] == 0 {
		delete(all, channel)
	}
	return all
}

// setAverage sets the revenue by all orders, to two decimals.
func setAverage(f *commercemodel.Figures) {
	f.AverageOrderValue = model.Amount{}
	if f.TotalOrders > 0 {
		f.AverageOrderValue = model.Amount{Decimal: f.TotalRevenue.DivRound(decimal.NewFromInt(f.TotalOrders), 2)}
	}
}
