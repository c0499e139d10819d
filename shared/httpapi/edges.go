package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// refuseUnknownParameters refuses a query parameter that an operation does not have: a misspelt filter would otherwise
// answer with everything.
func refuseUnknownParameters(api huma.API) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		address := ctx.URL()
		var unknown []error
		for name := range address.Query() {
			known := slices.ContainsFunc(ctx.Operation().Parameters, func(p *huma.Param) bool { return p.In == "query" && p.Name == name })
			if !known {
				unknown = append(unknown, &huma.ErrorDetail{Location: "query", Message: "a parameter that this operation does not have"})
			}
		}
		if len(unknown) > 0 {
			_ = huma.WriteErr(api, ctx, http.StatusUnprocessableEntity, "validation failed", unknown...)
			return
		}
		next(ctx)
	}
}

// methods are those that an operation may have.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// noOperation answers where no operation has the path and the method: 405 where the path has others, else 404.
func noOperation(mux *http.ServeMux) http.HandlerFunc {
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
