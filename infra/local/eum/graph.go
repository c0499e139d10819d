package eum

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// version is that of Meta's API, where a request does not name one.
const version = "v23.0"

// answered is an answer of the Graph API.
type answered struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (a *answered) Header() http.Header { return a.header }

func (a *answered) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answered) Write(text []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(text)
}

// graph makes a request of the Graph API. If the simulated WhatsApp cuts the connection, so does the stand-in.
func (s *Server) graph(ctx context.Context, method, path string, header http.Header, body []byte) *answered {
	a := &answered{header: http.Header{}}
	request, err := http.NewRequestWithContext(ctx, method, "http://graph.invalid/"+path, bytes.NewReader(body))
	if err != nil { // an id with odd letters, which no path has
		a.status = http.StatusNotFound
		return a
	}
	for name := range header {
		request.Header.Set(name, header.Get(name))
	}
	request.Header.Set("Authorization", "Bearer "+s.Token)
	s.WhatsApp.ServeHTTP(a, request)
	return a
}

// ask makes a request of the Graph API, and decodes the answer.
func (s *Server) ask(ctx context.Context, method, path string, body any, into any) *refusal {
	var text []byte
	header := http.Header{}
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return wrong("The request is not JSON.")
		}
		header.Set("Content-Type", "application/json")
	}
	return decoded(s.graph(ctx, method, path, header, text), into)
}

// decoded decodes an answer, or returns the exception for it.
func decoded(a *answered, into any) *refusal {
	if a.status != http.StatusOK {
		return passedOn(a)
	}
	if into != nil && json.Unmarshal(a.body.Bytes(), into) != nil {
		return refuse(http.StatusBadGateway, "DependencyException", "Meta's answer is not JSON.")
	}
	return nil
}

// Meta's codes, and the subcodes of code 100, that AWS has exceptions of its own for.
var (
	throttled = []int{4, 80007, 130429, 131056, 133016}
	denied    = []int{10, 190, 200}
	missing   = []int{33, 2593002}
)

// passedOn returns the exception for what Meta refuses.
func passedOn(a *answered) *refusal {
	var said struct {
		Error *struct {
			Code    int
			Subcode int `json:"error_subcode"`
			Message string
			Data    struct{ Details string } `json:"error_data"`
		}
	}
	if json.Unmarshal(a.body.Bytes(), &said) != nil || said.Error == nil {
		return refuse(http.StatusBadGateway, "DependencyException", fmt.Sprintf("Meta answered %d.", a.status))
	}
	message := said.Error.Message
	if code := fmt.Sprintf("(#%d) ", said.Error.Code); !strings.HasPrefix(message, code) {
		message = code + message
	}
	if said.Error.Data.Details != "" {
		message += ": " + said.Error.Data.Details
	}
	switch code := said.Error.Code; {
	case slices.Contains(throttled, code):
		return refuse(http.StatusTooManyRequests, "ThrottledRequestException", message)
	case slices.Contains(denied, code):
		return refuse(http.StatusForbidden, "AccessDeniedByMetaException", message)
	case slices.Contains(missing, said.Error.Subcode):
		return refuse(http.StatusNotFound, "ResourceNotFoundException", message)
	case a.status >= http.StatusInternalServerError:
		return refuse(http.StatusBadGateway, "DependencyException", message)
	}
	return wrong(message)
}

// list is a page of a list of the Graph API.
type list[T any] struct {
	Data   []T
	Paging struct {
		Next    string
		Cursors struct{ After string }
	}
}

// next returns the token of the next page; "" after the last one.
func (l list[T]) next() string {
	if l.Paging.Next == "" {
		return ""
	}
	return l.Paging.Cursors.After
}
