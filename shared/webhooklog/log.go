package webhooklog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	// maxInline bounds the bytes of a value in one item. The rest of DynamoDB's 400 KB is for keys and marks.
	maxInline = 350 << 10
	// appendWidth bounds how many entries of one body are written concurrently. An import has 400, and Meta expects an
	// answer within seconds. Together they are no larger than the body.
	appendWidth = 32
)

// Appender appends entries to the log. It is a type of its own, because the webhook function does nothing else.
type Appender struct {
	DB  *dynamo.Client
	Now func() time.Time
	// Sources are the sources that this process has registered for the sweep. If Sources is nil, Append registers none,
	// and the sweep finds nothing.
	Sources *Sources
	// MaxAge bounds an entry's age by Meta's own time; 0 means any age. Meta repeats a webhook for seven days. Anything
	// older is a captured body that somebody replays, and could restore an erased customer. Append stores such an entry
	// as stale and processed, so that no consumer handles it and a replay ignores it.
	MaxAge time.Duration
}

// Append stores entries, one conditional put each. An entry that is stored already stays as it is, so a repeated body
// costs a failed condition and changes nothing. Append tries every entry, even if one of them fails.
func (l Appender) Append(ctx context.Context, entries []whatsapp.Entry) error {
	_, err := l.AppendEach(ctx, entries)
	return err
}

// AppendEach is Append, and reports for each entry whether it is new.
func (l Appender) AppendEach(ctx context.Context, entries []whatsapp.Entry) (isNew []bool, err error) {
	now := l.Now()
	isNew = make([]bool, len(entries))
	jobs := make([]func() error, len(entries))
	for i, entry := range entries {
		jobs[i] = func() (err error) {
			isNew[i], err = l.append(ctx, entry, now)
			return err
		}
	}
	return isNew, errors.Join(lanes.Concurrently(appendWidth, jobs...)...)
}

// append stores one entry. If DynamoDB rejects the value as a map although it is short enough, append stores it in
// chunks: the size of a map depends on its structure.
func (l Appender) append(ctx context.Context, entry whatsapp.Entry, now time.Time) (isNew bool, err error) {
	if l.Sources != nil { // before the source's first entry, so that the sweep finds the entry even after a crash
		if err := l.register(ctx, entry, now); err != nil {
			return false, err
		}
	}
	item := entryItem(entry, now)
	l.markStale(item, entry, now)
	payload, chunks := encodeValue(entry.Value)
	if payload != nil {
		item["payload"] = payload
		isNew, err := l.put(ctx, entry, item)
		if !dynamo.Permanent(err) {
			return isNew, err
		}
		delete(item, "payload")
		_, chunks = encodeChunks(entry.Value)
	}
	for i, chunk := range chunks { // before the entry, so that a consumer never sees an entry without its chunks
		if err := l.DB.PutOnce(ctx, tables.Messages,
			chunkItem(model.EventID(entry.ID), i, chunk, now.Add(model.LogRetention).Unix())); err != nil {
			return false, fmt.Errorf("log chunk %d of %s: %w", i, entry.ID, err)
		}
	}
	item["chunks"] = dynamo.N(len(chunks))
	return l.put(ctx, entry, item)
}

func (l Appender) put(ctx context.Context, entry whatsapp.Entry, item dynamo.Item) (isNew bool, err error) {
	err = l.DB.Put(ctx, dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent})
	switch {
	case dynamo.IsConditionFailed(err):
		telemetry.Count(ctx, telemetry.DuplicatesRefused, 1)
		return false, nil
	case err != nil:
		return false, fmt.Errorf("log %s: %w", entry.ID, err)
	case entry.Malformed != "":
		telemetry.Count(ctx, telemetry.EventsParked, 1)
	}
	return true, nil
}

