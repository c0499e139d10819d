package whatsappsim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxMediaBytes = 100 << 20       // of one file: the largest that WhatsApp takes
	maxMediaKept  = 200 << 20       // of all files
	mediaURLLasts = 5 * time.Minute // how long a file can be downloaded under an address
	downloadPath  = "/lookaside/whatsapp/media/"
	download      = "download" // what the download of a file counts as where faults are matched
)

// mediaRule is what WhatsApp takes of one kind of file.
type mediaRule struct {
	kind  string // of the messages that can carry it
	bytes int
	types []string
}

var mediaRules = []mediaRule{
	{"image", 5 << 20, []string{"image/jpeg", "image/png"}},
	{"audio", 16 << 20, []string{"audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"}},
	{"video", 16 << 20, []string{"video/mp4", "video/3gpp"}},
	{"sticker", 500 << 10, []string{"image/webp"}},
	{"document", 100 << 20, []string{
		"text/plain", "application/pdf", "application/msword", "application/vnd.ms-excel",
		"application/vnd.ms-powerpoint",
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		"application/vnd.openxmlformats-officedocument.presentationml.presentation",
	}},
}

// mediaRuleOf returns the rule for a MIME type; its parameters do not matter.
func mediaRuleOf(mimeType string) (mediaRule, bool) {
	plain, _, _ := strings.Cut(mimeType, ";")
	at := slices.IndexFunc(mediaRules,
		func(r mediaRule) bool { return slices.Contains(r.types, strings.TrimSpace(plain)) })
	if at < 0 {
		return mediaRule{}, false
	}
	return mediaRules[at], true
}

// file is a media file that WhatsApp holds.
type file struct {
	mimeType string // "" of one that was given without content
	data     []byte
}

// media holds files by their ids. It forgets the oldest when it holds too much.
type media struct {
	mu    sync.Mutex
	files map[string]file
	order []string
	bytes int
}

func newMedia(ids []string) *media {
	m := &media{files: map[string]file{}}
	for _, id := range ids {
		m.hold(id, file{})
	}
	return m
}

func (m *media) hold(id string, f file) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[id] = f
	m.order = append(m.order, id)
	m.bytes += len(f.data)
	for m.bytes > maxMediaKept || len(m.order) > maxCustomers {
		m.bytes -= len(m.files[m.order[0]].data)
		delete(m.files, m.order[0])
		m.order = m.order[1:]
	}
}

func (m *media) find(id string) (file, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, held := m.files[id]
	return f, held
}

// forget deletes a file, and reports whether there was one.
func (m *media) forget(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, held := m.files[id]
	if held {
		m.bytes -= len(f.data)
		delete(m.files, id)
		m.order = slices.DeleteFunc(m.order, func(kept string) bool { return kept == id })
	}
	return held
}

// handleUpload takes a file as a form with messaging_product and file, and answers with its id.
func (s *Server) handleUpload(w http.ResponseWriter, r *http.Request) {
	id, refusal := s.upload(w, r)
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"id": id})
}

func (s *Server) upload(w http.ResponseWriter, r *http.Request) (string, *graphError) {
	r.Body = http.MaxBytesReader(w, r.Body, maxMediaBytes+maxMessageBytes)
	if err := r.ParseMultipartForm(maxMessageBytes); err != nil {
		return "", invalidParameter("The parameter file is required.")
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }()
	if r.FormValue("messaging_product") != "whatsapp" {
		return "", invalidParameter("The parameter messaging_product is required.")
	}
	given, header, err := r.FormFile("file")
	if err != nil {
		return "", invalidParameter("The parameter file is required.")
	}
	defer given.Close()
	mimeType := firstNonEmpty(r.FormValue("type"), header.Header.Get("Content-Type"))
	rule, known := mediaRuleOf(mimeType)
	if !known {
		return "", invalidParameter("Param file must be a file with one of the types that are supported - got %q.",
			mimeType)
	}
	data, err := io.ReadAll(given)
	if err != nil || len(data) == 0 || len(data) > rule.bytes {
		return "", refuse(http.StatusBadRequest, 131053, "A file of this type must have 1 to %d bytes.", rule.bytes)
	}
	id := newMediaID()
	s.media.hold(id, file{mimeType, data})
	return id, nil
}

