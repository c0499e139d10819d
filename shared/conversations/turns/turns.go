// Package turns has an assistant answer what a person writes. A turn is an event of the outbox's slow lane, so that the
// message is stored at once, however long the answer takes. The package queues turns; package answering answers them.
package turns

import (
	"context"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// The types of the outbox events by which an assistant answers: a turn, and the question to a language model that
// follows from it if the owner's rules do not decide. Both have the same payload.
const (
	EventType = "conversations.turn"
	AskType   = "conversations.ask"
)

// Turn names the message that an assistant is to answer. It is the payload of the event: it holds no texts.
type Turn struct {
	talks.ID
	Entry string `json:"entry"`
}

// Desk queues turns.
type Desk struct{ Outbox *outbox.Outbox }

// Queue returns the writes by which an assistant gets a message to answer, for the transaction that stores it. It
// returns none if the project has no assistant.
func (d *Desk) Queue(ctx context.Context, c conversationsmodel.Conversation,
	said conversationsmodel.Entry) ([]dynamo.Write, error) {
	if conversationsmodel.AssistantIn(c.AIConfig) == "" {
		return nil, nil
	}
	return talks.Queue(ctx, d.Outbox, c, keys.EntityTurn, EventType, Turn{talks.IDOf(c), said.EntryID})
}

// Ask returns the writes by which a language model gets a turn of a tenant's conversation to answer, for the
// transaction that ends the turn's event.
func Ask(ctx context.Context, to *outbox.Outbox, tenant model.TenantID, turn Turn) ([]dynamo.Write, error) {
	of := conversationsmodel.Conversation{
		TenantID: tenant, PrimaryChannel: turn.Channel, ConversationID: turn.Conversation}
	return talks.Queue(ctx, to, of, keys.EntityModel, AskType, turn)
}
