package figures

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Days returns a store's figures from a day to a day, both included, the earliest first. A day without orders is not in
// it.
func (f *Figures) Days(ctx context.Context, store model.Name, from, to string) ([]commercemodel.Metric, error) {
	return f.all(ctx, dynamo.Query{
		Table: tables.Metrics, Where: "pk = :pk AND sk BETWEEN :from AND :to", Values: dynamo.Item{
			":pk":   dynamo.S(keys.StoreScope(store)),
			":from": dynamo.S(keys.MetricPrefix(commercemodel.DailyOrders) + from),
			":to":   dynamo.S(keys.MetricPrefix(commercemodel.DailyOrders) + to),
		},
	})
}

// On returns up to limit stores' figures of a day, in the order of their ids, from after a store ("" for the first).
// The index may be behind by a moment.
func (f *Figures) On(ctx context.Context, date string, limit int, after model.Name) ([]commercemodel.Metric, error) {
	q := onDate(date)
	q.Limit = int32(limit)
	if after != "" {
		key := keys.Metric(after, commercemodel.DailyOrders, date)
		q.After = dynamo.Item{
			"pk": dynamo.S(key.Partition), "sk": dynamo.S(key.Sort), "gsi1pk": q.Values[":pk"],
			"gsi1sk": dynamo.S(keys.StoreScope(after))}
	}
	page, err := f.DB.Query(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("figures of a day: %w", err)
	}
	return decodeAll(nil, page.Items)
}

// System returns the figures of all stores of a day, or dynamo.ErrNotFound.
func (f *Figures) System(ctx context.Context, date string) (day commercemodel.Metric, err error) {
	return day, f.DB.Get(ctx, tables.Metrics, keys.SystemMetric(commercemodel.DailyOrders, date), &day)
}

func onDate(date string) dynamo.Query {
	return dynamo.Query{
		Table: tables.Metrics, Index: "GSI1", Where: "gsi1pk = :pk",
		Values: dynamo.Item{":pk": dynamo.S(keys.MetricsOn(date))}}
}

// all reads all pages of a query.
func (f *Figures) all(ctx context.Context, q dynamo.Query) (all []commercemodel.Metric, err error) {
	rows, err := f.DB.Rows(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("figures: %w", err)
	}
	return decodeAll(all, rows)
}

func decodeAll(all []commercemodel.Metric, items []dynamo.Item) ([]commercemodel.Metric, error) {
	for _, item := range items {
		var day commercemodel.Metric
		if err := dynamo.Unmarshal(item, &day); err != nil {
			return nil, err
		}
		all = append(all, day)
	}
	return all, nil
}
