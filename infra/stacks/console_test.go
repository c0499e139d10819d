package stacks_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/console"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/tables"
)

// withConsole returns the functions' stack of a deployment with the console.
func withConsole(t *testing.T, more map[string]any) template {
	t.Helper()
	context := map[string]any{"stage": "prod", "defaultTenant": "", "domainPrefix": "acme-line"}
	for name, value := range more {
		context[name] = value
	}
	return deploy(t, context)["functions"]
}

// A deployment that does not want the console is as it was.
func TestWithoutTheConsoleNothingIsDifferent(t *testing.T) {
	without := withConsole(t, map[string]any{"console": "off"})
	if diff := cmp.Diff(stage(t, tables.Prod)["functions"], without,
		cmp.AllowUnexported(template{})); diff != "" {
		t.Error(diff)
	}
}

func TestTheConsoleIsBuiltBeforeItIsDeployed(t *testing.T) {
	context := map[string]any{"domainPrefix": "acme-line"}
	options, err := settings.Read(t.TempDir(), func(name string) any { return context[name] })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := options.BuiltConsole(); err == nil || !strings.Contains(err.Error(), "make build") {
		t.Errorf("%v", err)
	}
}

// The console can be left out again: what the stacks before it export does not depend on it.
func TestTheConsoleImportsNothingMore(t *testing.T) {
	exports := func(console string) (names []string) {
		context := map[string]any{"stage": "prod", "defaultTenant": "", "domainPrefix": "acme-line", "console": console}
		all := deploy(t, context)
		for _, stack := range []string{"data", "identity"} {
			for _, output := range all[stack].Outputs {
				if name := said(at(output, "Export", "Name")); name != "<nil>" {
					names = append(names, name)
				}
			}
		}
		slices.Sort(names)
		return names
	}
	if with, without := exports("on"), exports("off"); len(with) == 0 || !slices.Equal(with, without) {
		t.Errorf("with the console %q\nwithout %q", with, without)
	}
}

