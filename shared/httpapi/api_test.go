package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

func withClaims(event events.APIGatewayV2HTTPRequest, claims map[string]string) events.APIGatewayV2HTTPRequest {
	event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
		JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{Claims: claims},
	}
	return event
}

func TestTheCallerComesFromTheClaims(t *testing.T) {
	for name, c := range map[string]struct {
		claims map[string]string
		want   httpapi.Caller
	}{
		"no claims": {map[string]string{}, httpapi.Caller{}},
		"one group, not flattened": {
			map[string]string{"sub": "u-1", "cognito:groups": "tenant:shop"},
			httpapi.Caller{Subject: "u-1", Tenants: []model.TenantID{"shop"}},
		},
		"one group, flattened": {
			map[string]string{"sub": "u-1", "cognito:groups": "[tenant:shop]"},
			httpapi.Caller{Subject: "u-1", Tenants: []model.TenantID{"shop"}},
		},
		"several groups and scopes": {
			map[string]string{
				"sub": "u-1", "cognito:groups": "[tenant:shop operator tenant:bakery]",
				"scope": "haatline/inbox.read  haatline/messages.send haatline/customers.erase"},
			httpapi.Caller{
				Subject: "u-1", Tenants: []model.TenantID{"shop", "bakery"}, Roles: []string{"operator"},
				Scopes: []string{"haatline/inbox.read", "haatline/messages.send"},
			},
		},
		"a name": {map[string]string{"sub": "u-1", "username": "op@shop.example"},
			httpapi.Caller{Subject: "u-1", Username: "op@shop.example"}},
		"the platform's operator": {
			map[string]string{"sub": "op", "cognito:groups": "[platform]"},
			httpapi.Caller{Subject: "op", Roles: []string{"platform"}, Platform: true},
		},
		"scopes without a role": {
			map[string]string{"sub": "u-1", "cognito:groups": "[tenant:shop staff]", "scope": "haatline/inbox.read"},
			httpapi.Caller{Subject: "u-1", Tenants: []model.TenantID{"shop"}},
		},
		"groups with commas and brackets": {
			map[string]string{
				"sub": "u-1", "cognito:groups": "[tenant:a,tenant:shop [tenant:shop tenant:shop] platform,platform]",
				"scope": "haatline/inbox.read"},
			httpapi.Caller{Subject: "u-1", Tenants: []model.TenantID{"a,tenant:shop", "shop]"}},
		},
		"groups that only look like it": {
			map[string]string{
				"sub":            "u-1",
				"cognito:groups": "[tenant: tenant Tenant:shop xtenant:shop tenant:a#b platforms platform: ]"},
			httpapi.Caller{Subject: "u-1"},
		},
		"an ID token": {
			map[string]string{
				"sub": "u-1", "cognito:groups": "[tenant:shop operator]", "scope": "haatline/inbox.read",
				"token_use": "id"}, httpapi.Caller{},
		},
		"custom attributes are not groups": {
			map[string]string{
				"sub": "u-1", "custom:tenant": "shop", "groups": "[tenant:shop]", "scp": "haatline/inbox.read"},
			httpapi.Caller{Subject: "u-1"},
		},
	} {
		var got httpapi.Caller
		handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = httpapi.CallerOf(r.Context())
		})
		serve(t, handler, withClaims(request("GET", "/"), c.claims))
		if got.IP != "203.0.113.7" {
			t.Errorf("%s: comes from %q", name, got.IP)
		}
		got.IP = ""
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if got := httpapi.CallerOf(r.Context()); got.Subject != "" {
			t.Errorf("nobody is %+v", got)
		}
	}), request("GET", "/"))
}

