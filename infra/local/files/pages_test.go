package files_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/haatline/haatline/infra/local/files"
)

// The console puts files under links. Other pages do not, and it does nothing else.
func TestOnlyTheConsolePutsFiles(t *testing.T) {
	says := func(status int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
	handler := files.ForConsole("3000", says(http.StatusOK), says(http.StatusForbidden))
	const link = "/haatline-files/incoming/demo/1/2"
	for name, c := range map[string]struct {
		method, path, host, origin string
		want                       int
	}{
		"the console":              {"PUT", link, "127.0.0.1:3002", "http://127.0.0.1:3000", 200},
		"the console by name":      {"PUT", link, "localhost:3002", "http://localhost:3000", 200},
		"its preflight":            {"OPTIONS", link, "127.0.0.1:3002", "http://127.0.0.1:3000", 204},
		"a page of another port":   {"PUT", link, "127.0.0.1:3002", "http://127.0.0.1:3001", 403},
		"a page of the web":        {"PUT", link, "127.0.0.1:3002", "https://evil.example:3000", 403},
		"a page by a rebound name": {"PUT", link, "evil.example:3002", "http://127.0.0.1:3000", 403},
		"a kept file":              {"PUT", "/haatline-files/files/a", "127.0.0.1:3002", "http://127.0.0.1:3000", 403},
		"a way out of the folder":  {"PUT", link + "/../../a", "127.0.0.1:3002", "http://127.0.0.1:3000", 403},
		"a file that is read":      {"GET", link, "127.0.0.1:3002", "http://127.0.0.1:3000", 403},
		"a file that is deleted":   {"DELETE", link, "127.0.0.1:3002", "http://127.0.0.1:3000", 403},
		"no page":                  {"PUT", link, "127.0.0.1:3002", "", 403},
	} {
		request := httptest.NewRequestWithContext(t.Context(), c.method, c.path, nil)
		if request.Host = c.host; c.origin != "" {
			request.Header.Set("Origin", c.origin)
		}
		answer := httptest.NewRecorder()
		if handler.ServeHTTP(answer, request); answer.Code != c.want {
			t.Errorf("%s: %d, want %d", name, answer.Code, c.want)
		}
		if got := answer.Header().Get("Access-Control-Allow-Origin"); (got != "") != (c.want < 300) {
			t.Errorf("%s: the page %q may read the answer", name, got)
		}
	}
}
