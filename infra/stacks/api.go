package stacks

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/telemetry"
)

// burst is how many seconds' worth of requests the HTTP API accepts at once: Meta posts in bursts.
const burst = 4

// accessLog lists what the API logs of a request. It leaves out the caller's address and the path, because paths
// contain customers' numbers; the route's key says enough. The subject is the one in audit records.
var accessLog = map[string]string{
	"requestId":        "$context.requestId",
	"requestTime":      "$context.requestTime",
	"routeKey":         "$context.routeKey",
	"status":           "$context.status",
	"latency":          "$context.responseLatency",
	"responseLength":   "$context.responseLength",
	"integrationError": "$context.integrationErrorMessage",
	"authorizerError":  "$context.authorizer.error",
	"subject":          "$context.authorizer.claims.sub",
}

// addGateway adds the HTTP API, without its routes.
func (f *Functions) addGateway() {
	f.api = awsapigatewayv2.NewCfnApi(f.Stack, jsii.String("HttpApi"), &awsapigatewayv2.CfnApiProps{
		Name:         jsii.String("haatline-" + string(f.options.Stage)),
		Description:  jsii.String("haatline: the webhook and the operators' API"),
		ProtocolType: jsii.String("HTTP"), CorsConfiguration: f.cors(),
	})
	identify(f.api, "HttpApi")
}

// apiHost returns the host of the API, as AWS has named it.
func (f *Functions) apiHost() *string {
	return jsii.String(*f.api.Ref() + ".execute-api." + *f.Region() + "." + *f.UrlSuffix())
}

// addAPI adds the topology's routes to the HTTP API. Those for operators need an access token of one of the user pool's
// own clients, and those for sessions a token that the function which authorizes them accepts. Each operation checks
// the scope that it needs itself.
func (f *Functions) addAPI() {
	authorizers := map[topology.Callers]awsapigatewayv2.CfnAuthorizer{topology.Operators: f.addPoolAuthorizer()}
	if function := topology.Authorizer(); f.isDeployed(function.Name) {
		authorizers[topology.Sessions] = f.addSessionAuthorizer(function)
	}
	settings := map[string]any{}
	var routes []awsapigatewayv2.CfnRoute
	for _, function := range f.deployed() {
		if len(function.Routes) == 0 {
			continue
		}
		target := f.addIntegration(function)
		for _, route := range function.Routes {
			for _, route := range f.withPreflight(route) {
				routes = append(routes, f.addRoute(function, route, target, authorizers))
				if function.Name != "webhook" {
					settings[route.Method+" "+route.Path] = map[string]any{
						"ThrottlingRateLimit": f.options.APIRate, "ThrottlingBurstLimit": burst * f.options.APIRate}
				}
			}
		}
	}
	f.addStage(routes, settings)
	awscdk.NewCfnOutput(f.Stack, jsii.String(names.APIURL), &awscdk.CfnOutputProps{Value: f.addDomain()})
}

// addPoolAuthorizer adds the authorizer of routes for operators, which verifies tokens itself.
func (f *Functions) addPoolAuthorizer() awsapigatewayv2.CfnAuthorizer {
	made := awsapigatewayv2.NewCfnAuthorizer(f.Stack, jsii.String("HttpApiAuthorizer"),
		&awsapigatewayv2.CfnAuthorizerProps{
			ApiId: f.api.Ref(), Name: jsii.String("user-pool"), AuthorizerType: jsii.String("JWT"),
			IdentitySource: jsii.Strings("$request.header.Authorization"),
			JwtConfiguration: &awsapigatewayv2.CfnAuthorizer_JWTConfigurationProperty{
				Issuer: f.identity.Pool.AttrProviderUrl(), Audience: jsii.Strings(texts(f.clients())...),
			},
		})
	identify(made, "HttpApiAuthorizer")
	return made
}

