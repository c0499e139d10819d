package httpapi_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/httpapi"
)

// request returns an event as API Gateway makes it.
func request(method, path string) events.APIGatewayV2HTTPRequest {
	return events.APIGatewayV2HTTPRequest{
		Version: "2.0", RawPath: path,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			DomainName: "api.example.com",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: method, Path: path, SourceIP: "203.0.113.7"},
		},
	}
}

func serve(t *testing.T, handler http.Handler, event events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPResponse {
	t.Helper()
	response, err := httpapi.NewHandler(handler, httpapi.Part{IDPaths: []string{"/v1/letters/"}},
		httpapi.Part{IDPaths: []string{"/v1/messages/"}})(t.Context(), event)
	if err != nil {
		t.Fatalf("an error is a 500 nobody has written: %v", err)
	}
	return response
}

func TestAnEventThatIsNoRequestIsRefusedAndNotHandled(t *testing.T) {
	broken := request("POST", "/v1/messages")
	broken.Body, broken.IsBase64Encoded = "not base64!", true
	for name, event := range map[string]events.APIGatewayV2HTTPRequest{
		"a body that is not the base64 it should be": broken,
		"a method that is none":                      request("GET /v1", "/v1/messages"),
	} {
		handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Errorf("%s was handled", name) })
		if got := serve(t, handler, event); got.StatusCode != http.StatusBadRequest ||
			strings.Contains(got.Body, "base64") ||
			got.Headers["content-type"] != "application/problem+json" || got.Headers["cache-control"] != "no-store" {
			t.Errorf("%s: %d %s", name, got.StatusCode, got.Body)
		}
	}
}

// paths maps what gateways pass on for a message id to what the operation must receive.
func TestAMessageIDIsOneSegmentHoweverTheGatewayWritesIt(t *testing.T) {
	mux := http.NewServeMux()
	answer := func(name string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, name+" "+r.PathValue("id")) }
	}
	mux.HandleFunc("GET /v1/messages/{id}", answer("message"))
	mux.HandleFunc("GET /v1/messages/{id}/look-up", answer("look-up"))
	mux.HandleFunc("GET /v1/messages/{id}/read-marks/all", answer("marks"))
	mux.HandleFunc("GET /v1/conversations/{id}/messages", answer("timeline"))
	mux.HandleFunc("/", answer("nothing"))
	for path, want := range map[string]string{
		"/v1/messages/wamid.HBgM==":                        "message wamid.HBgM==",
		"/v1/messages/wamid.A%2FB%2B%3D":                   "message wamid.A/B+=",
		"/v1/messages/wamid.A%2fB":                         "message wamid.A/B",
		"/v1/messages/wamid.A/B+C==":                       "message wamid.A/B+C==",
		"/v1/messages/wamid.A//B":                          "message wamid.A//B",
		"/v1/messages/wamid.A/../B":                        "message wamid.A/../B",
		"/v1/messages/wamid.A%2F..%2FB":                    "message wamid.A/../B",
		"/v1/messages/wamid.%zz":                           "message wamid.%zz",
		"/v1/messages/wamid.A/B+C==/look-up":               "look-up wamid.A/B+C==",
		"/v1/messages/wamid.A%2FB/read-marks/all":          "marks wamid.A/B",
		"/v1/messages/queued-1/look-up":                    "look-up queued-1",
		"/v1/messages/queued-ä":                            "message queued-ä",
		"/v1/messages/queued-%C3%A4":                       "message queued-ä",
		"/v1/messages/":                                    "nothing ",
		"/v1/conversations/1055:919876543210/messages":     "timeline 1055:919876543210",
		"/v1/conversations/1055%3A919876543210/messages":   "timeline 1055:919876543210",
		"/v1/conversations/1055:IN.1%2F2/messages":         "timeline 1055:IN.1/2",
		"/v1/conversations/1055:919876543210/messages/one": "nothing ",
		"/v2/messages/wamid.A":                             "nothing ",
	} {
		if got := serve(t, mux, request("GET", path)); got.Body != want || got.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %q, want %q", path, got.StatusCode, got.Body, want)
		}
	}
}

