package webhooklog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Consumer is one of the functions that work the log off, each its own kinds of entries.
type Consumer string

const (
	Inbound Consumer = "inbound" // messages
	Status  Consumer = "status"  // everything else
)

// ConsumerOf returns the consumer that deals with entries of a kind.
func ConsumerOf(kind string) Consumer {
	if kind == whatsapp.KindMessage {
		return Inbound
	}
	return Status
}

const (
	// maxFailures is how often an entry may fail for a reason of its own before it is set aside.
	maxFailures = 3
	// maxOutage is how long an entry may fail for a reason that others have, too, while others go well.
	maxOutage = 3 * time.Minute
	// The wait before a set-aside entry is tried again is as long as it has been failing, within these bounds: it doubles.
	firstRetryWait, longestRetryWait = time.Minute, time.Hour
	// retryLease is how long a try keeps others away at least: longer than an invocation lasts.
	retryLease = 2 * time.Minute
	// maxRetryTime is how long a set-aside entry is tried before it is parked.
	maxRetryTime = 24 * time.Hour
)

// unfinished is the condition of a write that counts a failure: nobody has brought the entry to an end meanwhile. It is enough
// because bringing it to an end removes what is counted.
const unfinished = "attribute_exists(pk) AND attribute_not_exists(processedAt) AND attribute_not_exists(processingError)"

// SetAside is what a consumer's worker does about a failure that may pass: it counts it on the entry, so that a healthy one
// pays nothing, and takes an entry that fails on its own out of the stream's way. It reports whether the stream is done
// with the entry. One that is stuck goes at once; one that others may share the reason with, only while others go well.
func (s *Log) SetAside(consumer Consumer) func(ctx context.Context, image dynamo.Item, failure error, othersSucceed bool) (bool, error) {
	return func(ctx context.Context, image dynamo.Item, failure error, othersSucceed bool) (bool, error) {
		outage := dynamo.Unavailable(failure)
		if outage && !othersSucceed {
			return false, nil
		}
		id := model.EventID(dynamo.Text(image, "eventId"))
		stuck := errors.Is(failure, dynamo.ErrStuck)
		before, ended, err := s.countFailure(ctx, consumer, id, failure, stuck)
		if err != nil || ended || stuck {
			return err == nil, err
		}
		enough := dynamo.Int(before, "failures")+1 >= maxFailures
		if outage {
			first := model.Time(dynamo.Text(before, "firstFailedAt"))
			enough = first != "" && s.Now().Sub(first.Go()) >= maxOutage
		}
		if !enough {
			return false, nil
		}
		return true, s.markSetAside(ctx, consumer, id)
	}
}

// countFailure counts a failure and returns the entry as it was before. It reports whether the entry needs no counting,
// because it is gone, dealt with, or set aside already.
func (s *Log) countFailure(ctx context.Context, consumer Consumer, id model.EventID, failure error, aside bool) (was dynamo.Item, ended bool, err error) {
	now := s.Now()
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookEvent(id), If: unfinished + " AND attribute_not_exists(attentionPk)",
		Do: "SET lastError = :error, firstFailedAt = if_not_exists(firstFailedAt, :now)",
		Values: dynamo.Item{
			":error": dynamo.S(model.Truncate(failure.Error(), 1024)), ":now": dynamo.S(model.At(now)), ":one": dynamo.N(1),
		},
	}
	if aside {
		u.Do += ", attentionPk = :pk, attentionAt = :at"
		u.Values[":pk"], u.Values[":at"] = dynamo.S(keys.AttentionAside(string(consumer))), dynamo.S(model.At(now.Add(firstRetryWait)))
	}
	u.Do += " ADD failures :one"
	was, err = s.DB.Update(ctx, u)
	if dynamo.IsConditionFailed(err) {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("count a failure of %s: %w", id, err)
	}
	return was, false, nil
}

// markSetAside has the sweep try an entry from now on. Its condition is that nobody has dealt with it or set it aside meanwhile.
func (s *Log) markSetAside(ctx context.Context, consumer Consumer, id model.EventID) error {
	_, err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookEvent(id), If: unfinished + " AND attribute_not_exists(attentionPk)",
		Do: "SET attentionPk = :pk, attentionAt = :at",
		Values: dynamo.Item{
			":pk": dynamo.S(keys.AttentionAside(string(consumer))), ":at": dynamo.S(model.At(s.Now().Add(firstRetryWait))),
		},
	})
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("set %s aside: %w", id, err)
	}
	return nil
}
