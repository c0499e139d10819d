package whatsappsim

import (
	"encoding/base64"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// sessionPrefix begins the id of the upload of a sample.
const sessionPrefix = "upload:"

// sampleTypes are the types of files that can be samples of templates.
var sampleTypes = []string{"image/jpeg", "image/png", "video/mp4", "application/pdf"}

// samples holds how many bytes the uploads of samples have that are under way, and the handles of those that ended.
type samples struct {
	mu      sync.Mutex
	waiting map[string]int64
	handles map[string]bool
}

func newSamples() *samples { return &samples{waiting: map[string]int64{}, handles: map[string]bool{}} }

// has reports whether a handle is of a sample that was uploaded.
func (s *samples) has(handle string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.handles[handle]
}

// begin returns the id of a new upload.
func (s *samples) begin(bytes int64) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) >= maxCustomers || len(s.handles) >= maxCustomers {
		clear(s.waiting)
		clear(s.handles)
	}
	id := sessionPrefix + base64.RawURLEncoding.EncodeToString([]byte(newMediaID()))
	s.waiting[id] = bytes
	return id
}

// end returns the handle of an upload. It reports false for one that is not under way, or has another size.
func (s *samples) end(id string, bytes int64) (handle string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if want, waits := s.waiting[id]; !waits || want != bytes {
		return "", false
	}
	delete(s.waiting, id)
	handle = "4::" + base64.StdEncoding.EncodeToString([]byte(id))
	s.handles[handle] = true
	return handle, true
}

// handleBeginSample begins the upload of a sample to the app.
func (s *Server) handleBeginSample(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	size, err := strconv.ParseInt(query.Get("file_length"), 10, 64)
	switch {
	case r.PathValue("id") != s.options.AppID:
		writeGraphError(w, notThere(r.PathValue("id")))
	case err != nil || size < 1 || size > maxMediaBytes:
		writeGraphError(w, invalidParameter("Param file_length must be the size of the file."))
	case !slices.Contains(sampleTypes, query.Get("file_type")):
		writeGraphError(w, invalidParameter("Param file_type must be one of %s.", strings.Join(sampleTypes, ", ")))
	default:
		writeJSON(w, http.StatusOK, map[string]string{"id": s.samples.begin(size)})
	}
}

// handleSample takes the bytes of a sample, from its beginning.
func (s *Server) handleSample(w http.ResponseWriter, r *http.Request) {
	size, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxMediaBytes))
	if err != nil || r.Header.Get("file_offset") != "0" {
		writeGraphError(w, invalidParameter("The file could not be read from its beginning."))
		return
	}
	handle, ok := s.samples.end(r.PathValue("id"), size)
	if !ok {
		writeGraphError(w, notThere(r.PathValue("id")))
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"h": handle})
}
