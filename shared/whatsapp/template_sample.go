package whatsapp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Sample is a file that shows Meta what a template's header may hold.
type Sample struct {
	ContentType string
	Body        []byte
}

// UploadSample hands a sample to Meta and returns the handle by which a template names it. A repetition makes another
// handle, and does no harm. Every error is a *SendError.
func (g *Graph) UploadSample(ctx context.Context, of Sample) (handle string, err error) {
	app, err := g.app(ctx)
	if err != nil {
		return "", err
	}
	query := url.Values{"file_length": {strconv.Itoa(len(of.Body))}, "file_type": {of.ContentType}}
	status, answer, err := g.ask(ctx, http.MethodPost, url.PathEscape(app)+"/uploads?"+query.Encode())
	if err != nil {
		return "", err
	}
	session := asObject(answer).Text("id")
	if status >= http.StatusMultipleChoices || !strings.HasPrefix(session, "upload:") ||
		strings.ContainsAny(session, "/#") {
		return "", refusalOf(status, answer)
	}
	status, answer, err = g.pour(ctx, session, of)
	if err != nil {
		return "", err
	}
	if handle = asObject(answer).Text("h"); status < http.StatusMultipleChoices && handle != "" {
		return handle, nil
	}
	return "", refusalOf(status, answer)
}

// app returns the id of the app whose token it is.
func (g *Graph) app(ctx context.Context) (string, error) {
	token, err := g.Token(ctx)
	if err != nil {
		return "", &SendError{Class: Retry, Cause: err, Meta: Error{Message: "the access token could not be read"}}
	}
	query := url.Values{"input_token": {strings.TrimSpace(token)}}
	status, answer, err := g.get(ctx, "debug_token?"+query.Encode())
	if err != nil {
		return "", err
	}
	app := asObject(answer).Object("data").Text("app_id")
	if status < http.StatusMultipleChoices && isPhoneNumberID(app) {
		return app, nil
	}
	return "", refusalOf(status, answer)
}

// pour sends the bytes of a sample into an upload session. Its id is part of a path as it is, with its colon.
func (g *Graph) pour(ctx context.Context, session string, of Sample) (status int, answer []byte, err error) {
	token, err := g.Token(ctx)
	if err != nil {
		return 0, nil, &SendError{Class: Retry, Cause: err, Meta: Error{Message: "the access token could not be read"}}
	}
	ctx, cancel := context.WithTimeout(ctx, SendTimeout)
	defer cancel()
	// The id may carry a signature behind a question mark, which belongs to it.
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(g.URL, "/")+"/"+session,
		bytes.NewReader(of.Body))
	if err != nil {
		return 0, nil, &SendError{Class: Never, Meta: Error{Message: "the upload session is not part of an address"}}
	}
	request.Header.Set("Authorization", "OAuth "+strings.TrimSpace(token))
	request.Header.Set("file_offset", "0")
	response, err := g.HTTP.Do(request)
	if err != nil {
		return 0, nil, &SendError{Class: Retry, Cause: errors.New("transport")}
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return 0, nil, &SendError{Class: Retry, Cause: errors.New("transport"), HTTP: response.StatusCode}
	}
	return response.StatusCode, answer, nil
}

// SampleFiles returns the files that the samples in components name, each once: what follows SampleFile in the place of
// a handle.
func SampleFiles(components []json.RawMessage) []string {
	var all []string
	seen := map[string]bool{}
	for _, c := range components {
		_, _ = eachHandle(c, func(handle string) string {
			if id, is := strings.CutPrefix(handle, SampleFile); is && !seen[id] {
				seen[id] = true
				all = append(all, id)
			}
			return handle
		})
	}
	return all
}

// SampleFile begins a sample that is a file which is uploaded to Meta only when the template is.
const SampleFile = "media:"

// WithHandles returns a component in which the handles of Meta stand for the files that it names.
func WithHandles(component json.RawMessage, handles map[string]string) (json.RawMessage, error) {
	return eachHandle(component, func(handle string) string {
		if id, is := strings.CutPrefix(handle, SampleFile); is && handles[id] != "" {
			return handles[id]
		}
		return handle
	})
}

// eachHandle replaces the handles of samples, wherever they are in a component.
func eachHandle(component json.RawMessage, replace func(handle string) string) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(component))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	walkHandles(value, replace)
	return json.Marshal(value)
}

func walkHandles(value any, replace func(handle string) string) {
	switch value := value.(type) {
	case []any:
		for _, part := range value {
			walkHandles(part, replace)
		}
	case map[string]any:
		for name, part := range value {
			list, is := part.([]any)
			if name != "header_handle" || !is {
				walkHandles(part, replace)
				continue
			}
			for i := range list {
				if text, is := list[i].(string); is {
					list[i] = replace(text)
				}
			}
		}
	}
}
