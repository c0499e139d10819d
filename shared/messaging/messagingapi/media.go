package messagingapi

import (
	"context"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	files "github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	told "github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tenancy"
)

// linkLasts is how long a file can be read under a link.
const linkLasts = 5 * time.Minute

func (o *service) media() {
	const tag = "Files"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-media", Method: http.MethodGet, Path: "/v1/media/{mediaId}", Tags: []string{tag},
		Summary: "Get a link to the file of a message", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusGone},
		Description: "Anybody can read the file under the link, for five minutes. For an upload it says from which " +
			"numbers it can be sent. Pictures, sound, videos and PDF files open in a browser; all others are " +
			"downloaded. 409 says that the file has not been fetched yet and why, 410 that Meta has forgotten it.",
	}, o.getMedia)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "fetch-media", Method: http.MethodPost, Path: "/v1/media/{mediaId}/fetch", Tags: []string{tag},
		Summary: "Fetch the file of a message again", DefaultStatus: http.StatusAccepted,
		Security: httpapi.Needs(httpapi.MessagesSend), Errors: []int{http.StatusNotFound},
		Description: "It changes nothing if the file is there, or is about to be fetched.",
	}, o.fetchable, o.fetchMedia)
}

// Problems of files.
var (
	errNotFetched = told.Error{Class: told.Conflict, Code: "file-not-fetched", Title: "File not fetched yet"}
	errForgotten  = told.New("Meta has forgotten the file", told.Error{
		Class: told.Gone, Code: "file-forgotten", Title: "File forgotten",
		Detail: "Meta has forgotten the file before it could be fetched. Ask the customer to send it again.",
	})
)

type MediaInput struct {
	MediaID string `path:"mediaId" maxLength:"512" doc:"The id of the file, as in media.id of a message or as an upload has got it."`
}

type storedMedia struct {
	ID          string `json:"id" doc:"The id of the file."`
	URL         string `json:"url" doc:"Where it can be read. Anybody who has this address can."`
	ExpiresAt   string `json:"expiresAt" doc:"Until when it can be read there."`
	ContentType string `json:"contentType" doc:"What it is, by its content."`
	Size        int64  `json:"size" doc:"How many bytes it has."`
	Filename    string `json:"filename,omitempty" doc:"What the sender calls it."`
	FetchedAt   string `json:"fetchedAt" doc:"Since when it is here."`
	Look
	Thumbnail *thumbnailLink `json:"thumbnail,omitempty" doc:"A small picture of a picture, the right way up; absent if there is none."`
	Sendable
}

type thumbnailLink struct {
	URL         string `json:"url" doc:"Where it can be read, for as long as the file. Anybody who has this address can."`
	ContentType string `json:"contentType" doc:"What it is: image/jpeg or image/png."`
}

type mediaOutput struct{ Body storedMedia }

// mediaRecord is the record of a file of a number that the caller may touch; dynamo.ErrNotFound for any other, and for
// an erased one.
func (o *service) mediaRecord(ctx context.Context, id string, may may) (model.Media, model.TenantID, error) {
	mediaID, err := model.Parse[model.MediaID](id)
	if err != nil {
		return model.Media{}, "", dynamo.ErrNotFound
	}
	record, err := o.rooms.Files.Record(ctx, mediaID)
	if err != nil {
		return model.Media{}, "", err
	}
	tenant, err := o.tenantOf(ctx, record.PhoneNumberID, may)
	if err == nil && record.ErasedAt != "" {
		err = dynamo.ErrNotFound
	}
	return record, tenant, err
}

func (o *service) getMedia(ctx context.Context, in *MediaInput) (*mediaOutput, error) {
	record, _, err := o.mediaRecord(ctx, in.MediaID, httpapi.Caller.Sees)
	switch {
	case err != nil:
		return nil, err
	case record.S3Key == "" && record.UploadedBy != "":
		return nil, errNotUploaded(record)
	case record.S3Key == "" && record.ForgottenAt != "":
		return nil, errForgotten
	case record.S3Key == "":
		why := errNotFetched
		why.Detail = "The file has not been fetched from Meta yet. Try again in a moment."
		if record.FetchFailure != "" {
			why.Detail = "The file has not been fetched from Meta yet, because of the last attempt: " +
				record.FetchFailure + ". It is tried again."
		}
		return nil, told.New("the file has not been fetched yet", why)
	}
	address, err := o.bucket.Link(ctx, record.S3Key, linkLasts, url.Values{
		"response-content-type": {record.DetectedType}, "response-content-disposition": {disposition(record)},
	})
	if err != nil {
		return nil, err
	}
	out := &mediaOutput{storedMedia{
		ID: string(record.MediaID), URL: address, ExpiresAt: string(model.At(o.rooms.Now().Add(linkLasts))),
		ContentType: record.DetectedType,
		Size:        record.ContentLength, Filename: model.ShownLine(record.Filename),
		FetchedAt: string(record.UploadedAt),
		Sendable:  sendableOf(record),
	}}
	known, small := lookOf(record.Look)
	if out.Body.Look = known; small == "" {
		return out, nil
	}
	address, err = o.bucket.Link(ctx, files.ThumbnailKey(record.S3Key), linkLasts, nil)
	out.Body.Thumbnail = &thumbnailLink{address, small}
	return out, err
}

// disposition returns how a browser shows a file. Only what cannot run a script opens there, whatever its sender says
// that it is.
func disposition(record model.Media) string {
	how := "attachment"
	kind, _, _ := strings.Cut(record.DetectedType, "/")
	safe := kind == "image" && record.DetectedType != "image/svg+xml" || kind == "audio" || kind == "video" ||
		record.DetectedType == "application/pdf"
	if safe {
		how = "inline"
	}
	if record.Filename == "" {
		return how
	}
	return mime.FormatMediaType(how, map[string]string{"filename": model.ShownLine(record.Filename)})
}

func (o *service) fetchable(ctx context.Context, in *MediaInput) (model.Media, operations.Subject, error) {
	record, tenant, err := o.mediaRecord(ctx, in.MediaID, httpapi.Caller.Owns)
	return record,
		operations.Subject{
			Tenant: tenant, Target: audit.Target{Type: tenancy.TargetNumber, ID: string(record.PhoneNumberID)}}, err
}

func (o *service) fetchMedia(ctx context.Context, _ *MediaInput, record model.Media) (*done, error) {
	if record.S3Key != "" || record.UploadedBy != "" { // Meta has no file of ours to fetch
		return nil, nil
	}
	return nil, o.rooms.Files.Refetch(ctx, record)
}
