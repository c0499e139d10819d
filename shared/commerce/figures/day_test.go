package figures

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
)

func TestAPartMovesTheDayByTheDifferenceAndOnlyIfItIsNews(t *testing.T) {
	order := func(version int64, status commercemodel.OrderStatus, total int64) Part {
		return PartOf(commercemodel.Order{
			ID: "order", CustomerID: "asha", Version: version, Status: status,
			TotalAmount: model.Amount{Decimal: decimal.NewFromInt(total)}, Channel: commercemodel.Web,
		})
	}
	for name, c := range map[string]struct {
		before, part Part
		news         bool
		want         [4]int64 // orders, confirmed, revenue, customers
	}{
		"a first order": {
			part: order(1, "confirmed", 50), news: true, want: [4]int64{1, 1, 50, 1}},
		"the same again": {
			before: order(1, "confirmed", 50), part: order(1, "confirmed", 50), want: [4]int64{1, 1, 50, 1}},
		"a step that counts the same": {
			before: order(1, "confirmed", 50), part: order(2, "delivered", 50), want: [4]int64{1, 1, 50, 1}},
		"an edit": {
			before: order(1, "confirmed", 50), part: order(2, "confirmed", 70), news: true,
			want: [4]int64{1, 1, 70, 1}},
		"cancelled": {
			before: order(1, "confirmed", 50), part: order(2, "cancelled", 50), news: true, want: [4]int64{1, 0, 0, 1}},
		"an earlier version that is late": {
			before: order(3, "cancelled", 50), part: order(2, "confirmed", 50), want: [4]int64{1, 0, 0, 1}},
		"deleted": {
			before: order(3, "confirmed", 50), part: Removed("order", "asha", 3), news: true},
		"an earlier version of a deleted one": {
			before: order(3, "confirmed", 50), part: order(2, "confirmed", 70), want: [4]int64{1, 1, 50, 1}},
		"deleted before it ever counted": {part: Removed("order", "asha", 3)},
	} {
		t.Run(name, func(t *testing.T) {
			var day commercemodel.Metric
			var customer commercemodel.CustomerDay
			if c.before.Version > 0 {
				apply(&day, &customer, c.before)
			}
			news := apply(&day, &customer, c.part)
			v := day.Values
			got := [4]int64{v.TotalOrders, v.ConfirmedOrders, v.TotalRevenue.IntPart(), v.UniqueCustomers}
			if news != c.news || got != c.want || day.ChannelBreakdown[commercemodel.Web] != v.TotalOrders {
				t.Errorf("news %v, figures %v, channels %v", news, got, day.ChannelBreakdown)
			}
		})
	}
}
