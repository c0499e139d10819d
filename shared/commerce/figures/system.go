package figures

import (
	"context"
	"errors"
	"fmt"
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

// rollUp sums one day, page by page. It writes nothing where no store has figures, or nothing has changed. Its
// condition is the version that was read: another run is as good as this one.
func (f *Figures) rollUp(ctx context.Context, date string) error {
	all := sums{channels: map[commercemodel.Channel]int64{}}
	for q := onDate(date); ; {
		page, next, err := dynamo.PageOf[commercemodel.Metric](ctx, f.DB, q)
		if err != nil {
			return fmt.Errorf("figures of a day: %w", err)
		}
		for _, day := range page {
			all.add(day)
		}
		if q.After = next; next == nil {
			break
		}
	}
	if all.stores == 0 {
		return nil
	}
	setAverage(&all.Figures)
	return dynamo.Change(ctx, f.DB, tables.Metrics, keys.SystemMetric(commercemodel.DailyOrders, date),
		func(day *commercemodel.Metric) ([]dynamo.Write, bool, error) {
			if day.Version > 0 && sameFigures(day.Values, all.Figures) &&
				maps.Equal(day.ChannelBreakdown, all.channels) {
				return nil, false, nil
			}
			key := keys.SystemMetric(commercemodel.DailyOrders, date)
			day.Values, day.ChannelBreakdown = all.Figures, all.channels
			f.complete(day, key, date, expiry(date).Unix())
			return nil, true, nil
		})
}

// sums are the figures of all stores together. A customer of two stores counts twice.
type sums struct {
	commercemodel.Figures
	channels map[commercemodel.Channel]int64
	stores   int
}

// add adds the day of one store.
func (s *sums) add(day commercemodel.Metric) {
	v := day.Values
	s.stores++
	s.TotalOrders += v.TotalOrders
	s.ConfirmedOrders += v.ConfirmedOrders
	s.CancelledOrders += v.CancelledOrders
	s.UniqueCustomers += v.UniqueCustomers
	s.TotalRevenue = model.Amount{Decimal: s.TotalRevenue.Add(v.TotalRevenue.Decimal)}
	for channel, n := range day.ChannelBreakdown {
		s.channels[channel] += n
	}
}

func sameFigures(a, b commercemodel.Figures) bool {
	return a.TotalOrders == b.TotalOrders && a.ConfirmedOrders == b.ConfirmedOrders &&
		a.CancelledOrders == b.CancelledOrders &&
		a.UniqueCustomers == b.UniqueCustomers && a.TotalRevenue.Equal(b.TotalRevenue.Decimal)
}