func TestACallerOwnsOnlyTheirTenants(t *testing.T) {
	caller := httpapi.Caller{Subject: "u-1", Tenants: []model.TenantID{"shop", "bakery"}, Platform: true}
	for tenant, owns := range map[model.TenantID]bool{
		"shop": true, "bakery": true, "": false, "sho": false, "shop ": false, "Shop": false} {
		if caller.Owns(tenant) != owns {
			t.Errorf("owns %q: %v", tenant, !owns)
		}
	}
	if (httpapi.Caller{Tenants: []model.TenantID{""}}).Owns("") {
		t.Error("what belongs to nobody is somebody's")
	}
}

var errShut = problem.New("shut",
	problem.Error{Class: problem.Conflict, Code: "shut", Title: "Window shut", Detail: "Wait."})

// An error's class decides the status, wherever the error was made.
func TestAClassBecomesAStatus(t *testing.T) {
	for class, want := range map[problem.Class]int{
		problem.NotFound: 404, problem.Invalid: 422, problem.Conflict: 409, problem.Unprocessable: 422,
		problem.Unavailable: 503,
	} {
		made := problem.New("made", problem.Error{Class: class, Code: "made", Title: "Made", Detail: "As it is."})
		var told huma.StatusError
		if got := httpapi.Problem(fmt.Errorf("do it: %w", made)); !errors.As(got, &told) || told.GetStatus() != want {
			t.Errorf("class %d: %v, want %d", class, got, want)
		}
	}
	if got := httpapi.Problem(errors.New("table tazco-outbox")); got != nil {
		t.Errorf("an error of ours is told: %v", got)
	}
}

// things returns an API with one operation behind a scope.
func things(t *testing.T) *http.ServeMux {
	t.Helper()
	mux := http.NewServeMux()
	api := httpapi.New(mux)
	httpapi.ServeDescription(mux, api)
	type in struct {
		Limit int `query:"limit" minimum:"1" maximum:"10" default:"5"`
		Body  struct {
			Name string `json:"name" maxLength:"5"`
		}
	}
	httpapi.Register(api, huma.Operation{
		OperationID: "make-thing", Method: http.MethodPost, Path: "/v1/things",
		Security: httpapi.Needs(httpapi.InboxWrite),
	}, func(_ context.Context, i *in) (*struct{ Body string }, error) {
		switch i.Body.Name {
		case "gone":
			return nil, httpapi.NotFound()
		case "shut":
			return nil, httpapi.Problem(errShut)
		case "oops":
			return nil, huma.NewError(http.StatusInternalServerError, "Something went wrong on our side.",
				errors.New("table tazco-outbox"))
		}
		return &struct{ Body string }{"made"}, nil
	})
	return mux
}

func posting(body string, scope string) events.APIGatewayV2HTTPRequest {
	event := withClaims(request("POST", "/v1/things"),
		map[string]string{"sub": "u-1", "cognito:groups": "[operator]", "scope": scope})
	event.Headers = map[string]string{"content-type": "application/json"}
	event.Body = body
	return event
}

func TestACallerWithoutTheScopeIsRefusedBeforeTheRequestIsRead(t *testing.T) {
	const broken = `{"name"`
	nobody := posting(broken, "")
	nobody.RequestContext.Authorizer = nil
	for name, c := range map[string]struct {
		event events.APIGatewayV2HTTPRequest
		want  int
	}{
		"no token":        {nobody, 401},
		"no scope":        {posting(broken, ""), 403},
		"another scope":   {posting(broken, "haatline/inbox.read haatline/messages.send"), 403},
		"a longer scope":  {posting(broken, "haatline/inbox.write.all"), 403},
		"the right scope": {posting(`{"name":"a"}`, "openid haatline/inbox.write"), 200},
	} {
		if got := serve(t, things(t), c.event); got.StatusCode != c.want {
			t.Errorf("%s: %d %s, want %d", name, got.StatusCode, got.Body, c.want)
		}
	}
}

