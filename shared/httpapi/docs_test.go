package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/httpapi"
)

func TestTheAPIServesItsPageCompletely(t *testing.T) {
	mux := http.NewServeMux()
	httpapi.ServeDescription(mux, httpapi.New(mux))
	for _, path := range []string{"/docs", "/docs/"} {
		page := serve(t, mux, request("GET", path))
		if page.StatusCode != http.StatusOK || !strings.HasPrefix(page.Headers["content-type"], "text/html") ||
			!strings.Contains(page.Headers["content-security-policy"], "default-src 'none'") {
			t.Errorf("%s: %d %v", path, page.StatusCode, page.Headers)
		}
		policy := map[string]string{}
		for directive := range strings.SplitSeq(page.Headers["content-security-policy"], ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(directive), " ")
			policy[name] = value
		}
		for name, want := range map[string]string{
			"default-src": "'none'", "script-src": "'self'", "connect-src": "'self'", "base-uri": "'none'",
			"form-action": "'none'", "frame-ancestors": "'none'",
		} {
			if policy[name] != want {
				t.Errorf("%s: the page's %s is %q", path, name, policy[name])
			}
		}
		if page.Headers["x-content-type-options"] != "nosniff" || page.Headers["cache-control"] != "no-store" ||
			strings.Contains(page.Body, "persist-auth=\"true\"") {
			t.Errorf("%s: %v", path, page.Headers)
		}
		if outside := regexp.MustCompile(`(src|href|url)="?(https?:)?//`).FindString(page.Body); outside != "" {
			t.Errorf("the page loads something from elsewhere: %s", outside)
		}
		if !strings.Contains(page.Body, `spec-url="/openapi.json"`) ||
			!strings.Contains(page.Body, `src="/docs/rapidoc.js"`) {
			t.Error(page.Body)
		}
	}
	packed := request("GET", "/docs/rapidoc.js")
	packed.Headers = map[string]string{"accept-encoding": "gzip, br"}
	script, plain := serve(t, mux, packed), serve(t, mux, request("GET", "/docs/rapidoc.js"))
	raw, err := base64.StdEncoding.DecodeString(script.Body)
	if err != nil || script.Headers["content-encoding"] != "gzip" || plain.Headers["content-encoding"] != "" {
		t.Fatalf("%v, %v, %v", err, script.Headers, plain.Headers)
	}
	if len(raw) > 240<<10 {
		t.Errorf("the script has %d bytes in every API function", len(raw))
	}
	reader, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(reader); err != nil || string(unpacked) != plain.Body {
		t.Errorf("%d bytes packed, %d plain, %v", len(unpacked), len(plain.Body), err)
	}
	if got := serve(t, mux, request("GET", "/docs/other.js")); got.StatusCode != http.StatusNotFound {
		t.Errorf("another file: %d", got.StatusCode)
	}
}
