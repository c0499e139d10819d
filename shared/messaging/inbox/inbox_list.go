package inbox

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The inbox list shows more than the conversations' own rows. A status does not write to its conversation, because that
// would cost a write per status. Instead the list reads the last messages, one batch per page.

// LastMessages reads the last messages of conversations, by the conversation's pk. It omits a message that no longer
// exists.
func (s *Inbox) LastMessages(ctx context.Context, of []model.Conversation) (map[string]model.Message, error) {
	at := map[string]string{} // where the last message of each conversation is
	for _, c := range of {
		if c.LastMessagePK != "" {
			at[c.PK] = c.LastMessagePK
		}
	}
	last := map[string]model.Message{}
	for range 2 { // a queued message becomes a pointer when it is sent
		var refs []dynamo.Ref
		var conversations []string
		for conversation, pk := range at {
			refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(pk)})
			conversations = append(conversations, conversation)
		}
		if len(refs) == 0 {
			break
		}
		found, err := s.DB.BatchGet(ctx, refs)
		if err != nil {
			return nil, fmt.Errorf("read last messages: %w", err)
		}
		at = map[string]string{}
		for i, ref := range refs {
			var m model.Message
			if err := dynamo.Unmarshal(ref.Found(found), &m); err != nil {
				return nil, err
			}
			switch {
			case m.WAMessageID != "":
				at[conversations[i]] = keys.Message(m.WAMessageID).Partition
			case m.Direction != "":
				last[conversations[i]] = m
			}
		}
	}
	return last, nil
}
