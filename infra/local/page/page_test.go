package page_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/page"
)

const here = "127.0.0.1:3000"

func server(t *testing.T, token string) http.Handler {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"dist/index.html": "<p>page", "dist/assets/a.js": "1", "secret": "not for the page"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	(&page.Server{Dir: filepath.Join(dir, "dist"), Files: "http://127.0.0.1:3002", Token: token}).Register(mux)
	return mux
}

func ask(t *testing.T, of http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	request.Host = here
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	of.ServeHTTP(recorder, request)
	return recorder
}

func TestThePageIsServedWithAStrictPolicy(t *testing.T) {
	s := server(t, "token")
	got := ask(t, s, http.MethodGet, "/")
	policy := got.Header().Get("Content-Security-Policy")
	if got.Code != http.StatusOK || got.Body.String() != "<p>page" || got.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("%d %q %v", got.Code, got.Body, got.Header())
	}
	for _, part := range []string{"default-src 'none'", "script-src 'self';", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("%q is not in %q", part, policy)
		}
	}
	if got := ask(t, s, http.MethodGet, "/assets/a.js"); got.Code != http.StatusOK ||
		!strings.Contains(got.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("%d %v", got.Code, got.Header())
	}
	for _, path := range []string{"/assets/b.js", "/assets/../../secret", "/assets/%2e%2e/%2e%2e/secret"} {
		if got := ask(t, s, http.MethodGet, path); strings.Contains(got.Body.String(), "not for the page") {
			t.Errorf("%s: %d %q", path, got.Code, got.Body)
		}
	}
}

// Only the page itself gets the token of the person at this machine: no page of another address, port or name.
func TestOnlyThePageGetsTheToken(t *testing.T) {
	s := server(t, "secret-token")
	own := []string{"Origin", "http://" + here, "Sec-Fetch-Site", "same-origin"}
	got := ask(t, s, http.MethodPost, page.SessionPath, own...)
	if !strings.Contains(got.Body.String(), "secret-token") {
		t.Errorf("%d %q", got.Code, got.Body)
	}
	for name, headers := range map[string][]string{
		"another site":            {"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"},
		"another port":            {"Origin", "http://127.0.0.1:3999", "Sec-Fetch-Site", "same-site"},
		"a file":                  {"Origin", "null", "Sec-Fetch-Site", "cross-site"},
		"an image":                {"Sec-Fetch-Site", "cross-site"},
		"a browser that says ...": {"Origin", "http://localhost:3000"},
	} {
		if got := ask(t, s, http.MethodPost, page.SessionPath, headers...); got.Code != http.StatusForbidden ||
			strings.Contains(got.Body.String(), "secret-token") {
			t.Errorf("%s: %d %q", name, got.Code, got.Body)
		}
	}
	rebound := httptest.NewRequestWithContext(t.Context(), http.MethodPost, page.SessionPath, nil)
	rebound.Host = "evil.example:3000"
	rebound.Header.Set("Origin", "http://evil.example:3000")
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, rebound)
	if recorder.Code != http.StatusForbidden {
		t.Errorf("a rebound name: %d %q", recorder.Code, recorder.Body)
	}
	if got := ask(t, server(t, ""), http.MethodPost, page.SessionPath, own...); got.Code != http.StatusNotFound {
		t.Errorf("without a token: %d", got.Code)
	}
}
