package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// ErrNone means that nothing is under a key. S3 says so only to who may list the bucket, and forbids everybody else to
// read it: no function may list.
var ErrNone = errors.New("nothing is stored under the key")

// Beginning is what can be known of a file without reading all of it.
type Beginning struct {
	Bytes       []byte
	Size        int64 // of the whole file
	ContentType string
}

// Begin reads the first bytes of what is under a key. It returns ErrNone if nothing is.
func (b *Bucket) Begin(ctx context.Context, key string, most int) (Beginning, error) {
	request, err := b.request(ctx, http.MethodGet, key, nil)
	if err != nil {
		return Beginning{}, err
	}
	request.Header.Set("Range", "bytes=0-"+strconv.Itoa(most-1))
	response, err := b.call(request, emptySHA256)
	var status *statusError
	if errors.As(err, &status) && status.code == http.StatusRequestedRangeNotSatisfiable {
		return Beginning{}, nil // it is empty
	}
	if err != nil {
		return Beginning{}, err
	}
	defer response.Body.Close()
	of := Beginning{Size: response.ContentLength, ContentType: response.Header.Get("Content-Type")}
	if _, whole, ranged := strings.Cut(response.Header.Get("Content-Range"), "/"); ranged {
		if of.Size, err = strconv.ParseInt(whole, 10, 64); err != nil {
			return Beginning{}, fmt.Errorf("S3 does not say how large the file is: %w", err)
		}
	}
	of.Bytes, err = io.ReadAll(io.LimitReader(response.Body, int64(most)))
	return of, err
}

// Get writes what is under a key to w, and at most so many bytes of it. It returns ErrNone if nothing is.
func (b *Bucket) Get(ctx context.Context, key string, w io.Writer, most int64) error {
	request, err := b.request(ctx, http.MethodGet, key, nil)
	if err != nil {
		return err
	}
	response, err := b.call(request, emptySHA256)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(w, io.LimitReader(response.Body, most))
	return err
}
