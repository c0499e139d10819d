package uploading

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"github.com/haatline/haatline/shared/problem"
)

// Types are the files that may be uploaded: the largest size in bytes, by MIME type.
type Types map[string]int64

// animated follows the type of an animated sticker, which may be larger than one that stands still.
const (
	webP     = "image/webp"
	animated = ";animated"
)

// platform is what WhatsApp takes.
var platform = Types{
	"image/jpeg": 5 << 20, "image/png": 5 << 20,
	webP: 100 << 10, webP + animated: 500 << 10,
	"audio/aac": 16 << 20, "audio/amr": 16 << 20, "audio/mpeg": 16 << 20, "audio/mp4": 16 << 20, "audio/ogg": 16 << 20,
	"video/mp4": 16 << 20, "video/3gpp": 16 << 20,
	"text/plain": 100 << 20, "application/pdf": 100 << 20,
	"application/msword": 100 << 20, "application/vnd.ms-excel": 100 << 20, "application/vnd.ms-powerpoint": 100 << 20,
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   100 << 20,
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         100 << 20,
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": 100 << 20,
}

// lookLike are, for some types, what a file may look like instead: its kind of container where the content begins in an
// unusual order, and other names of the same.
var lookLike = map[string][]string{
	"application/msword": {ole}, "application/vnd.ms-excel": {ole}, "application/vnd.ms-powerpoint": {ole},
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   {zip},
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         {zip},
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": {zip},
	"image/png": {"image/vnd.mozilla.apng"},
	"audio/mp4": {"audio/x-m4a", "video/mp4"},
	"video/mp4": {"video/x-m4v"},
}

const (
	ole = "application/x-ole-storage"
	zip = "application/zip"
)

// Problems of files that are uploaded.
var (
	errType = problem.New("not a type that WhatsApp takes", problem.Error{
		Class: problem.Unsupported, Code: "file-type", Title: "File type not taken",
		Detail: "WhatsApp takes JPEG and PNG pictures, WebP stickers, AAC, AMR, MP3, MP4 and Ogg sound, MP4 and " +
			"3GP videos, texts, PDF and Office files.",
	})
	errContent = problem.New("not what it is said to be", problem.Error{
		Class: problem.Unsupported, Code: "file-content", Title: "Another type of file",
		Detail: "The content of the file is not of the type that was given for it. Ogg sound must have the codec Opus.",
	})
	errSize = problem.New("too large for its type", problem.Error{
		Class: problem.TooLarge, Code: "file-too-large", Title: "File too large",
		Detail: "WhatsApp takes pictures up to 5 MB, sound and videos up to 16 MB, stickers up to 100 KB, animated " +
			"ones up to 500 KB, and documents up to 100 MB.",
	})
)

// HeadSize is how many bytes of a file show its type.
const HeadSize = 4096

// announced returns an error for a file that cannot be taken, by what is said of it.
func (t Types) announced(contentType string, size int64) error {
	largest := max(t[contentType], t[contentType+animated])
	switch {
	case largest == 0:
		return errType
	case size > largest:
		return errSize
	}
	return nil
}

// Check returns what a file is by its first bytes. It returns a *problem.Error for a file that is not of its type, or
// too large for it.
func (t Types) Check(contentType string, size int64, head []byte) (detected string, err error) {
	largest := t[contentType]
	if contentType == webP && isAnimated(head) {
		largest = t[webP+animated]
	}
	if largest == 0 {
		return "", errType
	}
	found := mimetype.Detect(head)
	detected, _, _ = strings.Cut(found.String(), ";")
	switch {
	case size == 0 || !isOf(found, contentType) || contentType == "audio/ogg" && !isOpus(head):
		return detected, errContent
	case size > largest:
		return detected, errSize
	}
	return detected, nil
}

// isOf reports whether a file that was found to be something is of a type. Everything that people can read is a text.
func isOf(found *mimetype.MIME, contentType string) bool {
	if contentType != "text/plain" {
		return found.Is(contentType) || slices.ContainsFunc(lookLike[contentType], found.Is)
	}
	for ; found != nil; found = found.Parent() {
		if found.Is(contentType) {
			return true
		}
	}
	return false
}

// isOpus reports whether an Ogg file begins with a stream of the codec Opus.
func isOpus(head []byte) bool {
	const page = 28 // the header of the first page, which holds nothing else
	return len(head) > page && bytes.HasPrefix(head[page:], []byte("OpusHead"))
}

// isAnimated reports whether a WebP file says that it moves.
func isAnimated(head []byte) bool {
	const flags, moves = 20, 0x02
	return len(head) > flags && bytes.Equal(head[12:16], []byte("VP8X")) && head[flags]&moves != 0
}
