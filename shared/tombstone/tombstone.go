// Package tombstone owns what stands in the place of erased data, so that nothing that comes late, or again, brings the data
// back. A tombstone holds nothing but the time of the erasure, is in no index, and outlives every entry of the webhook log that
// could hold the data.
package tombstone

import (
	"context"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Is reports whether an item of the messages table is a tombstone.
func Is(item dynamo.Item) bool { return dynamo.Text(item, "erasedAt") != "" }

// Put returns the write that puts the tombstone of a message in the place of an item that meets the condition.
func Put(pk string, at time.Time, condition string, values dynamo.Item) (dynamo.Put, error) {
	item, err := dynamo.Marshal(model.Message{PK: pk, ItemType: model.ItemMessage, ErasedAt: model.At(at), TTL: expires(at)})
	return dynamo.Put{Table: tables.Messages, Item: item, If: condition, Values: values}, err
}

// PutMedia returns the write that puts the tombstone of a media object, whatever is known of it.
func PutMedia(id model.MediaID, at time.Time) (dynamo.Put, error) {
	item, err := dynamo.Marshal(model.Media{
		PK: keys.Media(id).Partition, ItemType: model.ItemMedia, MediaID: id, ErasedAt: model.At(at), TTL: expires(at),
	})
	return dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}, err
}

// PutIdentifier returns the write that keeps when the customer of an identifier was erased. The last erasure counts.
func PutIdentifier(phone model.PhoneNumberID, id model.CustomerID, at time.Time) (dynamo.Put, error) {
	item, err := dynamo.Marshal(model.Erased{
		PK: keys.Erased(phone, id).Partition, ItemType: model.ItemErased, ErasedAt: model.At(at), TTL: expires(at),
	})
	return dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}, err
}

func expires(erased time.Time) int64 { return erased.Add(model.TombstoneLifetime).Unix() }

// OrphanStatus replaces what a status has left under the id of a message that nobody has: the event that sent it has been
// erased. Its condition is that there is no message.
func OrphanStatus(ctx context.Context, db *dynamo.Client, id model.MessageID, now time.Time) error {
	put, err := Put(keys.Message(id).Partition, now, "attribute_not_exists(direction) AND attribute_not_exists(waMessageId)", nil)
	if err != nil {
		return err
	}
	return dynamo.IgnoreConditionFailed(db.Put(ctx, put))
}

// ErasedUntil returns when the last of the customers was erased who had one of the identifiers; "" where none was.
func ErasedUntil(ctx context.Context, db *dynamo.Client, phone model.PhoneNumberID, ids []model.CustomerID) (model.Time, error) {
	refs := make([]dynamo.Ref, len(ids))
	for i, id := range ids {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.Erased(phone, id)}
	}
	found, err := db.BatchGet(ctx, refs)
	if err != nil {
		return "", fmt.Errorf("look up erasures: %w", err)
	}
	var until model.Time
	for _, ref := range refs {
		until = max(until, model.Time(dynamo.Text(ref.Found(found), "erasedAt")))
	}
	return until, nil
}
