package webhooklog

import (
	"context"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Range names entries of one kind of an account by when they were received.
type Range struct {
	WABAID       model.WABAID
	Kind         string
	From, Before model.Time // From "" for any
}

// Row is an entry in a list, and the place behind it.
type Row struct {
	Entry model.WebhookEvent
	Place string
}

// Between reads entries of a range, oldest first, from after a place ("" for the beginning). next is the place behind
// which the next page begins; "" at the end. It leaves out entries that are gone.
func (s *Log) Between(ctx context.Context, r Range, limit int, after string) (rows []Row, next string, err error) {
	q := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWebhookEvent,
		Where: "webhookEventType = :k AND receivedAt BETWEEN :from AND :to",
		Values: dynamo.Item{
			":k": dynamo.S(keys.WebhookEventType(r.WABAID, r.Kind)), ":from": dynamo.S(max(r.From, "0")),
			":to": dynamo.S(model.At(r.Before.Go().Add(-time.Millisecond)))},
	}
	if r.From >= r.Before {
		return nil, "", nil
	}
	found, next, err := s.DB.Some(ctx, q, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("list log: %w", err)
	}
	entries, err := s.readEntries(ctx, found)
	if err != nil {
		return nil, "", err
	}
	places := map[string]string{}
	for _, row := range found {
		places[dynamo.Text(row, keys.PK)] = q.PlaceOf(row)
	}
	for _, entry := range entries {
		rows = append(rows, Row{entry, places[entry.PK]})
	}
	return rows, next, nil
}

// Ended reports whether nobody deals with an entry any more: it is processed or parked.
func Ended(e model.WebhookEvent) bool { return e.ProcessedAt != "" || e.ProcessingError != "" }

// Bytes returns about how large an entry's value is stored.
func Bytes(e model.WebhookEvent) int { return len(e.Payload) + e.Chunks*maxInline }

// Deleted returns the writes that delete an entry with the pieces of its value. The condition is that it has ended: a
// replay may have begun it anew. The pieces belong to it alone.
func Deleted(e model.WebhookEvent) []dynamo.Write {
	writes := []dynamo.Write{dynamo.Delete{
		Table: tables.Messages, Key: keys.WebhookEvent(e.EventID),
		If: "attribute_exists(pk) AND (attribute_exists(processedAt) OR attribute_exists(processingError))"}}
	for i := range e.Chunks {
		writes = append(writes, dynamo.Delete{
			Table: tables.Messages, Key: keys.WebhookChunk(e.EventID, chunkNumber(i)), If: dynamo.Unconditional})
	}
	return writes
}