// addSessionAuthorizer adds the authorizer of routes for sessions, which asks a function about each request. Nothing is
// cached: the answer of a request would count for its token on every route.
func (f *Functions) addSessionAuthorizer(function topology.Function) awsapigatewayv2.CfnAuthorizer {
	started := f.starts[function.Name]
	made := awsapigatewayv2.NewCfnAuthorizer(f.Stack, jsii.String("HttpApiSessions"),
		&awsapigatewayv2.CfnAuthorizerProps{
			ApiId: f.api.Ref(), Name: jsii.String("sessions"), AuthorizerType: jsii.String("REQUEST"),
			IdentitySource:                 jsii.Strings("$request.header.Authorization"),
			AuthorizerPayloadFormatVersion: jsii.String("2.0"), EnableSimpleResponses: true,
			AuthorizerResultTtlInSeconds: jsii.Number(0),
			AuthorizerUri: jsii.String("arn:" + *f.Partition() + ":apigateway:" + *f.Region() +
				":lambda:path/2015-03-31/functions/" + *started.arn + "/invocations"),
		})
	identify(made, "HttpApiSessions")
	permission := awslambda.NewCfnPermission(f.Stack, jsii.String("InvokeSessions"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: started.name,
		Principal: jsii.String("apigateway.amazonaws.com"),
		SourceArn: arn(f.Stack, "execute-api", *f.api.Ref()+"/authorizers/"+*made.Ref()),
	})
	identify(permission, "InvokeSessions")
	return made
}

// addPreToken lets the user pool ask the function that says which groups a token holds.
func (f *Functions) addPreToken() {
	permission := awslambda.NewCfnPermission(f.Stack, jsii.String("InvokePreToken"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: f.starts[topology.ForTokens().Name].name,
		Principal: jsii.String("cognito-idp.amazonaws.com"), SourceArn: f.identity.Pool.AttrArn(),
	})
	identify(permission, "InvokePreToken")
}

// cors returns what pages of other origins may do, or nil if no origin is configured.
func (f *Functions) cors() *awsapigatewayv2.CfnApi_CorsProperty {
	if len(f.options.Origins) == 0 {
		return nil
	}
	return &awsapigatewayv2.CfnApi_CorsProperty{
		AllowOrigins: jsii.Strings(f.options.Origins...), AllowMethods: jsii.Strings(topology.CORS.Methods...),
		AllowHeaders:  jsii.Strings(topology.CORS.Headers...),
		ExposeHeaders: jsii.Strings(topology.CORS.Exposed...), MaxAge: jsii.Number(topology.CORS.MaxAgeSeconds),
	}
}

// withPreflight adds a route for preflight requests to a route that accepts every method with a token. Browsers send
// preflight requests without a token. AWS's manual recommends this, because the ANY route would match OPTIONS, too.
func (f *Functions) withPreflight(route topology.Route) []topology.Route {
	if len(f.options.Origins) == 0 || route.Method != "ANY" || route.For == topology.Everybody {
		return []topology.Route{route}
	}
	return []topology.Route{route, {Method: "OPTIONS", Path: route.Path, For: topology.Everybody}}
}

// addIntegration adds a function's integration and returns the target that routes refer to.
func (f *Functions) addIntegration(function topology.Function) *string {
	id := "HttpApi" + goName(function.Name)
	made := awsapigatewayv2.NewCfnIntegration(f.Stack, &id, &awsapigatewayv2.CfnIntegrationProps{
		ApiId: f.api.Ref(), IntegrationType: jsii.String("AWS_PROXY"), PayloadFormatVersion: jsii.String("2.0"),
		IntegrationUri: f.starts[function.Name].arn,
	})
	identify(made, id)
	return jsii.String("integrations/" + *made.Ref())
}

// authorization maps the callers of a route to the gateway's word for how they are authorized.
var authorization = map[topology.Callers]string{topology.Operators: "JWT", topology.Sessions: "CUSTOM"}

// addRoute adds a route and allows it, and no other path of the API, to start the function.
func (f *Functions) addRoute(
	function topology.Function, route topology.Route, target *string,
	authorizers map[topology.Callers]awsapigatewayv2.CfnAuthorizer,
) awsapigatewayv2.CfnRoute {
	props := &awsapigatewayv2.CfnRouteProps{
		ApiId: f.api.Ref(), RouteKey: jsii.String(route.Method + " " + route.Path), Target: target,
		AuthorizationType: jsii.String("NONE"),
	}
	if authorizer := authorizers[route.For]; authorizer != nil {
		props.AuthorizationType, props.AuthorizerId = jsii.String(authorization[route.For]), authorizer.Ref()
	}
	id := "Route" + routeID(route)
	made := awsapigatewayv2.NewCfnRoute(f.Stack, &id, props)
	identify(made, id)

	method, path := route.Method, route.Path
	above, below := strings.CutSuffix(path, proxy)
	switch {
	case method == http.MethodOptions, below && routesTo(function, method, above):
		// The permission of the ANY route, or of the path above, covers it: all of a function's permissions have to fit
		// into 20 KB, and a stack has at most 500 resources.
		return made
	case method == "ANY":
		method = "*"
	}
	if routesTo(function, route.Method, path+proxy) {
		path += "*"
	}
	id = "Invoke" + routeID(route)
	permission := awslambda.NewCfnPermission(f.Stack, &id, &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: f.starts[function.Name].name,
		Principal: jsii.String("apigateway.amazonaws.com"),
		SourceArn: arn(f.Stack, "execute-api", *f.api.Ref()+"/*/"+method+pathVariable.ReplaceAllString(path, "*")),
	})
	identify(permission, id)
	return made
}

