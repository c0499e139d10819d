package inbox

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// isMessage reports whether an item is a message, and not what a status or an erasure has left under its id.
func IsMessage(item dynamo.Item) bool { return dynamo.Text(item, "direction") != "" }

// isPointer reports whether an item leads from the id that a caller got to the message under WhatsApp's id.
func IsPointer(item dynamo.Item) bool { return dynamo.Text(item, "waMessageId") != "" }

// messageItem reads what is stored under a message's id, nil for nothing.
func (s *Inbox) MessageItem(ctx context.Context, id model.MessageID) (dynamo.Item, error) {
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	return ref.Found(found), err
}
