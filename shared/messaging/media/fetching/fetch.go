package fetching

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Meta gives out and takes files, for each number with its token.
type Meta interface {
	File(ctx context.Context, phoneNumberID, mediaID string) (whatsapp.HeldFile, error)
	Download(ctx context.Context, phoneNumberID, url string, w io.Writer) error
	Upload(ctx context.Context, of whatsapp.Upload) (string, error)
}

// Bucket keeps the files.
type Bucket interface {
	Name() string
	Put(ctx context.Context, o objects.Object) error
	Get(ctx context.Context, key string, w io.Writer, most int64) error
	Delete(ctx context.Context, key string) error
}

// width bounds the files that are fetched at once: each takes up to 100 MB of the disk.
const width = 4

// askings bounds how often one attempt asks for a new URL.
const askings = 3

// fetcher brings files from Meta into the bucket.
type fetcher struct {
	meta   Meta
	bucket Bucket
	slots  chan struct{}
	// pictures holds a place for one picture: decoding it takes up to 150 MB of memory.
	pictures chan struct{}
}

// unfetchedError says why Meta's file could not be fetched, in words for a person.
type unfetchedError struct{ reason string }

func (e *unfetchedError) Error() string { return e.reason }

// storedFile is a file in the bucket.
type storedFile struct {
	key, mimeType, detected string
	size                    int64
	look                    *model.Look
}

// fetch downloads a file, checks it, and puts it into the bucket. It goes over the disk, so that only what was checked
// gets there, and memory does not grow with the file.
func (f *fetcher) fetch(ctx context.Context, key string, of media.Payload, record model.Media) (storedFile, error) {
	disk, done, err := f.place(ctx)
	if err != nil {
		return storedFile{}, err
	}
	defer done()
	held, err := f.download(ctx, of, disk)
	if err != nil {
		return storedFile{}, &unfetchedError{reasonOf(err)}
	}
	stored, sum, err := check(disk, held, record)
	if err != nil {
		return storedFile{}, err
	}
	stored.key = key
	if err := f.bucket.Put(ctx, objects.Object{
		Key: key, ContentType: stored.detected, Body: disk, Size: stored.size, SHA256: sum}); err != nil {
		return storedFile{}, err
	}
	stored.look = f.look(ctx, disk, key, stored.detected, stored.size)
	return stored, nil
}

// place returns a place on the disk for one file, as soon as there is room. The caller calls done at the end.
func (f *fetcher) place(ctx context.Context) (disk *os.File, done func(), err error) {
	select {
	case f.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	if disk, err = os.CreateTemp("", "file"); err != nil {
		<-f.slots
		return nil, nil, err
	}
	done = func() {
		disk.Close()
		<-f.slots
	}
	if err := os.Remove(disk.Name()); err != nil { // it is gone with the process, whatever happens
		done()
		return nil, nil, err
	}
	return disk, done, nil
}

// download writes a file to the disk. It asks for another URL where one has expired.
func (f *fetcher) download(ctx context.Context, of media.Payload, disk *os.File) (held whatsapp.HeldFile, err error) {
	for range askings {
		if held, err = f.meta.File(ctx, string(of.PhoneNumberID), string(of.MediaID)); err != nil {
			return held, err
		}
		if held.Size > whatsapp.MaxFile {
			return held, whatsapp.ErrTooLarge
		}
		if err = errors.Join(rewind(disk), disk.Truncate(0)); err != nil {
			return held, err
		}
		if err = f.meta.Download(ctx, string(of.PhoneNumberID), held.URL, disk); !errors.Is(err,
			whatsapp.ErrURLExpired) {
			return held, err
		}
	}
	return held, err
}

func rewind(disk *os.File) error {
	_, err := disk.Seek(0, io.SeekStart)
	return err
}

// check compares a file with what Meta says of it, and finds out what it is. It leaves the file at its beginning.
func check(disk *os.File, held whatsapp.HeldFile, record model.Media) (stored storedFile, sum [32]byte, err error) {
	if err := rewind(disk); err != nil {
		return stored, sum, err
	}
	hash := sha256.New()
	if stored.size, err = io.Copy(hash, disk); err != nil {
		return stored, sum, err
	}
	hash.Sum(sum[:0])
	given := held.SHA256
	if given == "" {
		given = record.SHA256
	}
	switch {
	case held.Size > 0 && held.Size != stored.size:
		return stored, sum, &unfetchedError{"the file was cut off"}
	case given != "" && !whatsapp.SameSHA256(given, sum):
		return stored, sum, &unfetchedError{"the file is not the one that Meta described"}
	}
	if err := rewind(disk); err != nil {
		return stored, sum, err
	}
	detected, err := mimetype.DetectReader(disk)
	if err != nil {
		return stored, sum, err
	}
	stored.detected, _, _ = strings.Cut(detected.String(), ";")
	stored.mimeType = held.MimeType
	if stored.mimeType == "" {
		stored.mimeType = stored.detected
	}
	return stored, sum, rewind(disk)
}

// remove deletes the files under the keys, and their thumbnails.
func (f *fetcher) remove(ctx context.Context, keys ...string) error {
	slices.Sort(keys)
	var errs []error
	for _, key := range slices.Compact(keys) {
		if key != "" {
			errs = append(errs, f.bucket.Delete(ctx, key), f.bucket.Delete(ctx, media.ThumbnailKey(key)))
		}
	}
	return errors.Join(errs...)
}

// reasonOf says in words for a person why a download failed. It names neither addresses nor ids.
func reasonOf(err error) string {
	var refused *whatsapp.SendError
	for _, known := range []error{
		whatsapp.ErrNoFile, whatsapp.ErrURLExpired, whatsapp.ErrForeignHost, whatsapp.ErrTooLarge} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	if errors.As(err, &refused) {
		return refused.Error()
	}
	return "the download was interrupted"
}
