package httpapi

import (
	"bytes"
	"compress/gzip"
	_ "embed" // embeds the API page
	"io"
	"net/http"
	"strings"
)

// The API page shows /openapi.json. The binary contains everything it needs, because a page for operators must not load
// anything from other hosts.
var (
	//go:embed docs/index.html
	docsPage []byte
	//go:embed docs/rapidoc.js.gz
	docsScript []byte
)

// docsPolicy allows the page only its own script and requests to its own host. The renderer adds styles to the page.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; " +
	"font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func serveDocs(mux *http.ServeMux) {
	page := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", docsPolicy)
		_, _ = w.Write(docsPage) // writing to a buffer does not fail
	}
	mux.HandleFunc("GET /docs", page)
	mux.HandleFunc("GET /docs/{$}", page)
	mux.HandleFunc("GET /docs/rapidoc.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Header().Set("Cache-Control", "public, max-age=86400")
		w.Header().Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(docsScript)
			return
		}
		unpacked, err := gzip.NewReader(bytes.NewReader(docsScript))
		if err == nil {
			_, err = io.Copy(w, unpacked)
		}
		if err != nil {
			serveProblem(w, newProblem(http.StatusInternalServerError, "The page is damaged."))
		}
	})
}
