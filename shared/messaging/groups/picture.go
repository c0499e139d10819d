package groups

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Files are those that were uploaded to haatline: objects.Bucket.
type Files interface {
	Get(ctx context.Context, key string, w io.Writer, most int64) error
}

// The limits of Meta.
const (
	maxPicture = 5 << 20 // bytes
	leastSide  = 192     // pixels of a side
)

// ErrNoPicture means that a file cannot be the picture of a group.
var ErrNoPicture = problem.New("the file cannot be the picture of a group", problem.Error{
	Class: problem.Invalid, Field: "body.mediaId",
	Detail: "must be a JPEG of at most 5 MB that was uploaded here",
})

// The problems of a picture for which Meta was not asked.
const (
	problemNoFile = "The file that was to be the picture is not kept any more."
	problemShape  = "The picture must be a JPEG, square, and at least 192 pixels wide."
)

// SetPicture has Meta asked to give a group a picture: a file that somebody of the business has uploaded. The caller
// checks whose it is. by is who asks for it. It returns ErrNoPicture, and what Ask returns. Its condition is that the
// group is as it was read.
func (s *Groups) SetPicture(ctx context.Context, tenant model.TenantID, id model.Name, file model.MediaID,
	by string) (model.Group, error) {
	if _, err := s.picture(ctx, file); err != nil {
		return model.Group{}, err
	}
	return s.Ask(ctx, tenant, id, model.GroupAsked{Wish: Picture, Picture: file, By: by})
}

// picture returns the record of a file that can be a picture; ErrNoPicture for any other one.
func (s *Groups) picture(ctx context.Context, id model.MediaID) (m model.Media, err error) {
	if _, err := model.Parse[model.MediaID](string(id)); err != nil {
		return m, ErrNoPicture
	}
	err = s.DB.Get(ctx, tables.Messages, keys.Media(id), &m)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && (m.UploadedBy == "" || m.S3Key == "" || m.ErasedAt != "" ||
		m.ContentType != "image/jpeg" || m.ContentLength > maxPicture) {
		return m, ErrNoPicture
	}
	return m, err
}

// putPicture gives the group its picture. Meta may be asked twice: the result is the same.
func (r *request) putPicture(ctx context.Context) error {
	var file bytes.Buffer
	record, err := r.picture(ctx, r.g.Asked.Picture)
	if err == nil {
		err = r.files.Get(ctx, record.S3Key, &file, maxPicture)
	}
	if errors.Is(err, ErrNoPicture) || errors.Is(err, objects.ErrNone) {
		return r.settle(ctx, problemNoFile, nil)
	}
	if err != nil {
		return err
	}
	if width, height := sizeOfJPEG(file.Bytes()); width != height || width < leastSide {
		return r.settle(ctx, problemShape, nil)
	}
	answer, err := r.meta.PutGroupPicture(ctx, string(r.of.PhoneNumberID), string(r.of.GroupID), file.Bytes())
	if err != nil {
		return err
	}
	return r.answered(ctx, answer, nil)
}
