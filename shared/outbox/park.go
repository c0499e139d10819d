package outbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// What waits for a stopped group is parked: one write moves it out of the queues the sweep works through, to the end of
// the times of next attempts, ordered by group and by when it was parked. There it costs nothing, for however long the
// group is stopped and however often it is stopped again: after each stop the sweep tries one of the group's events, and
// goes on with the others when that one has passed. An event that stops the group once more goes to the end of its
// group, so that the next one is tried after the next stop: no event stops the others for good.

// parkedMark begins the nextRetryAt#eventId of a parked event. It is greater than every time.
const parkedMark = "parked#"

// groupDigits is the length of a group's hash in the key of a parked event.
const groupDigits = 32

func parkedKey(groupKey string, now model.Time, eventID string) string {
	return parkedPrefix(keys.OutboxSequenceID(groupKey)) + keys.Joined(now, eventID)
}

func parkedPrefix(group string) string { return parkedMark + group + "#" }

func parked(event model.OutboxEvent) bool {
	return event.Status == model.OutboxFailed && strings.HasPrefix(event.NextRetryAtEventID, parkedMark)
}

// park sets an event aside until its group's stop ends. Its condition is that the event is as it was read, and that no
// relay has it. One that is parked already costs nothing. Its tenant sees it among what failed.
func (r *Relay) park(ctx context.Context, event *model.OutboxEvent, groupKey string, wait time.Duration) error {
	if parked(*event) {
		return nil
	}
	key, next := parkedKey(groupKey, model.At(r.Now()), event.EventID), model.At(r.Now().Add(wait))
	update := r.parking(event.EventID, event.EcosystemID, key, next)
	update.If += " AND #status = :status AND retryCount = :retries"
	update.Values[":status"], update.Values[":retries"] = dynamo.S(event.Status), dynamo.N(event.RetryCount)
	_, err := r.DB.Update(ctx, update)
	if dynamo.IsConditionFailed(err) {
		return errNotNow
	}
	if err != nil {
		return fmt.Errorf("park: %w", err)
	}
	event.Status, event.NextRetryAt, event.NextRetryAtEventID = model.OutboxFailed, next, key
	event.AttentionPK = attention(event.EcosystemID, model.OutboxFailed)
	return nil
}

// parkUnread sets a pending event aside that has not been read: its entity tells its group. Its condition is that it is
// pending, and that no relay has it.
func (r *Relay) parkUnread(ctx context.Context, eventID string, tenant model.TenantID, group string, until time.Time) error {
	update := r.parking(eventID, tenant, parkedPrefix(group)+keys.Joined(model.At(r.Now()), eventID), model.At(until))
	update.If += " AND #status = :status"
	update.Values[":status"] = dynamo.S(model.OutboxPending)
	_, err := r.DB.Update(ctx, update)
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("park: %w", err)
	}
	return nil
}

func (r *Relay) parking(eventID string, tenant model.TenantID, key string, next model.Time) dynamo.Update {
	return dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(eventID),
		Do: "SET #status = :failed, nextRetryAt = :next, #nextKey = :key, lastError = if_not_exists(lastError, :why), " +
			"failureCode = if_not_exists(failureCode, :kind), attentionPk = :attention",
		If:    "(attribute_not_exists(leaseExpiresAt) OR leaseExpiresAt < :now)",
		Names: map[string]string{"#nextKey": "nextRetryAt#eventId"},
		Values: dynamo.Item{
			":failed": dynamo.S(model.OutboxFailed), ":next": dynamo.S(next), ":key": dynamo.S(key),
			":why": dynamo.S("it waits for its number, which is stopped"), ":now": dynamo.S(model.At(r.Now())),
			":kind": dynamo.S(KindStopped), ":attention": dynamo.S(attention(tenant, model.OutboxFailed)),
		},
	}
}
