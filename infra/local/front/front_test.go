package front

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/local/lambda"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/golden"
)

var now = time.Date(2026, 11, 21, 9, 30, 15, 250e6, time.UTC)

// gateway answers with what invoke returns, and keeps the last event.
type gateway struct {
	Gateway
	event  []byte
	issuer *identity.Issuer

	asked   []byte // the last event of the function that authorizes sessions
	verdict string // its answer
	silence error
}

func newGateway(t *testing.T, response string, failure error) *gateway {
	t.Helper()
	issuer, err := identity.LoadIssuer(filepath.Join(t.TempDir(), "issuer.pem"), "http://127.0.0.1:3000")
	if err != nil {
		t.Fatal(err)
	}
	g := &gateway{issuer: issuer}
	g.Gateway = Gateway{
		Routes: []Route{
			{Method: "POST", Path: "/webhooks/whatsapp", For: topology.Everybody, Function: "webhook"},
			{Method: "ANY", Path: "/v1/{proxy+}", Function: "api"},
			{Method: "ANY", Path: "/v1/chats/{proxy+}", For: topology.Sessions, Function: "chats"},
		},
		Authorizer: "gatekeeper",
		Region:     "ap-south-1", Verifier: identity.NewVerifier(issuer, func() time.Time { return now }),
		Invoke: func(_ context.Context, function string, event []byte) ([]byte, error) {
			if function == "gatekeeper" {
				g.asked = event
				return []byte(g.verdict), g.silence
			}
			g.event = event
			return []byte(response), failure
		},
		Now: func() time.Time { return now }, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	return g
}

func (g *gateway) serve(r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w.Result()
}

func (g *gateway) decoded(t *testing.T) events.APIGatewayV2HTTPRequest {
	t.Helper()
	var event events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(g.event, &event); err != nil {
		t.Fatalf("event %s: %v", g.event, err)
	}
	return event
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	content, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(content))
}

