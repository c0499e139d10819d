package webhooklog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Consumer names a function that processes entries of the log. Each kind of entry has one consumer.
type Consumer string

const (
	Inbound Consumer = "inbound" // messages, on whichever channel
	Status  Consumer = "status"  // everything else
)

// Kinds of entries that are messages on other channels than WhatsApp.
const (
	KindEmail = string(model.ChannelEmail)
	KindSMS   = string(model.ChannelSMS)
)

// MessageKinds are the kinds of entries that are messages: those of WhatsApp, emails and texts.
var MessageKinds = []string{whatsapp.KindMessage, KindEmail, KindSMS}

// ConsumerOf returns the consumer of a kind of entry.
func ConsumerOf(kind string) Consumer {
	if slices.Contains(MessageKinds, kind) {
		return Inbound
	}
	return Status
}

const (
	// maxFailures is the number of failures of its own after which an entry is set aside.
	maxFailures = 3
	// maxOutage is how long an entry may fail because of an outage, while other entries succeed, before it is set
	// aside.
	maxOutage = 3 * time.Minute
	// A set-aside entry waits as long as it has been failing before its next try, within these bounds. The wait thus
	// doubles.
	firstRetryWait, longestRetryWait = time.Minute, time.Hour
	// retryLease is the minimum time between two tries of an entry. It is longer than an invocation.
	retryLease = 2 * time.Minute
	// maxRetryTime is how long a set-aside entry is retried before it is parked, and minTries how often at least. If
	// the sweep has not run for a day, its next failure, which may pass, does not park the entry.
	maxRetryTime = 24 * time.Hour
	minTries     = 12
)

// unfinished is the condition of a write that counts a failure: the entry is neither processed nor parked. It is
// enough, because processing or parking removes the counters.
const unfinished = "attribute_exists(pk) AND attribute_not_exists(processedAt) AND " +
	"attribute_not_exists(processingError)"

// SetAside returns a worker's handler of temporary failures. The handler counts failures on the entry, so that a
// healthy entry costs nothing, and sets aside an entry that keeps failing, so that it does not block the stream. It
// reports whether the stream can drop the entry. A stuck entry is set aside at once. An entry that fails because of an
// outage is set aside only while other entries succeed.
func (s *Log) SetAside(consumer Consumer) func(ctx context.Context, image dynamo.Item, failure error,
	othersSucceed bool) (bool, error) {
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

// countFailure counts a failure and returns the entry as it was before. ended reports that the entry needs no counting,
// because it has expired, is processed, or is set aside already.
func (s *Log) countFailure(
	ctx context.Context, consumer Consumer, id model.EventID, failure error, aside bool,
) (was dynamo.Item, ended bool, err error) {
	now := s.Now()
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookEvent(id), If: unfinished + " AND attribute_not_exists(attentionPk)",
		Do: "SET lastError = :error, firstFailedAt = if_not_exists(firstFailedAt, :now)",
		Values: dynamo.Item{
			":error": dynamo.S(model.Truncate(failure.Error(), 1024)), ":now": dynamo.S(model.At(now)),
			":one": dynamo.N(1),
		},
	}
	if aside {
		u.Do += ", attentionPk = :pk, attentionAt = :at"
		u.Values[":pk"], u.Values[":at"] = dynamo.S(keys.AttentionAside(string(consumer))),
			dynamo.S(model.At(now.Add(firstRetryWait)))
	}
	u.Do += " ADD failures :one"
	was, err = s.DB.UpdateReturning(ctx, u)
	if dynamo.IsConditionFailed(err) {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("count a failure of %s: %w", id, err)
	}
	return was, false, nil
}

// markSetAside hands an entry to the sweep. The condition is that nobody has processed it or set it aside.
func (s *Log) markSetAside(ctx context.Context, consumer Consumer, id model.EventID) error {
	err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookEvent(id), If: unfinished + " AND attribute_not_exists(attentionPk)",
		Do: "SET attentionPk = :pk, attentionAt = :at",
		Values: dynamo.Item{
			":pk": dynamo.S(keys.AttentionAside(string(consumer))),
			":at": dynamo.S(model.At(s.Now().Add(firstRetryWait))),
		},
	})
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("set %s aside: %w", id, err)
	}
	return nil
}
