// Package httpapi has what all API operations share: the conversion between API Gateway's events and net/http, the
// caller and their permissions, problems and cursors. It knows no domain.
package httpapi

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/telemetry"
)

// Handler is a Lambda handler of API Gateway's HTTP API events.
type Handler = func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)

// NewHandler returns a handler that answers API Gateway's events (payload 2.0) with a net/http handler, on which the
// domains' operations are.
func NewHandler(handler http.Handler, parts ...Part) Handler {
	var idPaths []string
	for _, part := range parts {
		idPaths = append(idPaths, part.IDPaths...)
	}
	return func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		return serve(ctx, handler, idPaths, event), nil
	}
}

// Correlated returns a handler that makes the request's id the correlation id of everything that follows from the
// request.
func Correlated(handle Handler) Handler {
	return func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		return handle(telemetry.WithCorrelation(ctx, event.RequestContext.RequestID), event)
	}
}

func serve(
	ctx context.Context, handler http.Handler, idPaths []string, event events.APIGatewayV2HTTPRequest,
) events.APIGatewayV2HTTPResponse {
	if event.RequestContext.HTTP.Method == http.MethodOptions { // API Gateway adds the CORS headers
		return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusNoContent}
	}
	// Answers contain personal data, so no cache may keep them and no browser may guess their type.
	recorder := &recorder{header: http.Header{"Cache-Control": {"no-store"}, "X-Content-Type-Options": {"nosniff"}}}
	switch request, err := toRequest(ctx, idPaths, event); {
	case err != nil:
		serveProblem(recorder, newProblem(http.StatusBadRequest, "The request cannot be read."))
	case !isPlain(request.URL.EscapedPath()):
		serveProblem(recorder, NotFound())
	default:
		handler.ServeHTTP(recorder, request)
		recorder.validate(request)
	}
	return recorder.response()
}

// recorder records an answer. As in net/http, the first status counts, and a body without a status means 200.
type recorder struct {
	status int // 0 until one is written
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

func toRequest(ctx context.Context, idPaths []string, event events.APIGatewayV2HTTPRequest) (*http.Request, error) {
	body := []byte(event.Body)
	if event.IsBase64Encoded {
		decoded, err := base64.StdEncoding.DecodeString(event.Body)
		if err != nil {
			return nil, err
		}
		body = decoded
	}
	ctx = withCaller(ctx, callerIn(event.RequestContext))
	address := &url.URL{Path: event.RawPath, RawQuery: event.RawQueryString}
	if path, err := url.PathUnescape(event.RawPath); err == nil {
		address.Path, address.RawPath = path, event.RawPath
	}
	address.RawPath = joinID(idPaths, address.EscapedPath())
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

// callerIn returns who sends a request. Their subject is "" where no authorizer has said who they are.
func callerIn(request events.APIGatewayV2HTTPRequestContext) Caller {
	var caller Caller
	switch by := request.Authorizer; {
	case by == nil:
	case by.JWT != nil:
		caller = callerOf(by.JWT.Claims)
	default:
		caller = inSession(by.Lambda)
	}
	caller.RequestID, caller.IP = request.RequestID, request.HTTP.SourceIP
	caller.UserAgent = programName(request.HTTP.UserAgent)
	return caller
}

// joinID returns an escaped path in which the id that follows one of the paths is one segment. Gateways differ in
// whether they pass on %2F or a slash. Base64 with slashes has no hyphens, so the id ends before a later segment with
// one.
func joinID(idPaths []string, escaped string) string {
	for _, path := range idPaths {
		id, ok := strings.CutPrefix(escaped, path)
		if !ok {
			continue
		}
		segments := strings.Split(id, "/")
		end := len(segments)
		if at := slices.IndexFunc(segments[1:], hasHyphen); at >= 0 {
			end = at + 1
		}
		return path + strings.Join(append([]string{strings.Join(segments[:end], "%2F")}, segments[end:]...), "/")
	}
	return escaped
}

func hasHyphen(segment string) bool { return strings.Contains(segment, "-") }

func (r *recorder) response() events.APIGatewayV2HTTPResponse {
	r.WriteHeader(http.StatusOK) // as in net/http, a handler that writes nothing answers 200
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