// markStale marks an entry that is older than anything Meta repeats, so that no consumer handles it.
func (l Appender) markStale(item dynamo.Item, entry whatsapp.Entry, now time.Time) {
	at := entry.Time()
	if l.MaxAge == 0 || at.IsZero() || now.Sub(at) <= l.MaxAge {
		return
	}
	item["stale"], item["processedAt"] = dynamo.Bool(true), dynamo.S(model.At(now))
}

// entryItem returns the item of an entry without its value. It is written by hand, because no write is more frequent.
func entryItem(entry whatsapp.Entry, now time.Time) dynamo.Item {
	waba, err := model.Parse[model.WABAID](entry.WABAID)
	partition := keys.WebhookEventType("unknown", entry.Kind)
	item := dynamo.Item{
		"pk":         dynamo.S(keys.WebhookEvent(model.EventID(entry.ID)).Partition),
		"itemType":   dynamo.S(model.ItemWebhookEvent),
		"eventId":    dynamo.S(entry.ID),
		"eventType":  dynamo.S(entry.Kind),
		"receivedAt": dynamo.S(model.At(now)),
		"ttl":        dynamo.N(now.Add(model.LogRetention).Unix()),
	}
	if err == nil {
		partition = keys.WebhookEventType(waba, entry.Kind)
		item["wabaMetaId"] = dynamo.S(waba)
	}
	item["webhookEventType"] = dynamo.S(partition)
	if phone, err := model.ParsePhoneNumberID(entry.PhoneNumberID); err == nil {
		item["phoneNumberId"] = dynamo.S(phone)
	}
	for name, text := range map[string]string{"field": entry.Field, "processingError": entry.Malformed} {
		if text != "" {
			item[name] = dynamo.S(model.Truncate(text, 1024))
		}
	}
	if entry.Malformed != "" {
		item["attentionPk"], item["attentionAt"] = dynamo.S(keys.AttentionFailed(cmp.Or(waba, unknownAccount))),
			dynamo.S(model.At(now))
	}
	if entry.EntryTime != 0 {
		item["entryTime"] = dynamo.N(entry.EntryTime)
	}
	if entry.Position != 0 {
		item["position"] = dynamo.N(entry.Position)
	}
	return item
}

// encodeValue returns a value as a map, or in raw chunks if it is too long or DynamoDB cannot store it as a map.
func encodeValue(value []byte) (payload dynamo.AttributeValue, chunks [][]byte) {
	if len(value) <= maxInline && utf8.Valid(value) {
		if payload, err := model.AttributeFromJSON(value); err == nil {
			return dynamo.AsMap(payload), nil
		}
	}
	return encodeChunks(value)
}

func encodeChunks(value []byte) (payload dynamo.AttributeValue, chunks [][]byte) {
	return nil, split(value, maxInline)
}

// chunkItem returns the item of one raw piece of an entry's value.
func chunkItem(id model.EventID, number int, data []byte, expires int64) dynamo.Item {
	return dynamo.Item{
		"pk":       dynamo.S(keys.WebhookChunk(id, chunkNumber(number)).Partition),
		"itemType": dynamo.S(model.ItemWebhookChunk),
		"data":     dynamo.Binary(data),
		"ttl":      dynamo.N(expires),
	}
}

func split(value []byte, size int) [][]byte {
	var chunks [][]byte
	for len(value) > size {
		chunks, value = append(chunks, value[:size]), value[size:]
	}
	return append(chunks, value)
}

func chunkNumber(i int) model.Name { return model.Name(fmt.Sprintf("%04d", i)) }

// ErrIncomplete means that a logged value cannot be read, because one of its chunks has expired.
var ErrIncomplete = errors.New("a chunk of the logged value has expired")

