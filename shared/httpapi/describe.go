package httpapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// Describe returns the description of an API of New when all operations are registered. It prepares them, and adds what
// the library does not know and what all operations share.
func Describe(api huma.API) *huma.OpenAPI {
	document := api.OpenAPI()
	if !deferringUnder(api).prepareAll() {
		return document
	}
	document.Servers = []*huma.Server{{URL: "/", Description: "Where this description comes from."}}
	document.Info.Contact = &huma.Contact{Name: "Whoever runs this haatline"}
	document.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	schemas := document.Components.Schemas.Map()
	describeProblem(schemas)
	for _, schema := range schemas {
		complete(schema)
	}
	if schemas["GatewayMessage"] == nil {
		schemas["GatewayMessage"] = gatewayMessage()
	}
	for path, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			describeOperation(op, strings.Contains(path, "{"))
			if needsSession(op) {
				document.Components.SecuritySchemes[sessionScheme] = &huma.SecurityScheme{
					Type: "http", Scheme: "bearer", BearerFormat: "JWT",
					Description: "The token of a session. It belongs to one person of one tenant."}
			}
		}
	}
	return document
}

// ShowExamples adds a domain's examples to the description of its operations.
func ShowExamples(api huma.API, part Part) error {
	var examples map[string]any
	if err := json.Unmarshal(part.Examples, &examples); err != nil {
		return err
	}
	for _, item := range Describe(api).Paths {
		for _, op := range []*huma.Operation{item.Post, item.Put, item.Patch} {
			if op == nil || op.RequestBody == nil || examples[op.OperationID] == nil {
				continue
			}
			if body := op.RequestBody.Content["application/json"]; body != nil {
				body.Example = examples[op.OperationID]
			}
		}
	}
	return nil
}

// ServeDescription serves an API's description, as OpenAPI 3.1 at /openapi.json and as a page at /docs. It is made at
// the first request; operations that are registered later are missing. Scopes are listed with an operation's security,
// because OpenAPI knows them only for OAuth flows, whose addresses differ per deployment.
func ServeDescription(mux *http.ServeMux, api huma.API) {
	serveDocs(mux)
	described := sync.OnceValues(func() ([]byte, error) {
		text, err := json.Marshal(Describe(api))
		if err != nil {
			return nil, err
		}
		var document struct {
			rest  map[string]json.RawMessage
			Paths map[string]map[string]map[string]json.RawMessage `json:"paths"`
		}
		if err := errors.Join(json.Unmarshal(text, &document), json.Unmarshal(text, &document.rest)); err != nil {
			return nil, err
		}
		for _, operations := range document.Paths {
			for _, operation := range operations {
				var security []map[string][]string
				if json.Unmarshal(operation["security"], &security) == nil && len(security) > 0 {
					scopes, scheme := []string{}, securityScheme // any one of the scopes
					for _, alternative := range security {
						for of, named := range alternative {
							scopes, scheme = append(scopes, named...), of
						}
					}
					operation["security"] = json.RawMessage(`[{"` + scheme + `":[]}]`)
					operation["x-required-scopes"], _ = json.Marshal(scopes)
				}
			}
		}
		if document.rest["paths"], err = json.Marshal(document.Paths); err != nil {
			return nil, err
		}
		return json.Marshal(document.rest)
	})
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		text, err := described()
		if err != nil {
			serveProblem(w, newProblem(http.StatusInternalServerError, "The description cannot be written."))
			return
		}
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(text) // writing to a buffer does not fail
	})
}

// complete adds to a schema what clients rely on: arrays are never null, and properties that are named like times are
// times.
func complete(schema *huma.Schema) {
	if schema.Type == huma.TypeArray {
		schema.Nullable = false
	}
	for name, property := range schema.Properties {
		if property.Type == huma.TypeString && property.Format == "" && IsTime(name) {
			property.Format = "date-time"
		}
		if property.Format == "date-time" && len(property.Examples) == 0 {
			property.Examples = []any{"2026-11-21T12:00:00.000Z"}
		}
		complete(property)
	}
	if schema.Items != nil {
		complete(schema.Items)
	}
}

// IsTime reports whether a property with the name holds a time.
func IsTime(name string) bool {
	return name == "at" || name == "until" || name == "timestamp" || strings.HasSuffix(name, "At") ||
		strings.HasSuffix(name, "Until")
}

// describeProblem documents the fields of a problem, whose type belongs to the library.
func describeProblem(schemas map[string]*huma.Schema) {
	for name, texts := range map[string]map[string]string{
		"ErrorModel": {
			"type": "A name for the kind of problem, such as urn:haatline:problem:window-closed; absent where " +
				"the status says it all.",
			"title":    "The kind of problem, in a few words.",
			"status":   "The HTTP status, repeated.",
			"detail":   "What is wrong this time, and what to do.",
			"instance": "Not used.",
			"errors":   "Each part of the request that is wrong.",
		},
		"ErrorDetail": {
			"location": "Where it is wrong, such as body.reason or query.limit.",
			"message":  "What is wrong with it.",
			"value":    "Never given: what was sent may be personal.",
		},
	} {
		schema := schemas[name]
		if schema == nil {
			continue
		}
		schema.Description = map[string]string{
			"ErrorModel":  "A problem, as RFC 9457 describes it.",
			"ErrorDetail": "One part of a request that is wrong."}[name]
		for property, text := range texts {
			if p := schema.Properties[property]; p != nil {
				p.Description = text
			}
		}
		if status := schema.Properties["status"]; status != nil {
			status.Examples = []any{http.StatusUnprocessableEntity}
		}
	}
}