// pathVariable is a variable in the path of a route. A permission has a star in its place, which allows the route and
// the path of a request alike.
var pathVariable = regexp.MustCompile(`\{\w+\}`)

// proxy ends the path of a route that takes everything below another one.
const proxy = "/{proxy+}"

// routesTo reports whether a function has a route.
func routesTo(function topology.Function, method, path string) bool {
	return slices.ContainsFunc(function.Routes, func(r topology.Route) bool {
		return r.Method == method && r.Path == path
	})
}

// addStage adds the only stage, which deploys every change of a route at once.
func (f *Functions) addStage(routes []awsapigatewayv2.CfnRoute, settings map[string]any) {
	logs := awslogs.NewCfnLogGroup(f.Stack, jsii.String("HttpApiLogs"), &awslogs.CfnLogGroupProps{
		// Log groups with this prefix need no entry in the account's resource policy, whose size is limited.
		LogGroupName:    jsii.String("/aws/vendedlogs/haatline-api-" + string(f.options.Stage)),
		RetentionInDays: jsii.Number(f.logRetentionDays()),
	})
	identify(logs, "HttpApiLogs")
	logs.ApplyRemovalPolicy(retainedOnceCreated(f.options.Stage), nil)
	f.countRefusedPosts(logs)
	stage := awsapigatewayv2.NewCfnStage(f.Stack, jsii.String("HttpApiStage"), &awsapigatewayv2.CfnStageProps{
		ApiId: f.api.Ref(), StageName: jsii.String("$default"), AutoDeploy: true,
		DefaultRouteSettings: &awsapigatewayv2.CfnStage_RouteSettingsProperty{
			ThrottlingRateLimit:    jsii.Number(f.options.WebhookRate),
			ThrottlingBurstLimit:   jsii.Number(burst * f.options.WebhookRate),
			DetailedMetricsEnabled: jsii.Bool(false), // they would be six metrics per route, and each costs money
		},
		RouteSettings: settings,
		AccessLogSettings: &awsapigatewayv2.CfnStage_AccessLogSettingsProperty{
			DestinationArn: logs.AttrArn(), Format: f.ToJsonString(accessLog, nil),
		},
	})
	identify(stage, "HttpApiStage")
	f.apiStage = stage
	for _, route := range routes {
		stage.AddResourceDependency(route, jsii.String("its settings name the routes"))
	}
}

// refused is the metric of webhook posts that were refused. The gateway counts per route only for money, so a filter of
// the access log counts them. Its series has values only while posts are refused.
const refused = "WebhookRefused"

func (f *Functions) countRefusedPosts(logs awslogs.CfnLogGroup) {
	filter := awslogs.NewCfnMetricFilter(f.Stack, jsii.String("RefusedPosts"), &awslogs.CfnMetricFilterProps{
		LogGroupName:  logs.Ref(),
		FilterPattern: jsii.String(`{ ($.routeKey = "POST ` + names.WebhookPath + `") && ($.status = "4*") }`),
		MetricTransformations: &[]any{&awslogs.CfnMetricFilter_MetricTransformationProperty{
			MetricNamespace: jsii.String(telemetry.Namespace), MetricValue: jsii.String("1"),
			MetricName: jsii.String(refused + "-" + string(f.options.Stage)),
		}},
	})
	identify(filter, "RefusedPosts")
}

// refusedPosts returns the metric that countRefusedPosts fills. A filter's dimension has to be a field of the log, so
// the stage is in the name.
func (f *Functions) refusedPosts() metric {
	return metric{telemetry.Namespace, refused + "-" + string(f.options.Stage), "Sum", nil}
}

// routeID returns PostWebhooksWhatsapp for POST /webhooks/whatsapp.
func routeID(route topology.Route) string {
	return goName(pathWords.Replace(strings.ToLower(route.Method) + route.Path))
}

var pathWords = strings.NewReplacer("/", " ", "{", "", "+}", "", "}", "", ".", " ")
