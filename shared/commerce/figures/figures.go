// Package figures owns the figures of a store's day: how many orders, from how many customers, and what they came to.
// An order moves them by the difference between what it adds now and what was applied of it before, so that it may be
// delivered in any order and any number of times.
package figures

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Figures reads and writes the figures.
type Figures struct {
	DB  *dynamo.Client
	Now func() time.Time
}

// maxCustomers bounds the customers of one transaction: DynamoDB takes a hundred writes, and the day is one.
const maxCustomers = 99

// Set makes a store's day hold parts of it, in whatever order and however often they come. Day and customers change in
// one transaction for every 99 customers. Its condition is that they are as they were read. A day whose figures have
// expired stays as it is.
func (f *Figures) Set(ctx context.Context, store model.Name, date string, parts []Part) error {
	expires := expiry(date)
	if expires.IsZero() {
		return fmt.Errorf("%w: not a day", dynamo.ErrPermanent)
	}
	if !expires.After(f.Now()) {
		return nil
	}
	byCustomer := map[model.Name][]Part{}
	var customers []model.Name
	for _, p := range parts {
		if byCustomer[p.Customer] == nil {
			customers = append(customers, p.Customer)
		}
		byCustomer[p.Customer] = append(byCustomer[p.Customer], p)
	}
	for some := range slices.Chunk(customers, maxCustomers) {
		err := dynamo.Retry(ctx, dynamo.MaxAttempts,
			func() error { return f.set(ctx, store, date, expires.Unix(), some, byCustomer) })
		if err != nil {
			return fmt.Errorf("figures: %w", err)
		}
	}
	return nil
}

// set moves a day by what some customers' orders add.
func (f *Figures) set(ctx context.Context, store model.Name, date string, ttl int64, customers []model.Name,
	parts map[model.Name][]Part) error {
	dayRef := ref(keys.Metric(store, commercemodel.DailyOrders, date))
	refs := []dynamo.Ref{dayRef}
	for _, customer := range customers {
		refs = append(refs, ref(keys.CustomerDay(store, date, customer)))
	}
	found, err := f.DB.BatchGet(ctx, refs)
	if err != nil {
		return err
	}
	var day commercemodel.Metric
	if err := decode(dayRef.Found(found), &day); err != nil {
		return err
	}
	var writes []dynamo.Write
	for i, customer := range customers {
		var marker commercemodel.CustomerDay
		if err := decode(refs[i+1].Found(found), &marker); err != nil {
			return err
		}
		news := false
		for _, part := range parts[customer] {
			news = apply(&day, &marker, part) || news
		}
		if !news {
			continue
		}
		marker.PK, marker.SK, marker.TTL = refs[i+1].Key.Partition, refs[i+1].Key.Sort, ttl
		put, err := dynamo.PutVersion(tables.Metrics, &marker)
		if err != nil {
			return err
		}
		writes = append(writes, put)
	}
	if len(writes) == 0 {
		return nil
	}
	day.StoreID, day.GSI1PK, day.GSI1SK = store, keys.MetricsOn(date), keys.StoreScope(store)
	f.complete(&day, dayRef.Key, date, ttl)
	put, err := dynamo.PutVersion(tables.Metrics, &day)
	if err != nil {
		return err
	}
	return dynamo.Conflict(f.DB.Transact(ctx, append(writes, put)))
}

// complete sets what a day has beside its numbers.
func (f *Figures) complete(day *commercemodel.Metric, key keys.Key, date string, ttl int64) {
	day.PK, day.SK, day.MetricType, day.Date, day.TTL = key.Partition, key.Sort, commercemodel.DailyOrders, date, ttl
	day.UpdatedAt = model.At(f.Now())
	day.CreatedAt = cmp.Or(day.CreatedAt, day.UpdatedAt)
}

func ref(key keys.Key) dynamo.Ref { return dynamo.Ref{Table: tables.Metrics, Key: key} }

// decode decodes an item that may be absent.
func decode(item dynamo.Item, into any) error {
	if item == nil {
		return nil
	}
	return dynamo.Unmarshal(item, into)
}
