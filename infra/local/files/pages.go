package files

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/haatline/haatline/infra/local/front"
	"github.com/haatline/haatline/infra/local/guard"
	"github.com/haatline/haatline/infra/topology"
)

// incoming is where the links lead under which files are put.
const incoming = "/" + Bucket + "/incoming/"

// ForConsole lets the console, which is the page of this machine under a port, put files under the links that it gets.
// All else goes to others.
func ForConsole(port string, bucket, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		page, err := url.Parse(origin)
		if err != nil || page.Port() != port || !front.LocalOrigin(origin) || !guard.Here(r.Host) ||
			!strings.HasPrefix(r.URL.Path, incoming) || strings.Contains(r.URL.Path, "..") ||
			!slices.Contains([]string{http.MethodPut, http.MethodOptions}, r.Method) {
			others.ServeHTTP(w, r)
			return
		}
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", origin)
		header.Set("Vary", "Origin")
		if r.Method == http.MethodPut {
			bucket.ServeHTTP(w, r)
			return
		}
		header.Set("Access-Control-Allow-Methods", strings.Join(topology.FilesCORS.Methods, ","))
		header.Set("Access-Control-Allow-Headers", strings.Join(topology.FilesCORS.Headers, ","))
		header.Set("Access-Control-Max-Age", strconv.Itoa(topology.FilesCORS.MaxAgeSeconds))
		w.WriteHeader(http.StatusNoContent)
	})
}
