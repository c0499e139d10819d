package files

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
)

// Bucket gives out the ways to files, and shows how they begin.
type Bucket interface {
	Link(ctx context.Context, key string, lasts time.Duration, answer url.Values) (string, error)
	LinkToPutOnce(ctx context.Context, key, contentType string, size int64, lasts time.Duration) (string, error)
	Begin(ctx context.Context, key string, most int) (objects.Beginning, error)
}

// headSize is how many bytes of a file show its type.
const headSize = 512

// atOnce bounds how many files are looked at side by side.
const atOnce = 5

// errNotThere is for a file that nobody has put under its link, or that is not what was said of it.
var errNotThere = communitymodel.Wrong("body.attachments",
	"a file that has not been uploaded, or is not what was said of it")

// Uploaded returns an error unless all files are in the bucket and are what was said of them.
func (s *Files) Uploaded(ctx context.Context, tenant model.TenantID, ref communitymodel.ChatRef,
	all []communitymodel.File) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, f := range all {
		group.Go(func() error {
			is, err := s.Looks(ctx, ObjectKey(tenant, ref.ID, f.ID), f.Type, f.Size)
			if err == nil && !is {
				err = errNotThere
			}
			return err
		})
	}
	return group.Wait()
}

// Looks reports whether an object is in the bucket, and is what was said of it.
func (s *Files) Looks(ctx context.Context, key, contentType string, size int64) (bool, error) {
	begins, err := s.Bucket.Begin(ctx, key, headSize)
	if errors.Is(err, objects.ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at a file: %w", err)
	}
	return begins.Size == size && (!IsPicture(contentType) || isPicture(begins.Bytes, contentType)), nil
}

// isPicture reports whether a file begins as a picture of a type does.
func isPicture(head []byte, contentType string) bool {
	return http.DetectContentType(head) == contentType
}

// Link returns an address under which a file of a chat can be read for some time. S3 sends no X-Content-Type-Options;
// the answer has the type that was checked, and what is no picture is a download.
func (s *Files) Link(ctx context.Context, tenant model.TenantID, ref communitymodel.ChatRef,
	a communitymodel.Attachment) (string, error) {
	return s.LinkTo(ctx, ObjectKey(tenant, ref.ID, a.File), a)
}

// LinkTo returns such an address of an object.
func (s *Files) LinkTo(ctx context.Context, key string, a communitymodel.Attachment) (string, error) {
	return s.Bucket.Link(ctx, key, ReadLasts, url.Values{
		"response-content-type": {a.Type}, "response-content-disposition": {disposition(a)},
		"response-cache-control": {"private, no-store"},
	})
}
