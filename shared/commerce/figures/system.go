package figures

import (
	"context"
	"errors"
	"maps"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// rolledBack is how many days back the figures of all stores are summed again: most orders end within a week.
const rolledBack = 7

// RollUp sums the figures of all stores, of the days that it is anywhere now and of the week before. They would be one
// item that every order changes, if orders counted there themselves. A day that fails does not keep the others.
func (f *Figures) RollUp(ctx context.Context) error {
	now := f.Now().UTC()
	var failed error
	for days := -rolledBack; days <= 1; days++ {
		failed = errors.Join(failed, f.rollUp(ctx, now.AddDate(0, 0, days).Format(stores.DateLayout)))
	}
	return failed
}

// rollUp sums one day. It writes nothing where no store has figures, or nothing has changed. Its condition is the
// version that was read: another run is as good as this one.
func (f *Figures) rollUp(ctx context.Context, date string) error {
	all, err := f.all(ctx, onDate(date))
	if err != nil || len(all) == 0 {
		return err
	}
	return dynamo.Change(ctx, f.DB, tables.Metrics, keys.SystemMetric(commercemodel.DailyOrders, date),
		func(day *commercemodel.Metric) ([]dynamo.Write, bool, error) {
			values, channels := sum(all)
			if day.Version > 0 && sameFigures(day.Values, values) && maps.Equal(day.ChannelBreakdown, channels) {
				return nil, false, nil
			}
			key := keys.SystemMetric(commercemodel.DailyOrders, date)
			day.Values, day.ChannelBreakdown = values, channels
			f.complete(day, key, date, expiry(date).Unix())
			return nil, true, nil
		})
}

// sum returns the figures of all stores together. A customer of two stores counts twice.
func sum(all []commercemodel.Metric) (f commercemodel.Figures, channels map[commercemodel.Channel]int64) {
	channels = map[commercemodel.Channel]int64{}
	for _, day := range all {
		v := day.Values
		f.TotalOrders += v.TotalOrders
		f.ConfirmedOrders += v.ConfirmedOrders
		f.CancelledOrders += v.CancelledOrders
		f.UniqueCustomers += v.UniqueCustomers
		f.TotalRevenue = model.Amount{Decimal: f.TotalRevenue.Add(v.TotalRevenue.Decimal)}
		for channel, n := range day.ChannelBreakdown {
			channels[channel] += n
		}
	}
	setAverage(&f)
	return f, channels
}

func sameFigures(a, b commercemodel.Figures) bool {
	return a.TotalOrders == b.TotalOrders && a.ConfirmedOrders == b.ConfirmedOrders &&
		a.CancelledOrders == b.CancelledOrders &&
		a.UniqueCustomers == b.UniqueCustomers && a.TotalRevenue.Equal(b.TotalRevenue.Decimal)
}
