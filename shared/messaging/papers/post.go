// Package papers sends customers papers that are made for them, such as a statement or an invoice. The message, the
// record of the file and what has WhatsApp get the file commit together. Who asks for a paper in a chat gets it by an
// event of the outbox's slow lane, because an answer must not wait for a file.
package papers

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Files records files that are sent. media.Files implements it.
type Files interface {
	Orders(ctx context.Context, phone model.PhoneNumberID, ids []model.MediaID) (media.Orders, error)
	Attach(ctx context.Context, orders media.Orders, record model.Media, shownBy model.MessageID) ([]dynamo.Write,
		error)
}

// Bucket keeps files. objects.Bucket implements it.
type Bucket interface {
	Put(ctx context.Context, o objects.Object) error
}

// Post prepares messages with papers.
type Post struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Sender sending.Preparer
	Files  Files
	Bucket Bucket
	// Contacts are needed by Handlers alone.
	Contacts Contacts
}

// Paper is a file.
type Paper struct {
	Filename string
	Type     string                 // of its content; "" for PDF
	File     func() ([]byte, error) // makes it
	// Contents returns the messages that may show the file, the preferred one first.
	Contents func(file model.Media) []content.Content
}

// Letter is one paper to one customer.
type Letter struct {
	Paper
	Tenant    model.TenantID
	Phone     model.PhoneNumberID
	Customer  model.CustomerID
	By        string          // a person's subject, or the name of a domain
	MessageID model.MessageID // "" for a new one
	MediaID   model.MediaID
	Purpose   model.Purpose
	NamedAt   model.Time // see sending.Outgoing

	file model.Media // as it is recorded; it has a length if it is in the bucket
}

// recordLasts is how long the record of a file is kept that does not get into the bucket.
const recordLasts = 30 * 24 * time.Hour

const pdfType = "application/pdf"

// Prepare returns the writes of a letter's message and file, for the caller's transaction, and the index of the content
// that is sent. Before that it puts the file into the bucket, once for a letter. Its errors are those of
// sending.Alternatives.Prepare. If the transaction is cancelled, prepare the same letter again.
func (p *Post) Prepare(ctx context.Context, l *Letter) (prepared sending.Prepared, chosen int, err error) {
	if l.file.MediaID == "" {
		l.file = model.Media{
			PK: keys.Media(l.MediaID).Partition, ItemType: model.ItemMedia, MediaID: l.MediaID,
			PhoneNumberID: l.Phone, ContentType: cmp.Or(l.Type, pdfType), Filename: l.Filename, UploadedBy: l.By,
			TTL: p.Now().Add(recordLasts).Unix(),
		}
	}
	orders, err := p.Files.Orders(ctx, l.Phone, []model.MediaID{l.MediaID})
	if err != nil {
		return prepared, 0, err
	}
	either := sending.Either(sending.Outgoing{
		Tenant: l.Tenant, Phone: l.Phone, Customer: l.Customer, SentBy: l.By, ID: l.MessageID,
		Purpose: l.Purpose, NamedAt: l.NamedAt,
		Attached: []model.Media{l.file}}, l.Contents(l.file)...)
	found, err := p.DB.BatchGet(ctx, either.Refs(p.Sender))
	if err != nil {
		return prepared, 0, err
	}
	if prepared, chosen, err = either.Prepare(ctx, p.Sender, found); err != nil {
		return prepared, 0, err
	}
	if err := p.store(ctx, l); err != nil {
		return prepared, 0, err
	}
	attached, err := p.Files.Attach(ctx, orders, l.file, prepared.MessageID)
	prepared.Writes = append(prepared.Writes, attached...)
	return prepared, chosen, err
}

// store puts the file under its incoming key, where it lasts for a day. The upload to WhatsApp keeps it.
func (p *Post) store(ctx context.Context, l *Letter) error {
	if l.file.ContentLength > 0 {
		return nil // an attempt before this one has
	}
	file, err := l.Paper.File()
	if err != nil {
		return err
	}
	l.file.ContentLength, l.file.DetectedType = int64(len(file)), l.file.ContentType
	place := media.Payload{PhoneNumberID: l.Phone, MediaID: l.MediaID}
	return p.Bucket.Put(ctx, objects.Object{
		Key: place.IncomingKey(l.Tenant), ContentType: l.file.ContentType, Body: bytes.NewReader(file),
		Size: int64(len(file)), SHA256: sha256.Sum256(file),
	})
}
