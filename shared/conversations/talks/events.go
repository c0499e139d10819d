package talks

import (
	"context"

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
	return to.Queue(ctx, Entity(c, kind), eventType, payload)
}
