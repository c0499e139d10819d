package webhooklog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// maxRewritten bounds the bytes of a value that one transaction, which takes 4 MB, rewrites. Meta posts at most 3 MB. A
// larger value is removed completely.
const maxRewritten = 3200 << 10

// FindInEntry returns the positions of the elements to remove from an entry's value, for example messages[3].
type FindInEntry func(ctx context.Context, entry model.WebhookEvent, value json.RawMessage) (map[string]bool, error)

// Remove permanently removes the elements that find returns from entries of the log. An entry without any element left
// keeps no value. with returns writes for the transaction of each entry that changes; it may be nil.
func (s *Log) Remove(ctx context.Context, ids []model.EventID, find FindInEntry, with func() []dynamo.Write) error {
	refs := make([]dynamo.Ref, len(ids))
	for i, id := range ids {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.WebhookEvent(id)}
	}
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, refs)
		if err != nil {
			return fmt.Errorf("read log: %w", err)
		}
		for _, ref := range refs {
			item := ref.Found(found)
			if item == nil {
				continue // expired
			}
			var entry model.WebhookEvent
			if err := dynamo.Unmarshal(item, &entry); err != nil {
				return err
			}
			if err := s.removeFrom(ctx, entry, find, with); err != nil {
				return err
			}
		}
		return nil
	})
}

// Empty permanently removes the whole value of an entry.
func (s *Log) Empty(ctx context.Context, id model.EventID) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		entry, err := s.Entry(ctx, id)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && len(entry.Payload) == 0 && entry.Chunks == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, s.rewrite(entry, nil, encodeValue)))
	})
}

func (s *Log) removeFrom(ctx context.Context, entry model.WebhookEvent, find FindInEntry,
	with func() []dynamo.Write) error {
	value, err := s.Value(ctx, entry)
	if err != nil && !errors.Is(err, ErrIncomplete) {
		return err
	}
	incomplete := err != nil // the rest cannot be read
	gone, err := find(ctx, entry, value)
	if err != nil || len(gone) == 0 && !incomplete {
		return err
	}
	rest, left := whatsapp.RemoveMessages(value, gone)
	if left == 0 || incomplete || len(rest) > maxRewritten {
		rest = nil
	}
	var more []dynamo.Write
	if with != nil {
		more = with()
	}
	err = s.DB.Transact(ctx, append(s.rewrite(entry, rest, encodeValue), more...))
	if dynamo.Permanent(err) { // the rest is short enough, but DynamoDB rejects it as a map
		err = s.DB.Transact(ctx, append(s.rewrite(entry, rest, encodeChunks), more...))
	}
	return dynamo.Conflict(err)
}

// rewrite returns the writes that give an entry another value; nil for none. hold encodes the value. The entry's marks
// stay, so that no consumer takes it for a new one. The condition is that no other call has removed something from it
// since it was read. Chunks without content are emptied, and expire with the entry: a deleted chunk could come back
// with a repeated body.
func (s *Log) rewrite(entry model.WebhookEvent, value []byte,
	hold func([]byte) (dynamo.AttributeValue, [][]byte)) []dynamo.Write {
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookEvent(entry.EventID),
		Do: "SET erasedAt = :at, erasures = :next", If: "attribute_exists(pk) AND attribute_not_exists(erasures)",
		Values: dynamo.Item{":at": dynamo.S(model.At(s.Now())), ":next": dynamo.N(entry.Erasures + 1)},
	}
	if entry.Erasures > 0 {
		u.If, u.Values[":was"] = "erasures = :was", dynamo.N(entry.Erasures)
	}
	var payload dynamo.AttributeValue
	var chunks [][]byte
	if value != nil {
		payload, chunks = hold(value)
	}
	switch {
	case payload != nil:
		u.Do, u.Values[":payload"] = u.Do+", payload = :payload REMOVE chunks", payload
	case chunks != nil:
		u.Do, u.Values[":chunks"] = u.Do+", chunks = :chunks REMOVE payload", dynamo.N(len(chunks))
	default:
		u.Do += " REMOVE payload, chunks"
	}
	writes := []dynamo.Write{u}
	for i := range max(entry.Chunks, len(chunks)) {
		data := []byte{}
		if i < len(chunks) {
			data = chunks[i]
		}
		writes = append(writes,
			dynamo.Put{Table: tables.Messages, Item: chunkItem(entry.EventID, i, data, entry.TTL),
				If: dynamo.Unconditional})
	}
	return writes
}
