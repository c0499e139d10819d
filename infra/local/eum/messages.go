package eum

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"

	"github.com/google/uuid"
)

// maxMessage is how many bytes a message may have.
const maxMessage = 2_048_000

// send takes a message. AWS's answer has an id of AWS's own.
func (s *Server) send(r *http.Request) (any, *refusal) {
	var in struct {
		Number  string `json:"originationPhoneNumberId"`
		Message []byte `json:"message"`
		Version string `json:"metaApiVersion"`
	}
	if refused := read(r, &in); refused != nil {
		return nil, refused
	}
	phone, refused := s.number(in.Number)
	switch {
	case refused != nil:
		return nil, refused
	case len(in.Message) < 1 || len(in.Message) > maxMessage:
		return nil, invalid("Value at 'message' failed to satisfy constraint: it has 1 to %d bytes.", maxMessage)
	case !versionForm.MatchString(in.Version):
		return nil, invalid("Value at 'metaApiVersion' failed to satisfy constraint: it is no version.")
	}
	a := s.graph(r.Context(), http.MethodPost, in.Version+"/"+phone+"/messages",
		http.Header{"Content-Type": {"application/json"}}, in.Message)
	if a.status == http.StatusOK {
		return map[string]string{"messageId": uuid.NewString()}, nil
	}
	refused = passedOn(a)
	switch refused.exception {
	case "ResourceNotFoundException":
		return nil, notFound("phone number")
	case "AccessDeniedByMetaException": // the operation has no exception for Meta's denials
		refused.exception = "AccessDeniedException"
	}
	return nil, refused
}

// file is where a file is in a bucket.
type file struct {
	Bucket string `json:"bucketName"`
	Key    string `json:"key"`
}

// link is a link to a file in a bucket, with the headers of its request.
type link struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// place is where a file comes from, or goes to: one of both.
type place struct {
	file *file
	link *link
}

// check refuses a place that is none.
func (p place) check() *refusal {
	switch {
	case (p.file == nil) == (p.link == nil):
		return wrong("Exactly one of a file in S3 and a link to one is needed.")
	case p.file != nil && (p.file.Bucket == "" || p.file.Key == ""):
		return invalid("Value at 's3File' failed to satisfy constraint: it has the name of a bucket, and a key.")
	case p.link != nil && (len(p.link.URL) < 1 || len(p.link.URL) > 2000 || p.link.Headers == nil):
		return invalid("Value at 's3PresignedUrl' failed to satisfy constraint: it has a url of 1 to 2000 " +
			"characters, and headers.")
	}
	return nil
}

// call makes the request of a place. suffix follows the key of a file.
func (s *Server) call(ctx context.Context, method string, p place, suffix, contentType string, content []byte) (
	*http.Response, *refusal) {
	denied := refuse(http.StatusForbidden, "AccessDeniedException", "S3 refuses the file.")
	address := ""
	if p.link != nil {
		address = p.link.URL
	} else {
		address = s.Files + "/" + (&url.URL{Path: p.file.Bucket + "/" + p.file.Key + suffix}).EscapedPath()
	}
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(content))
	if err != nil {
		return nil, denied
	}
	if p.file != nil && method == http.MethodPut {
		request.Header.Set("Content-Type", contentType)
	}
	if p.link != nil && method == http.MethodPut {
		for name, value := range p.link.Headers {
			request.Header.Set(name, value)
		}
	}
	response, err := s.Client.Do(request)
	if err != nil {
		return nil, denied
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, denied
	}
	return response, nil
}

// fetch returns a file of a bucket, and its type.
func (s *Server) fetch(ctx context.Context, p place) (content []byte, contentType string, refused *refusal) {
	if refused = p.check(); refused != nil {
		return nil, "", refused
	}
	response, refused := s.call(ctx, http.MethodGet, p, "", "", nil)
	if refused != nil {
		return nil, "", refused
	}
	defer response.Body.Close()
	if content, err := io.ReadAll(response.Body); err == nil {
		return content, response.Header.Get("Content-Type"), nil
	}
	return nil, "", refuse(http.StatusInternalServerError, "InternalServiceException", "The file ended early.")
}

// held is a file that Meta holds.
type held struct {
	Type string `json:"mime_type"`
	Size int64  `json:"file_size"`
	URL  string `json:"url"`
}

