// Package httpapi owns what all operations of the API share: the way from API Gateway's event to net/http and back, the
// caller and what they may do, problems, cursors, and idempotency keys. It knows no domain.
package httpapi

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// Serve answers an HTTP API event (payload 2.0) with a handler of net/http.
func Serve(ctx context.Context, handler http.Handler, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	if event.RequestContext.HTTP.Method == http.MethodOptions { // the gateway adds what a browser wants to know
		return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusNoContent}, nil
	}
	// Answers hold personal data, and are what they say they are.
	recorder := &recorder{header: http.Header{"Cache-Control": {"no-store"}, "X-Content-Type-Options": {"nosniff"}}}
	switch request, err := toRequest(ctx, event); {
	case err != nil:
		serveProblem(recorder, newProblem(http.StatusBadRequest, "The request cannot be read."))
	case !isPlain(request.URL.EscapedPath()):
		serveProblem(recorder, NotFound())
	default:
		handler.ServeHTTP(recorder, request)
	}
	return recorder.response(), nil
}

// recorder keeps what a handler writes. As in net/http the first status counts, and writing a body without one is 200.
type recorder struct {
	status int // 0 until there is one
	header http.Header
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(text []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(text)
}

func toRequest(ctx context.Context, event events.APIGatewayV2HTTPRequest) (*http.Request, error) {
	body := []byte(event.Body)
	if event.IsBase64Encoded {
		decoded, err := base64.StdEncoding.DecodeString(event.Body)
		if err != nil {
			return nil, err
		}
		body = decoded
	}
	if jwt := event.RequestContext.Authorizer; jwt != nil && jwt.JWT != nil {
		caller := callerOf(jwt.JWT.Claims)
		caller.RequestID, caller.IP = event.RequestContext.RequestID, event.RequestContext.HTTP.SourceIP
		caller.UserAgent = programName(event.RequestContext.HTTP.UserAgent)
		ctx = withCaller(ctx, caller)
	}
	address := &url.URL{Path: event.RawPath, RawQuery: event.RawQueryString}
	if path, err := url.PathUnescape(event.RawPath); err == nil {
		address.Path, address.RawPath = path, event.RawPath
	}
	address.RawPath = oneSegment(address.EscapedPath())
	address.Path, _ = url.PathUnescape(address.RawPath)
	request, err := http.NewRequestWithContext(ctx, event.RequestContext.HTTP.Method, "/", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.URL, request.RequestURI = address, ""
	request.Host = event.RequestContext.DomainName
	request.RemoteAddr = event.RequestContext.HTTP.SourceIP + ":0"
	for name, value := range event.Headers {
		request.Header.Set(name, value)
	}
	return request, nil
}

// messagesPath is followed by a message id and nothing else. The platform's ids are base64, may hold a slash, and
// gateways differ in whether they hand on %2F or the slash: what follows is one segment either way.
const messagesPath = "/v1/messages/"

func oneSegment(escaped string) string {
	id, ok := strings.CutPrefix(escaped, messagesPath)
	if !ok {
		return escaped
	}
	return messagesPath + strings.ReplaceAll(id, "/", "%2F")
}

func (r *recorder) response() events.APIGatewayV2HTTPResponse {
	r.WriteHeader(http.StatusOK) // a handler that wrote nothing is content
	response := events.APIGatewayV2HTTPResponse{StatusCode: r.status, Headers: map[string]string{}}
	for name, values := range r.header {
		response.Headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	if body := r.body.Bytes(); utf8.Valid(body) {
		response.Body = string(body)
	} else {
		response.Body, response.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
	}
	return response
}