func gatewayMessage() *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, Description: "What the gateway says where a request has not come to haatline.",
		Properties: map[string]*huma.Schema{
			"message": {
				Type: huma.TypeString, Description: "What is wrong, in a few words.", Examples: []any{"Unauthorized"}}},
		Required: []string{"message"},
	}
}

// describeOperation adds the answers that middleware gives for the operation.
func describeOperation(op *huma.Operation, named bool) {
	op.Description = cmp.Or(op.Description, op.Summary+".")
	gateway := func(status int, text string) {
		response := op.Responses[strconv.Itoa(status)]
		if response == nil {
			response = &huma.Response{Content: map[string]*huma.MediaType{}}
			op.Responses[strconv.Itoa(status)] = response
		}
		response.Description = text
		response.Content["application/json"] = &huma.MediaType{
			Schema: &huma.Schema{Ref: "#/components/schemas/GatewayMessage"},
		}
	}
	problem := func(status int, text string) {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Description: text, Content: map[string]*huma.MediaType{
			"application/problem+json": {Schema: &huma.Schema{Ref: "#/components/schemas/ErrorModel"}},
		}}
	}
	if op.RequestBody != nil {
		problem(http.StatusBadRequest, "The body is no JSON.")
		problem(http.StatusUnsupportedMediaType, "The body is of another type than application/json.")
		problem(http.StatusRequestEntityTooLarge, "The body is too large.")
	}
	if hasCursor(op) {
		problem(http.StatusBadRequest, "The cursor is none of this list with these filters, or not yours.")
	}
	if op.Method == http.MethodGet {
		op.Responses["304"] = &huma.Response{
			Description: "You have the answer already: If-None-Match named its entity tag."}
		if answer := op.Responses["200"]; answer != nil {
			answer.Headers = map[string]*huma.Param{"ETag": {
				Description: "The answer's entity tag. Send it as If-None-Match when you ask again.",
				Schema:      &huma.Schema{Type: huma.TypeString},
			}}
		}
	}
	problem(http.StatusServiceUnavailable, "The database does not answer just now. Nothing is lost: try again.")
	gateway(http.StatusTooManyRequests, "Too many requests at once. Wait a second and try again.")
	gateway(http.StatusServiceUnavailable,
		"The database or the function does not answer just now. Try again after Retry-After, or a second where "+
			"it is absent.")
	op.Responses["503"].Headers = map[string]*huma.Param{"Retry-After": {
		Description: "After how many seconds to try again.",
		Schema:      &huma.Schema{Type: huma.TypeInteger, Examples: []any{RetryAfter}},
	}}
	for _, status := range []string{"403", "404", "409", "422", "500"} {
		if response := op.Responses[status]; response != nil {
			response.Description = map[string]string{
				"403": "The token, or none of your roles, allows it.",
				"404": "There is no such thing, or it is not yours.",
				"409": "It cannot be done as things stand; the type says why.",
				"422": "A part of the request is wrong; errors names it.",
				"500": "Something went wrong on our side.",
			}[status]
		}
	}
	if op.Responses["403"] != nil {
		op.Responses["403"].Description = "The token does not allow it, or none of your roles does."
	}
	switch scopes := scopesOf(op); {
	case needsNothing(op):
		op.Description += " Needs no token."
	case needsSession(op):
		op.Description += " Needs a session."
		gateway(http.StatusUnauthorized, "There is no access token.")
		gateway(http.StatusForbidden, "The token is none of a session, or is no longer good.")
	case len(scopes) > 0:
		op.Description += " Needs the scope `" + strings.Join(scopes, "` or `") + "`."
		fallthrough
	default:
		gateway(http.StatusUnauthorized,
			"There is no access token, or it is not valid. The header WWW-Authenticate says what is missing.")
	}
	for _, parameter := range op.Parameters {
		if named && parameter.In == "path" && parameter.Example == nil && parameter.Schema != nil &&
			len(parameter.Schema.Examples) > 0 {
			parameter.Example = parameter.Schema.Examples[0]
		}
	}
}

// RetryAfter is how many seconds a caller should wait when the database is unavailable.
const RetryAfter = 2

// Unavailable returns the problem for an unavailable database. The request itself may be correct.
func Unavailable() error {
	return huma.ErrorWithHeaders(
		newProblem(http.StatusServiceUnavailable, "The database does not answer just now. Try again."),
		http.Header{"Retry-After": {strconv.Itoa(RetryAfter)}})
}
