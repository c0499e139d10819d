// Package turns has an assistant answer what a person writes. A turn is an event of the outbox's slow lane, so that the
// message is stored at once, however long the answer takes. The package queues turns; package answering answers them.
package turns

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

// EventType is the type of the outbox events by which an assistant answers.
const EventType = "conversations.turn"

// Turn names the message that an assistant is to answer. It is the payload of the event: it holds no texts.
type Turn struct {
	Channel      model.Name `json:"channel"`      // the conversation's primary_channel
	Conversation string     `json:"conversation"` // its conversation_id
	Entry        string     `json:"entry"`
}

// Key returns the key of the conversation.
func (t Turn) Key() keys.Key {
	table := tables.Conversations
	return keys.Key{
		PartitionName: table.Partition.Name, Partition: string(t.Channel), SortName: table.Sort.Name,
		Sort: t.Conversation}
}

// Desk queues turns.
type Desk struct {
	DB     *dynamo.Client
	Outbox *outbox.Outbox
}

func entity(c conversationsmodel.Conversation) outbox.Entity {
	return outbox.Entity{
		Tenant: c.TenantID, Type: keys.EntityTurn, ID: string(c.PrimaryChannel) + "|" + c.ConversationID}
}

// Queue returns the writes by which an assistant gets a message to answer, for the transaction that stores it. It
// returns none if the project has no assistant.
func (d *Desk) Queue(ctx context.Context, c conversationsmodel.Conversation,
	said conversationsmodel.Entry) ([]dynamo.Write, error) {
	if conversationsmodel.AssistantIn(c.AIConfig) == "" {
		return nil, nil
	}
	payload, err := json.Marshal(Turn{c.PrimaryChannel, c.ConversationID, said.EntryID})
	if err != nil {
		return nil, err
	}
	to := entity(c)
	sequence := outbox.SequenceRef(to.Tenant, to.Type, to.ID)
	found, err := d.DB.BatchGet(ctx, []dynamo.Ref{sequence})
	if err != nil {
		return nil, fmt.Errorf("queue a turn: %w", err)
	}
	_, writes, err := d.Outbox.Append(ctx, sequence.Found(found), outbox.Draft{
		Type: EventType, Tenant: to.Tenant, EntityType: to.Type, EntityID: to.ID, Payload: payload,
	})
	return writes, err
}

// Erase removes the turns of a conversation that wait. It returns outbox.ErrLeased while one is being answered.
func (d *Desk) Erase(ctx context.Context, c conversationsmodel.Conversation) error {
	_, err := d.Outbox.Erase(ctx, entity(c),
		func(context.Context, []model.OutboxEvent) ([]dynamo.Write, error) { return nil, nil })
	return err
}
