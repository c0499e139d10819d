package sending

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// ErrFileNotUploaded means that Meta does not hold a file for the number that sends it, or will soon forget it.
var ErrFileNotUploaded = problem.New("the file is not uploaded for the number", problem.Error{
	Class: problem.Conflict, Code: "file-not-uploaded", Title: "File not uploaded",
	Detail: "WhatsApp does not hold the file for this number, or forgets it within a day. Upload it with upload-media, " +
		"PUT /v1/numbers/{phoneNumberId}/media/{mediaId}, and send the message when get-media names the number.",
})

// fileRef returns the reference of the record of a file that a content names. It reports false for an id that no file can have.
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

// shownFile is the file that a message consists of; the zero value for a message that names none, or only in its header.
type shownFile = model.Media

// withFiles returns the message with Meta's ids of the files that it names, and the file that it consists of. It returns
// ErrFileNotUploaded, or a *problem.Error that names the field of a file that is not there, or is another tenant's.
func (s *Sender) withFiles(ctx context.Context, out Outgoing, message content.Message, found dynamo.Found) (content.Message, shownFile, error) {
	var shown shownFile
	metaIDs := map[string]string{}
	for _, named := range content.Files(out.Content) {
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
		return record, problem.New("no such file", problem.Error{Class: problem.Invalid, Field: "body." + named.Field, Detail: "no file of yours"})
	}
	return record, nil
}
