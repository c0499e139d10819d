package stacks

import (
	_ "embed"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3deployment"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/console"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/httpapi"
)

// toIndex leads the addresses of the page to its index. It is asked for files alone: what the API does not find stays
// not found.
//
//go:embed console.js
var toIndex string

// The origins of the console's distribution.
const (
	consoleFiles = "files"
	consoleAPI   = "api"
)

// addConsole adds the console: its files in a bucket that CloudFront alone reads, the API under the same origin, and
// the client by which people sign in. It is in the stack of the functions, because it has the API behind it, and the
// API's authorizer has its client: of two stacks, each would come before the other.
func (f *Functions) addConsole() {
	if !f.options.Console.On {
		return
	}
	bucket := awss3.NewBucket(f.Stack, jsii.String("ConsoleFiles"), &awss3.BucketProps{
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(), EnforceSSL: jsii.Bool(true),
		Encryption:      awss3.BucketEncryption_S3_MANAGED,
		ObjectOwnership: awss3.ObjectOwnership_BUCKET_OWNER_ENFORCED,
		RemovalPolicy:   awscdk.RemovalPolicy_DESTROY, // it holds what the next deployment brings again
	})
	distribution := f.addConsoleDistribution(bucket)
	bucket.AddToResourcePolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String("cloudfront.amazonaws.com"), nil)},
		Actions:    jsii.Strings("s3:GetObject"), Resources: jsii.Strings(*bucket.ArnForObjects(jsii.String("*"))),
		Conditions: &map[string]any{"StringEquals": map[string]any{"aws:SourceArn": "arn:" + *f.Partition() +
			":cloudfront::" + *f.Account() + ":distribution/" + *distribution.Ref()}},
	}))
	address := "https://" + *distribution.AttrDomainName()
	if domain := f.options.Console.Domain; domain != "" {
		address = "https://" + domain
		awscdk.NewCfnOutput(f.Stack, jsii.String(names.ConsoleTarget),
			&awscdk.CfnOutputProps{Value: distribution.AttrDomainName()})
	}
	awscdk.NewCfnOutput(f.Stack, jsii.String(names.ConsoleURL), &awscdk.CfnOutputProps{Value: &address})
	f.addConsoleClient(address + "/")
	f.console = bucket
}

