package starts_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/starts"
	"github.com/haatline/haatline/shared/wake"
)

// The client that the functions have is understood, and what Lambda refuses is refused.
func TestAFunctionIsStartedAsByLambda(t *testing.T) {
	var started []string
	server := httptest.NewServer(&starts.Server{Start: func(function string, event []byte) bool {
		started = append(started, function+" "+string(event))
		return function == "models"
	}})
	defer server.Close()
	getenv := func(name string) string {
		return map[string]string{"AWS_ENDPOINT_URL_LAMBDA": server.URL + starts.Path, "AWS_REGION": "ap-south-1",
			"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}[name]
	}
	w := &wake.Waker{Function: "models", Lane: "model", Getenv: getenv, HTTP: server.Client()}
	if err := w.Wake(t.Context(), "model.1-1"); err != nil || len(started) != 1 ||
		started[0] != `models {"event":"model.1-1","lane":"model"}` {
		t.Errorf("%v, started %q", err, started)
	}
	w.Function = "nobody"
	if err := w.Wake(t.Context(), "model.1-1"); err == nil ||
		!strings.Contains(err.Error(), "404 ResourceNotFoundException") {
		t.Error(err)
	}
	for want, change := range map[int]func(*http.Request){
		http.StatusForbidden:  func(r *http.Request) { r.Header.Del("Authorization") },
		http.StatusBadRequest: func(r *http.Request) { r.Header.Set("X-Amz-Invocation-Type", "RequestResponse") },
		http.StatusNotFound:   func(r *http.Request) { r.Method = http.MethodGet },
	} {
		request, _ := http.NewRequest(http.MethodPost,
			server.URL+starts.Path+"/2015-03-31/functions/models/invocations", strings.NewReader("{}"))
		request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local")
		request.Header.Set("X-Amz-Invocation-Type", "Event")
		change(request)
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("HTTP %d, want %d", response.StatusCode, want)
		}
	}
}
