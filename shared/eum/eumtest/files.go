package eumtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// link is a link to a file in a bucket, with the headers of the request.
type link struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// call makes the request of a link.
func (l link) call(method, content string) (*http.Response, error) {
	request, err := http.NewRequest(method, l.URL, strings.NewReader(content))
	if err != nil {
		return nil, err
	}
	if method == http.MethodPut {
		for name, value := range l.Headers {
			request.Header.Set(name, value)
		}
	}
	return http.DefaultClient.Do(request)
}

// fetch describes a file, or puts it to where a link leads.
func (s *Server) fetch(w http.ResponseWriter, r *http.Request) {
	var in struct {
		MediaID      string `json:"mediaId"`
		MetadataOnly bool   `json:"metadataOnly"`
		To           *link  `json:"destinationS3PresignedUrl"`
	}
	file, known := File{}, false
	if json.NewDecoder(r.Body).Decode(&in) == nil {
		file, known = s.Files[in.MediaID]
	}
	switch {
	case !known:
		Refuse(w, http.StatusNotFound, "ResourceNotFoundException", "no such file")
		return
	case in.MetadataOnly == (in.To != nil):
		Refuse(w, http.StatusBadRequest, "InvalidParametersException", "either a link or the metadata")
		return
	case in.To != nil:
		response, err := in.To.call(http.MethodPut, file.Content)
		if err != nil || response.StatusCode != http.StatusOK {
			Refuse(w, http.StatusForbidden, "AccessDeniedException", "the bucket refuses the file")
			return
		}
		response.Body.Close()
	}
	_, _ = fmt.Fprintf(w, `{"mimeType":%q,"fileSize":%d}`, file.Type, len(file.Content))
}

// post takes a file from where a link leads. Its id is its content.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	var in struct {
		From link `json:"sourceS3PresignedUrl"`
	}
	if json.NewDecoder(r.Body).Decode(&in) != nil || in.From.Headers["Content-Type"] == "" {
		Refuse(w, http.StatusBadRequest, "ValidationException", "a link has the type of its file")
		return
	}
	response, err := in.From.call(http.MethodGet, "")
	if err != nil || response.StatusCode != http.StatusOK {
		Refuse(w, http.StatusForbidden, "AccessDeniedException", "the bucket refuses the file")
		return
	}
	defer response.Body.Close()
	content, _ := io.ReadAll(response.Body)
	_, _ = fmt.Fprintf(w, `{"mediaId":%q}`, in.From.Headers["Content-Type"]+" "+string(content))
}