// addConsoleDistribution puts a distribution in front of the bucket and the API.
func (f *Functions) addConsoleDistribution(bucket awss3.Bucket) awscloudfront.CfnDistribution {
	// Names of these are unique in an account, in all of its regions.
	name := jsii.String("haatline-console-" + string(f.options.Stage) + "-" + *f.Region())
	access := awscloudfront.NewCfnOriginAccessControl(f.Stack, jsii.String("ConsoleAccess"),
		&awscloudfront.CfnOriginAccessControlProps{
			OriginAccessControlConfig: &awscloudfront.CfnOriginAccessControl_OriginAccessControlConfigProperty{
				Name: name, OriginAccessControlOriginType: jsii.String("s3"),
				SigningBehavior: jsii.String("always"), SigningProtocol: jsii.String("sigv4"),
			}})
	identify(access, "ConsoleAccess")
	route := awscloudfront.NewCfnFunction(f.Stack, jsii.String("ConsoleIndex"), &awscloudfront.CfnFunctionProps{
		Name: name, AutoPublish: jsii.Bool(true), FunctionCode: &toIndex,
		FunctionConfig: &awscloudfront.CfnFunction_FunctionConfigProperty{
			Comment: jsii.String("leads the addresses of the page to its index"),
			Runtime: jsii.String("cloudfront-js-2.0"),
		}})
	identify(route, "ConsoleIndex")
	config := &awscloudfront.CfnDistribution_DistributionConfigProperty{
		Comment: jsii.String("haatline-" + string(f.options.Stage) + ": the console"),
		Enabled: jsii.Bool(true), HttpVersion: jsii.String("http2and3"), Ipv6Enabled: jsii.Bool(true),
		DefaultRootObject: jsii.String("index.html"),
		Origins: &[]any{
			&awscloudfront.CfnDistribution_OriginProperty{
				Id: jsii.String(consoleFiles), DomainName: bucket.BucketRegionalDomainName(),
				OriginAccessControlId: access.AttrId(),
				// the access control comes in place of an identity, which has to be empty
				S3OriginConfig: &awscloudfront.CfnDistribution_S3OriginConfigProperty{
					OriginAccessIdentity: jsii.String("")},
			},
			&awscloudfront.CfnDistribution_OriginProperty{
				Id: jsii.String(consoleAPI), DomainName: f.apiHost(),
				CustomOriginConfig: &awscloudfront.CfnDistribution_CustomOriginConfigProperty{
					OriginProtocolPolicy: jsii.String("https-only"), OriginSslProtocols: jsii.Strings("TLSv1.2"),
				},
			},
		},
		DefaultCacheBehavior: &awscloudfront.CfnDistribution_DefaultCacheBehaviorProperty{
			TargetOriginId: jsii.String(consoleFiles), ViewerProtocolPolicy: jsii.String("redirect-to-https"),
			CachePolicyId: f.addConsoleCaching(name).AttrId(), Compress: jsii.Bool(true),
			ResponseHeadersPolicyId: f.addConsoleHeaders(name).AttrId(),
			FunctionAssociations: &[]any{&awscloudfront.CfnDistribution_FunctionAssociationProperty{
				EventType: jsii.String("viewer-request"), FunctionArn: route.AttrFunctionArn()}},
		},
		CacheBehaviors: &[]any{&awscloudfront.CfnDistribution_CacheBehaviorProperty{
			PathPattern:    jsii.String("/v1/*"),
			TargetOriginId: jsii.String(consoleAPI), ViewerProtocolPolicy: jsii.String("https-only"),
			CachePolicyId: jsii.String(cachingDisabled), OriginRequestPolicyId: jsii.String(allButHostHeader),
			AllowedMethods: jsii.Strings("GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"),
			Compress:       jsii.Bool(true),
		}},
	}
	if own := f.options.Console; own.Domain != "" {
		config.Aliases = jsii.Strings(own.Domain)
		config.ViewerCertificate = &awscloudfront.CfnDistribution_ViewerCertificateProperty{
			AcmCertificateArn: &own.Certificate, SslSupportMethod: jsii.String("sni-only"),
			MinimumProtocolVersion: jsii.String("TLSv1.2_2021"),
		}
	}
	if f.options.Domain.WebACL != "" { // otherwise this would be a way around it
		config.WebAclId = &f.options.Domain.WebACL
	}
	made := awscloudfront.NewCfnDistribution(f.Stack, jsii.String("ConsoleDistribution"),
		&awscloudfront.CfnDistributionProps{DistributionConfig: config})
	identify(made, "ConsoleDistribution")
	return made
}

// addConsoleCaching keeps each file at CloudFront for as long as the file itself says, and not at all if it says so.
func (f *Functions) addConsoleCaching(name *string) awscloudfront.CfnCachePolicy {
	const year = 365 * 24 * 60 * 60
	made := awscloudfront.NewCfnCachePolicy(f.Stack, jsii.String("ConsoleCaching"),
		&awscloudfront.CfnCachePolicyProps{
			CachePolicyConfig: &awscloudfront.CfnCachePolicy_CachePolicyConfigProperty{
				Name: name, MinTtl: jsii.Number(0), DefaultTtl: jsii.Number(0), MaxTtl: jsii.Number(year),
				ParametersInCacheKeyAndForwardedToOrigin: &awscloudfront.
					CfnCachePolicy_ParametersInCacheKeyAndForwardedToOriginProperty{
					EnableAcceptEncodingGzip: jsii.Bool(true), EnableAcceptEncodingBrotli: jsii.Bool(true),
					CookiesConfig: &awscloudfront.CfnCachePolicy_CookiesConfigProperty{
						CookieBehavior: jsii.String("none")},
					HeadersConfig: &awscloudfront.CfnCachePolicy_HeadersConfigProperty{
						HeaderBehavior: jsii.String("none")},
					QueryStringsConfig: &awscloudfront.CfnCachePolicy_QueryStringsConfigProperty{
						QueryStringBehavior: jsii.String("none")},
				},
			}})
	identify(made, "ConsoleCaching")
	return made
}

