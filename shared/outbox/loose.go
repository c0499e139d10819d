package outbox

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Loose returns the write of an event that is in no order and due at once: it waits for no other event of its entity,
// and none waits for it. An entity has one such event, so its id follows from the entity. Nothing is read for it. The
// condition is that the entity has none yet: what causes the event twice makes one.
func (s *Outbox) Loose(ctx context.Context, d Draft) (model.OutboxEvent, dynamo.Put, error) {
	now := model.At(s.Now())
	event := model.OutboxEvent{
		EventID: LooseID(Entity{d.Tenant, d.EntityType, d.EntityID}), EventType: d.Type, EntityType: d.EntityType,
		EntityID: d.EntityID, EcosystemID: d.Tenant, SequenceNumber: planNumber, Payload: d.Payload,
		Status: model.OutboxPending, CreatedAt: now, Unordered: true, CorrelationID: telemetry.Correlation(ctx),
	}
	event.CreatedAtEventID = keys.Joined(now, event.EventID)
	item, err := dynamo.Marshal(event)
	return event, dynamo.Put{Table: tables.Outbox, Item: item, If: "attribute_not_exists(eventId)"}, err
}

// LooseID returns the id of the loose event of an entity.
func LooseID(of Entity) string { return planID(of) }
