package inbox

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// IsMessage reports whether an item is a message, and not an orphan status, a pointer or a tombstone.
func IsMessage(item dynamo.Item) bool {
	return dynamo.Text(item, "direction") != "" || dynamo.Text(item, "conversationPk") != "" // it waits to be sent
}

// IsPointer reports whether an item is a pointer: it is stored under the id that haatline gave a message, and names the
// message's item under Meta's id.
func IsPointer(item dynamo.Item) bool { return dynamo.Text(item, "waMessageId") != "" }

// MessageItem reads the item under a message's id; nil if there is none.
func (s *Inbox) MessageItem(ctx context.Context, id model.MessageID) (dynamo.Item, error) {
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	return ref.Found(found), err
}

// readMessages reads messages by their partition keys, each once. A pointer is replaced by the message that it leads
// to. A message that is not there is left out.
func (s *Inbox) readMessages(ctx context.Context, pks []string) (all []model.Message, err error) {
	read := slices.Compact(slices.Sorted(slices.Values(pks)))
	for left := read; len(left) > 0; {
		refs := make([]dynamo.Ref, len(left))
		for i, pk := range left {
			refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(pk)}
		}
		found, err := s.DB.BatchGet(ctx, refs)
		if err != nil {
			return nil, fmt.Errorf("read messages: %w", err)
		}
		left = nil
		for _, ref := range refs {
			var m model.Message
			if err := dynamo.Unmarshal(ref.Found(found), &m); err != nil {
				return nil, err
			}
			target := keys.Message(m.WAMessageID).Partition
			switch {
			case m.WAMessageID != "" && !slices.Contains(read, target):
				left = append(left, target) // a pointer leads to a message, never to another pointer
			case m.PK != "":
				all = append(all, m)
			}
		}
	}
	return all, nil
}
