package sending

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// ErrFileNotUploaded means that Meta does not hold a file for the number that sends it, or will soon forget it.
var ErrFileNotUploaded = problem.New("the file is not uploaded for the number", problem.Error{
	Class: problem.Conflict, Code: "file-not-uploaded", Title: "File not uploaded",
	Detail: "WhatsApp does not hold the file for this number, or forgets it within a day. Upload it with " +
		"upload-media, " +
		"PUT /v1/numbers/{phoneNumberId}/media/{mediaId}, and send the message when get-media names the number.",
})

// fileRef returns the reference of the record of a file that a content names. It reports false for an id that no file
// can have.
func fileRef(named content.NamedFile) (dynamo.Ref, bool) {
	id, err := model.Parse[model.MediaID](named.ID)
	return dynamo.Ref{Table: tables.Messages, Key: keys.Media(id)}, err == nil
}

func fileRefs(of content.Content) []dynamo.Ref {
	var refs []dynamo.Ref
	for _, named := range content.Files(of) {
		if ref, valid := fileRef(named); valid {
			refs = append(refs, ref)
		}
	}
	return refs
}

// shownFile is the file that a message consists of; the zero value for a message that names none, or only in its
// header.
type shownFile = model.Media

// withFiles returns the message with Meta's ids of the files that it names, and the file that it consists of. It
// returns ErrFileNotUploaded, or a *problem.Error that names the field of a file that is not there, or is another
// tenant's.
func (s *Sender) withFiles(ctx context.Context, out Outgoing, message content.Message,
	found dynamo.Found) (content.Message, shownFile, error) {
	var shown shownFile
	metaIDs := map[string]string{}
	for _, named := range content.Files(out.Content) {
		if own := out.attached(named.ID); own != nil {
			shown = *own
			continue
		}
		record, err := s.file(ctx, out.Tenant, out.Phone, named, found)
		if err != nil {
			return message, shown, err
		}
		upload := record.Uploads[out.Phone]
		if !upload.Usable(s.Now()) {
			return message, shown, ErrFileNotUploaded
		}
		if metaIDs[named.ID] = upload.ID; named.Field == "mediaId" {
			shown = record
		}
	}
	return message.WithFiles(metaIDs), shown, nil
}

// attached returns the file of an id that is recorded together with the message; nil for any other.
func (out Outgoing) attached(id string) *model.Media {
	for i := range out.Attached {
		if string(out.Attached[i].MediaID) == id {
			return &out.Attached[i]
		}
	}
	return nil
}

// awaited returns the files that the message waits for.
func (out Outgoing) awaited() []model.MediaID {
	ids := out.awaits
	for _, file := range out.Attached {
		ids = append(ids, file.MediaID)
	}
	return ids
}

// fileWaits are the times between the attempts of a message that waits for its file; the last one repeats. A file is
// with WhatsApp within a second or two: the first waits fit into an invocation. Where it takes longer, the customer's
// other messages pass.
var fileWaits = []time.Duration{
	500 * time.Millisecond, 800 * time.Millisecond, 15 * time.Second, 5 * time.Minute, 15 * time.Minute, time.Hour}

// fileAttempts are about a day.
const (
	fileAttempts = 28
	fileClass    = "file"
)

// nameUploads puts Meta's ids of the files that a message waits for into its request. It returns an *outbox.Failure as
// long as WhatsApp does not have them.
func (s *Sender) nameUploads(ctx context.Context, payload *messagePayload, event model.OutboxEvent) error {
	metaIDs := map[string]string{}
	for _, id := range payload.Files {
		var record model.Media
		err := s.DB.Get(ctx, tables.Messages, keys.Media(id), &record)
		upload := record.Uploads[payload.PhoneNumberID]
		failure := &outbox.Failure{
			Class: fileClass, Attempts: fileAttempts,
			Wait: fileWaits[min(event.FailuresByClass[fileClass], len(fileWaits)-1)]}
		switch {
		case errors.Is(err, dynamo.ErrNotFound) || record.ErasedAt != "":
			failure.Reason, failure.Attempts = "the file of the message is not there any more", 1
			return failure
		case err != nil:
			failure.Reason = "the file of the message cannot be read"
			return failure
		case upload.ExpiresAt <= model.At(s.Now()):
			failure.Reason = "WhatsApp does not have the file of the message yet"
			if record.UploadFailure != "" {
				failure.Reason += ": " + record.UploadFailure
			}
			return failure
		}
		metaIDs[string(id)] = upload.ID
	}
	if len(metaIDs) > 0 {
		payload.Request = content.BodyWithFiles(payload.Request, metaIDs)
	}
	return nil
}

// file returns the record of a file of the tenant.
func (s *Sender) file(
	ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID, named content.NamedFile, found dynamo.Found,
) (record model.Media, err error) {
	ref, _ := fileRef(named)
	if item := ref.Found(found); item != nil {
		if err := dynamo.Unmarshal(item, &record); err != nil {
			return record, err
		}
	}
	owner := tenant
	if record.PhoneNumberID != phone && record.PhoneNumberID != "" {
		if owner, err = s.Numbers.TenantOf(ctx, record.PhoneNumberID); err != nil {
			return record, err
		}
	}
	if record.PhoneNumberID == "" || record.ErasedAt != "" || owner != tenant {
		return record,
			problem.New("no such file",
				problem.Error{Class: problem.Invalid, Field: "body." + named.Field, Detail: "no file of yours"})
	}
	return record, nil
}