// addConsoleHeaders adds what keeps foreign code out of the page. The live channel is named by its region alone: it has
// the client in its settings, which has this distribution's address.
func (f *Functions) addConsoleHeaders(name *string) awscloudfront.CfnResponseHeadersPolicy {
	calls := []string{f.identity.signInURL(f.options)}
	if f.options.Live {
		calls = append(calls, "wss://*.appsync-realtime-api."+*f.Region()+"."+*f.UrlSuffix())
	}
	files := "https://" + f.data.filesBucketName() + ".s3." + *f.Region() + "." + *f.UrlSuffix()
	const opener = "Cross-Origin-Opener-Policy" // the other headers have settings of their own
	others := []any{&awscloudfront.CfnResponseHeadersPolicy_CustomHeaderProperty{
		Header: jsii.String(opener), Value: jsii.String(console.Headers[opener]), Override: jsii.Bool(true)}}
	made := awscloudfront.NewCfnResponseHeadersPolicy(f.Stack, jsii.String("ConsoleHeaders"),
		&awscloudfront.CfnResponseHeadersPolicyProps{
			ResponseHeadersPolicyConfig: &awscloudfront.CfnResponseHeadersPolicy_ResponseHeadersPolicyConfigProperty{
				Name: name,
				SecurityHeadersConfig: &awscloudfront.CfnResponseHeadersPolicy_SecurityHeadersConfigProperty{
					ContentSecurityPolicy: &awscloudfront.CfnResponseHeadersPolicy_ContentSecurityPolicyProperty{
						ContentSecurityPolicy: jsii.String(console.Policy(files, calls...)), Override: jsii.Bool(true)},
					ContentTypeOptions: &awscloudfront.CfnResponseHeadersPolicy_ContentTypeOptionsProperty{
						Override: jsii.Bool(true)},
					FrameOptions: &awscloudfront.CfnResponseHeadersPolicy_FrameOptionsProperty{
						FrameOption: jsii.String("DENY"), Override: jsii.Bool(true)},
					ReferrerPolicy: &awscloudfront.CfnResponseHeadersPolicy_ReferrerPolicyProperty{
						ReferrerPolicy: jsii.String(console.Headers["Referrer-Policy"]), Override: jsii.Bool(true)},
					StrictTransportSecurity: &awscloudfront.CfnResponseHeadersPolicy_StrictTransportSecurityProperty{
						AccessControlMaxAgeSec: jsii.Number(365 * 24 * 60 * 60), Override: jsii.Bool(true)},
				},
				CustomHeadersConfig: &awscloudfront.CfnResponseHeadersPolicy_CustomHeadersConfigProperty{
					Items: &others},
			}})
	identify(made, "ConsoleHeaders")
	return made
}

// addConsoleClient adds the client by which people sign in to the console. It is public and uses PKCE. Its refresh
// tokens lie in browsers, so each serves once; for a minute it serves again, because an answer may be lost.
func (f *Functions) addConsoleClient(page string) {
	f.consoleClient = awscognito.NewCfnUserPoolClient(f.Stack, jsii.String("ConsoleClient"),
		&awscognito.CfnUserPoolClientProps{
			UserPoolId: f.poolID(), ClientName: jsii.String("console"), GenerateSecret: false,
			AllowedOAuthFlowsUserPoolClient: true, AllowedOAuthFlows: jsii.Strings("code"),
			AllowedOAuthScopes: jsii.Strings(append(consoleScopes(), httpapi.ConsoleBriefScopes()...)...),
			CallbackUrLs:       jsii.Strings(page), LogoutUrLs: jsii.Strings(page),
			SupportedIdentityProviders: jsii.Strings("COGNITO"),
			// Explicit, because the default allows passwords, too. Tokens that are replaced allow no
			// ALLOW_REFRESH_TOKEN_AUTH. The flow that is named here needs functions of the pool that do not exist.
			ExplicitAuthFlows: jsii.Strings("ALLOW_CUSTOM_AUTH"),
			RefreshTokenRotation: &awscognito.CfnUserPoolClient_RefreshTokenRotationProperty{
				Feature: jsii.String("ENABLED"), RetryGracePeriodSeconds: jsii.Number(60)},
			PreventUserExistenceErrors: jsii.String("ENABLED"), EnableTokenRevocation: true,
			AccessTokenValidity: jsii.Number(1), IdTokenValidity: jsii.Number(1), RefreshTokenValidity: jsii.Number(1),
			TokenValidityUnits: &awscognito.CfnUserPoolClient_TokenValidityUnitsProperty{
				AccessToken: jsii.String("hours"), IdToken: jsii.String("hours"), RefreshToken: jsii.String("days"),
			},
		})
	identify(f.consoleClient, "ConsoleClient")
}

