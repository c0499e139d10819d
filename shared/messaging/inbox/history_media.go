package inbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tombstone"
)

// An imported message with a file comes as a placeholder. The file follows by itself, under the placeholder's id, and
// may come first.

// errNoPlaceholder means that a file's placeholder has not come yet, and that the file does not say whose message it
// is. The entry is tried again later.
var errNoPlaceholder = errors.New("the file of an imported message has come before the message")

// fillAll fills the placeholders of the value's files. It returns the files that are messages of their own.
func (in *incoming) fillAll(ctx context.Context) (all storeResult, own []decodedMessage, err error) {
	for _, a := range in.files {
		item, err := in.store.MessageItem(ctx, a.messageID())
		if err != nil {
			return all, nil, err
		}
		switch {
		case tombstone.Is(item):
			all.erased = true
		case IsMessage(item):
			if err := in.store.fill(ctx, a, item); err != nil {
				return all, nil, fmt.Errorf("fill %s: %w", a.position, err)
			}
		case len(a.ids) == 0:
			return all, nil, fmt.Errorf("%s: %w", a.position, errNoPlaceholder)
		default:
			own = append(own, a)
		}
	}
	return all, own, nil
}

// fill puts a file into its placeholder. It does nothing if the placeholder is filled. The media record comes first, as
// with any message.
func (s *Inbox) fill(ctx context.Context, a decodedMessage, item dynamo.Item) error {
	var was model.Message
	if err := dynamo.Unmarshal(item, &was); err != nil || was.Type != typePlaceholder {
		return err
	}
	if a.media != nil {
		if err := s.Files.Store(ctx, *a.media); err != nil {
			return err
		}
	}
	next := was
	file := a.message
	next.Type, next.Preview, next.Caption = file.Type, file.Preview, file.Caption
	next.MediaID, next.MimeType, next.Content = file.MediaID, file.MimeType, file.Content
	if a.message.EventID != was.EventID {
		next.AlsoLogged = append(next.AlsoLogged[:len(next.AlsoLogged):len(next.AlsoLogged)], a.message.EventID)
	}
	update, err := replaceItem(keys.ByPK(was.PK), was, next)
	if err != nil {
		return err
	}
	update.If = "#type = :placeholder AND conversationPk = :in"
	update.Values[":placeholder"], update.Values[":in"] = dynamo.S(typePlaceholder), dynamo.S(was.ConversationPK)
	phone, _, _ := keys.ConversationIDs(was.ConversationPK)
	filled := []decodedMessage{a}
	orders, err := s.orders(ctx, phone, filled)
	if err != nil {
		return err
	}
	files, err := s.Files.Ask(ctx, orders, withFiles(filled)...)
	if err != nil {
		return err
	}
	if err := s.DB.Transact(ctx, append(files, update)); err != nil {
		return dynamo.Conflict(err)
	}
	return s.showChanged(ctx, next)
}

// messageID returns the message's id.
func (a decodedMessage) messageID() model.MessageID {
	id, _ := keys.MessageIDOf(a.message.PK)
	return id
}
