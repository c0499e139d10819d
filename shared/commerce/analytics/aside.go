package analytics

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/commerce/aside"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Aside counts the orders that wait for the database, at each sweep that finds one.
var Aside = telemetry.Metric{Name: "AnalyticsAside", Unit: "Count", Series: telemetry.LogOnly}

const (
	// An order that was refused waits as long as it has been refused before its next try, within these bounds. The wait
	// thus doubles.
	firstWait, longestWait = time.Minute, time.Hour
	// width is how many orders are noted at once.
	width = 16
)

// noteFailed notes the orders that the database has not taken. It returns an error for each that could not be noted.
func (c *Copier) noteFailed(ctx context.Context, rows []commercemodel.AnalyticsOrder, failures []error) []error {
	unnoted := make([]error, len(rows))
	var notes []func() error
	var failed error
	for i, failure := range failures {
		if failure == nil {
			continue
		}
		failed = failure
		notes = append(notes, func() error {
			unnoted[i] = c.note(ctx, rows[i], failure, firstWait)
			return nil
		})
	}
	if failed != nil {
		c.Log.WarnContext(ctx, "orders wait for analytics", "orders", len(notes), "error", failed)
		lanes.Concurrently(width, notes...)
	}
	return unnoted
}

// note stores an order that the database has not taken. Its condition is that no later version is noted.
func (c *Copier) note(ctx context.Context, row commercemodel.AnalyticsOrder, failure error, wait time.Duration) error {
	value, err := dynamo.Value(row)
	if err != nil {
		return err
	}
	err = c.DB.Update(ctx, dynamo.Update{
		Table: tables.Metrics, Key: keyOf(row), If: "attribute_not_exists(pk) OR #version <= :version",
		Do: "SET #order = :order, #version = :version, last_error = :error, first_failed_at = " +
			"if_not_exists(first_failed_at, :now), gsi1pk = :aside, gsi1sk = :at ADD failures :one",
		Values: dynamo.Item{
			":order": value, ":version": dynamo.N(row.Version),
			":error": dynamo.S(model.Truncate(failure.Error(), 1024)), ":now": dynamo.S(model.At(c.Now())),
			":aside": dynamo.S(keys.UncopiedOrders), ":at": dynamo.S(model.At(c.Now().Add(wait))), ":one": dynamo.N(1),
		},
	})
	switch {
	case err == nil || dynamo.IsConditionFailed(err):
		return nil
	case dynamo.Permanent(err):
		c.Log.ErrorContext(ctx, "an order is lost for analytics", "order", row.OrderID, "error", err)
		telemetry.Count(ctx, telemetry.EventsParked, 1)
		return nil
	}
	return fmt.Errorf("note for analytics: %w", err)
}

// Sweep tries again what is due of the orders that were noted, the longest due first, for as long as there is time.
// While the database takes no orders, they stay as they are.
func (c *Copier) Sweep(ctx context.Context) error {
	err := aside.Sweep(ctx, c.DB, keys.UncopiedOrders, c.Now(), putTime+reserve,
		func(ctx context.Context, notes []dynamo.Item) (bool, error) {
			telemetry.Count(ctx, Aside, float64(len(notes)))
			return c.retry(ctx, notes)
		})
	if err != nil {
		return fmt.Errorf("orders that wait for analytics: %w", err)
	}
	return nil
}

// retry gives orders to the database again. One that it takes is forgotten. It reports whether the database takes
// orders.
func (c *Copier) retry(ctx context.Context, items []dynamo.Item) (available bool, err error) {
	var all []commercemodel.UncopiedOrder
	var rows []commercemodel.AnalyticsOrder
	for _, item := range items {
		var one commercemodel.UncopiedOrder
		if err := dynamo.Unmarshal(item, &one); err != nil {
			c.Log.ErrorContext(ctx, "an order that waits for analytics cannot be read", "key", dynamo.Text(item, "sk"),
				"error", err)
			continue
		}
		all, rows = append(all, one), append(rows, one.Order)
	}
	failures := c.put(ctx, rows)
	ends := make([]func() error, len(all))
	available = true
	for i, failure := range failures {
		available = available && !errors.Is(failure, ErrUnavailable)
		ends[i] = func() error { return c.end(ctx, all[i], failure) }
	}
	if !available {
		c.Log.WarnContext(ctx, "orders wait on for analytics", "orders", len(all))
	}
	return available, errors.Join(lanes.Concurrently(width, ends...)...)
}

// end does what follows from a try.
func (c *Copier) end(ctx context.Context, one commercemodel.UncopiedOrder, failure error) error {
	switch {
	case failure == nil:
		return aside.Forget(ctx, c.DB, keyOf(one.Order), one.Failures)
	case errors.Is(failure, ErrUnavailable):
		return nil
	}
	failing := c.Now().Sub(one.FirstFailedAt.Go())
	return c.note(ctx, one.Order, failure, min(max(failing, firstWait), longestWait))
}
