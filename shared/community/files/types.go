package files

import (
	"mime"
	"path"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// Types are the files that are taken: the largest size in bytes, by media type. What a browser may run is none of them.
var Types = map[string]int64{
	"image/jpeg": 10 << 20, "image/png": 10 << 20, "image/gif": 10 << 20, "image/webp": 10 << 20,
	"audio/mpeg": 16 << 20, "audio/mp4": 16 << 20, "audio/ogg": 16 << 20, "audio/aac": 16 << 20,
	"video/mp4": 64 << 20, "video/3gpp": 64 << 20, "video/webm": 64 << 20,
	"text/plain": 25 << 20, "text/csv": 25 << 20, "application/pdf": 25 << 20, "application/zip": 25 << 20,
	"application/msword": 25 << 20, "application/vnd.ms-excel": 25 << 20, "application/vnd.ms-powerpoint": 25 << 20,
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   25 << 20,
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         25 << 20,
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": 25 << 20,
}

// pictures are the types that a browser shows in a page. Their first bytes are looked at; all others are downloaded.
var pictures = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// IsPicture reports whether a media type is that of a picture that a browser shows.
func IsPicture(contentType string) bool { return slices.Contains(pictures, contentType) }

// The problems of files that are not taken.
var (
	errType = problem.New("not a type that chats take", problem.Error{
		Class: problem.Unsupported, Code: "file-type", Title: "File type not taken",
		Detail: "Chats take JPEG, PNG, GIF and WebP pictures, MP3, MP4, AAC and Ogg sound, MP4, 3GP and WebM videos, " +
			"texts, CSV, PDF, Office and ZIP files.",
	})
	errSize = problem.New("too large for its type", problem.Error{
		Class: problem.TooLarge, Code: "file-too-large", Title: "File too large",
		Detail: "Chats take pictures up to 10 MB, sound up to 16 MB, videos up to 64 MB, and other files up to 25 MB.",
	})
)

// New is a file to upload.
type New struct {
	Name string
	Type string
	Size int64
}

// check returns a *problem.Error for a file that is not taken, by what is said of it.
func (n New) check() error {
	switch largest := Types[n.Type]; {
	case largest == 0:
		return errType
	case n.Size > largest:
		return errSize
	case n.Size < 1:
		return communitymodel.Wrong("body.size", "an empty file")
	}
	return nil
}

// file returns the record of the file.
func (n New) file(ref communitymodel.ChatRef, id, author model.Name, at model.Time) communitymodel.File {
	key := keys.ChatFile(ref.Key(), id)
	return communitymodel.File{
		PK: key.Partition, SK: key.Sort, ID: id, Author: author, Name: cleaned(n.Name), Type: n.Type, Size: n.Size,
		CreatedAt: at,
	}
}

// maxName bounds the name of a file, in characters.
const maxName = 100

// cleaned returns the name under which a file is shown and downloaded: without folders, characters that control how a
// text is shown, and dots at its beginning.
func cleaned(name string) string {
	name = path.Base("/" + strings.ReplaceAll(model.ShownLine(strings.ToValidUTF8(name, "")), `\`, "/"))
	name = strings.TrimLeft(strings.TrimSpace(strings.Trim(name, "/")), ". ")
	if letters := []rune(name); len(letters) > maxName {
		end := []rune(path.Ext(name))
		if len(end) > maxName/2 {
			end = nil
		}
		name = string(letters[:maxName-len(end)]) + string(end)
	}
	if name == "" {
		return "file"
	}
	return name
}

// disposition returns how a browser shows a file: a picture in the page, and anything else as a download.
func disposition(a communitymodel.Attachment) string {
	how := "attachment"
	if slices.Contains(pictures, a.Type) {
		how = "inline"
	}
	return mime.FormatMediaType(how, map[string]string{"filename": a.Name})
}
