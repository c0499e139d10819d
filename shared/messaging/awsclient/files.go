package awsclient

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/whatsapp"
)

// linkLasts is how long AWS may use a link to a file.
const linkLasts = 10 * time.Minute

// Bucket is where files lie for AWS: objects.Bucket.
type Bucket interface {
	Name() string
	Put(ctx context.Context, o objects.Object) error
	Get(ctx context.Context, key string, w io.Writer, most int64) error
	Link(ctx context.Context, key string, lasts time.Duration, answer url.Values) (string, error)
	LinkToPut(ctx context.Context, key, contentType string, size int64, lasts time.Duration) (string, error)
}

// Files gets and takes the files of numbers at AWS. A file lies in the bucket on its way, among those that are not
// checked yet, which S3 deletes after a while.
type Files struct {
	*Numbers
	Bucket Bucket
}

// File has AWS put a file into the bucket. Its URL is the key of the file there. AWS has no hash of a file.
func (f *Files) File(ctx context.Context, id, phone, mediaID string) (whatsapp.HeldFile, error) {
	held, err := f.client.File(ctx, id, mediaID)
	if err != nil || held.Size > whatsapp.MaxFile {
		return held, err
	}
	held.URL = media.Incoming + "aws/" + phone + "/" + url.PathEscape(mediaID)
	link, err := f.Bucket.LinkToPut(ctx, held.URL, held.MimeType, held.Size, linkLasts)
	if err != nil {
		return whatsapp.HeldFile{}, err
	}
	if err := f.client.Fetch(ctx, id, mediaID, held.MimeType, link); err != nil {
		return whatsapp.HeldFile{}, err
	}
	return held, nil
}

// Download writes a file that File has put into the bucket to w.
func (f *Files) Download(ctx context.Context, key string, w io.Writer) error {
	return f.Bucket.Get(ctx, key, w, whatsapp.MaxFile+1)
}

// Upload hands a file to Meta by AWS, and returns Meta's id of it.
func (f *Files) Upload(ctx context.Context, id string, of whatsapp.Upload) (mediaID string, err error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(of.Body, of.Size)); err != nil {
		return "", fmt.Errorf("read a file: %w", err)
	}
	if _, err := of.Body.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("read a file: %w", err)
	}
	object := objects.Object{ContentType: of.ContentType, Body: of.Body, Size: of.Size}
	hash.Sum(object.SHA256[:0])
	object.Key = media.Incoming + "aws/" + of.PhoneNumberID + "/" + hex.EncodeToString(object.SHA256[:])
	if err := f.Bucket.Put(ctx, object); err != nil {
		return "", fmt.Errorf("store a file for AWS: %w", err)
	}
	link, err := f.Bucket.Link(ctx, object.Key, linkLasts, nil)
	if err != nil {
		return "", fmt.Errorf("link a file for AWS: %w", err)
	}
	return f.client.Post(ctx, id, of.ContentType, link)
}