// People sign in to the console by a client of its own, which is public and sends them nowhere else. The API and the
// live channel take its tokens beside those of the other client.
func TestTheConsoleLetsPeopleSignIn(t *testing.T) {
	made := withConsole(t, map[string]any{"live": "on"})
	const page = "https://${ConsoleDistribution.DomainName}/"
	client := made.Resources["ConsoleClient"].Properties
	scopes := []any{"openid"}
	for _, scope := range append(httpapi.ConsoleScopes(), httpapi.ConsoleBriefScopes()...) {
		scopes = append(scopes, scope)
	}
	for name, want := range map[string]any{
		"GenerateSecret": false, "AllowedOAuthFlows": []any{"code"}, "AllowedOAuthFlowsUserPoolClient": true,
		"AllowedOAuthScopes": scopes, "EnableTokenRevocation": true, "PreventUserExistenceErrors": "ENABLED",
		"ExplicitAuthFlows":    []any{"ALLOW_CUSTOM_AUTH"},
		"RefreshTokenRotation": map[string]any{"Feature": "ENABLED", "RetryGracePeriodSeconds": 60.0},
		"RefreshTokenValidity": 1.0, "AccessTokenValidity": 1.0,
	} {
		if diff := cmp.Diff(want, client[name]); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	for _, name := range []string{"CallbackURLs", "LogoutURLs"} {
		if list, _ := client[name].([]any); len(list) != 1 || said(list[0]) != page {
			t.Errorf("%s: %v", name, client[name])
		}
	}
	if pool := said(client["UserPoolId"]); !strings.Contains(pool, `{"Fn::Select":[1,{"Fn::Split":["/",`) ||
		!strings.Contains(pool, "identity-prod:ExportsOutputFnGetAttUserPoolArn") {
		t.Errorf("the client is of %s", pool)
	}
	audience, _ := at(made.Resources["HttpApiAuthorizer"].Properties, "JwtConfiguration", "Audience").([]any)
	if len(audience) != 2 || said(audience[1]) != "${ConsoleClient}" || said(audience[0]) == said(audience[1]) {
		t.Errorf("the API accepts tokens of %v", audience)
	}
	providers, _ := at(made.Resources["Live"].Properties, "EventConfig", "AuthProviders").([]any)
	regex := said(at(providers[1], "CognitoConfig", "AppIdClientRegex"))
	if other, ours, _ := strings.Cut(regex, "|"); ours != "${ConsoleClient}" || other != said(audience[0]) {
		t.Errorf("the live channel accepts tokens of %s", regex)
	}
}

// Files come from a bucket that CloudFront alone reads. The API comes from the gateway, uncached, with the token. What
// the API does not find is no page.
func TestTheConsoleAndTheAPIHaveOneOrigin(t *testing.T) {
	made := withConsole(t, nil)
	config := at(made.Resources["ConsoleDistribution"].Properties, "DistributionConfig")
	origins := map[any]any{}
	for _, origin := range at(config, "Origins").([]any) {
		origins[at(origin, "Id")] = origin
	}
	if host := said(at(origins["api"], "DomainName")); len(origins) != 2 ||
		host != "${HttpApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}" ||
		at(origins["api"], "CustomOriginConfig", "OriginProtocolPolicy") != "https-only" {
		t.Errorf("the API: %v", origins["api"])
	}
	bucket := made.of("AWS::S3::Bucket")
	bucket = slices.DeleteFunc(bucket, func(id string) bool { return !strings.HasPrefix(id, "ConsoleFiles") })
	if len(bucket) != 1 || said(at(origins["files"], "DomainName")) != "${"+bucket[0]+".RegionalDomainName}" ||
		said(at(origins["files"], "OriginAccessControlId")) != "${ConsoleAccess.Id}" {
		t.Fatalf("the files %v: %v", bucket, origins["files"])
	}
	access := at(made.Resources["ConsoleAccess"].Properties, "OriginAccessControlConfig")
	if at(access, "SigningBehavior") != "always" || at(access, "OriginAccessControlOriginType") != "s3" {
		t.Errorf("%v", access)
	}
	behaviours, _ := at(config, "CacheBehaviors").([]any)
	if len(behaviours) != 1 || at(behaviours[0], "PathPattern") != "/v1/*" ||
		at(behaviours[0], "TargetOriginId") != "api" ||
		at(behaviours[0], "CachePolicyId") != "4135ea2d-6df8-44a3-9df3-4b5a84be39ad" ||
		at(behaviours[0], "OriginRequestPolicyId") != "b689b0a8-53d0-40ab-baf2-68738e2966ac" ||
		at(behaviours[0], "ViewerProtocolPolicy") != "https-only" || at(behaviours[0], "FunctionAssociations") != nil ||
		len(at(behaviours[0], "AllowedMethods").([]any)) != 7 {
		t.Errorf("%v", behaviours)
	}
	if at(config, "CustomErrorResponses") != nil {
		t.Error("an error of the API may become a page")
	}
	standard := at(config, "DefaultCacheBehavior")
	if at(standard, "TargetOriginId") != "files" || said(at(standard, "CachePolicyId")) != "${ConsoleCaching.Id}" ||
		said(at(standard, "ResponseHeadersPolicyId")) != "${ConsoleHeaders.Id}" || at(standard, "Compress") != true {
		t.Errorf("%v", standard)
	}
	caching := at(made.Resources["ConsoleCaching"].Properties, "CachePolicyConfig")
	if at(caching, "MinTTL") != 0.0 || at(caching, "DefaultTTL") != 0.0 || at(caching, "MaxTTL") != 365.0*24*60*60 ||
		at(caching, "ParametersInCacheKeyAndForwardedToOrigin", "EnableAcceptEncodingBrotli") != true {
		t.Errorf("%v", caching)
	}
	properties := made.Resources[bucket[0]].Properties
	for name, blocked := range at(properties, "PublicAccessBlockConfiguration").(map[string]any) {
		if blocked != true {
			t.Errorf("%s: %v", name, blocked)
		}
	}
	var statements []string
	for _, id := range made.of("AWS::S3::BucketPolicy") {
		if said(made.Resources[id].Properties["Bucket"]) != "${"+bucket[0]+"}" {
			continue
		}
		for _, statement := range at(made.Resources[id].Properties, "PolicyDocument", "Statement").([]any) {
			line := said(at(statement, "Effect")) + " " + said(at(statement, "Action"))
			if from, is := at(statement, "Condition", "StringEquals", "aws:SourceArn").(map[string]any); is {
				line += " from " + said(from)
			}
			if at(statement, "Condition", "Bool", "aws:SecureTransport") == "false" {
				line += " without TLS"
			}
			statements = append(statements, line)
		}
	}
	want := []string{"Deny s3:* without TLS", "Allow s3:GetObject from " +
		"arn:${AWS::Partition}:cloudfront::${AWS::AccountId}:distribution/${ConsoleDistribution}"}
	// the function that copies the files may write them by its role
	if diff := cmp.Diff(want, statements); diff != "" {
		t.Error(diff)
	}
}

// The policy of the page is that of the local cloud, with the addresses of AWS.
func TestTheConsoleHasAStrictPolicy(t *testing.T) {
	for live, call := range map[string]string{
		"off": "", "on": " wss://*.appsync-realtime-api.${AWS::Region}.${AWS::URLSuffix}"} {
		made := withConsole(t, map[string]any{"live": live})
		config := at(made.Resources["ConsoleHeaders"].Properties, "ResponseHeadersPolicyConfig")
		security := at(config, "SecurityHeadersConfig")
		const files = "https://haatline-files-prod-${AWS::AccountId}-${AWS::Region}.s3.${AWS::Region}.${AWS::URLSuffix}"
		want := console.Policy(files, "https://acme-line.auth.${AWS::Region}.amazoncognito.com"+call)
		if got := said(at(security, "ContentSecurityPolicy", "ContentSecurityPolicy")); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
		for name, setting := range security.(map[string]any) {
			if at(setting, "Override") != true {
				t.Errorf("%s does not come before what the file says", name)
			}
		}
		if at(security, "StrictTransportSecurity", "AccessControlMaxAgeSec") != 365.0*24*60*60 ||
			at(security, "ReferrerPolicy", "ReferrerPolicy") != "no-referrer" ||
			!strings.Contains(said(at(config, "CustomHeadersConfig")), "Cross-Origin-Opener-Policy") {
			t.Errorf("%v", config)
		}
	}
}

// The files whose names change are there before the index that names them, and stay. The configuration has the values
// of this deployment.
func TestTheConsolesFilesComeInOrder(t *testing.T) {
	made := withConsole(t, map[string]any{"live": "on"})
	ids := made.of("Custom::CDKBucketDeployment") // in the order of their names
	if len(ids) != 2 || !strings.HasPrefix(ids[0], "ConsoleAssets") || !strings.HasPrefix(ids[1], "ConsolePage") {
		t.Fatal(ids)
	}
	a, p := made.Resources[ids[0]].Properties, made.Resources[ids[1]].Properties
	if said(a["Prune"]) != "false" || said(at(a, "SystemMetadata", "cache-control")) != console.KeepAssets ||
		said(a["Include"]) != "[assets/*]" || said(a["Exclude"]) != "[*]" {
		t.Errorf("the assets: %v", a)
	}
	if said(at(p, "SystemMetadata", "cache-control")) != console.KeepOthers || said(p["Exclude"]) != "[assets/*]" ||
		len(p["SourceObjectKeys"].([]any)) != 2 {
		t.Errorf("the page: %v", p)
	}
	if after := said(made.Resources[ids[1]].DependsOn); !strings.Contains(after, ids[0]) {
		t.Errorf("the page does not wait for %s: %s", ids[0], after)
	}
	values := said(p["SourceMarkers"])
	for _, value := range []string{"ConsoleClient", "Dns.Realtime", "ProviderURL", "AWS::Region"} {
		if !strings.Contains(values, value) {
			t.Errorf("the configuration lacks %s: %s", value, values)
		}
	}
}

func TestTheConsoleHasADomainOfItsOwnIfItIsAskedFor(t *testing.T) {
	plain := withConsole(t, nil)
	if said(at(plain.Outputs[names.ConsoleURL], "Value")) != "https://${ConsoleDistribution.DomainName}" ||
		plain.Outputs[names.ConsoleTarget] != nil {
		t.Errorf("%v", plain.Outputs)
	}
	own := withConsole(t, map[string]any{"consoleDomain": "desk.acme.example", "consoleCertificate": certificate,
		"apiDomain": "api.acme.example", "apiCertificate": certificate, "webAcl": webACL})
	config := at(own.Resources["ConsoleDistribution"].Properties, "DistributionConfig")
	if said(at(config, "Aliases")) != "[desk.acme.example]" || at(config, "WebACLId") != webACL ||
		at(config, "ViewerCertificate", "AcmCertificateArn") != certificate ||
		at(config, "ViewerCertificate", "MinimumProtocolVersion") != "TLSv1.2_2021" {
		t.Errorf("%v", config)
	}
	client := own.Resources["ConsoleClient"].Properties
	if said(client["CallbackURLs"]) != "[https://desk.acme.example/]" {
		t.Errorf("%v", client)
	}
	if at(own.Outputs[names.ConsoleURL], "Value") != "https://desk.acme.example" ||
		said(at(own.Outputs[names.ConsoleTarget], "Value")) != "${ConsoleDistribution.DomainName}" {
		t.Errorf("%v", own.Outputs)
	}
}

// The function at CloudFront runs here as it is.
func TestAnAddressOfThePageLeadsToItsIndex(t *testing.T) {
	code, err := os.ReadFile("console.js")
	if err != nil {
		t.Fatal(err)
	}
	for uri, want := range map[string]string{
		"/": "/index.html", "/inbox": "/index.html", "/a.b/c": "/index.html", "/v1": "/index.html",
		"/index.html": "/index.html", "/assets/index-D9.js": "/assets/index-D9.js", "/config.json": "/config.json",
		"/sw.js": "/sw.js",
	} {
		program := string(code) + "\nconsole.log(handler({ request: { uri: '" + uri + "' } }).uri)"
		out, err := exec.CommandContext(t.Context(), "node", "-e", program).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%s leads to %s, %v", uri, got, err)
		}
	}
}