// showMedia is what a file is, with an address under which it can be downloaded for five minutes.
func (s *Server) showMedia(r *http.Request, id string, f file) map[string]any {
	sum := sha256.Sum256(f.data)
	until := s.options.Now().Add(mediaURLLasts).Unix()
	return map[string]any{
		"messaging_product": "whatsapp", "id": id, "mime_type": f.mimeType, "sha256": hex.EncodeToString(sum[:]),
		"file_size": len(f.data),
		"url":       fmt.Sprintf("http://%s%s%s/%d", r.Host, downloadPath, id, until),
	}
}

// handleDownload serves a file to who bears the access token, as long as its address is valid.
func (s *Server) handleDownload(w http.ResponseWriter, r *http.Request) {
	if refusal := s.checkToken(bearerOf(r)); refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	until, err := strconv.ParseInt(r.PathValue("until"), 10, 64)
	now := s.options.Now()
	f, held := s.media.find(r.PathValue("id"))
	if err != nil || !held || now.Unix() > until || until > now.Add(mediaURLLasts).Unix() {
		http.Error(w, http.StatusText(http.StatusNotFound), http.StatusNotFound)
		return
	}
	fault := s.faults.take("", "", download, nil)
	if fault.Fail != nil || fault.HTTP != 0 {
		s.answer(w, r, fault, nil)
		return
	}
	w.Header().Set("Content-Type", f.mimeType)
	w.Header().Set("Content-Length", strconv.Itoa(len(f.data)))
	s.serve(w, r, f.data, fault)
}

// serve writes a file. A fault delays its second half, or cuts it off.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, data []byte, fault Fault) {
	half := len(data) / 2
	_, _ = w.Write(data[:half])
	if fault.DelayAnswer > 0 || fault.LoseAnswer {
		_ = http.NewResponseController(w).Flush()
	}
	if !s.wait(r, time.Duration(fault.DelayAnswer)) || fault.LoseAnswer {
		panic(http.ErrAbortHandler) // the server cuts the connection, and logs nothing
	}
	_, _ = w.Write(data[half:])
}

func (s *Server) handleDelete(w http.ResponseWriter, r *http.Request) {
	if isGroup(r.PathValue("id")) {
		s.ofGroups(s.deleteGroup)(w, r)
		return
	}
	if s.isFlow(r.PathValue("id")) {
		s.ofFlow(s.changesFlow(s.deleteFlow))(w, r)
		return
	}
	if id := r.PathValue("id"); !s.media.forget(id) {
		writeGraphError(w, notThere(id))
		return
	}
	writeJSON(w, http.StatusOK, map[string]bool{"success": true})
}

// mediaOf returns the files that a message names by id, with the paths that name them.
func mediaOf(value any, path string, found map[string]string) {
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			mediaOf(element, fmt.Sprintf("%s[%d]", path, i), found)
		}
	case map[string]any:
		for key, part := range value {
			if fields, is := part.(map[string]any); is &&
				slices.ContainsFunc(mediaRules, func(r mediaRule) bool { return r.kind == key }) {
				if id, given := fields["id"].(string); given {
					found[object{path: path}.at(key)] = id
				}
			}
			mediaOf(part, object{path: path}.at(key), found)
		}
	}
}

// checkMedia refuses a message with a file that WhatsApp does not hold.
func (s *Server) checkMedia(m message) *graphError {
	named := map[string]string{}
	mediaOf(m.fields, "", named)
	for path, id := range named {
		if _, held := s.media.find(id); !held {
			return invalidParameter("Param %s['id'] is not a valid whatsapp business account media attachment ID", path)
		}
	}
	return nil
}
