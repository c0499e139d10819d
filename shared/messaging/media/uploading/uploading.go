// Package uploading takes the files that a business sends. A file goes into the bucket under a link, is checked there,
// and is then uploaded to Meta for a number, by an event of the outbox. Nothing is recorded of a file before it is
// checked.
package uploading

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// LinkLasts is how long a file can be put under a link.
	LinkLasts = 5 * time.Minute
	// recordLasts is how long the record of a file is kept that does not get into the bucket.
	recordLasts = 30 * 24 * time.Hour
)

// ErrNotStored means that a file that a customer has sent is not in the bucket, so that it cannot be uploaded.
var ErrNotStored = problem.New("the file is not here", problem.Error{
	Class: problem.Conflict, Code: "file-not-fetched", Title: "File not fetched yet",
	Detail: "The file of this message has not been fetched from Meta, so it cannot be uploaded.",
})

// Bucket is what taking a file needs of the bucket.
type Bucket interface {
	LinkToPut(ctx context.Context, key, contentType string, size int64, lasts time.Duration) (string, error)
	Begin(ctx context.Context, key string, most int) (objects.Beginning, error)
}

// Uploads takes files.
type Uploads struct {
	*media.Files
	Bucket Bucket
}

// File is a file of a tenant that is uploaded for a number.
type File struct {
	Tenant model.TenantID
	Phone  model.PhoneNumberID
	ID     model.MediaID
	By     string // the person who uploads it
	Name   string // what they call it; "" for nothing
}

func (f File) payload() media.Payload { return media.Payload{PhoneNumberID: f.Phone, MediaID: f.ID} }

// Link returns an address under which the file can be put into the bucket. It returns a *problem.Error for a file that
// WhatsApp does not take.
func (u Uploads) Link(ctx context.Context, of File, contentType string, size int64) (string, error) {
	types, err := TypesOf(ctx, u.DB)
	if err != nil {
		return "", err
	}
	if err := types.announced(contentType, size); err != nil {
		return "", err
	}
	return u.Bucket.LinkToPut(ctx, of.payload().IncomingKey(of.Tenant), contentType, size, LinkLasts)
}

// Find returns the record of a file that may be uploaded: of one that haatline has already, or of one that is under its
// link and is what WhatsApp takes. It returns dynamo.ErrNotFound for a file that is not there, or is another tenant's,
// ErrNotStored, and a *problem.Error for a file that WhatsApp does not take.
func (u Uploads) Find(ctx context.Context, of File) (model.Media, error) {
	record, err := u.Record(ctx, of.ID)
	if errors.Is(err, dynamo.ErrNotFound) {
		return u.incoming(ctx, of)
	}
	if err != nil {
		return model.Media{}, err
	}
	return record, u.mayUpload(ctx, of, record)
}

// Upload has a file that was found uploaded to Meta for a number, and returns its record. It changes nothing where Meta
// holds the file, or is about to get it.
func (u Uploads) Upload(ctx context.Context, of File, found model.Media) (record model.Media, err error) {
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		record, err = u.upload(ctx, of, found)
		return err
	})
	return record, err
}

func (u Uploads) upload(ctx context.Context, of File, found model.Media) (model.Media, error) {
	orders, err := u.Orders(ctx, of.Phone, []model.MediaID{of.ID})
	if err != nil {
		return model.Media{}, err
	}
	record, err := u.Record(ctx, of.ID)
	var writes []dynamo.Write
	switch {
	case errors.Is(err, dynamo.ErrNotFound) && found.UploadedBy != "":
		record = found
		item, err := dynamo.Marshal(record)
		if err != nil {
			return model.Media{}, err
		}
		writes = append(writes, dynamo.Put{Table: tables.Messages, Item: item, If: "attribute_not_exists(pk)"})
	case err != nil:
		return model.Media{}, err
	case record.ErasedAt != "":
		return model.Media{}, dynamo.ErrNotFound
	case record.Uploads[of.Phone].Usable(u.Now()) || orders.Waits(of.ID):
		return record, nil
	}
	asked, err := u.AskUpload(ctx, orders, of.ID)
	if err != nil {
		return model.Media{}, err
	}
	return record, dynamo.Conflict(u.DB.Transact(ctx, append(writes, asked...)))
}

// mayUpload returns an error unless a file that has a record is the tenant's and can be read.
func (u Uploads) mayUpload(ctx context.Context, of File, record model.Media) error {
	if record.ErasedAt != "" {
		return dynamo.ErrNotFound
	}
	if record.PhoneNumberID != of.Phone {
		switch owner, err := u.Numbers.TenantOf(ctx, record.PhoneNumberID); {
		case err != nil:
			return err
		case owner != of.Tenant:
			return dynamo.ErrNotFound
		}
	}
	if record.S3Key == "" && record.UploadedBy == "" {
		return ErrNotStored
	}
	return nil
}

// incoming returns the record of a file that is under its link, and is what WhatsApp takes.
func (u Uploads) incoming(ctx context.Context, of File) (model.Media, error) {
	begins, err := u.Bucket.Begin(ctx, of.payload().IncomingKey(of.Tenant), HeadSize)
	if errors.Is(err, objects.ErrNone) {
		return model.Media{}, dynamo.ErrNotFound
	}
	if err != nil {
		return model.Media{}, err
	}
	types, err := TypesOf(ctx, u.DB)
	if err != nil {
		return model.Media{}, err
	}
	number, err := u.Numbers.Number(ctx, of.Phone)
	if err != nil {
		return model.Media{}, err
	}
	detected, err := types.Check(begins.ContentType, begins.Size, begins.Bytes)
	return model.Media{
		WABAMetaID: number.WABAMetaID, // so that the files of an account can be counted
		PK:         keys.Media(of.ID).Partition, ItemType: model.ItemMedia, MediaID: of.ID, PhoneNumberID: of.Phone,
		ContentType: begins.ContentType,
		Filename:    of.Name, UploadedBy: of.By, ContentLength: begins.Size, DetectedType: detected,
		TTL: u.Now().Add(recordLasts).Unix(),
	}, err
}

// TypesOf returns the files that may be uploaded: those of the configuration, or else all that WhatsApp takes.
func TypesOf(ctx context.Context, db *dynamo.Client) (Types, error) {
	var configured model.MediaTypes
	err := db.Get(ctx, tables.Messages, keys.MediaTypes(), &configured)
	if errors.Is(err, dynamo.ErrNotFound) {
		return platform, nil
	}
	return configured.SupportedTypes, err
}
