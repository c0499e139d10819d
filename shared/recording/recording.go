// Package recording reads from sound and videos how long they last and, of videos, how large they are. It reads the
// frames of the files and decodes nothing. Customers send the files: it takes them for hostile, keeps no more of them
// than a page in memory, and ends after a bounded number of steps.
package recording

import (
	"bytes"
	"errors"
	"io"
	"time"
)

// Recording is what a file says of itself.
type Recording struct {
	Duration      time.Duration // 0 if it does not say
	Width, Height int           // of a video as it is shown; 0 for sound
}

// ErrUnknown means that a file is not sound or a video that can be read.
var ErrUnknown = errors.New("not a recording that can be read")

// longest is the longest duration that is believed.
const longest = 24 * time.Hour

// Read reads a file of so many bytes: Ogg with Opus, AAC, MP3, AMR, MP4 or 3GP. Of a file that is cut off it tells what
// is there.
func Read(file io.ReaderAt, size int64) (Recording, error) {
	head := make([]byte, 12)
	if size < int64(len(head)) {
		return Recording{}, ErrUnknown
	}
	if _, err := file.ReadAt(head, 0); err != nil {
		return Recording{}, err
	}
	var found Recording
	var err error
	switch {
	case bytes.HasPrefix(head, []byte("OggS")):
		found.Duration, err = opus(file, size)
	case bytes.Equal(head[4:8], []byte("ftyp")):
		found, err = movie(file, size)
	case bytes.HasPrefix(head, []byte("#!AMR")):
		found.Duration, err = amr(io.NewSectionReader(file, 0, size))
	default:
		found.Duration, err = framed(file, size)
	}
	if err == nil && (found.Duration < 0 || found.Duration > longest) {
		found.Duration = 0
	}
	if err == nil && found == (Recording{}) {
		err = ErrUnknown
	}
	return found, err
}

// times returns how long a number of units lasts, of which there are so many in a second. It returns 0 for what is
// longer than is believed, so that nothing overflows.
func times(units, second uint64) time.Duration {
	if second == 0 || units/second > uint64(longest/time.Second) {
		return 0
	}
	return time.Duration(units/second)*time.Second + time.Duration(units%second*uint64(time.Second)/second)
}
