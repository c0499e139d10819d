package sending

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tombstone"
)

// CountEvents names the count of erased outbox events.
const CountEvents = "outboxEvents"

// EraseEvents removes the outbox events of customers, sent or not: messages to them, and changes of their identifiers.
// count returns the writes by which an audit record counts, for each transaction. unchanged returns the check that no
// event has been appended for a customer since. EraseEvents returns outbox.ErrLeased while a relay is sending one of
// the events.
func (s *Sender) EraseEvents(
	ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID, customers []model.CustomerID,
	count func(name string, n int) []dynamo.Write,
) (unchanged func(customer model.CustomerID) []dynamo.Write, err error) {
	last := map[model.CustomerID]int64{}
	entity := func(customer model.CustomerID) outbox.Entity {
		return outbox.Entity{Tenant: tenant, Type: EntityType, ID: keys.WhatsAppEntityID(phone, customer)}
	}
	for _, customer := range customers {
		with := func(ctx context.Context, removed []model.OutboxEvent) ([]dynamo.Write, error) {
			tombstones, err := s.tombstonesOfSent(ctx, removed)
			return append(count(CountEvents, len(removed)), tombstones...), err
		}
		if last[customer], err = s.Outbox().Erase(ctx, entity(customer), with); err != nil {
			return nil, err
		}
		changes := outbox.Entity{Tenant: tenant, Type: contacts.EntityRekey, ID: keys.WhatsAppEntityID(phone, customer)}
		if _, err := s.Outbox().Erase(ctx, changes, with); err != nil {
			return nil, err
		}
	}
	return func(customer model.CustomerID) []dynamo.Write {
		return []dynamo.Write{outbox.NothingAppendedSince(entity(customer), last[customer])}
	}, nil
}

// tombstonesOfSent returns tombstones for messages that Meta has accepted and that are not stored, because a status may
// still arrive for them.
func (s *Sender) tombstonesOfSent(ctx context.Context, removed []model.OutboxEvent) ([]dynamo.Write, error) {
	var writes []dynamo.Write
	var refs []dynamo.Ref
	for _, event := range removed {
		if wamid, err := model.Parse[model.MessageID](event.ExternalID); err == nil {
			refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Message(wamid)})
		}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read sent messages: %w", err)
	}
	for _, ref := range refs {
		if item := ref.Found(found); inbox.IsMessage(item) || tombstone.Is(item) {
			continue
		}
		put, err := tombstone.Put(ref.Key.Partition, s.Now(), model.NoMessage, nil)
		if err != nil {
			return nil, err
		}
		writes = append(writes, put)
	}
	return writes, nil
}