// media looks for a file that Meta holds, by what a request names.
func (s *Server) media(ctx context.Context, number, id string) (f held, refused *refusal) {
	phone, refused := s.number(number)
	if refused != nil {
		return f, refused
	}
	if !mediaForm.MatchString(id) {
		return f, invalid("Value at 'mediaId' failed to satisfy constraint: it is no id of a file.")
	}
	if _, refused := s.details(ctx, phone); refused != nil {
		return f, refused
	}
	refused = s.ask(ctx, http.MethodGet, version+"/"+id, nil, &f)
	if refused == nil && f.URL == "" { // the id is of something else
		refused = notFound("file")
	}
	return f, refused
}

// getMedia describes a file that Meta holds, or puts it into a bucket.
func (s *Server) getMedia(r *http.Request) (any, *refusal) {
	var in struct {
		Number   string `json:"originationPhoneNumberId"`
		ID       string `json:"mediaId"`
		Metadata bool   `json:"metadataOnly"`
		File     *file  `json:"destinationS3File"`
		Link     *link  `json:"destinationS3PresignedUrl"`
	}
	if refused := read(r, &in); refused != nil {
		return nil, refused
	}
	to := place{in.File, in.Link}
	if in.Metadata && (in.File != nil || in.Link != nil) {
		return nil, wrong("The metadata alone goes nowhere.")
	}
	if refused := to.check(); refused != nil && !in.Metadata {
		return nil, refused
	}
	f, refused := s.media(r.Context(), in.Number, in.ID)
	if refused != nil {
		return nil, refused
	}
	if !in.Metadata {
		if refused := s.deliver(r.Context(), f, in.ID, to); refused != nil {
			return nil, refused
		}
	}
	return map[string]any{"mimeType": f.Type, "fileSize": f.Size}, nil
}

// deliver puts a file that Meta holds into a bucket.
func (s *Server) deliver(ctx context.Context, f held, id string, to place) *refusal {
	at, err := url.Parse(f.URL)
	if err != nil {
		return refuse(http.StatusBadGateway, "DependencyException", "Meta's address of the file is not one.")
	}
	a := s.graph(ctx, http.MethodGet, at.Path[1:], nil, nil)
	if a.status != http.StatusOK {
		return passedOn(a)
	}
	response, refused := s.call(ctx, http.MethodPut, to, id, f.Type, a.body.Bytes())
	if refused == nil {
		response.Body.Close()
	}
	return refused
}

// postMedia hands a file of a bucket to Meta.
func (s *Server) postMedia(r *http.Request) (any, *refusal) {
	var in struct {
		Number string `json:"originationPhoneNumberId"`
		File   *file  `json:"sourceS3File"`
		Link   *link  `json:"sourceS3PresignedUrl"`
	}
	if refused := read(r, &in); refused != nil {
		return nil, refused
	}
	phone, refused := s.number(in.Number)
	if refused != nil {
		return nil, refused
	}
	if in.Link != nil && in.Link.Headers["Content-Type"] == "" {
		return nil, invalid("Value at 'sourceS3PresignedUrl' failed to satisfy constraint: it has no Content-Type.")
	}
	content, contentType, refused := s.fetch(r.Context(), place{in.File, in.Link})
	if refused != nil {
		return nil, refused
	}
	if in.Link != nil {
		contentType = in.Link.Headers["Content-Type"]
	}
	return s.upload(r.Context(), phone, contentType, content)
}

func (s *Server) upload(ctx context.Context, phone, contentType string, content []byte) (any, *refusal) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body) // writes to memory do not fail
	_ = form.WriteField("messaging_product", "whatsapp")
	_ = form.WriteField("type", contentType)
	part, _ := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="file"`}, "Content-Type": {contentType}})
	_, _ = part.Write(content)
	_ = form.Close()
	a := s.graph(ctx, http.MethodPost, fmt.Sprintf("%s/%s/media", version, phone),
		http.Header{"Content-Type": {form.FormDataContentType()}}, body.Bytes())
	var made struct{ ID string }
	if refused := decoded(a, &made); refused != nil {
		return nil, refused
	}
	return map[string]string{"mediaId": made.ID}, nil
}

// deleteMedia has Meta forget a file.
func (s *Server) deleteMedia(r *http.Request) (any, *refusal) {
	var in struct {
		Number string `json:"originationPhoneNumberId"`
		ID     string `json:"mediaId"`
	}
	if refused := read(r, &in); refused != nil {
		return nil, refused
	}
	if _, refused := s.media(r.Context(), in.Number, in.ID); refused != nil {
		return nil, refused
	}
	refused := s.ask(r.Context(), http.MethodDelete, version+"/"+in.ID, nil, nil)
	return map[string]bool{"success": refused == nil}, refused
}
