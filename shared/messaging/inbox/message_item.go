package inbox

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// IsMessage reports whether an item is a message, and not an orphan status, a pointer or a tombstone.
func IsMessage(item dynamo.Item) bool { return dynamo.Text(item, "direction") != "" }

// IsPointer reports whether an item is a pointer: it is stored under the id that haatline gave a message, and names the message's
// item under Meta's id.
func IsPointer(item dynamo.Item) bool { return dynamo.Text(item, "waMessageId") != "" }

// MessageItem reads the item under a message's id; nil if there is none.
func (s *Inbox) MessageItem(ctx context.Context, id model.MessageID) (dynamo.Item, error) {
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	return ref.Found(found), err
}