func TestEveryRefusalIsAProblemThatRepeatsNothing(t *testing.T) {
	operator := func(body string) events.APIGatewayV2HTTPRequest { return posting(body, httpapi.InboxWrite) }
	elsewhere := operator("")
	elsewhere.RawPath, elsewhere.RequestContext.HTTP.Method = "/v1/nowhere", "GET"
	outOfRange := operator(`{"name":"a"}`)
	outOfRange.RawQueryString = "limit=919876543210"
	for name, c := range map[string]struct {
		event  events.APIGatewayV2HTTPRequest
		status int
		kind   string
		field  string
	}{
		"not JSON":            {operator(`{"name":919876543210`), 400, "", "body"},
		"another type":        {operator(`{"name":919876543210}`), 422, "", "body.name"},
		"too long":            {operator(`{"name":"919876543210"}`), 422, "", "body.name"},
		"a field too many":    {operator(`{"name":"a","919876543210":1}`), 422, "", ""},
		"a query too large":   {outOfRange, 422, "", "query.limit"},
		"not found":           {operator(`{"name":"gone"}`), 404, "", ""},
		"no such path":        {elsewhere, 404, "", ""},
		"a type of its own":   {operator(`{"name":"shut"}`), 409, "urn:haatline:problem:shut", ""},
		"our fault":           {operator(`{"name":"oops"}`), 500, "", ""},
		"nobody's permission": {posting(`{}`, ""), 403, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := serve(t, things(t), c.event)
			var document huma.ErrorModel
			if err := json.Unmarshal([]byte(got.Body), &document); err != nil {
				t.Fatalf("%s: %v", got.Body, err)
			}
			if got.StatusCode != c.status || document.Status != c.status || document.Title == "" ||
				document.Detail == "" || document.Type != c.kind {
				t.Errorf("%d %s", got.StatusCode, got.Body)
			}
			if kind := got.Headers["content-type"]; kind != "application/problem+json" {
				t.Errorf("it is %s", kind)
			}
			if c.field != "" && (len(document.Errors) == 0 || document.Errors[0].Location != c.field) {
				t.Errorf("it does not name %s: %s", c.field, got.Body)
			}
			if name != "a field too many" && strings.Contains(got.Body, "9876543210") ||
				strings.Contains(got.Body, "tazco") {
				t.Errorf("it repeats what it should not: %s", got.Body)
			}
		})
	}
}

func TestTheDescriptionNamesEveryScopeAndNeedsNoToken(t *testing.T) {
	got := serve(t, things(t), request("GET", "/openapi.json"))
	var description struct{ OpenAPI string }
	if err := json.Unmarshal([]byte(got.Body), &description); err != nil || got.StatusCode != 200 ||
		!strings.HasPrefix(description.OpenAPI, "3.1") {
		t.Fatalf("%d %.200s, %v", got.StatusCode, got.Body, err)
	}
	for _, scope := range httpapi.Scopes() {
		if !strings.Contains(got.Body, scope.Name) || !strings.Contains(got.Body, scope.Description) {
			t.Errorf("the description leaves out %s", scope.Name)
		}
	}
}

// Audit records keep the program's name, so a long header would be most of what is stored.
func TestTheCallersProgramNameIsShortened(t *testing.T) {
	for given, want := range map[string]string{
		"haatline-cli/1.0": "haatline-cli/1.0", strings.Repeat("x", 9000): strings.Repeat("x", 256),
		"x" + strings.Repeat("क", 3000): "x" + strings.Repeat("क", 85),
		"a\x1b[31m\x00b\u202ec\nd":      "a[31mbcd", "\xff\xfea": "a",
	} {
		event := withClaims(request("GET", "/"), map[string]string{"sub": "u-1"})
		event.RequestContext.HTTP.UserAgent = given
		var got string
		serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = httpapi.CallerOf(r.Context()).UserAgent
		}), event)
		if got != want {
			t.Errorf("%.40q of %d bytes is kept as %.40q of %d", given, len(given), got, len(got))
		}
	}
}
