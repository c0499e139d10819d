package messagingapi

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/media/uploading"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	told "github.com/haatline/haatline/shared/problem"
)

func (o *service) uploads() {
	const tag = "Files"
	operations.Change(o.Registry, huma.Operation{
		OperationID: "begin-upload", Method: http.MethodPost, Path: "/v1/numbers/{phoneNumberId}/media",
		Tags:    []string{tag},
		Summary: "Get a link to put a file under that you want to send", DefaultStatus: http.StatusCreated,
		Security: httpapi.Needs(httpapi.MessagesSend),
		Errors:   []int{http.StatusNotFound, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType},
		Description: "Put the file there with PUT and the headers of the answer, within five minutes; then call " +
			"upload-media with the id. Nothing is " +
			"kept of a file for which that is not called.",
	}, o.beginnable, o.beginUpload)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "upload-media", Method: http.MethodPut, Path: "/v1/numbers/{phoneNumberId}/media/{mediaId}",
		Tags:    []string{tag},
		Summary: "Upload a file to WhatsApp, so that the number can send it", DefaultStatus: http.StatusAccepted,
		Security: httpapi.Needs(httpapi.MessagesSend),
		Errors: []int{
			http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType},
		Description: "A file that was put under its link, or one that haatline has already: of a message, or of " +
			"another of your numbers. WhatsApp keeps it " +
			"for 30 days; call this again to send it later. get-media says from when on it can be sent. 404 also " +
			"says that nothing is under the link.",
	}, o.uploadable, o.uploadMedia)
}

type beginUploadInput struct {
	NumberInput
	Body struct {
		ContentType string `json:"contentType" minLength:"1" maxLength:"128" example:"application/pdf" doc:"The MIME type of the file, without parameters."`
		Size        int64  `json:"size" minimum:"1" doc:"How many bytes it has."`
	}
}

type uploadLink struct {
	ID        string            `json:"id" doc:"The id of the file from now on."`
	URL       string            `json:"url" doc:"Where to put the file. Anybody who has this address can."`
	Headers   map[string]string `json:"headers" doc:"The headers that the PUT request has to have. Tools set Content-Length themselves."`
	ExpiresAt string            `json:"expiresAt" doc:"Until when it can be put there."`
}

type uploadLinkOutput struct{ Body uploadLink }

func (o *service) beginnable(ctx context.Context, in *beginUploadInput) (uploading.File, operations.Subject, error) {
	phone, about, err := o.ownNumber(ctx, &in.NumberInput)
	return uploading.File{Tenant: about.Tenant, Phone: phone, ID: model.MediaID(o.rooms.NewID())}, about, err
}

func (o *service) taking() uploading.Uploads {
	return uploading.Uploads{Files: o.rooms.Files, Bucket: o.bucket}
}

func (o *service) beginUpload(ctx context.Context, in *beginUploadInput, of uploading.File) (*uploadLinkOutput, error) {
	link, err := o.taking().Link(ctx, of, in.Body.ContentType, in.Body.Size)
	if err != nil {
		return nil, err
	}
	return &uploadLinkOutput{uploadLink{
		ID: string(of.ID), URL: link, ExpiresAt: string(model.At(o.rooms.Now().Add(uploading.LinkLasts))),
		Headers: map[string]string{
			"Content-Type": in.Body.ContentType, "Content-Length": strconv.FormatInt(in.Body.Size, 10)},
	}}, nil
}

type uploadMediaInput struct {
	NumberInput
	MediaInput
	Body struct {
		Filename string `json:"filename,omitempty" maxLength:"240" doc:"The name under which a person gets the file again."`
	}
}

type upload struct {
	ID          string `json:"id" doc:"The id of the file."`
	ContentType string `json:"contentType" doc:"Its type."`
	Size        int64  `json:"size" doc:"How many bytes it has."`
	Filename    string `json:"filename,omitempty" doc:"What you call it."`
	Sendable
}

// Sendable says from where a file can be sent.
type Sendable struct {
	Sendable []sendableFrom `json:"sendable" doc:"From which of your numbers it can be sent; never null."`
	// UploadFailure is for people.
	UploadFailure string `json:"uploadFailure,omitempty" doc:"Why the last attempt to upload it has failed."`
}

type sendableFrom struct {
	PhoneNumberID string `json:"phoneNumberId" doc:"The number."`
	ExpiresAt     string `json:"expiresAt" doc:"When WhatsApp forgets the file. From a day before, upload it again."`
}

func sendableOf(record model.Media) Sendable {
	shown := Sendable{[]sendableFrom{}, record.UploadFailure}
	for phone, upload := range record.Uploads {
		shown.Sendable = append(shown.Sendable, sendableFrom{string(phone), string(upload.ExpiresAt)})
	}
	slices.SortFunc(shown.Sendable,
		func(a, b sendableFrom) int { return cmp.Compare(a.PhoneNumberID, b.PhoneNumberID) })
	return shown
}

type uploadOutput struct{ Body upload }

// uploadableFile is a file that may be uploaded, with its record.
type uploadableFile struct {
	uploading.File
	record model.Media
}

func (o *service) uploadable(ctx context.Context, in *uploadMediaInput) (uploadableFile, operations.Subject, error) {
	phone, about, err := o.ownNumber(ctx, &in.NumberInput)
	if err != nil {
		return uploadableFile{}, about, err
	}
	id, err := model.Parse[model.MediaID](in.MediaID)
	if err != nil {
		return uploadableFile{}, about, dynamo.ErrNotFound
	}
	of := uploading.File{
		Tenant: about.Tenant, Phone: phone, ID: id, By: httpapi.CallerOf(ctx).Subject, Name: in.Body.Filename}
	record, err := o.taking().Find(ctx, of)
	return uploadableFile{of, record}, about, err
}

func (o *service) uploadMedia(ctx context.Context, _ *uploadMediaInput, of uploadableFile) (*uploadOutput, error) {
	record, err := o.taking().Upload(ctx, of.File, of.record)
	if err != nil {
		return nil, err
	}
	return &uploadOutput{upload{
		ID: string(record.MediaID), ContentType: record.ContentType, Size: record.ContentLength,
		Filename: model.ShownLine(record.Filename), Sendable: sendableOf(record),
	}}, nil
}

// errNotUploaded says that an upload is not in the bucket yet, and why.
func errNotUploaded(record model.Media) error {
	why := told.Error{
		Class: told.Conflict, Code: "file-not-uploaded", Title: "File not uploaded yet",
		Detail: "The file is about to be uploaded to WhatsApp. Try again in a moment.",
	}
	if record.UploadFailure != "" {
		why.Detail = "The file has not been uploaded to WhatsApp yet, because of the last attempt: " +
			record.UploadFailure
	}
	return told.New("the file has not been uploaded yet", why)
}