// poolID returns the id of the user pool, out of its ARN, which this stack imports in any case. An import that comes
// and goes with the console could not go: the stack of the people is deployed first, and may not drop what is in use.
func (f *Functions) poolID() *string {
	return awscdk.Fn_Select(jsii.Number(1), awscdk.Fn_Split(jsii.String("/"), f.identity.Pool.AttrArn(), nil))
}

// consoleScopes are what the console asks for.
func consoleScopes() []string { return append([]string{"openid"}, httpapi.ConsoleScopes()...) }

// clients returns the clients whose tokens the API and the live channel accept.
func (f *Functions) clients() []*string {
	all := []*string{f.identity.Client.Ref()}
	if f.consoleClient != nil {
		all = append(all, f.consoleClient.Ref())
	}
	return all
}

// addConsoleContent puts the built page and its configuration into the bucket. The files whose names change come first
// and stay, for pages that are open; then the index that names them. A function of the CDK copies them at each
// deployment.
func (f *Functions) addConsoleContent(built string) {
	if f.console == nil {
		return
	}
	config := map[string]any{
		"issuer": f.identity.Pool.AttrProviderUrl(), "signIn": f.identity.signInURL(f.options),
		"clientId": f.consoleClient.Ref(), "scopes": strings.Join(consoleScopes(), " "),
	}
	if f.live != nil {
		config["live"] = f.liveListenURL()
	}
	logs := awslogs.NewLogGroup(f.Stack, jsii.String("ConsoleContentLogs"), &awslogs.LogGroupProps{
		Retention: awslogs.RetentionDays_ONE_MONTH, RemovalPolicy: awscdk.RemovalPolicy_DESTROY})
	page := func(options *awss3deployment.BucketDeploymentProps, id string) awss3deployment.BucketDeployment {
		options.DestinationBucket, options.LogGroup, options.MemoryLimit = f.console, logs, jsii.Number(256)
		options.RetainOnDelete = jsii.Bool(false)
		return awss3deployment.NewBucketDeployment(f.Stack, &id, options)
	}
	whole, assets := awss3deployment.Source_Asset(&built, nil), console.AssetsPath[1:]+"*"
	first := page(&awss3deployment.BucketDeploymentProps{
		Sources: &[]awss3deployment.ISource{whole}, Exclude: jsii.Strings("*"), Include: jsii.Strings(assets),
		Prune: jsii.Bool(false),
		CacheControl: &[]awss3deployment.CacheControl{
			awss3deployment.CacheControl_FromString(jsii.String(console.KeepAssets))},
	}, "ConsoleAssets")
	then := page(&awss3deployment.BucketDeploymentProps{
		Sources: &[]awss3deployment.ISource{whole,
			awss3deployment.Source_JsonData(jsii.String(console.ConfigPath[1:]), config, nil)},
		Exclude: jsii.Strings(assets),
		CacheControl: &[]awss3deployment.CacheControl{
			awss3deployment.CacheControl_FromString(jsii.String(console.KeepOthers))},
	}, "ConsolePage")
	then.Node().AddDependency(first)
}
