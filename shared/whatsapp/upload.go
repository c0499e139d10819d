package whatsapp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"
)

// UploadLasts is how long Meta keeps a file that was uploaded.
const UploadLasts = 30 * 24 * time.Hour

// Upload is a file for Meta.
type Upload struct {
	PhoneNumberID string // the number that will send it
	ContentType   string
	Body          io.ReadSeeker
	Size          int64
}

// Upload hands a file to Meta and returns Meta's id of it. Every error is a *SendError. A repetition makes another id,
// and does no harm.
func (g *Graph) Upload(ctx context.Context, of Upload) (string, error) {
	if !isPhoneNumberID(of.PhoneNumberID) {
		return "", &SendError{Class: Never, Cause: errPhoneNumberID, Meta: Error{Message: errPhoneNumberID.Error()}}
	}
	token, err := g.Token(ctx)
	if err != nil {
		return "", &SendError{Class: Retry, Cause: err, Meta: Error{Message: "the access token could not be read"}}
	}
	request, err := g.uploadRequest(ctx, of)
	if err != nil {
		return "", &SendError{Class: Never, Cause: err, Meta: Error{Message: "the Graph URL is not a URL"}}
	}
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	response, err := g.HTTP.Do(request)
	if err != nil {
		return "", &SendError{Class: Retry, Cause: errors.New("transport")}
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return "", &SendError{Class: Retry, Cause: errors.New("transport"), HTTP: response.StatusCode}
	}
	if id := asObject(answer).Text("id"); response.StatusCode < 300 && id != "" {
		return id, nil
	}
	_, err = readAnswer(response.StatusCode, answer)
	var refused *SendError
	if !errors.As(err, &refused) {
		refused = &SendError{Class: Retry, HTTP: response.StatusCode, Meta: Error{Message: "the answer has no id"}}
	}
	refused.Ambiguous = false
	return "", refused
}

// uploadRequest returns a request with a form of two fields and a file. Its length is known beforehand, and the file is
// not held in memory.
func (g *Graph) uploadRequest(ctx context.Context, of Upload) (*http.Request, error) {
	var around bytes.Buffer
	form := multipart.NewWriter(&around)
	_ = form.WriteField("messaging_product", "whatsapp")
	_ = form.WriteField("type", of.ContentType)
	_, _ = form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="file"`}, "Content-Type": {of.ContentType},
	})
	before := around.Len()
	_ = form.Close() // a buffer takes everything
	body := io.MultiReader(bytes.NewReader(around.Bytes()[:before]), io.LimitReader(of.Body, of.Size),
		bytes.NewReader(around.Bytes()[before:]))
	address := strings.TrimSuffix(g.URL, "/") + "/" + url.PathEscape(of.PhoneNumberID) + "/media"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
	if err != nil {
		return nil, fmt.Errorf("upload: %w", err)
	}
	request.ContentLength = int64(around.Len()) + of.Size
	request.Header.Set("Content-Type", form.FormDataContentType())
	return request, nil
}