func TestARequestReachesTheHandlerUnchanged(t *testing.T) {
	event := request("PUT", "/v1/things")
	event.RawQueryString = "cursor=a%2Bb&limit=5&limit=6&empty="
	event.Headers = map[string]string{"content-type": "application/json", "idempotency-key": "k-1", "accept": "a,b"}
	for name, c := range map[string]struct {
		body    string
		encoded bool
		want    string
	}{
		"as text":         {`{"text":"नमस्ते"}`, false, `{"text":"नमस्ते"}`},
		"as base64":       {base64.StdEncoding.EncodeToString([]byte{0, 0xff, 'a'}), true, "\x00\xffa"},
		"base64 as text":  {"YQ==", false, "YQ=="},
		"nothing":         {"", false, ""},
		"nothing, base64": {"", true, ""},
	} {
		event.Body, event.IsBase64Encoded = c.body, c.encoded
		handled := false
		got := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			handled = true
			body, err := io.ReadAll(r.Body)
			if err != nil || string(body) != c.want || r.ContentLength != int64(len(c.want)) {
				t.Errorf("%s: body %q of %d, %v", name, body, r.ContentLength, err)
			}
			query := map[string][]string{"cursor": {"a+b"}, "limit": {"5", "6"}, "empty": {""}}
			if diff := cmp.Diff(query, map[string][]string(r.URL.Query())); diff != "" {
				t.Errorf("%s: query %s", name, diff)
			}
			if r.Method != "PUT" || r.URL.Path != "/v1/things" || r.Host != "api.example.com" ||
				r.RemoteAddr != "203.0.113.7:0" {
				t.Errorf("%s: %s %s of %s from %s", name, r.Method, r.URL.Path, r.Host, r.RemoteAddr)
			}
			if r.Header.Get("Idempotency-Key") != "k-1" || r.Header.Get("Content-Type") != "application/json" ||
				r.Header.Get("Accept") != "a,b" {
				t.Errorf("%s: headers %v", name, r.Header)
			}
		}), event)
		if !handled || got.StatusCode != http.StatusOK || got.Body != "" || got.IsBase64Encoded {
			t.Errorf("%s: handled %v, %+v", name, handled, got)
		}
	}
}

func TestAnAnswerReachesTheGatewayUnchanged(t *testing.T) {
	for name, c := range map[string]struct {
		handle func(http.ResponseWriter)
		want   events.APIGatewayV2HTTPResponse
	}{
		"text": {
			func(w http.ResponseWriter) {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Add("Vary", "Accept")
				w.Header().Add("Vary", "Origin")
				w.WriteHeader(http.StatusCreated)
				_, _ = io.WriteString(w, `{"text":`)
				_, _ = io.WriteString(w, `"नमस्ते"}`)
			},
			events.APIGatewayV2HTTPResponse{
				StatusCode: 201,
				Headers:    map[string]string{"content-type": "application/json", "vary": "Accept, Origin"},
				Body:       `{"text":"नमस्ते"}`,
			},
		},
		"bytes": {
			func(w http.ResponseWriter) { _, _ = w.Write([]byte{0x89, 'P', 'N', 'G'}) },
			events.APIGatewayV2HTTPResponse{
				StatusCode: 200, Headers: map[string]string{}, Body: "iVBORw==", IsBase64Encoded: true},
		},
		"the first status counts": {
			func(w http.ResponseWriter) {
				w.WriteHeader(http.StatusNotFound)
				w.WriteHeader(http.StatusOK)
			},
			events.APIGatewayV2HTTPResponse{StatusCode: 404, Headers: map[string]string{}},
		},
		"a status after the body counts no more": {
			func(w http.ResponseWriter) {
				_, _ = io.WriteString(w, "done")
				w.WriteHeader(http.StatusInternalServerError)
			},
			events.APIGatewayV2HTTPResponse{StatusCode: 200, Headers: map[string]string{}, Body: "done"},
		},
		"nothing": {
			func(http.ResponseWriter) {}, events.APIGatewayV2HTTPResponse{
				StatusCode: 200, Headers: map[string]string{}}},
	} {
		got := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { c.handle(w) }),
			request("GET", "/"))
		if got.Headers["cache-control"] != "no-store" || got.Headers["x-content-type-options"] != "nosniff" {
			t.Errorf("%s: %v", name, got.Headers)
		}
		for _, ours := range []string{"cache-control", "x-content-type-options", "etag"} {
			delete(got.Headers, ours)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// net/http would redirect these to another path and repeat what was sent.
func TestANonCanonicalPathIsNotFound(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "handled") })
	for path, want := range map[string]int{
		"/v1/me": 200, "/v1/me/": 200, "/": 200, "/v1/conversations/1055:IN.1%2F..%2F2": 200,
		"/v1/messages/wamid.A/../B": 200,
		"":                          404, "v1/me": 404, "//v1/me": 404, "/v1//me": 404, "/v1/./me": 404,
		"/v1/../v1/me": 404, "/v1/me/..": 404,
		"/v1/me/.": 404, "/..": 404, "//evil.example/v1/me": 404,
	} {
		got := serve(t, mux, request("GET", path))
		if got.StatusCode != want || got.Headers["location"] != "" ||
			want != 200 && got.Headers["content-type"] != "application/problem+json" {
			t.Errorf("%q: %d %v", path, got.StatusCode, got.Headers)
		}
	}
}
