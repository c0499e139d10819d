package received

import (
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/emersion/go-message"
	"github.com/gabriel-vasile/mimetype"
)

// walker reads the parts of an email, in order.
type walker struct {
	email       *Email
	plain, html strings.Builder
	parts       int
	attached    int
	stopped     bool
}

// leaveOut notes that something was not read.
func (w *walker) leaveOut(name string, reason Reason) {
	if len(w.email.LeftOut) < MaxParts {
		w.email.LeftOut = append(w.email.LeftOut, LeftOut{name, reason})
	}
}

// part reads a part, and the parts in it.
func (w *walker) part(entity *message.Entity, depth int) {
	if w.parts++; w.parts > MaxParts {
		w.leaveOut("", TooMany)
		w.stopped = true
		return
	}
	kind, params, err := entity.Header.ContentType()
	if err != nil {
		kind = "text/plain"
	}
	if kind == "message/delivery-status" || kind == "message/feedback-report" {
		w.email.Reports = append(w.email.Reports, reportsOf(w.text(entity))...)
		return
	}
	parts := entity.MultipartReader()
	if parts == nil {
		w.leaf(entity, kind, params)
		return
	}
	if depth >= MaxDepth {
		w.leaveOut("", TooDeep)
		return
	}
	before, had := w.plain.Len(), w.html.Len()
	for !w.stopped {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !tolerable(err) || part == nil {
			w.leaveOut("", Broken)
			break
		}
		w.part(part, depth+1)
	}
	// Of a part that comes in several forms the plain text is enough; one without it is HTML alone.
	if kind == "multipart/alternative" && w.plain.Len() > before && w.html.Len() > had {
		kept := w.html.String()[:had]
		w.html.Reset()
		w.html.WriteString(kept)
	}
}

// leaf reads a text, a file, or the original message of a report.
func (w *walker) leaf(entity *message.Entity, kind string, params map[string]string) {
	disposition, named, _ := entity.Header.ContentDisposition()
	name := line(path.Base("/"+strings.ReplaceAll(firstOf(named["filename"], params["name"]), `\`, "/")), maxName)
	switch {
	case len(w.email.Reports) > 0 && (kind == "message/rfc822" || kind == "text/rfc822-headers" || kind ==
		"message/rfc822-headers"):
		original := idIn(w.text(entity))
		for i := range w.email.Reports {
			w.email.Reports[i].Original = original
		}
	case disposition != "attachment" && name == "/" && kind == "text/plain":
		w.write(&w.plain, entity)
	case disposition != "attachment" && name == "/" && kind == "text/html":
		w.write(&w.html, entity)
	default:
		w.file(entity, name, kind)
	}
}

func firstOf(texts ...string) string {
	return texts[max(0, slices.IndexFunc(texts, func(t string) bool { return t != "" }))]
}

// write adds a text to others.
func (w *walker) write(to *strings.Builder, entity *message.Entity) {
	text := w.text(entity)
	if to.Len() > 0 && text != "" {
		to.WriteByte('\n')
	}
	if to.Len()+len(text) > MaxBody {
		w.leaveOut("", TooLarge)
		return
	}
	to.WriteString(text)
}

// text reads a part as text.
func (w *walker) text(entity *message.Entity) string {
	body, err := io.ReadAll(io.LimitReader(entity.Body, MaxBody+1))
	if err != nil {
		w.leaveOut("", Broken)
	}
	if len(body) > MaxBody {
		body = body[:MaxBody]
		w.leaveOut("", TooLarge)
	}
	return strings.ReplaceAll(printable(strings.ReplaceAll(string(body), "\r\n", "\n")), "\r", "\n")
}

// types are the files that are taken, by what they are and not by their names.
var types = []string{
	"image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "application/pdf", "text/plain", "text/csv",
	"application/msword", "application/vnd.ms-excel",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.spreadsheet",
	"audio/mpeg", "audio/mp4", "audio/ogg", "audio/amr", "video/mp4", "video/3gpp",
}

// file reads a file, if it is one that is taken.
func (w *walker) file(entity *message.Entity, name, said string) {
	if name == "/" {
		name = "file"
	}
	if len(w.email.Files) == MaxAttachments {
		w.leaveOut(name, TooMany)
		return
	}
	data, err := io.ReadAll(io.LimitReader(entity.Body, MaxAttachment+1))
	switch {
	case err != nil, len(data) == 0:
		w.leaveOut(name, Broken)
		return
	case len(data) > MaxAttachment, w.attached+len(data) > MaxAttached:
		w.leaveOut(name, TooLarge)
		return
	}
	kind, _, _ := strings.Cut(mimetype.Detect(data).String(), ";")
	if !slices.Contains(types, kind) || strings.HasPrefix(kind, "text/") && !strings.HasPrefix(said, "text/") {
		w.leaveOut(name, BadType)
		return
	}
	w.attached += len(data)
	w.email.Files = append(w.email.Files, File{name, kind, data})
}
