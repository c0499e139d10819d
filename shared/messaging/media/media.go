// Package media owns the files of messages. Meta keeps a file for days, and gives it out under an address that lasts
// minutes, so each file is fetched into a bucket once. An event of the outbox, says that the bucket has to be brought
// in line with a file's record: to fetch the file, or to delete it where the record is a tombstone. Another event has a
// file of the business uploaded to Meta. Both may be processed any number of times.
package media

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/tombstone"
)

// The types of the events: to bring the bucket in line with a record, and to upload a file to Meta.
const (
	EventFile   = "whatsapp.media"
	EventUpload = "whatsapp.upload"
)

// Files reads and writes the records of files.
type Files struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Outbox  *outbox.Outbox
	Numbers *tenancy.Numbers
}

// Payload is what an event holds: no texts, and no names of people or files.
type Payload struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	MediaID       model.MediaID       `json:"mediaId"`
	MessageIDs    []model.MessageID   `json:"messageIds,omitempty"` // the messages that show the file
	Key           string              `json:"key,omitempty"`        // where an erased file was stored
}

// The beginnings of the keys of objects: of files that are kept, of those that are under the link of an upload, which
// S3 deletes after a day, and of emails as they came, which S3 deletes after 30 days.
const (
	Kept     = "files/"
	Incoming = "incoming/"
	RawMail  = "mail/"
)

// ObjectKey returns where a file is stored.
func (p Payload) ObjectKey(tenant model.TenantID) string { return Kept + p.place(tenant) }

// ThumbnailKey returns where the thumbnail of a file is stored, by where the file is. Who deletes the file deletes what
// is there, too.
func ThumbnailKey(file string) string { return file + ".thumbnail" }

// IncomingKey returns where a file is stored that somebody uploads, until it is checked and kept.
func (p Payload) IncomingKey(tenant model.TenantID) string { return Incoming + p.place(tenant) }

func (p Payload) place(tenant model.TenantID) string {
	return string(tenant) + "/" + string(p.PhoneNumberID) + "/" + string(p.MediaID)
}

// Store stores a file's record once. It is a put of its own, before the message, because two messages may show the same
// file, and its failed condition must not cancel a message.
func (f *Files) Store(ctx context.Context, record model.Media) error {
	item, err := dynamo.Marshal(record)
	if err != nil {
		return err
	}
	if err := f.DB.PutOnce(ctx, tables.Messages, item); err != nil {
		return fmt.Errorf("store media record: %w", err)
	}
	return nil
}

// Record returns a file's record, or dynamo.ErrNotFound.
func (f *Files) Record(ctx context.Context, id model.MediaID) (model.Media, error) {
	var record model.Media
	return record, f.DB.Get(ctx, tables.Messages, keys.Media(id), &record)
}

// Orders are the orders of the files' events, as they were read: asking for a file depends on them.
type Orders struct {
	Tenant model.TenantID // "" if the number has none: nobody may have its files
	Phone  model.PhoneNumberID
	Of     map[model.MediaID]dynamo.Item
}

// Waits reports whether an event for a file is still to be processed.
func (o Orders) Waits(id model.MediaID) bool {
	return dynamo.Int(o.Of[id], "current") > dynamo.Int(o.Of[id], "delivered")
}

