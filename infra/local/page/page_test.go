package page_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/console"
	"github.com/haatline/haatline/infra/local/page"
)

const here = "127.0.0.1:3000"

func server(t *testing.T, issuer string) http.Handler {
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
	(&page.Server{
		Dir: filepath.Join(dir, "dist"), Files: "http://127.0.0.1:3002", Live: "ws://127.0.0.1:3003",
		Issuer: issuer, Client: "haatline", Scopes: []string{"openid", "a"}}).Register(mux)
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
	s := server(t, "http://"+here)
	got := ask(t, s, http.MethodGet, "/")
	policy := got.Header().Get("Content-Security-Policy")
	if got.Code != http.StatusOK || got.Body.String() != "<p>page" || got.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("%d %q %v", got.Code, got.Body, got.Header())
	}
	for _, part := range []string{"default-src 'none'", "script-src 'self';",
		"connect-src 'self' http://127.0.0.1:3002 ws://127.0.0.1:3003;", "frame-ancestors 'self'"} {
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

// The page serves its other files as well: the manifest, the icons and the service worker.
func TestEveryFileOfThePageIsServed(t *testing.T) {
	held, err := os.ReadDir("../../../console/public")
	if err != nil || len(held) == 0 {
		t.Fatal(err)
	}
	for _, file := range held {
		if !page.Has("/" + file.Name()) {
			t.Errorf("%s is not served", file.Name())
		}
	}
	if !page.Has("/sw.js") || page.Has("/package.json") {
		t.Error("the service worker is not served, or what is not the page's is")
	}
}

// The page learns where to sign in at the address by which its reader knows this machine. Other pages learn nothing.
func TestThePageLearnsWhereToSignIn(t *testing.T) {
	s := server(t, "http://"+here)
	got := ask(t, s, http.MethodGet, "/config.json", "Sec-Fetch-Site", "same-origin")
	var config console.Config
	if err := json.Unmarshal(got.Body.Bytes(), &config); err != nil {
		t.Fatal(err)
	}
	want := console.Config{Issuer: "http://" + here, SignIn: "http://" + here, Client: "haatline", Scopes: "openid a",
		Live: "ws://127.0.0.1:3003", Pace: 1000}
	if config != want || got.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%+v %v", config, got.Header())
	}
	for name, headers := range map[string][]string{
		"another site": {"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"},
		"another port": {"Origin", "http://127.0.0.1:3999", "Sec-Fetch-Site", "same-site"},
		"an image":     {"Sec-Fetch-Site", "cross-site"},
	} {
		if got := ask(t, s, http.MethodGet, "/config.json", headers...); got.Code != http.StatusForbidden {
			t.Errorf("%s: %d %q", name, got.Code, got.Body)
		}
	}
	if got := ask(t, server(t, ""), http.MethodGet, "/config.json"); strings.Contains(got.Body.String(), "signIn") {
		t.Errorf("somebody else issues the tokens: %s", got.Body)
	}
}
