package httpapi

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// The security schemes: tokens of operators, and those of sessions.
const (
	securityScheme = "jwt"
	sessionScheme  = "session"
)

// setLibrary makes the library's errors problems of this API, and makes it match field names exactly. By default it
// ignores case, so that one field could be checked and another one decoded. The library offers only global variables
// for this.
var setLibrary = sync.OnceFunc(func() { huma.NewError, huma.ValidateStrictCasing = newProblem, true })

// Part is what a domain adds to the API. Its operations are deployed as the function <Name>-api.
type Part struct {
	Name string
	Tags []*huma.Tag // the sections of its operations, in the order of the documentation page
	// IDPaths are the paths, such as /v1/messages/, that one id follows, which may contain slashes. What follows the id
	// begins with a segment that has a hyphen.
	IDPaths []string
	// Describe registers the operations only to describe them: they must not be called.
	Describe func(huma.API)
	// Examples is a JSON object: a body that is accepted, by the id of the operation. The walk of the API's test writes
	// and compares it.
	Examples []byte
}

// New returns an API on a mux, without operations: problems as in RFC 9457, and every operation behind a scope.
func New(mux *http.ServeMux, parts ...Part) huma.API {
	setLibrary()
	config := huma.DefaultConfig("haatline", "1.0.0")
	config.Info.Description =
		"The operators' API of haatline. Times are ISO 8601 in UTC with milliseconds. Lists go from new to old " +
			"and are continued with the cursor of the page before. The API answers 404 for things that are not yours."
	config.DocsPath, config.SchemasPath, config.OpenAPIPath = "", "", "" // ServeDescription serves the description
	config.CreateHooks = nil                                             // no $schema links in answers
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		securityScheme: {Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: describeScopes()},
	}
	for _, part := range parts {
		config.Tags = append(config.Tags, part.Tags...)
	}
	config.Formats = strictFormats()
	mux.HandleFunc("/", NoOperation(mux))
	api := newDeferring(mux, config)
	api.UseMiddleware(authorize(api), refuseUnknownParameters(api), bindCursors(api), refuseWideParameters(api))
	return api
}

func describeScopes() string {
	text := "Tenants come from the groups tenant:{id}, and what a person may do from the groups of their roles. Scopes:"
	for _, scope := range Scopes() {
		text += "\n- `" + scope.Name + "`: " + scope.Description
	}
	text += "\n\nRoles:"
	for _, role := range Roles() {
		text += "\n- `" + role.Group + "`: " + role.Description
	}
	return text
}

// Needs returns the security of an operation that requires a token with one of the scopes.
func Needs(scopes ...string) []map[string][]string {
	var alternatives []map[string][]string
	for _, scope := range scopes {
		alternatives = append(alternatives, map[string][]string{securityScheme: {scope}})
	}
	return alternatives
}

// NeedsOnlyAToken returns the security of an operation for every operator who is signed in, whatever their scopes.
func NeedsOnlyAToken() []map[string][]string {
	return []map[string][]string{{securityScheme: {}}}
}

// NeedsSession returns the security of an operation for people in sessions, and for no operator.
func NeedsSession() []map[string][]string {
	return []map[string][]string{{sessionScheme: {CommunityUse}}}
}

// NeedsNothing returns the security of an operation for everybody, such as to sign in. It is empty and not nil: an
// operation that says nothing of its security needs a token.
func NeedsNothing() []map[string][]string { return []map[string][]string{} }

// needsNothing reports whether an operation is for everybody.
func needsNothing(op *huma.Operation) bool { return op.Security != nil && len(op.Security) == 0 }

// needsSession reports whether an operation is for people in sessions.
func needsSession(op *huma.Operation) bool {
	return slices.ContainsFunc(op.Security, func(alternative map[string][]string) bool {
		_, session := alternative[sessionScheme]
		return session
	})
}

// scopesOf returns the scopes of which an operation needs one; none if a token is enough.
func scopesOf(op *huma.Operation) []string {
	var scopes []string
	for _, alternative := range op.Security {
		scopes = append(scopes, slices.Concat(alternative[securityScheme], alternative[sessionScheme])...)
	}
	return scopes
}

// authorize refuses a caller without a token or without the operation's scope, before anything of the request is read.
func authorize(api huma.API) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		if status, why := refusal(ctx.Operation(), CallerOf(ctx.Context())); status != 0 {
			_ = huma.WriteErr(api, ctx, status, why)
			return
		}
		next(ctx)
	}
}

// refusal returns why a caller may not call an operation, and the status that says so. It returns 0 if they may.
func refusal(op *huma.Operation, caller Caller) (status int, why string) {
	needed := scopesOf(op)
	switch {
	case needsNothing(op):
		return 0, ""
	case caller.Subject == "":
		return http.StatusUnauthorized, "A valid access token is needed."
	case caller.Session != "" && !needsSession(op):
		return http.StatusForbidden, "This operation is for operators: a session is not enough."
	case len(needed) > 0 &&
		!slices.ContainsFunc(needed, func(scope string) bool { return slices.Contains(caller.Scopes, scope) }):
		return http.StatusForbidden, "The scope " + strings.Join(needed, " or ") +
			" is needed: the access token lacks it, or none of your groups gives it."
	}
	return 0, ""
}