// CloudFormation refuses resources that wait for each other, and the CDK does not look.
func TestNoResourceWaitsForItself(t *testing.T) {
	made := withConsole(t, map[string]any{"live": "on", "memberships": "on", "apiDomain": "api.acme.example",
		"apiCertificate": certificate, "webAcl": webACL})
	waits := map[string][]string{}
	for id, r := range made.Resources {
		waits[id] = references(r.Properties)
		switch after := r.DependsOn.(type) {
		case string:
			waits[id] = append(waits[id], after)
		case []any:
			for _, one := range after {
				waits[id] = append(waits[id], one.(string))
			}
		}
	}
	if !slices.Contains(waits["HttpApiAuthorizer"], "ConsoleClient") {
		t.Error("the walk misses references")
	}
	state := map[string]int{} // 1 while it is walked, 2 afterwards
	var walk func(id string, path []string)
	walk = func(id string, path []string) {
		if state[id] == 1 {
			t.Errorf("%s waits for itself: %s", id, strings.Join(append(path, id), " for "))
		}
		if state[id] != 0 {
			return
		}
		state[id] = 1
		for _, next := range waits[id] {
			walk(next, append(path, id))
		}
		state[id] = 2
	}
	for id := range waits {
		walk(id, nil)
	}
}

var inText = regexp.MustCompile(`\$\{([A-Za-z0-9]+)`)

// references returns the ids of the resources that a value of a template names.
func references(value any) (ids []string) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			ids = append(ids, references(one)...)
		}
	case map[string]any:
		for name, one := range value {
			switch name {
			case "Ref":
				ids = append(ids, one.(string))
			case "Fn::GetAtt":
				ids = append(ids, one.([]any)[0].(string))
			case "Fn::Sub":
				text, is := one.(string)
				if !is {
					text = one.([]any)[0].(string)
				}
				for _, found := range inText.FindAllStringSubmatch(text, -1) {
					ids = append(ids, found[1])
				}
			default:
				ids = append(ids, references(one)...)
			}
		}
	}
	return ids
}
