package apitest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
)

// Caller is who holds a token: an operator, or a person in a session.
type Caller struct {
	Subject string
	Groups  []string
	Scopes  []string
	Use     string // what the token is for; "" means access

	Session, Tenant string // of a person in a session, who has no groups and no scopes
}

// Operator returns a person of a tenant who may do everything.
func Operator(tenant string) *Caller {
	return &Caller{
		Subject: "operator-of-" + tenant, Groups: []string{"tenant:" + tenant, "administrator"},
		Scopes: httpapi.ScopeNames()}
}

// PlatformOperator returns a person of the platform's own staff.
func PlatformOperator() *Caller {
	return &Caller{Subject: "platform-operator", Groups: []string{"platform"}, Scopes: httpapi.ScopeNames()}
}

// Claims returns a token's claims in the form in which API Gateway passes them on: everything is text, and a list is [a
// b].
func (c *Caller) Claims() map[string]string {
	return map[string]string{
		"sub": c.Subject, "cognito:groups": "[" + strings.Join(c.Groups, " ") + "]",
		"scope":     strings.Join(c.Scopes, " "),
		"token_use": cmp.Or(c.Use, "access"), "username": c.Subject,
	}
}

// Request is a call of the API.
type Request struct {
	By       *Caller // nil without a token
	Method   string
	Path     string // escaped, as a client writes it
	Query    url.Values
	RawQuery string // a query as it is written, in place of Query
	Headers  map[string]string
	Body     string
	// OfOwnTenant marks a request that leaves out what the caller's tenant completes. The platform's operator has none:
	// to them it is incomplete.
	OfOwnTenant bool
}

// Answer is what the API answers.
type Answer struct {
	Status  int
	Headers map[string]string
	Body    string
}

// Server serves an API to requests in the form of API Gateway's events.
type Server struct {
	API     huma.API
	Handler httpapi.Handler

	requests atomic.Int64
}

// Try makes a request as API Gateway does: the path decoded, the headers in lower case, the claims beside the request.
func (s *Server) Try(ctx context.Context, r Request) (Answer, error) {
	path, err := url.PathUnescape(r.Path)
	if err != nil {
		return Answer{}, err
	}
	event := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "ANY " + path, RawPath: path, RawQueryString: cmp.Or(r.RawQuery, r.Query.Encode()),
		Headers: map[string]string{"host": "api.example.com", "x-forwarded-proto": "https"}, Body: r.Body,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			DomainName: "api.example.com", RequestID: fmt.Sprint("request-", s.requests.Add(1)),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: r.Method, Path: path, Protocol: "HTTP/1.1", SourceIP: "203.0.113.7"},
		},
	}
	if r.Body != "" {
		event.Headers["content-type"] = "application/json"
	}
	maps.Copy(event.Headers, r.Headers)
	switch {
	case r.By == nil:
	case r.By.Session != "":
		event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
			Lambda: map[string]any{"sub": r.By.Subject, "session": r.By.Session, "tenant": r.By.Tenant}}
	default:
		event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
			JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{Claims: r.By.Claims()},
		}
	}
	response, err := s.Handler(ctx, event)
	return Answer{response.StatusCode, response.Headers, response.Body}, err
}

// Do makes a request, and fails the test where the server has no answer.
func (s *Server) Do(t testing.TB, r Request) Answer {
	t.Helper()
	answer, err := s.Try(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// Want fails the test unless the answer has the status. It decodes the body into what is given.
func (a Answer) Want(t testing.TB, status int, into ...any) {
	t.Helper()
	if a.Status != status {
		t.Fatalf("answered %d, want %d: %s", a.Status, status, a.Body)
	}
	for _, target := range into {
		if err := json.Unmarshal([]byte(a.Body), target); err != nil {
			t.Fatalf("%v in %s", err, a.Body)
		}
	}
}

// WantProblem fails the test unless the answer is a problem with the status. It returns the problem.
func (a Answer) WantProblem(t testing.TB, status int) huma.ErrorModel {
	t.Helper()
	var p huma.ErrorModel
	a.Want(t, status, &p)
	if got := a.Headers["content-type"]; got != "application/problem+json" {
		t.Errorf("content type %q of a problem", got)
	}
	if p.Status != status || p.Title == "" {
		t.Errorf("a problem without its status or title: %s", a.Body)
	}
	return p
}

// HoldsNothingOf fails the test where the answer shows one of the values.
func (a Answer) HoldsNothingOf(t testing.TB, values []string) {
	t.Helper()
	whole := a.Body + fmt.Sprint(a.Headers)
	for _, value := range values {
		if strings.Contains(whole, value) {
			t.Errorf("answer %d shows %q: %s", a.Status, value, a.Body)
		}
	}
}
