package fetching

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/messaging/media/uploading"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// uploadAttempts are about a day of attempts. Then the upload is a dead letter, and a person may ask for it again.
const uploadAttempts = 30

// upload hands a file to Meta for a number, and records under which id Meta holds it. A file that has come under a link
// is checked once more and kept, because it could be replaced there as long as the link was good.
func (f *Files) upload(ctx context.Context, event model.OutboxEvent, of media.Payload) error {
	record, err := f.Record(ctx, of.MediaID)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return nil // it has expired
	case err != nil:
		return err
	case record.ErasedAt != "":
		return f.remove(ctx, of.ObjectKey(event.EcosystemID))
	case record.Uploads[of.PhoneNumberID].At >= event.CreatedAt && record.Uploads[of.PhoneNumberID].ID != "":
		return f.showUploaded(ctx, of, record) // an attempt before this one has ended here
	}
	disk, done, err := f.place(ctx)
	if err != nil {
		return err
	}
	defer done()
	next := record
	if err = f.read(ctx, disk, event.EcosystemID, &next); err == nil {
		err = f.handOver(ctx, disk, of.PhoneNumberID, &next)
	}
	failure := uploadFailure(err, event)
	if err != nil && failure == nil {
		return err
	}
	if err := f.recordUpload(ctx, record, next, failure); err != nil {
		return err
	}
	if failure != nil {
		return failure
	}
	return f.showUploaded(ctx, of, next)
}

// showUploaded puts an uploaded file on the messages that were prepared together with it.
func (f *Files) showUploaded(ctx context.Context, of media.Payload, record model.Media) error {
	if len(of.MessageIDs) == 0 || record.S3Key == "" {
		return nil
	}
	return f.show(ctx, of, record, nil)
}

// read brings a file to the disk, and into the part of the bucket that is kept.
func (f *Files) read(ctx context.Context, disk *os.File, tenant model.TenantID, record *model.Media) error {
	own := media.Payload{PhoneNumberID: record.PhoneNumberID, MediaID: record.MediaID}
	if record.S3Key != "" {
		return errors.Join(f.bucket.Get(ctx, record.S3Key, disk, whatsapp.MaxFile), rewind(disk))
	}
	if err := f.bucket.Get(ctx, own.IncomingKey(tenant), disk, whatsapp.MaxFile+1); err != nil {
		return err
	}
	object, err := f.checkUpload(ctx, disk, record)
	if err != nil {
		return err
	}
	object.Key = own.ObjectKey(tenant)
	if err := f.bucket.Put(ctx, object); err != nil {
		return err
	}
	record.S3Bucket, record.S3Key, record.UploadedAt = f.bucket.Name(), object.Key, model.At(f.Now())
	record.Look = f.look(ctx, disk, object.Key, record.DetectedType, record.ContentLength)
	return rewind(disk)
}

// checkUpload checks that a file on the disk is what WhatsApp takes. It leaves the file at its beginning.
func (f *Files) checkUpload(ctx context.Context, disk *os.File, record *model.Media) (objects.Object, error) {
	types, err := uploading.TypesOf(ctx, f.DB)
	if err != nil {
		return objects.Object{}, err
	}
	if err := rewind(disk); err != nil {
		return objects.Object{}, err
	}
	hash := sha256.New()
	head, err := io.ReadAll(io.TeeReader(io.LimitReader(disk, uploading.HeadSize), hash))
	if err != nil {
		return objects.Object{}, err
	}
	rest, err := io.Copy(hash, disk)
	if err != nil {
		return objects.Object{}, err
	}
	record.ContentLength = int64(len(head)) + rest
	if record.DetectedType, err = types.Check(record.ContentType, record.ContentLength, head); err != nil {
		return objects.Object{}, err
	}
	object := objects.Object{ContentType: record.DetectedType, Body: disk, Size: record.ContentLength}
	hash.Sum(object.SHA256[:0])
	return object, rewind(disk)
}

// handOver uploads the file on the disk to Meta.
func (f *Files) handOver(ctx context.Context, disk *os.File, phone model.PhoneNumberID, record *model.Media) error {
	at := f.Now()
	id, err := f.meta.Upload(ctx, whatsapp.Upload{
		PhoneNumberID: string(phone), ContentType: record.ContentType, Body: disk, Size: record.ContentLength,
	})
	if err != nil {
		return err
	}
	uploads := map[model.PhoneNumberID]model.Upload{
		phone: {ID: id, At: model.At(at), ExpiresAt: model.At(at.Add(whatsapp.UploadLasts))}}
	for other, upload := range record.Uploads {
		if other != phone && upload.ExpiresAt > model.At(at) {
			uploads[other] = upload
		}
	}
	record.Uploads = uploads
	return nil
}

// uploadFailure returns what the outbox does about an error; nil for one about which nothing is recorded.
func uploadFailure(err error, event model.OutboxEvent) *outbox.Failure {
	var refused *whatsapp.SendError
	var wrong *problem.Error
	switch {
	case errors.As(err, &wrong):
		return &outbox.Failure{Reason: wrong.Detail, Class: "upload", Attempts: 1}
	case errors.Is(err, objects.ErrNone):
		return &outbox.Failure{Reason: "The file is not in the bucket any more.", Class: "upload", Attempts: 1}
	case errors.As(err, &refused):
		failure := &outbox.Failure{
			Reason: model.Truncate(refused.Error(), 512), Code: refused.Meta.Code, Class: "upload",
			Attempts: uploadAttempts, Wait: waitAfter(event)}
		if refused.Class == whatsapp.Never {
			failure.Attempts = 1
		}
		return failure
	}
	return nil
}

// recordUpload writes what has become of an upload. Its condition is that the file is not erased, and that nobody has
// recorded another upload meanwhile.
func (f *Files) recordUpload(ctx context.Context, was, next model.Media, failure *outbox.Failure) error {
	values := dynamo.Item{}
	unchanged := ""
	var do dynamo.Do
	if failure != nil {
		do.Set = append(do.Set, "uploadFailure = :why")
		values[":why"] = dynamo.S(failure.Reason)
	} else {
		do.Set, do.Remove = append(do.Set, "uploads = :uploads"), append(do.Remove, "uploadFailure")
		uploads, err := dynamo.Value(next.Uploads)
		if err != nil {
			return err
		}
		before, err := dynamo.Value(was.Uploads)
		if err != nil {
			return err
		}
		if values[":uploads"] = uploads; len(was.Uploads) == 0 {
			before = nil
		}
		unchanged = dynamo.Same("uploads", before, values)
	}
	if was.S3Key != next.S3Key {
		do.Set = append(do.Set, "uploadedAt = :now", "detectedType = :detected")
		do.Remove = append(do.Remove, "#ttl")
		values[":now"], values[":detected"] = dynamo.S(next.UploadedAt), dynamo.S(next.DetectedType)
		if err := setStored(next, &do, values); err != nil {
			return err
		}
	}
	err := f.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.Media(was.MediaID), Do: do.String(),
		If: dynamo.And("attribute_exists(pk) AND attribute_not_exists(erasedAt)", unchanged), Values: values,
	})
	return err
}
