// Package tombstone owns the tombstones of erased data. A tombstone prevents late or repeated webhooks from restoring
// the data. It contains only the time of the erasure, is in no index, and outlives every log entry that could contain
// the data.
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

// Put returns the write that replaces an item that meets the condition by a message's tombstone.
func Put(pk string, at time.Time, condition string, values dynamo.Item) (dynamo.Put, error) {
	item, err := dynamo.Marshal(model.Message{
		PK: pk, ItemType: model.ItemMessage, ErasedAt: model.At(at), TTL: expires(at)})
	return dynamo.Put{Table: tables.Messages, Item: item, If: condition, Values: values}, err
}

// PutMedia returns the write that replaces a media record, if there is one, by a tombstone.
func PutMedia(id model.MediaID, at time.Time) (dynamo.Put, error) {
	item, err := dynamo.Marshal(model.Media{
		PK: keys.Media(id).Partition, ItemType: model.ItemMedia, MediaID: id, ErasedAt: model.At(at), TTL: expires(at),
	})
	return dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}, err
}

// PutIdentifier returns the write that records when the owner of an identifier was erased. The last erasure wins.
func PutIdentifier(phone model.PhoneNumberID, id model.CustomerID, at time.Time) (dynamo.Put, error) {
	item, err := dynamo.Marshal(model.Erased{
		PK: keys.Erased(phone, id).Partition, ItemType: model.ItemErased, ErasedAt: model.At(at), TTL: expires(at),
	})
	return dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}, err
}

func expires(erased time.Time) int64 { return erased.Add(model.TombstoneLifetime).Unix() }

// OrphanStatus replaces an orphan status by a tombstone, because the event that sent its message has been erased. The
// condition is that there is no message.
func OrphanStatus(ctx context.Context, db *dynamo.Client, id model.MessageID, now time.Time) error {
	put, err := Put(keys.Message(id).Partition, now,
		model.NoMessage+" AND attribute_not_exists(waMessageId)", nil)
	if err != nil {
		return err
	}
	return dynamo.IgnoreConditionFailed(db.Put(ctx, put))
}

// ErasedUntil returns the time of the last erasure of an owner of one of the identifiers; "" if there is none.
func ErasedUntil(ctx context.Context, db *dynamo.Client, phone model.PhoneNumberID,
	ids []model.CustomerID) (model.Time, error) {
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
