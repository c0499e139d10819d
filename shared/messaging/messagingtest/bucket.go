package messagingtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/haatline/haatline/shared/objects"
)

// Bucket keeps objects in memory, as objects.Bucket does in S3. Its zero value is empty.
type Bucket struct {
	// Fails returns the error of a call, by its number from 1; nil to make it. Fails may be nil.
	Fails func(call int) error

	mu    sync.Mutex
	calls int
	kept  map[string][]byte
}

// BucketName is the name of a Bucket.
const BucketName = "haatline-files"

// Name returns the bucket's name.
func (b *Bucket) Name() string { return BucketName }

// call begins a call. The caller unlocks mu.
func (b *Bucket) call() error {
	b.mu.Lock()
	b.calls++
	if b.kept == nil {
		b.kept = map[string][]byte{}
	}
	if b.Fails == nil {
		return nil
	}
	return b.Fails(b.calls)
}

// Put stores an object.
func (b *Bucket) Put(_ context.Context, o objects.Object) error {
	err := b.call()
	defer b.mu.Unlock()
	if err != nil {
		return err
	}
	content, err := io.ReadAll(o.Body)
	if err == nil && int64(len(content)) != o.Size {
		err = fmt.Errorf("%d bytes instead of %d", len(content), o.Size)
	}
	if err == nil {
		b.kept[o.Key] = content
	}
	return err
}

// Get writes at most so many bytes of an object to w.
func (b *Bucket) Get(_ context.Context, key string, w io.Writer, most int64) error {
	err := b.call()
	defer b.mu.Unlock()
	if err != nil {
		return err
	}
	content, is := b.kept[key]
	if !is {
		return objects.ErrNone
	}
	_, err = w.Write(content[:min(int64(len(content)), most)])
	return err
}

// Delete deletes an object, if it is there.
func (b *Bucket) Delete(_ context.Context, key string) error {
	err := b.call()
	defer b.mu.Unlock()
	if err == nil {
		delete(b.kept, key)
	}
	return err
}

// Lay puts an object into the bucket as somebody else does.
func (b *Bucket) Lay(key, content string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.kept == nil {
		b.kept = map[string][]byte{}
	}
	b.kept[key] = []byte(content)
}

// Keys returns the keys of all objects.
func (b *Bucket) Keys() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.kept))
}

// ErrUnreachable is what a bucket returns that cannot be reached.
var ErrUnreachable = errors.New("no answer from S3")
