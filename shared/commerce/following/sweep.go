package following

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/commerce/aside"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/telemetry"
)

// RollUp is the detail type of the schedule that sums the figures of all stores. Any other schedule sweeps.
const RollUp = "figures-roll-up"

// Aside counts the changes that are tried again, at each sweep that finds one.
var Aside = telemetry.Metric{Name: "FollowUpsAside", Unit: "Count", Series: telemetry.LogOnly}

// Run handles an event: a batch of the stream, or one of the two schedules.
func (c *Consumer) Run(ctx context.Context, raw json.RawMessage) (events.DynamoDBEventResponse, error) {
	scheduled := c.Sweep
	var of struct {
		DetailType string `json:"detail-type"`
	}
	if json.Unmarshal(raw, &of) == nil && of.DetailType == RollUp {
		scheduled = c.Figures.RollUp
	}
	return stream.Scheduled(c.Handle, scheduled)(ctx, raw)
}

// Sweep tries again what is due of the changes that were set aside, and of the orders that wait for analytics, the
// longest due first, for as long as there is time.
func (c *Consumer) Sweep(ctx context.Context) error {
	err := c.sweep(ctx)
	if c.Analytics != nil {
		err = errors.Join(err, c.Analytics.Sweep(ctx))
	}
	return err
}

func (c *Consumer) sweep(ctx context.Context) error {
	err := aside.Sweep(ctx, c.DB, keys.FollowUpsAside, c.Now(), reserve,
		func(ctx context.Context, notes []dynamo.Item) (bool, error) {
			telemetry.Count(ctx, Aside, float64(len(notes)))
			return true, c.retry(ctx, notes)
		})
	if err != nil {
		return fmt.Errorf("changes that were set aside: %w", err)
	}
	return nil
}

// reserve is how much of the invocation is left for the page that is being worked on.
const reserve = 15 * time.Second

// retry works on changes again. One that succeeds is forgotten, unless it was set aside anew meanwhile.
func (c *Consumer) retry(ctx context.Context, rows []dynamo.Item) error {
	var all []commercemodel.FollowUp
	var images []dynamo.Item
	of := map[keys.Key]commercemodel.FollowUp{}
	for _, row := range rows {
		var one commercemodel.FollowUp
		err := dynamo.Unmarshal(row, &one)
		image, encoding := dynamo.Marshal(one.Change)
		if err = errors.Join(err, encoding); err != nil {
			c.Log.ErrorContext(ctx, "a change that was set aside cannot be read", "key", dynamo.Text(row, "sk"),
				"error", err)
			continue
		}
		all, images = append(all, one), append(images, image)
		of[keyOf(one.Change)] = one
	}
	var failed error
	for i, err := range c.worker.Work(ctx, images, c.again(of)) {
		if err == nil {
			err = aside.Forget(ctx, c.DB, keyOf(all[i].Change), all[i].Failures)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// again sets changes aside once more, or parks those that have failed for too long.
func (c *Consumer) again(of map[keys.Key]commercemodel.FollowUp) stream.SetAside {
	return func(ctx context.Context, image dynamo.Item, failure error, _ bool) (bool, error) {
		var change commercemodel.OrderChange
		if err := dynamo.Unmarshal(image, &change); err != nil {
			return false, err
		}
		before := of[keyOf(change)]
		failing := c.Now().Sub(before.FirstFailedAt.Go())
		if failing >= maxTime && before.Failures >= minTries {
			telemetry.Count(ctx, telemetry.EventsParked, 1)
			return true, c.park(ctx, image, failure.Error())
		}
		return true,
			c.note(ctx, image, failure.Error(), keys.FollowUpsAside,
				c.Now().Add(min(max(failing, firstWait), longestWait)))
	}
}
