package talks

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// ID names a conversation in the payload of an event.
type ID struct {
	Channel      model.Name `json:"channel"`      // its primary_channel
	Conversation string     `json:"conversation"` // its conversation_id
}

// Key returns the key of the conversation.
func (id ID) Key() keys.Key {
	table := tables.Conversations
	return keys.Key{
		PartitionName: table.Partition.Name, Partition: string(id.Channel), SortName: table.Sort.Name,
		Sort: id.Conversation}
}

// IDOf returns the id of a conversation.
func IDOf(c conversationsmodel.Conversation) ID { return ID{c.PrimaryChannel, c.ConversationID} }

// Entity returns the entity of a conversation's events of one kind.
func Entity(c conversationsmodel.Conversation, kind string) outbox.Entity {
	return outbox.Entity{Tenant: c.TenantID, Type: kind, ID: string(c.PrimaryChannel) + "|" + c.ConversationID}
}

// Queue returns the writes by which an event of a conversation is queued behind its others of the same kind of entity,
// for the transaction of the state that causes it. payload is encoded as JSON.
func Queue(ctx context.Context, to *outbox.Outbox, c conversationsmodel.Conversation, kind, eventType string,
	payload any) ([]dynamo.Write, error) {
	text, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	of := Entity(c, kind)
	sequence := outbox.SequenceRef(of.Tenant, of.Type, of.ID)
	found, err := to.DB.BatchGet(ctx, []dynamo.Ref{sequence})
	if err != nil {
		return nil, fmt.Errorf("queue %s: %w", eventType, err)
	}
	_, writes, err := to.Append(ctx, sequence.Found(found), outbox.Draft{
		Type: eventType, Tenant: of.Tenant, EntityType: of.Type, EntityID: of.ID, Payload: text})
	return writes, err
}
