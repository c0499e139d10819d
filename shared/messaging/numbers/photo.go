package numbers

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Bucket keeps the files that were uploaded to haatline: objects.Bucket.
type Bucket interface {
	Get(ctx context.Context, key string, w io.Writer, most int64) error
}

// photo returns the record of a file that can be the photo of a profile, or ErrNoPhoto. Whose it is is for the caller
// to check.
func (s *Settings) photo(ctx context.Context, id model.MediaID) (m model.Media, err error) {
	if _, err := model.Parse[model.MediaID](string(id)); err != nil {
		return m, ErrNoPhoto
	}
	err = s.DB.Get(ctx, tables.Messages, keys.Media(id), &m)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && !photographic(m) {
		return m, ErrNoPhoto
	}
	return m, err
}

// photographic reports whether a file can be a photo: somebody of the business has uploaded it, and it is kept.
func photographic(m model.Media) bool {
	return m.UploadedBy != "" && m.S3Key != "" && m.ErasedAt == "" && m.ContentLength <= maxPhoto &&
		slices.Contains([]string{"image/jpeg", "image/png"}, m.ContentType)
}

// upload hands a photo to Meta and returns the handle by which a profile names it.
func (s *Settings) upload(ctx context.Context, meta Meta, files Bucket, phone model.PhoneNumberID,
	id model.MediaID) (handle string, err error) {
	record, err := s.photo(ctx, id)
	if err != nil {
		return "", err
	}
	var body bytes.Buffer
	if err := files.Get(ctx, record.S3Key, &body, maxPhoto); err != nil {
		return "", err
	}
	return meta.UploadSample(ctx, string(phone),
		whatsapp.Sample{ContentType: record.ContentType, Body: body.Bytes()})
}
