package writing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// MaxSample bounds a sample, which is in memory while it is uploaded to Meta.
const MaxSample = 16 << 20

// errSample means that a file that was to be a sample is not there any more.
var errSample = errors.New("a sample is not kept any more")

// Bucket keeps the files that were uploaded to haatline: objects.Bucket.
type Bucket interface {
	Get(ctx context.Context, key string, w io.Writer, most int64) error
}

// sampled reports whether a file can be a sample: somebody of the business has uploaded it, and it is kept.
func sampled(record model.Media) bool {
	return record.UploadedBy != "" && record.S3Key != "" && record.ErasedAt == "" && record.ContentLength <= MaxSample
}

// samples returns a problem if components name files that cannot be samples. Whose they are is for the caller to check.
func (s *Templates) samples(ctx context.Context, components []json.RawMessage) error {
	for _, file := range whatsapp.SampleFiles(components) {
		id, err := model.Parse[model.MediaID](file)
		if err != nil {
			return ErrNoSample
		}
		record, err := s.record(ctx, id)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !sampled(record) {
			return ErrNoSample
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ErrNoSample means that a file cannot be the sample of a template.
var ErrNoSample = problem.New("the file cannot be a sample", problem.Error{
	Class: problem.Invalid, Field: "body.components",
	Detail: "a sample media:{mediaId} names a file of at most 16 MB that you have uploaded, and that get-media shows",
})

func (s *Templates) record(ctx context.Context, id model.MediaID) (m model.Media, err error) {
	return m, s.DB.Get(ctx, tables.Messages, keys.Media(id), &m)
}

// upload hands the samples to Meta and returns their handles, by file. It keeps which files Meta has seen.
func (s *Templates) upload(ctx context.Context, meta wished, asked model.TemplateAsked) (map[string]string, error) {
	components := make([]json.RawMessage, len(asked.Components))
	for i, c := range asked.Components {
		components[i] = json.RawMessage(c)
	}
	handles := map[string]string{}
	for _, file := range whatsapp.SampleFiles(components) {
		record, err := s.record(ctx, model.MediaID(file))
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !sampled(record) {
			return nil, errSample
		}
		if err != nil {
			return nil, err
		}
		var body bytes.Buffer
		if err := meta.files.Get(ctx, record.S3Key, &body, MaxSample); err != nil {
			return nil, err
		}
		handles[file], err = meta.UploadSample(ctx, string(meta.of.PhoneNumberID),
			whatsapp.Sample{ContentType: record.ContentType, Body: body.Bytes()})
		if err == nil {
			err = s.note(ctx, meta.of.WABAID, record)
		}
		if err != nil {
			return nil, err
		}
	}
	return handles, nil
}

// note keeps that Meta has seen a file. The condition is that this was not kept before.
func (s *Templates) note(ctx context.Context, waba model.WABAID, of model.Media) error {
	item, err := dynamo.Marshal(model.TemplateMedia{
		PK: keys.TemplateMedia(of.MediaID).Partition, ItemType: model.ItemTemplateMedia, MediaID: of.MediaID,
		WABAID: waba, S3Bucket: of.S3Bucket, S3Key: of.S3Key, ContentType: of.ContentType,
		ContentLength: of.ContentLength, UploadedAt: model.At(s.Now()),
	})
	if err != nil {
		return err
	}
	return s.DB.PutOnce(ctx, tables.Messages, item)
}
