package recording

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"
)

// The header of a page of Ogg, and of the first packet of Opus.
const (
	pageHeader  = 27
	largestPage = pageHeader + 255 + 255*255
	opusRate    = 48000 // positions count samples at this rate, whatever the rate of the sound
)

// opus returns how long an Ogg file with Opus lasts: the position of its last page, less the samples before its
// beginning.
func opus(file io.ReaderAt, size int64) (time.Duration, error) {
	first := make([]byte, pageHeader+1+12)
	if _, err := file.ReadAt(first, 0); err != nil || !bytes.Equal(first[28:36], []byte("OpusHead")) {
		return 0, ErrUnknown
	}
	stream := first[14:18]
	skipped := uint64(binary.LittleEndian.Uint16(first[38:40]))
	from := max(0, size-2*largestPage)
	end := make([]byte, size-from)
	n, err := file.ReadAt(end, from)
	if err != nil && err != io.EOF {
		return 0, err
	}
	for end, at := end[:n], n; at > 0; {
		if at = bytes.LastIndex(end[:at], []byte("OggS")); at < 0 || len(end)-at < pageHeader {
			continue
		}
		position := binary.LittleEndian.Uint64(end[at+6 : at+14])
		// on a page with the highest position no packet ends
		if bytes.Equal(end[at+14:at+18], stream) && position != 1<<64-1 && position > skipped {
			return times(position-skipped, opusRate), nil
		}
	}
	return 0, ErrUnknown
}
