package stacks_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/tables"
)

// Every route exists with its authorization, and may start its own function and no other.
func TestTheRoutesAreThoseOfTheTopology(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	want, got := map[string]string{}, map[string]string{}
	var invokes, invoked []string
	for _, function := range topology.Functions {
		for _, route := range function.Routes {
			by := map[topology.Callers]string{
				topology.Operators: "JWT", topology.Sessions: "CUSTOM", topology.Everybody: "NONE"}[route.For]
			want[route.Method+" "+route.Path] = by + " integrations/${HttpApi" + idOf(function) + "}"
			has := func(path string) bool {
				same := topology.Route{Method: route.Method, Path: path, For: route.For}
				return slices.Contains(function.Routes, same)
			}
			above, below := strings.CutSuffix(route.Path, "/{proxy+}")
			path := route.Path
			switch {
			case below && has(above):
				continue // the permission of the path above covers it
			case has(path + "/{proxy+}"):
				path += "*"
			}
			// the same whether AWS compares with the route or with the path of the request
			path = strings.NewReplacer("{storeId}", "*", "{tenantId}", "*", "{configName}", "*").Replace(path)
			invokes = append(invokes,
				"${"+idOf(function)+"Live} "+strings.Replace(route.Method, "ANY", "*", 1)+path)
		}
	}
	for _, id := range functions.of("AWS::ApiGatewayV2::Route") {
		properties := functions.Resources[id].Properties
		got[said(properties["RouteKey"])] = said(properties["AuthorizationType"]) + " " + said(properties["Target"])
		want := map[any]any{"JWT": "${HttpApiAuthorizer}", "CUSTOM": "${HttpApiSessions}"}
		if by := properties["AuthorizationType"]; want[by] != nil && want[by] != said(properties["AuthorizerId"]) {
			t.Errorf("%s: authorizer %s", id, said(properties["AuthorizerId"]))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, id := range functions.of("AWS::Lambda::Permission") {
		properties := functions.Resources[id].Properties
		if properties["Principal"] == "sns.amazonaws.com" || id == "InvokeSessions" || id == "InvokePreToken" {
			continue // the notices of SES, and the question of the authorizer
		}
		_, path, _ := strings.Cut(said(properties["SourceArn"]), ":${HttpApi}/*/")
		invoked = append(invoked, said(properties["FunctionName"])+" "+path)
		if properties["Principal"] != "apigateway.amazonaws.com" {
			t.Errorf("%s: %v", id, properties)
		}
	}
	slices.Sort(invokes)
	slices.Sort(invoked)
	if diff := cmp.Diff(invokes, invoked); diff != "" {
		t.Error(diff)
	}
	for _, function := range topology.Functions {
		if integration, made := functions.Resources["HttpApi"+idOf(function)]; made &&
			(integration.Properties["PayloadFormatVersion"] != "2.0" ||
				said(integration.Properties["IntegrationUri"]) != "${"+idOf(function)+"Live}") {
			t.Errorf("%s: %v", function.Name, integration.Properties)
		}
	}
}

// Everything below /v1 requires a token, whatever the topology says, except single operations for everybody.
func TestEveryRouteOfTheAPIIsAuthorized(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::ApiGatewayV2::Route") {
		properties := functions.Resources[id].Properties
		method, path, _ := strings.Cut(said(properties["RouteKey"]), " ")
		open := slices.Contains(
			[]string{"/openapi.json", "/docs", "/docs/{proxy+}", "/webhooks/whatsapp", "/webhooks/flows",
				"/webhooks/payments/{tenantId}/{configName}"}, path)
		single := strings.HasPrefix(path, "/v1/") && method != "ANY" && !strings.HasSuffix(path, "/{proxy+}")
		if got := properties["AuthorizationType"] == "NONE"; open && !got || got && !open && !single {
			t.Errorf("%s: %v", path, properties["AuthorizationType"])
		}
	}
}

// The gateway may ask the function about sessions, and nothing else may; what it says counts for one request.
func TestTheFunctionThatAuthorizesIsAskedAboutEachRequest(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	authorizer := maps.Clone(functions.Resources["HttpApiSessions"].Properties)
	uri := said(authorizer["AuthorizerUri"])
	delete(authorizer, "AuthorizerUri")
	want := map[string]any{
		"ApiId": map[string]any{"Ref": "HttpApi"}, "Name": "sessions", "AuthorizerType": "REQUEST",
		"AuthorizerPayloadFormatVersion": "2.0", "EnableSimpleResponses": true, "AuthorizerResultTtlInSeconds": 0.0,
		"IdentitySource": []any{"$request.header.Authorization"},
	}
	if diff := cmp.Diff(want, authorizer); diff != "" ||
		!strings.HasSuffix(uri, "functions/${SessionAuthorizerLive}/invocations") {
		t.Errorf("asks %s:\n%s", uri, diff)
	}
	permission := functions.Resources["InvokeSessions"].Properties
	if permission["Principal"] != "apigateway.amazonaws.com" ||
		said(permission["FunctionName"]) != "${SessionAuthorizerLive}" ||
		!strings.HasSuffix(said(permission["SourceArn"]), ":${HttpApi}/authorizers/${HttpApiSessions}") {
		t.Errorf("%v", permission)
	}
	for _, line := range granted(t, "SessionAuthorizerRole", functions.Resources["SessionAuthorizerRole"]) {
		if !strings.HasPrefix(line, "logs:") && line != "secretsmanager:GetSecretValue on ${CursorsSecrets}" {
			t.Errorf("it may %s", line)
		}
	}
}

// Browsers send preflight requests without a token.
func TestPagesOfConfiguredOriginsMayCallTheAPI(t *testing.T) {
	if cors := stage(t, tables.Prod)["functions"].Resources["HttpApi"].Properties["CorsConfiguration"]; cors != nil {
		t.Errorf("without an origin: %v", cors)
	}
	functions := chosen(t)["functions"]
	want := map[string]any{
		"AllowOrigins":  []any{"https://desk.acme.example", "http://localhost:5173"},
		"AllowMethods":  []any{"GET", "POST", "PUT", "PATCH", "DELETE"},
		"AllowHeaders":  []any{"authorization", "content-type", "idempotency-key", "if-none-match"},
		"ExposeHeaders": []any{"apigw-requestid", "etag", "retry-after"}, "MaxAge": 7200.0,
	}
	if diff := cmp.Diff(any(want), functions.Resources["HttpApi"].Properties["CorsConfiguration"]); diff != "" {
		t.Error(diff)
	}
	preflight := functions.Resources["RouteOptionsV1Proxy"].Properties
	if preflight["RouteKey"] != "OPTIONS /v1/{proxy+}" || preflight["AuthorizationType"] != "NONE" ||
		said(preflight["Target"]) != "integrations/${HttpApiOpenapi}" {
		t.Errorf("%v", preflight)
	}
	if functions.Resources["RouteAnyV1Proxy"].Properties["AuthorizationType"] != "JWT" {
		t.Error("the API is open")
	}
	inbox := functions.Resources["RouteOptionsV1ConversationsProxy"].Properties
	if inbox["RouteKey"] != "OPTIONS /v1/conversations/{proxy+}" || inbox["AuthorizationType"] != "NONE" ||
		said(inbox["Target"]) != "integrations/${HttpApiMessagingApi}" {
		t.Errorf("%v", inbox)
	}
	for _, id := range functions.of("AWS::Lambda::Permission") {
		if arn := said(functions.Resources[id].Properties["SourceArn"]); strings.Contains(arn, "OPTIONS") {
			t.Errorf("%s allows what the ANY route's permission allows already: %s", id, arn)
		}
	}
	if at(functions.Resources["HttpApiStage"].Properties, "RouteSettings", "OPTIONS /v1/{proxy+}",
		"ThrottlingRateLimit") != 25.0 {
		t.Error("what needs no token has no limit")
	}
}

func TestTokensComeFromTheUserPoolForItsClient(t *testing.T) {
	authorizer := stage(t, tables.Prod)["functions"].Resources["HttpApiAuthorizer"].Properties
	issuer := said(at(authorizer, "JwtConfiguration", "Issuer"))
	audience := at(authorizer, "JwtConfiguration", "Audience").([]any)
	if !strings.Contains(issuer, "haatline-identity-prod:ExportsOutputFnGetAttUserPoolProviderURL") ||
		len(audience) != 1 || !strings.Contains(said(audience[0]), "haatline-identity-prod:ExportsOutputRefClient") {
		t.Errorf("issuer %s, audience %v", issuer, audience)
	}
}

func TestOperatorsCannotCrowdOutTheWebhook(t *testing.T) {
	api := stage(t, tables.Prod)["functions"].Resources["HttpApiStage"]
	defaults := at(api.Properties, "DefaultRouteSettings")
	settings := at(api.Properties, "RouteSettings").(map[string]any)
	for _, function := range topology.Functions {
		for _, route := range function.Routes {
			setting, tighter := settings[route.Method+" "+route.Path]
			if tighter != (function.Name != "webhook") {
				t.Errorf("%s: limits of its own: %v", route.Path, tighter)
			}
			for _, limit := range []string{"ThrottlingRateLimit", "ThrottlingBurstLimit"} {
				if tighter && at(setting, limit).(float64) >= at(defaults, limit).(float64) {
					t.Errorf("%s: %s is no tighter", route.Path, limit)
				}
			}
		}
	}
	for _, id := range stage(t, tables.Prod)["functions"].of("AWS::ApiGatewayV2::Route") {
		if !slices.Contains(api.DependsOn.([]any), any(id)) {
			t.Errorf("the stage may be made before %s, which its settings name", id)
		}
	}
}

// The access log contains no personal data: no address, and no path, because paths contain numbers.
func TestTheAccessLogNamesNobody(t *testing.T) {
	format := said(
		at(stage(t, tables.Prod)["functions"].Resources["HttpApiStage"].Properties, "AccessLogSettings", "Format"))
	var fields map[string]string
	if err := json.Unmarshal([]byte(format), &fields); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	for _, name := range []string{
		"requestId", "routeKey", "status", "latency", "responseLength", "integrationError", "subject"} {
		if fields[name] == "" {
			t.Errorf("%s is not logged", name)
		}
	}
	for _, variable := range []string{
		"identity", "sourceIp", "$context.path", "claims.username", "claims.email", "userAgent", "domainName"} {
		if strings.Contains(format, variable) {
			t.Errorf("%s is logged", variable)
		}
	}
}

func TestNobodySignsUpOnTheirOwn(t *testing.T) {
	for s, want := range map[tables.Stage]struct{ protection, mfa string }{
		tables.Dev: {"INACTIVE", "OFF"}, tables.Staging: {"ACTIVE", "ON"}, tables.Prod: {"ACTIVE", "ON"},
	} {
		pool := stage(t, s)["identity"].Resources["UserPool"].Properties
		if at(pool, "AdminCreateUserConfig", "AllowAdminCreateUserOnly") != true ||
			pool["DeletionProtection"] != want.protection ||
			pool["MfaConfiguration"] != want.mfa || at(pool, "Policies", "PasswordPolicy", "MinimumLength") != 12.0 {
			t.Errorf("%s: %v", s, pool)
		}
	}
}

// Passwords are entered only on Cognito's pages. Tokens from Cognito's API would have no scopes.
func TestTheClientTakesCodesOnly(t *testing.T) {
	identity := stage(t, tables.Prod)["identity"]
	client := identity.Resources["Client"].Properties
	if diff := cmp.Diff([]any{"code"}, client["AllowedOAuthFlows"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{"ALLOW_REFRESH_TOKEN_AUTH"}, client["ExplicitAuthFlows"]); diff != "" {
		t.Error(diff)
	}
	if client["PreventUserExistenceErrors"] != "ENABLED" || client["GenerateSecret"] != false {
		t.Errorf("%v", client)
	}
	if client["RefreshTokenValidity"] != 1.0 || at(client, "TokenValidityUnits", "RefreshToken") != "days" {
		t.Errorf("a refresh token lives %v %v", client["RefreshTokenValidity"],
			at(client, "TokenValidityUnits", "RefreshToken"))
	}
	var groups []string
	for _, resource := range identity.Resources {
		if resource.Type == "AWS::Cognito::UserPoolGroup" {
			groups = append(groups, resource.Properties["GroupName"].(string))
		}
	}
	slices.Sort(groups)
	if want := []string{
		"administrator", "auditor", "cardholder", "cashier", "operator", "owner", "platform",
		"supervisor"}; !slices.Equal(groups, want) {
		t.Errorf("the groups are %v, want %v", groups, want)
	}
}

// The user pool offers every scope of the API, and the client may ask for it.
func TestScopesAreThoseOfTheAPI(t *testing.T) {
	want := httpapi.ScopeNames()
	var served, allowed []string
	identity := stage(t, tables.Prod)["identity"]
	server := identity.Resources["ResourceServer"].Properties
	for _, scope := range server["Scopes"].([]any) {
		served = append(served, said(server["Identifier"])+"/"+said(at(scope, "ScopeName")))
	}
	for _, scope := range identity.Resources["Client"].Properties["AllowedOAuthScopes"].([]any) {
		if scope != "openid" {
			allowed = append(allowed, said(scope))
		}
	}
	if diff := cmp.Diff(want, served); diff != "" || len(want) == 0 {
		t.Errorf("scopes of the API, and those served:\n%s", diff)
	}
	if diff := cmp.Diff(want, allowed); diff != "" {
		t.Errorf("scopes of the API, and those of the client:\n%s", diff)
	}
}
