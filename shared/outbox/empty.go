package outbox

import (
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// EmptyWrite returns the write that replaces what an event sends, sent or not, because it tells of somebody who is
// erased. An event that still waits is cancelled when its turn comes: its handler's Still has to say so. The condition
// is that it was not emptied, and that no relay is sending it; a relay that has read it before sends it no more.
// EmptyWrite returns ErrLeased while a relay is sending it.
func (s *Outbox) EmptyWrite(event model.OutboxEvent, payload model.Document) (dynamo.Write, error) {
	now := model.At(s.Now())
	if event.LeaseExpiresAt >= now {
		return nil, ErrLeased
	}
	value, err := dynamo.Value(payload)
	if err != nil {
		return nil, err
	}
	return dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID), Do: "SET payload = :payload, emptiedAt = :now",
		If: "attribute_exists(eventId) AND attribute_not_exists(emptiedAt) AND " +
			"(attribute_not_exists(leaseExpiresAt) OR leaseExpiresAt < :now)",
		Values: dynamo.Item{":payload": value, ":now": dynamo.S(now)},
	}, nil
}
