package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/httpapi"
)

func inSession(event events.APIGatewayV2HTTPRequest, said map[string]any) events.APIGatewayV2HTTPRequest {
	event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{Lambda: said}
	return event
}

var asha = map[string]any{"sub": "user-1", "session": "session-1", "tenant": "shop"}

func TestACallerInASessionIsWhomTheAuthorizerNames(t *testing.T) {
	whole := httpapi.Caller{
		Subject: "user-1", Session: "session-1", SessionTenant: "shop", Scopes: []string{httpapi.CommunityUse},
		IP: "203.0.113.7"}
	nobody := httpapi.Caller{IP: "203.0.113.7"}
	for name, c := range map[string]struct {
		said map[string]any
		want httpapi.Caller
	}{
		"all of it": {asha, whole},
		"more than that": {map[string]any{
			"sub": "user-1", "session": "session-1", "tenant": "shop", "cognito:groups": "[platform tenant:shop]",
			"scope": "haatline/inbox.read", "username": "op"}, whole},
		"nothing":                 {map[string]any{}, nobody},
		"no subject":              {map[string]any{"session": "session-1", "tenant": "shop"}, nobody},
		"no session":              {map[string]any{"sub": "user-1", "tenant": "shop"}, nobody},
		"no tenant":               {map[string]any{"sub": "user-1", "session": "session-1"}, nobody},
		"a number":                {map[string]any{"sub": 1.0, "session": "session-1", "tenant": "shop"}, nobody},
		"a tenant of two parts":   {map[string]any{"sub": "user-1", "session": "s", "tenant": "shop#x"}, nobody},
		"an operator's claims":    {map[string]any{"sub": "u-1", "cognito:groups": "[platform]"}, nobody},
		"an empty session's name": {map[string]any{"sub": "user-1", "session": "", "tenant": "shop"}, nobody},
	} {
		var got httpapi.Caller
		serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = httpapi.CallerOf(r.Context())
		}), inSession(request("GET", "/"), c.said))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if got.Owns("shop") || got.Sees("shop") {
			t.Errorf("%s: a session owns what is a tenant's", name)
		}
	}
}

// doors returns an API with one operation for each kind of caller.
func doors(t *testing.T) *http.ServeMux {
	t.Helper()
	mux := http.NewServeMux()
	api := httpapi.New(mux)
	for path, security := range map[string][]map[string][]string{
		"scope": httpapi.Needs(httpapi.InboxRead, httpapi.InboxWrite), "token": httpapi.NeedsOnlyAToken(),
		"unsaid": nil, "session": httpapi.NeedsSession(), "nothing": httpapi.NeedsNothing(),
	} {
		httpapi.Register(api, huma.Operation{
			OperationID: path, Method: http.MethodGet, Path: "/v1/" + path, Summary: path, Security: security,
			Errors: []int{http.StatusForbidden},
		}, func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
	}
	httpapi.Describe(api)
	httpapi.ServeDescription(mux, api)
	return mux
}

func TestEachKindOfCallerCallsItsOwnOperations(t *testing.T) {
	mux := doors(t)
	everything := strings.Join(append(httpapi.ScopeNames(), httpapi.CommunityUse, "openid"), " ")
	operator := func(group string) func(string) events.APIGatewayV2HTTPRequest {
		return func(path string) events.APIGatewayV2HTTPRequest {
			return withClaims(request("GET", path),
				map[string]string{"sub": "u-1", "cognito:groups": "[" + group + "]", "scope": everything})
		}
	}
	for name, c := range map[string]struct {
		request func(path string) events.APIGatewayV2HTTPRequest
		want    map[string]int
	}{
		"nobody": {func(path string) events.APIGatewayV2HTTPRequest { return request("GET", path) },
			map[string]int{"scope": 401, "token": 401, "unsaid": 401, "session": 401, "nothing": 204}},
		"half a session": {func(path string) events.APIGatewayV2HTTPRequest {
			return inSession(request("GET", path), map[string]any{"sub": "user-1", "session": "session-1"})
		}, map[string]int{"scope": 401, "token": 401, "unsaid": 401, "session": 401, "nothing": 204}},
		"a session": {func(path string) events.APIGatewayV2HTTPRequest {
			return inSession(request("GET", path), asha)
		}, map[string]int{"scope": 403, "token": 403, "unsaid": 403, "session": 204, "nothing": 204}},
		"an administrator": {operator("administrator"),
			map[string]int{"scope": 204, "token": 204, "unsaid": 204, "session": 403, "nothing": 204}},
		"the platform": {operator("platform"),
			map[string]int{"scope": 204, "token": 204, "unsaid": 204, "session": 403, "nothing": 204}},
		"a group that is none": {operator("community.use"),
			map[string]int{"scope": 403, "token": 204, "unsaid": 204, "session": 403, "nothing": 204}},
	} {
		for path, want := range c.want {
			if got := serve(t, mux, c.request("/v1/"+path)); got.StatusCode != want {
				t.Errorf("%s, %s: %d %s, want %d", name, path, got.StatusCode, got.Body, want)
			}
		}
	}
}

// A token of the user pool can never have the scope of sessions: the pool does not know it, and no role gives it.
func TestNoGroupOfTheUserPoolGetsTheScopeOfSessions(t *testing.T) {
	if slices.Contains(httpapi.ScopeNames(), httpapi.CommunityUse) ||
		slices.Contains(httpapi.EverydayScopes(), httpapi.CommunityUse) {
		t.Error("the user pool offers it")
	}
	for _, role := range httpapi.Roles() {
		if slices.Contains(role.Scopes, httpapi.CommunityUse) {
			t.Errorf("%s gives it", role.Group)
		}
	}
}

func TestTheDescriptionSaysWhoMayCall(t *testing.T) {
	got := serve(t, doors(t), request("GET", "/openapi.json"))
	var document struct {
		Paths      map[string]map[string]map[string]json.RawMessage
		Components struct{ SecuritySchemes map[string]any }
	}
	if err := json.Unmarshal([]byte(got.Body), &document); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][2]string{
		"scope": {`[{"jwt":[]}]`, `["haatline/inbox.read","haatline/inbox.write"]`}, "token": {`[{"jwt":[]}]`, `[]`},
		"session": {`[{"session":[]}]`, `["haatline/community.use"]`}, "nothing": {`[]`, ""},
	} {
		op := document.Paths["/v1/"+path]["get"]
		if string(op["security"]) != want[0] || string(op["x-required-scopes"]) != want[1] {
			t.Errorf("%s: %s, scopes %s", path, op["security"], op["x-required-scopes"])
		}
		var responses map[string]any
		if err := json.Unmarshal(op["responses"], &responses); err != nil {
			t.Fatal(err)
		}
		if _, told := responses["401"]; told == (path == "nothing") {
			t.Errorf("%s: 401 is told of: %v", path, told)
		}
	}
	if len(document.Components.SecuritySchemes) != 2 {
		t.Errorf("schemes %v", document.Components.SecuritySchemes)
	}
	if plain := serve(t, things(t), request("GET", "/openapi.json")); strings.Contains(plain.Body, `"session"`) {
		t.Error("an API without operations for sessions has their scheme")
	}
}