// Value returns the change value of an entry and joins its chunks. It returns ErrIncomplete if a chunk has expired.
func (s *Log) Value(ctx context.Context, entry model.WebhookEvent) (json.RawMessage, error) {
	if entry.Chunks == 0 {
		return json.RawMessage(entry.Payload), nil
	}
	refs := make([]dynamo.Ref, entry.Chunks)
	for i := range refs {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.WebhookChunk(entry.EventID, chunkNumber(i))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read chunks of %s: %w", entry.EventID, err)
	}
	var value []byte
	for _, ref := range refs {
		var chunk model.WebhookChunk
		item := ref.Found(found)
		if item == nil {
			return nil, fmt.Errorf("%w: %w", dynamo.ErrPermanent, ErrIncomplete)
		}
		if err := dynamo.Unmarshal(item, &chunk); err != nil {
			return nil, err
		}
		value = append(value, chunk.Data...)
	}
	return value, nil
}

// failureMarks are the attributes that a temporary failure leaves on an entry. Removing absent attributes costs
// nothing.
const failureMarks = "failures, lastError, firstFailedAt, attentionPk, attentionAt"

// MarkProcessed records that an entry has been processed. It does not recreate an entry that has expired. It is a write
// of its own, because in the transaction that stores the message it would cost more than the round trip that it saves:
// package bill measures both.
func (s *Log) MarkProcessed(ctx context.Context, id model.EventID) error {
	return s.mark(ctx, id, "SET processedAt = :v REMOVE "+failureMarks, dynamo.Item{":v": dynamo.S(model.At(s.Now()))})
}

// MarkFailed records why an entry of an account could not be processed. A person can see and replay it.
func (s *Log) MarkFailed(ctx context.Context, id model.EventID, waba model.WABAID, reason string) error {
	return s.mark(ctx, id, parkedMarks, s.parkedValues(waba, model.Truncate(reason, 1024)))
}

// parkedMarks parks an entry: it puts the entry into the list of its account's failed entries. A healthy entry is not
// in that index.
const parkedMarks = "SET processingError = :v, attentionPk = :failed, attentionAt = :now REMOVE failures, " +
	"lastError, firstFailedAt"

func (s *Log) parkedValues(waba model.WABAID, reason string) dynamo.Item {
	return dynamo.Item{
		":v": dynamo.S(reason), ":failed": dynamo.S(keys.AttentionFailed(cmp.Or(waba, unknownAccount))),
		":now": dynamo.S(model.At(s.Now())),
	}
}

// unknownAccount stands for the account of an entry that names none.
const unknownAccount model.WABAID = "unknown"

func (s *Log) mark(ctx context.Context, id model.EventID, do string, values dynamo.Item) error {
	err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookEvent(id), Do: do, If: dynamo.IfPresent, Values: values,
	})
	if err := dynamo.IgnoreConditionFailed(err); err != nil {
		return fmt.Errorf("mark %s: %w", id, err)
	}
	return nil
}

// Replay has an entry processed again: it removes the entry's marks, and the stream delivers the entry to its consumer.
// It also sets the time of the replay, because DynamoDB's stream omits a write that changes nothing. It returns
// dynamo.ErrNotFound if there is no such entry, and ignores a stale entry.
func (s *Log) Replay(ctx context.Context, id model.EventID) error {
	err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookEvent(id), If: "attribute_exists(pk) AND attribute_not_exists(stale)",
		Do:     "SET replayedAt = :now REMOVE processedAt, processingError, " + failureMarks,
		Values: dynamo.Item{":now": dynamo.S(model.At(s.Now()))},
	})
	var failed *dynamo.ConditionFailed
	switch {
	case errors.As(err, &failed) && failed.Item["stale"] != nil:
		return nil
	case failed != nil:
		return dynamo.ErrNotFound
	}
	return err
}

// Park records on the entry of a stream image why it could not be processed.
func (s *Log) Park(ctx context.Context, image dynamo.Item, reason string) error {
	return s.MarkFailed(ctx, model.EventID(dynamo.Text(image, "eventId")),
		model.WABAID(dynamo.Text(image, "wabaMetaId")), reason)
}
