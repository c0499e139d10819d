package stacks

import (
	_ "embed"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsappsync"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/live"
)

// How AppSync tells callers apart.
const (
	byRole    = "AWS_IAM"                   // functions, which publish
	byPool    = "AMAZON_COGNITO_USER_POOLS" // operators, who listen
	bySession = "AWS_LAMBDA"                // people in sessions, who listen
)

// operatorsMay is the handler that looks at what an operator subscribes to.
//
//go:embed live.js
var operatorsMay string

// addLiveChannel adds the live channel: an API of AppSync Events with one namespace, which asks a function about people
// in sessions. Nothing of it is logged, because the names of channels are ids of people.
func (f *Functions) addLiveChannel(asks started) {
	modes := func(names ...string) *[]any {
		var all []any
		for _, name := range names {
			all = append(all, &awsappsync.CfnApi_AuthModeProperty{AuthType: &name})
		}
		return &all
	}
	f.live = awsappsync.NewCfnApi(f.Stack, jsii.String("Live"), &awsappsync.CfnApiProps{
		Name: jsii.String("haatline-" + string(f.options.Stage)),
		EventConfig: &awsappsync.CfnApi_EventConfigProperty{
			AuthProviders: &[]any{
				&awsappsync.CfnApi_AuthProviderProperty{AuthType: jsii.String(byRole)},
				&awsappsync.CfnApi_AuthProviderProperty{
					AuthType: jsii.String(byPool), CognitoConfig: &awsappsync.CfnApi_CognitoConfigProperty{
						AwsRegion: f.Region(), UserPoolId: f.identity.Pool.Ref(),
						AppIdClientRegex: jsii.String(strings.Join(texts(f.clients()), "|"))}},
				&awsappsync.CfnApi_AuthProviderProperty{
					AuthType: jsii.String(bySession),
					LambdaAuthorizerConfig: &awsappsync.CfnApi_LambdaAuthorizerConfigProperty{
						AuthorizerUri:                asks.arn,
						AuthorizerResultTtlInSeconds: jsii.Number(0)}},
			},
			ConnectionAuthModes: modes(byPool, bySession), DefaultPublishAuthModes: modes(byRole),
			DefaultSubscribeAuthModes: modes(byPool, bySession),
		},
	})
	identify(f.live, "Live")
	f.liveChannels = awsappsync.NewCfnChannelNamespace(f.Stack, jsii.String("LiveChannels"),
		&awsappsync.CfnChannelNamespaceProps{
			ApiId: f.live.AttrApiId(), Name: jsii.String(live.Namespace), CodeHandlers: &operatorsMay})
	identify(f.liveChannels, "LiveChannels")
	permission := awslambda.NewCfnPermission(f.Stack, jsii.String("InvokeLive"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: asks.name,
		Principal: jsii.String("appsync.amazonaws.com"), SourceArn: f.live.AttrApiArn(),
	})
	identify(permission, "InvokeLive")
	awscdk.NewCfnOutput(f.Stack, jsii.String(names.LiveURL), &awscdk.CfnOutputProps{
		Value: f.liveListenURL()})
}

// liveListenURL returns the address at which people listen.
func (f *Functions) liveListenURL() *string {
	return jsii.String("wss://" + *f.live.AttrDnsRealtime() + "/event/realtime")
}

// liveURL returns the address to which functions publish.
func (f *Functions) liveURL() *string { return jsii.String("https://" + *f.live.AttrDnsHttp()) }