func TestTheEventHasTheShapeOfPayloadVersionTwo(t *testing.T) {
	g := newGateway(t, `{"statusCode":200}`, nil)
	token, err := g.issuer.Mint(identity.Grant{
		Subject: "s", Username: "operator", Groups: []string{"tenant:demo", "platform"}, Scopes: []string{"a", "b"},
		IssuedAt: now, ExpiresAt: now.Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "http://127.0.0.1:3000/v1/messages/wamid.HB%3D%2Fx%20y?tag=b&tag=a&q=2%20kg",
		strings.NewReader(`{"body":"ä"}`))
	r.RemoteAddr = "127.0.0.1:55555"
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("User-Agent", "curl/8")
	r.Header.Add("X-Many", "one")
	r.Header.Add("X-Many", "two")
	r.Header.Add("Cookie", "a=1; b=2")
	r.Header.Set("Authorization", "Bearer "+token)
	if status := g.serve(r).StatusCode; status != 200 {
		t.Fatalf("status %d", status)
	}
	event := g.decoded(t)
	// Random values are replaced for the comparison.
	event.RequestContext.RequestID = "request id"
	event.Headers["authorization"] = "Bearer token"
	event.RequestContext.Authorizer.JWT.Claims["jti"] = "token id"
	got, err := json.MarshalIndent(event, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "testdata/event.json", string(got)+"\n")
}

func TestTheFunctionThatAuthorizesDecidesAboutASession(t *testing.T) {
	const whole = `{"isAuthorized":true,"context":{"sub":"user-1","session":"session-1","tenant":"demo"}}`
	for name, test := range map[string]struct {
		token, verdict string
		silence        error
		status         int
		answer         string
	}{
		"yes":        {"Bearer x", whole, nil, 200, ""},
		"no":         {"Bearer x", `{"isAuthorized":false,"context":{"sub":"user-1"}}`, nil, 403, `{"message":"Forbidden"}`},
		"no header":  {"", whole, nil, 401, `{"message":"Unauthorized"}`},
		"no verdict": {"Bearer x", `{}`, nil, 403, `{"message":"Forbidden"}`},
		"no JSON":    {"Bearer x", `yes`, nil, 500, `{"message":"Internal Server Error"}`},
		"no answer":  {"Bearer x", "", errors.New("x"), 500, `{"message":"Internal Server Error"}`},
	} {
		g := newGateway(t, `{"statusCode":200}`, nil)
		g.verdict, g.silence = test.verdict, test.silence
		r := httptest.NewRequest("POST", "http://127.0.0.1:3000/v1/chats/7?a=b", strings.NewReader(`{"body":"secret"}`))
		if test.token != "" {
			r.Header.Set("Authorization", test.token)
		}
		response := g.serve(r)
		if got := body(t, response); response.StatusCode != test.status || got != test.answer {
			t.Errorf("%s: %d %s", name, response.StatusCode, got)
		}
		if came := g.event != nil; came != (test.status == 200) || (g.asked != nil) != (test.token != "") {
			t.Errorf("%s: the function got %s, and the one that authorizes %s", name, g.event, g.asked)
		}
		if test.status == 200 {
			want := map[string]any{"sub": "user-1", "session": "session-1", "tenant": "demo"}
			added := g.decoded(t).RequestContext.Authorizer
			if diff := cmp.Diff(want, added.Lambda); diff != "" || added.JWT != nil {
				t.Errorf("passed on:\n%s", diff)
			}
			// Random values are replaced for the comparison.
			asked := strings.ReplaceAll(string(g.asked), response.Header.Get("Apigw-Requestid"), "request id")
			golden.CompareJSON(t, "testdata/asked.json", []byte(asked))
		}
	}
	g := newGateway(t, `{"statusCode":200}`, nil)
	g.verdict = whole
	token, err := g.issuer.Mint(identity.Grant{Subject: "s", IssuedAt: now, ExpiresAt: now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	for path, wantAsked := range map[string]bool{"/v1/orders": false, "/v1/chats/7": true} {
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		g.asked = nil
		if status := g.serve(r).StatusCode; status != 200 || (g.asked != nil) != wantAsked ||
			(g.decoded(t).RequestContext.Authorizer.JWT == nil) != wantAsked {
			t.Errorf("%s: %d, asked %v", path, status, g.asked != nil)
		}
	}
}

func TestWhichBodiesTravelAsText(t *testing.T) {
	for _, test := range []struct {
		contentType, encoding, body string
		text                        bool
	}{
		{"application/json", "", `{}`, true},
		{"application/json; charset=utf-8", "", `{}`, true},
		{"application/xml", "", `<a/>`, true},
		{"application/javascript", "", `a`, true},
		{"text/plain", "", `a`, true},
		{"text/csv", "", `a`, true},
		{"application/x-www-form-urlencoded", "", `a=b`, false},
		{"application/problem+json", "", `{}`, false},
		{"application/octet-stream", "", `a`, false},
		{"multipart/form-data; boundary=x", "", `a`, false},
		{"", "", `a`, false},
		{"application/json", "gzip", `{}`, false},
		{"application/json", "", "\"\xff\"", false},
	} {
		g := newGateway(t, `{"statusCode":200}`, nil)
		r := httptest.NewRequest("POST", "/webhooks/whatsapp", strings.NewReader(test.body))
		r.Header.Set("Content-Type", test.contentType)
		if test.encoding != "" {
			r.Header.Set("Content-Encoding", test.encoding)
		}
		g.serve(r)
		event := g.decoded(t)
		carried := []byte(event.Body)
		if event.IsBase64Encoded {
			carried, _ = base64.StdEncoding.DecodeString(event.Body)
		}
		if event.IsBase64Encoded == test.text || string(carried) != test.body {
			t.Errorf("%s %s: base64 %v, body %q", test.contentType, test.encoding, event.IsBase64Encoded, event.Body)
		}
	}
}

func TestResponses(t *testing.T) {
	for name, test := range map[string]struct {
		response    string
		failure     error
		status      int
		contentType string
		body        string
	}{
		"as the function says": {
			response: `{"statusCode":201,"headers":{"content-type":"application/problem+json"},"body":"{}"}`,
			status:   201, contentType: "application/problem+json", body: "{}"},
		"base64": {
			response: `{"statusCode":200,"headers":{"Content-Type":"image/png"},"body":"AAEC","isBase64Encoded":true}`,
			status:   200, contentType: "image/png", body: "\x00\x01\x02"},
		"no content type": {
			response: `{"statusCode":200,"body":"hello"}`, status: 200, contentType: "text/plain;charset=UTF-8",
			body: "hello"},
		"no body": {response: `{"statusCode":204}`, status: 204},
		"no status: it is the body": {
			response: `{"a":1}`, status: 200, contentType: "application/json", body: `{"a":1}`},
		"a string is the body": {
			response: `"hello"`, status: 200, contentType: "application/json", body: `"hello"`},
		"not JSON": {
			response: `hello`, status: 500, contentType: "application/json",
			body: `{"message":"Internal Server Error"}`},
		"nothing": {
			response: ``, status: 500, contentType: "application/json", body: `{"message":"Internal Server Error"}`},
		"a status that is none": {
			response: `{"statusCode":"high"}`, status: 500, contentType: "application/json",
			body: `{"message":"Internal Server Error"}`},
		"base64 that is none": {
			response: `{"statusCode":200,"body":"!","isBase64Encoded":true}`, status: 500,
			contentType: "application/json", body: `{"message":"Internal Server Error"}`},
		"the function failed": {
			failure: &lambda.Error{Kind: lambda.Failed}, status: 500, contentType: "application/json",
			body: `{"message":"Internal Server Error"}`},
		"the function crashed": {
			failure: &lambda.Error{Kind: lambda.Crashed}, status: 500, contentType: "application/json",
			body: `{"message":"Internal Server Error"}`},
		"the function took too long": {
			failure: &lambda.Error{Kind: lambda.TimedOut}, status: 503, contentType: "application/json",
			body: `{"message":"Service Unavailable"}`},
		"the cloud is stopping": {
			failure: &lambda.Error{Kind: lambda.Refused}, status: 503, contentType: "application/json",
			body: `{"message":"Service Unavailable"}`},
		"the event is too large": {
			failure: &lambda.Error{Kind: lambda.Refused, Type: "RequestEntityTooLarge"}, status: 413,
			contentType: "application/json", body: `{"message":"Request Entity Too Large"}`},
		"something else that went awry": {
			failure: errors.New("x"), status: 500, contentType: "application/json",
			body: `{"message":"Internal Server Error"}`},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGateway(t, test.response, test.failure)
			response := g.serve(httptest.NewRequest("POST", "/webhooks/whatsapp", nil))
			if response.StatusCode != test.status || response.Header.Get("Content-Type") != test.contentType {
				t.Errorf("status %d, content type %q", response.StatusCode, response.Header.Get("Content-Type"))
			}
			if got := body(t, response); got != test.body {
				t.Errorf("body %q", got)
			}
		})
	}
}

func TestEveryCookieOfAResponseIsSet(t *testing.T) {
	g := newGateway(t, `{"statusCode":200,"cookies":["a=1","b=2"],"headers":{"x-a":"b"}}`, nil)
	response := g.serve(httptest.NewRequest("POST", "/webhooks/whatsapp", nil))
	if diff := cmp.Diff([]string{"a=1", "b=2"}, response.Header.Values("Set-Cookie")); diff != "" {
		t.Error(diff)
	}
}

func TestWhatNeverReachesAFunction(t *testing.T) {
	for name, test := range map[string]struct {
		method, path string
		body         []byte
		status       int
		answer       string
	}{
		"an unknown path": {"GET", "/nothing", nil, 404, `{"message":"Not Found"}`},
		"another method":  {"GET", "/webhooks/whatsapp", nil, 404, `{"message":"Not Found"}`},
		"nothing below":   {"GET", "/v1/", nil, 404, `{"message":"Not Found"}`},
		"no token": {
			"GET", "/v1/conversations", nil, 401,
			`{"message":"Unauthorized: the request has no access token; send the header Authorization: Bearer TOKEN"}`},
		"a body over 10 MB": {
			"POST", "/webhooks/whatsapp", bytes.Repeat([]byte("x"), maxBody+1), 413,
			`{"message":"Request Entity Too Large"}`},
		"no token, large body": {
			"POST", "/v1/x", bytes.Repeat([]byte("x"), maxBody+1), 401,
			`{"message":"Unauthorized: the request has no access token; send the header Authorization: Bearer TOKEN"}`},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGateway(t, `{"statusCode":200}`, nil)
			response := g.serve(httptest.NewRequest(test.method, test.path, bytes.NewReader(test.body)))
			if got := body(t, response); response.StatusCode != test.status || got != test.answer {
				t.Errorf("%d %s", response.StatusCode, got)
			}
			if g.event != nil {
				t.Error("the function was invoked")
			}
			if test.status == 401 && response.Header.Get("Www-Authenticate") != "Bearer" {
				t.Errorf("www-authenticate %q", response.Header.Get("Www-Authenticate"))
			}
		})
	}
}