// Orders reads the orders of files that came to a number.
func (f *Files) Orders(ctx context.Context, phone model.PhoneNumberID, ids []model.MediaID) (Orders, error) {
	all := Orders{Phone: phone, Of: map[model.MediaID]dynamo.Item{}}
	if len(ids) == 0 {
		return all, nil
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	var err error
	if all.Tenant, err = f.Numbers.TenantOf(ctx, phone); err != nil || all.Tenant == "" {
		return all, err
	}
	var refs []dynamo.Ref
	for _, id := range ids {
		refs = append(refs, orderRef(all.Tenant, id))
	}
	found, err := f.DB.BatchGet(ctx, refs)
	if err != nil {
		return all, fmt.Errorf("read the orders of files: %w", err)
	}
	for _, id := range ids {
		all.Of[id] = orderRef(all.Tenant, id).Found(found)
	}
	return all, nil
}

func orderRef(tenant model.TenantID, id model.MediaID) dynamo.Ref {
	return outbox.SequenceRef(tenant, keys.EntityFile, string(id))
}

// Ask returns the writes that have files fetched and put on the messages that show them: two for each file. Their
// condition is that the orders are as they were read.
func (f *Files) Ask(ctx context.Context, orders Orders, shown ...model.Message) ([]dynamo.Write, error) {
	if orders.Tenant == "" {
		return nil, nil
	}
	var ids []model.MediaID
	messages := map[model.MediaID][]model.MessageID{}
	for _, m := range shown {
		if !slices.Contains(ids, m.MediaID) {
			ids = append(ids, m.MediaID)
		}
		if id, ok := keys.MessageIDOf(m.PK); ok {
			messages[m.MediaID] = append(messages[m.MediaID], id)
		}
	}
	var writes []dynamo.Write
	for _, id := range ids {
		more, err := f.appendEvent(ctx, orders, EventFile,
			Payload{PhoneNumberID: orders.Phone, MediaID: id, MessageIDs: messages[id]})
		if err != nil {
			return nil, err
		}
		writes = append(writes, more...)
	}
	return writes, nil
}

// AskUpload returns the writes that have a file uploaded to Meta for the number of the orders. Their condition is that
// the orders are as they were read.
func (f *Files) AskUpload(ctx context.Context, orders Orders, id model.MediaID) ([]dynamo.Write, error) {
	return f.appendEvent(ctx, orders, EventUpload, Payload{PhoneNumberID: orders.Phone, MediaID: id})
}

// Attach returns the writes that record a file of haatline's own making, which stands under its incoming key, and have
// it uploaded to Meta for the number of the orders and put on the message that shows it. Their condition is that the
// orders are as they were read, and that there is no such file.
func (f *Files) Attach(ctx context.Context, orders Orders, record model.Media,
	shownBy model.MessageID) ([]dynamo.Write, error) {
	item, err := dynamo.Marshal(record)
	if err != nil {
		return nil, err
	}
	asked, err := f.appendEvent(ctx, orders, EventUpload,
		Payload{PhoneNumberID: orders.Phone, MediaID: record.MediaID, MessageIDs: []model.MessageID{shownBy}})
	return append(asked, dynamo.Put{Table: tables.Messages, Item: item, If: "attribute_not_exists(pk)"}), err
}

func (f *Files) appendEvent(ctx context.Context, orders Orders, kind string, of Payload) ([]dynamo.Write, error) {
	text, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	_, writes, err := f.Outbox.Append(ctx, orders.Of[of.MediaID], outbox.Draft{
		Type: kind, Tenant: orders.Tenant, EntityType: keys.EntityFile, EntityID: string(of.MediaID),
		Payload: model.Document(text),
	})
	return writes, err
}

// Refetch has a file fetched that is not in the bucket. It does nothing where an event for it waits already.
func (f *Files) Refetch(ctx context.Context, record model.Media) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		orders, err := f.Orders(ctx, record.PhoneNumberID, []model.MediaID{record.MediaID})
		if err != nil || orders.Tenant == "" || orders.Waits(record.MediaID) {
			return err
		}
		writes, err := f.Ask(ctx, orders, model.Message{MediaID: record.MediaID})
		if err != nil {
			return err
		}
		return dynamo.Conflict(f.DB.Transact(ctx, writes))
	})
}

// EraseWrites returns the writes that replace the records of files by tombstones and have the files deleted: three for
// each file at most. A file that nobody has asked for needs no deletion. Their condition is that the orders have not
// changed.
func (f *Files) EraseWrites(ctx context.Context, phone model.PhoneNumberID,
	ids []model.MediaID) ([]dynamo.Write, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) == 0 {
		return nil, nil
	}
	orders, err := f.Orders(ctx, phone, ids)
	if err != nil {
		return nil, err
	}
	refs := make([]dynamo.Ref, len(ids))
	for i, id := range ids {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.Media(id)}
	}
	found, err := f.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read media records: %w", err)
	}
	var writes []dynamo.Write
	for i, id := range ids {
		put, err := tombstone.PutMedia(id, f.Now())
		if err != nil {
			return nil, err
		}
		writes = append(writes, put)
		stored := dynamo.Text(refs[i].Found(found), "s3Key")
		if orders.Tenant == "" || stored == "" && orders.Of[id] == nil {
			continue
		}
		more, err := f.appendEvent(ctx, orders, EventFile, Payload{PhoneNumberID: phone, MediaID: id, Key: stored})
		if err != nil {
			return nil, err
		}
		writes = append(writes, more...)
	}
	return writes, nil
}
