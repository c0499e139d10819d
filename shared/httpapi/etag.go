package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// validate gives the answer to a GET an entity tag. If the request names that tag (If-None-Match), the caller has the
// answer already, and gets 304 without a body. Who asks again and again downloads only what has changed.
func (r *recorder) validate(request *http.Request) {
	if request.Method != http.MethodGet || r.status != http.StatusOK || r.header.Get("ETag") != "" {
		return
	}
	sum := sha256.Sum256(r.body.Bytes())
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
	r.header.Set("ETag", tag)
	if names(request.Header.Get("If-None-Match"), tag) {
		r.status = http.StatusNotModified
		r.body.Reset()
		r.header.Del("Content-Type")
	}
}

// names reports whether an If-None-Match header names a tag, weakly compared.
func names(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}
