package outbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// An event can be planned for later. Until its time it is in the state waiting. It has the number 0, which no sequence
// has: it is in no order, holds up no other event and waits for none. An entity has one planned event at most. A new
// plan replaces it without reading it. A planned event costs nothing while it waits: no stream brings it to a relay,
// and the sweep reads only the events whose time has come.

// planNumber is the number of a planned event.
const planNumber = 0

func planned(event model.OutboxEvent) bool { return event.SequenceNumber == planNumber }

// samePlan returns the condition that a planned event was not planned for another time since it was read.
func samePlan(event model.OutboxEvent, values dynamo.Item) string {
	return dynamo.SameText("notBefore", event.NotBefore, values)
}

func planID(of Entity) string {
	return keys.OutboxEventID(sequenceID(of.Tenant, of.Type, of.ID), planNumber)
}

// Plan returns the write that plans an event for a time. It replaces what was planned for the entity before, tried or
// not: the newest plan counts. So it has no condition of its own. The caller commits it in the transaction of the state
// that it follows from, whose condition orders two plans. An attempt that is running meanwhile ends only the plan that
// it was made for. The event begins a flow of its own.
func (s *Outbox) Plan(d Draft, at model.Time) (dynamo.Write, error) {
	now := model.At(s.Now())
	event := model.OutboxEvent{
		EventID: planID(Entity{d.Tenant, d.EntityType, d.EntityID}), EventType: d.Type, EntityType: d.EntityType,
		EntityID: d.EntityID, EcosystemID: d.Tenant, SequenceNumber: planNumber, Payload: d.Payload,
		Status: model.OutboxWaiting, NotBefore: at, CreatedAt: now, Unordered: true,
		AttentionPK: attention(d.Tenant, model.OutboxWaiting),
	}
	event.CreatedAtEventID, event.NextRetryAtEventID = keys.Joined(now, event.EventID), keys.Joined(at, event.EventID)
	item, err := dynamo.Marshal(event)
	return dynamo.Put{Table: tables.Outbox, Item: item, If: dynamo.Unconditional}, err
}

// Unplan returns the write that removes what is planned for an entity, if anything is. It has no condition: an attempt
// that is running then finds nothing to settle.
func Unplan(of Entity) dynamo.Write {
	return dynamo.Delete{Table: tables.Outbox, Key: keys.OutboxEvent(planID(of)), If: dynamo.Unconditional}
}

// Later is returned by a Send, or by a Still, for an event that is due at another time. The event waits for that time,
// as one that nobody has tried.
type Later struct{ At model.Time }

func (l *Later) Error() string { return "due later: " + string(l.At) }

// planAgain has an event wait for another time, and releases its lease. An event that is in an order leaves it. One
// of which an earlier attempt got no answer stays marked as a possible duplicate. The condition is that this relay
// still holds the lease.
func (r *Relay) planAgain(ctx context.Context, event *model.OutboxEvent, at model.Time) error {
	update := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET #status = :waiting, notBefore = :at, #nextKey = :key, attentionPk = :attention, retryCount = :none, " +
			"unordered = :true REMOVE leaseOwner, leaseExpiresAt, attemptStartedAt, nextRetryAt, lastError, " +
			"failureCode, failuresByClass",
		If:    "leaseOwner = :me",
		Names: map[string]string{"#nextKey": tables.SortNextRetryAtEventID},
		Values: dynamo.Item{
			":waiting": dynamo.S(model.OutboxWaiting), ":at": dynamo.S(at), ":none": dynamo.N(0),
			":key": dynamo.S(keys.Joined(at, event.EventID)), ":true": dynamo.Bool(true),
			":attention": dynamo.S(attention(event.EcosystemID, model.OutboxWaiting)),
			":me":        dynamo.S(event.LeaseOwner),
		},
	}
	var err error
	if event.Unordered {
		err = r.DB.Update(ctx, update)
	} else {
		err = r.DB.Transact(ctx, []dynamo.Write{update, r.advance(*event)})
	}
	err = dynamo.Conflict(err)
	if errors.Is(err, dynamo.ErrConflict) {
		return errNotNow // it was planned anew, or erased, or a later lease has it
	}
	if err != nil {
		return fmt.Errorf("plan again: %w", err)
	}
	event.Status, event.NotBefore, event.Unordered = model.OutboxWaiting, at, true
	return nil
}
