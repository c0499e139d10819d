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

// Events that wait for a stopped group are parked. Parking is one write that moves an event out of the range of the
// index that the sweep reads, behind all times of next attempts, ordered by group and by when it was parked. A parked
// event costs nothing, however long or often the group is stopped. After each stop the sweep tries one of the group's
// events and sends the others when that one succeeds. An event that stops the group again moves to the end of its
// group, so that another one is tried after the next stop. No single event can therefore stop the others for good.

// parkedMark is the prefix of a parked event's nextRetryAt#eventId. It sorts after every time.
const parkedMark = "parked#"

// groupDigits is the length of the group's hash in a parked event's sort key.
const groupDigits = 32

func parkedKey(groupKey string, now model.Time, eventID string) string {
	return parkedPrefix(keys.OutboxSequenceID(groupKey)) + keys.Joined(now, eventID)
}

func parkedPrefix(group string) string { return parkedMark + group + "#" }

func parked(event model.OutboxEvent) bool {
	return event.Status == model.OutboxFailed && strings.HasPrefix(event.NextRetryAtEventID, parkedMark)
}

// park parks an event until its group's stop ends. Its condition is that the event is unchanged and that no relay
// leases it. An event that is parked already costs nothing. A parked event appears in its tenant's list of failed
// events.
func (r *Relay) park(ctx context.Context, event *model.OutboxEvent, groupKey string, wait time.Duration) error {
	if parked(*event) {
		return nil
	}
	key, next := parkedKey(groupKey, model.At(r.Now()), event.EventID), model.At(r.Now().Add(wait))
	update := r.parkUpdate(event.EventID, event.EcosystemID, key, next)
	update.If += " AND #status = :status AND retryCount = :retries"
	update.Values[":status"], update.Values[":retries"] = dynamo.S(event.Status), dynamo.N(event.RetryCount)
	err := r.DB.Update(ctx, update)
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

// parkUnread parks a pending event without reading it, because its entity's group is known. Its condition is that the
// event is pending and that no relay leases it.
func (r *Relay) parkUnread(ctx context.Context, eventID string, tenant model.TenantID, group string,
	until time.Time) error {
	update := r.parkUpdate(eventID, tenant, parkedPrefix(group)+keys.Joined(model.At(r.Now()), eventID),
		model.At(until))
	update.If += " AND #status = :status"
	update.Values[":status"] = dynamo.S(model.OutboxPending)
	err := r.DB.Update(ctx, update)
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("park: %w", err)
	}
	return nil
}

func (r *Relay) parkUpdate(eventID string, tenant model.TenantID, key string, next model.Time) dynamo.Update {
	return dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(eventID),
		Do: "SET #status = :failed, nextRetryAt = :next, #nextKey = :key, lastError = " +
			"if_not_exists(lastError, :why), " +
			"failureCode = if_not_exists(failureCode, :kind), attentionPk = :attention",
		If:    "(attribute_not_exists(leaseExpiresAt) OR leaseExpiresAt < :now)",
		Names: map[string]string{"#nextKey": tables.SortNextRetryAtEventID},
		Values: dynamo.Item{
			":failed": dynamo.S(model.OutboxFailed), ":next": dynamo.S(next), ":key": dynamo.S(key),
			":why": dynamo.S("it waits for its number, which is stopped"), ":now": dynamo.S(model.At(r.Now())),
			":kind": dynamo.S(KindStopped), ":attention": dynamo.S(attention(tenant, model.OutboxFailed)),
		},
	}
}
