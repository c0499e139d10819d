package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// refuseUnknownParameters refuses unknown and repeated query parameters and malformed queries. Otherwise a misspelt
// filter would be ignored, and the answer would contain everything.
func refuseUnknownParameters(api huma.API) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		address := ctx.URL()
		var unknown []error
		parameters, err := url.ParseQuery(address.RawQuery)
		if err != nil || !utf8.ValidString(address.RawQuery) {
			unknown = append(unknown,
				&huma.ErrorDetail{
					Location: "query",
					Message:  "not a query: a character in it must be escaped, or is escaped wrongly"})
		}
		for name, values := range parameters {
			known := slices.ContainsFunc(ctx.Operation().Parameters,
				func(p *huma.Param) bool { return p.In == "query" && p.Name == name })
			switch {
			case !known:
				unknown = append(unknown,
					&huma.ErrorDetail{
						Location: locationOf(name), Message: "this operation does not have this parameter"})
			case len(values) > 1:
				unknown = append(unknown, &huma.ErrorDetail{Location: "query." + name, Message: "given more than once"})
			}
		}
		if len(unknown) > 0 {
			_ = huma.WriteErr(api, ctx, http.StatusUnprocessableEntity, "validation failed", unknown...)
			return
		}
		next(ctx)
	}
}

// parameterName is the form of a parameter's name. A customer's number, or what else somebody pastes into an address,
// has another form.
var parameterName = regexp.MustCompile(`^[A-Za-z][A-Za-z_-]{0,40}$`)

// locationOf returns the place of a parameter that the caller has named. A name that may be personal data is not
// repeated.
func locationOf(name string) string {
	if !parameterName.MatchString(name) {
		return "query"
	}
	return "query." + name
}

// refuseWideParameters refuses a parameter with more bytes than its maximum of characters. The library counts
// characters, but parameters become parts of keys, and DynamoDB limits the bytes of a key. Without this check, the
// caller's mistake would look like ours.
func refuseWideParameters(api huma.API) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		given := map[string]func(string) string{"path": ctx.Param, "query": ctx.Query}
		var wide []error
		for _, p := range ctx.Operation().Parameters {
			value, ok := given[p.In]
			if !ok || p.Schema.MaxLength == nil {
				continue
			}
			most, text := *p.Schema.MaxLength, value(p.Name)
			// the library reports too many characters itself
			if len(text) > most && utf8.RuneCountInString(text) <= most {
				wide = append(wide,
					&huma.ErrorDetail{
						Location: p.In + "." + p.Name, Message: fmt.Sprintf("expected length <= %d bytes", most)})
			}
		}
		if len(wide) > 0 {
			_ = huma.WriteErr(api, ctx, http.StatusUnprocessableEntity, "validation failed", wide...)
			return
		}
		next(ctx)
	}
}

// methods lists the methods that operations use.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// NoOperation answers requests without an operation on a mux: 405 if the path has other methods, else 404.
func NoOperation(mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		for _, method := range methods {
			other := r.Clone(r.Context())
			other.Method = method
			if _, pattern := mux.Handler(other); pattern != "/" && pattern != "" {
				allowed = append(allowed, method)
			}
		}
		if len(allowed) == 0 {
			serveProblem(w, NotFound())
			return
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		serveProblem(w, newProblem(http.StatusMethodNotAllowed, "This path has no such operation."))
	}
}

// isPlain reports whether an escaped path is in canonical form. net/http would answer other forms, such as /v1//me or
// /v1/../v1/me, with a redirect that the API does not document and that repeats what was sent.
func isPlain(escaped string) bool {
	cleaned := path.Clean(escaped)
	if strings.HasSuffix(escaped, "/") && cleaned != "/" {
		cleaned += "/"
	}
	return cleaned == escaped && strings.HasPrefix(escaped, "/")
}
