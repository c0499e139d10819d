package following

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// A change that was set aside waits as long as it has been failing before its next try, within these bounds. The
	// wait thus doubles.
	firstWait, longestWait = time.Minute, time.Hour
	// maxTime is how long a change is tried again before it is parked, and minTries how often at least: a sweep that
	// has not run for a day parks nothing for one failure.
	maxTime  = 24 * time.Hour
	minTries = 12
	// kept is how long a parked change can be looked at.
	kept = 30 * 24 * time.Hour
)

// setAside hands a change that has failed to the sweep, so that it does not hold up others. While nothing succeeds, the
// stream tries again itself: then the fault is not the change's.
func (c *Consumer) setAside(ctx context.Context, image dynamo.Item, failure error, othersSucceed bool) (bool, error) {
	if dynamo.Unavailable(failure) && !othersSucceed {
		return false, nil
	}
	return true, c.note(ctx, image, failure.Error(), keys.FollowUpsAside, c.Now().Add(firstWait))
}

// Redrive hands a record that Lambda has given up on to the sweep. It reports whether there is anything to do about the
// record. It may run again.
func (c *Consumer) Redrive(ctx context.Context, record events.DynamoDBEventRecord) (bool, error) {
	image := imageOf(record)
	if image == nil {
		return false, nil
	}
	return true, c.note(ctx, image, "brought back from the failure bucket", keys.FollowUpsAside, c.Now())
}

// park keeps a change that cannot succeed. The next change of its order does the work as well, but for what would have
// been told.
func (c *Consumer) park(ctx context.Context, image dynamo.Item, reason string) error {
	return c.note(ctx, image, reason, keys.FollowUpsParked, c.Now())
}

// note stores a change with its failure. It needs no condition: the last writer knows best.
func (c *Consumer) note(ctx context.Context, image dynamo.Item, reason, state string, at time.Time) error {
	var change commercemodel.OrderChange
	if err := dynamo.Unmarshal(image, &change); err != nil {
		return err
	}
	change.Again = true
	value, err := dynamo.Value(change)
	if err != nil {
		return err
	}
	err = c.DB.Update(ctx, dynamo.Update{
		Table: tables.Metrics, Key: keyOf(change), If: dynamo.Unconditional,
		Do: "SET #change = :change, last_error = :error, first_failed_at = if_not_exists(first_failed_at, :now), " +
			"gsi1pk = :state, gsi1sk = :at, #ttl = :ttl ADD failures :one",
		Values: dynamo.Item{
			":change": value, ":error": dynamo.S(model.Truncate(reason, 1024)), ":now": dynamo.S(model.At(c.Now())),
			":state": dynamo.S(state), ":at": dynamo.S(model.At(at)), ":ttl": dynamo.N(c.Now().Add(kept).Unix()),
			":one": dynamo.N(1),
		},
	})
	if err != nil {
		return fmt.Errorf("set aside: %w", err)
	}
	return nil
}

func keyOf(change commercemodel.OrderChange) keys.Key {
	return keys.FollowUp(change.StoreID, change.OrderID, change.Version)
}
