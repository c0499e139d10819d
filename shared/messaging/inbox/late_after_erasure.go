package inbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tombstone"
	"github.com/haatline/haatline/shared/webhooklog"
)

// erasedUntil returns until when the messages from some identifiers are erased; "" if none are. Each identifier is
// looked up, because it may have belonged to an erased customer before. The lookup is needed only for a person who has
// no conversation, has not written in it yet, or has an identifier with a recent erasure. Tombstones of identifiers
// expire; after that, the conversation's ErasedBefore counts for all of them.
func (s *Inbox) erasedUntil(ctx context.Context, p contacts.Person, ids []model.CustomerID) (model.Time, error) {
	if c := p.Existing; c != nil {
		expired := c.ErasedBefore != "" && c.ErasedBefore < model.At(s.Now().Add(-model.TombstoneLifetime))
		if expired || c.ErasedBefore == "" && c.LastInboundPK != "" {
			return c.ErasedBefore, nil
		}
	}
	return tombstone.ErasedUntil(ctx, s.DB, p.Phone, ids)
}

// predatesErasure reports whether an erasure covers a message: it was logged by then, or written in an earlier second.
// Meta's times are whole seconds.
func (a decodedMessage) predatesErasure(until model.Time) bool {
	second := model.At(until.Go().Truncate(time.Second))
	return a.loggedAt != "" && a.loggedAt <= until || a.message.ReceivedAt < second
}

// tombstoneLate writes tombstones for messages that arrive after their erasure, and returns the others.
func (s *Inbox) tombstoneLate(ctx context.Context, fresh []decodedMessage, until model.Time) ([]decodedMessage, error) {
	var left []decodedMessage
	for _, a := range fresh {
		if !a.predatesErasure(until) {
			left = append(left, a)
			continue
		}
		put, err := tombstone.Put(a.message.PK, s.Now(), model.NoMessage, nil)
		if err != nil {
			return nil, err
		}
		if err := dynamo.IgnoreConditionFailed(s.DB.Put(ctx, put)); err != nil {
			return nil, fmt.Errorf("put tombstone for %s: %w", a.position, err)
		}
		if a.media == nil {
			continue
		}
		writes, err := s.Files.EraseWrites(ctx, a.media.PhoneNumberID, []model.MediaID{a.media.MediaID})
		if err == nil {
			err = dynamo.Conflict(s.DB.Transact(ctx, writes))
		}
		if err != nil {
			return nil, fmt.Errorf("put tombstone for media of %s: %w", a.position, err)
		}
	}
	return left, nil
}

// linkEntry records on a stored message that another entry of the log holds it too, so that an erasure finds both. It
// does nothing if the entry is the message's own.
func (s *Inbox) linkEntry(ctx context.Context, pk string, entry model.EventID, stored dynamo.Item) error {
	if entry == "" || dynamo.Text(stored, "eventId") == string(entry) {
		return nil
	}
	err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.ByPK(pk),
		Do:     "SET alsoLogged = list_append(if_not_exists(alsoLogged, :none), :one)",
		If:     "attribute_exists(pk) AND attribute_not_exists(erasedAt) AND NOT contains(alsoLogged, :event)",
		Values: dynamo.Item{":none": dynamo.L(), ":one": dynamo.L(dynamo.S(entry)), ":event": dynamo.S(entry)},
	})
	return dynamo.IgnoreConditionFailed(err)
}

// isErased reports whether a logged message has been erased.
func isErased(_ decodedMessage, stored dynamo.Item) bool { return tombstone.Is(stored) }

// positionsOf returns a function that finds the positions of the selected messages in an entry's value. selected
// receives the item that is stored under the message's id.
func (s *Inbox) positionsOf(selected func(a decodedMessage, stored dynamo.Item) bool) webhooklog.FindInEntry {
	return func(ctx context.Context, entry model.WebhookEvent, value json.RawMessage) (map[string]bool, error) {
		decoded := decodeMessages(entry, value)
		messages := slices.Concat(decoded.messages, decoded.attached, decoded.files)
		refs := make([]dynamo.Ref, len(messages))
		for i, a := range messages {
			refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(a.message.PK)}
		}
		found, err := s.DB.BatchGet(ctx, refs)
		if err != nil {
			return nil, fmt.Errorf("read messages of %s: %w", entry.EventID, err)
		}
		gone := map[string]bool{}
		for i, a := range messages {
			if selected(a, refs[i].Found(found)) {
				gone[a.position] = true
			}
		}
		return gone, nil
	}
}
