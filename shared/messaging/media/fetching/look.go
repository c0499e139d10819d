package fetching

import (
	"bytes"
	"context"
	"crypto/sha256"
	"os"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/recording"
	"github.com/haatline/haatline/shared/thumbnail"
)

// lookTime bounds how long a picture may be looked at, and wait for its turn: its message waits for that.
const lookTime = 10 * time.Second

// look returns what a file on the disk, which is stored under a key, shows of itself, and stores its thumbnail beside
// it. It returns nil for a file of which nothing can be told: one that is broken, or whose thumbnail fails, is shown
// without.
func (f *fetcher) look(ctx context.Context, disk *os.File, key, detected string, size int64) *model.Look {
	switch kind, _, _ := strings.Cut(detected, "/"); {
	case kind == "image":
		return f.lookAtPicture(ctx, disk, key)
	case kind == "audio", kind == "video", detected == "application/ogg":
		found, err := recording.Read(disk, size)
		if err != nil {
			return nil
		}
		return &model.Look{Width: found.Width, Height: found.Height, Millis: found.Duration.Milliseconds()}
	}
	return nil
}

// lookAtPicture looks at a picture. One picture is decoded at a time.
func (f *fetcher) lookAtPicture(ctx context.Context, disk *os.File, key string) *model.Look {
	picture, err := thumbnail.Read(disk)
	if err != nil {
		return nil
	}
	look := &model.Look{Width: picture.Width, Height: picture.Height}
	inTime, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	select {
	case f.pictures <- struct{}{}:
		defer func() { <-f.pictures }()
	case <-inTime.Done():
		return look
	}
	small, err := picture.Of(inTime, disk)
	if err != nil {
		return look
	}
	err = f.bucket.Put(inTime, objects.Object{
		Key: media.ThumbnailKey(key), ContentType: small.ContentType, Body: bytes.NewReader(small.Bytes),
		Size: int64(len(small.Bytes)), SHA256: sha256.Sum256(small.Bytes)})
	if err == nil {
		look.Thumbnail = small.ContentType
	}
	return look
}