func TestTheMostSpecificRouteWins(t *testing.T) {
	routes := []Route{
		{Method: "ANY", Path: "/{all+}", Function: "everything"},
		{Method: "ANY", Path: "/v1/{proxy+}", Function: "api"},
		{Method: "GET", Path: "/v1/{proxy+}", Function: "get"},
		{Method: "GET", Path: "/v1/orders/{id}", Function: "order"},
		{Method: "GET", Path: "/v1/orders/new", Function: "new"},
		{Method: "ANY", Path: "/v1/orders/{id}/lines/{line}", Function: "line"},
		{Method: "ANY", Path: "/v1/khata", Function: "khata"},
		{Method: "ANY", Path: "/v1/khata/{proxy+}", Function: "khata"},
		{Method: "ANY", Path: "/v1/khata/parties/{proxy+}", Function: "parties"},
	}
	for _, test := range []struct {
		method, path, function string
		parameters             map[string]string
	}{
		{"GET", "/v1/orders/new", "new", nil},
		{"GET", "/v1/orders/7", "order", map[string]string{"id": "7"}},
		{"POST", "/v1/orders/7", "api", map[string]string{"proxy": "orders/7"}},
		{"GET", "/v1/orders/7/lines/2", "line", map[string]string{"id": "7", "line": "2"}},
		{"GET", "/v1/orders/7/lines", "get", map[string]string{"proxy": "orders/7/lines"}},
		{"GET", "/v1/a/b/c", "get", map[string]string{"proxy": "a/b/c"}},
		{"PUT", "/v1/khata", "khata", nil},
		{"PUT", "/v1/khata/7/entries", "khata", map[string]string{"proxy": "7/entries"}},
		{"PUT", "/v1/khata/parties/7", "parties", map[string]string{"proxy": "7"}},
		{"PUT", "/v1/khatas", "api", map[string]string{"proxy": "khatas"}},
		{"PUT", "/v1/khata/", "api", map[string]string{"proxy": "khata/"}},
		{"GET", "/elsewhere", "everything", map[string]string{"all": "elsewhere"}},
	} {
		route, parameters, found := match(routes, test.method, test.path)
		if diff := cmp.Diff(test.parameters, parameters); !found || route.Function != test.function || diff != "" {
			t.Errorf("%s %s goes to %s %s", test.method, test.path, route.Function, diff)
		}
	}
}
