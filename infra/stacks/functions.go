package stacks

import (
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsappsync"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscodedeploy"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3assets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssecretsmanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/tables"
)

// Functions is the stack of the functions, what starts them, and their monitoring. Everything in it can be created
// again, except the secrets and the failed records, which are retained when the stack is deleted.
//
// It is one stack, because a value that one stack exports cannot change while another one imports it. This stack
// imports only the ARNs of two streams and the user pool.
type Functions struct {
	awscdk.Stack
	options  settings.Options
	data     *Data
	identity *Identity

	starts        map[string]started            // by function
	aliases       map[string]awslambda.CfnAlias // by function; none in dev
	mover         awscodedeploy.CfnApplication
	moverRole     awsiam.CfnRole
	secret        awssecretsmanager.CfnSecret
	cursorSecret  awssecretsmanager.CfnSecret
	tokensKey     awskms.CfnKey     // nil if tokens of numbers are secrets
	live          awsappsync.CfnApi // nil without the live channel
	liveChannels  awsappsync.CfnChannelNamespace
	api           awsapigatewayv2.CfnApi
	apiStage      awsapigatewayv2.CfnStage
	console       awss3.Bucket // nil without the console
	consoleClient awscognito.CfnUserPoolClient
	failureBucket awss3.CfnBucket
	failureQueue  awssqs.CfnQueue
	topic         awssns.CfnTopic
	topicPolicy   awssns.CfnTopicPolicy
	eumDead       awssqs.CfnQueue // nil without a topic of AWS End User Messaging
	alarms        []awscloudwatch.CfnAlarm
}

// NewFunctions returns the stack of all functions in the topology. It returns an error if one has not been built.
func NewFunctions(scope constructs.Construct, options settings.Options, data *Data,
	identity *Identity) (*Functions, error) {
	programs := map[string]string{}
	for _, function := range deployedBy(options) {
		dir, err := options.Built(function)
		if err != nil {
			return nil, err
		}
		programs[function.Name] = dir
	}
	page := ""
	if options.Console.On {
		var err error
		if page, err = options.BuiltConsole(); err != nil {
			return nil, err
		}
	}
	f := &Functions{
		Stack: newStack(scope, names.Functions, "haatline: the functions, what starts them and what watches them",
			options.Stage),
		options: options, data: data, identity: identity,
		starts: map[string]started{}, aliases: map[string]awslambda.CfnAlias{},
	}
	f.AddStackDependency(data.Stack, jsii.String("the functions name the tables"))
	f.addTopic()
	f.addFailureBucket()
	f.addFailureQueue()
	f.addSecrets()
	if f.options.SealedTokens {
		f.addTokensKey()
	}
	f.addMover()
	f.addGateway()
	f.addConsole()
	for _, function := range f.deployed() {
		f.addFunction(function, programs[function.Name])
		if function.Name == topology.LiveAuthorizer.Name {
			f.addLiveChannel(f.starts[function.Name])
		}
		f.addStreams(function)
		f.addSchedules(function)
		f.addNotices(function)
		f.addWakes(function)
		f.addEUM(function)
	}
	f.addAPI()
	f.addConsoleContent(page)
	f.addPreToken()
	f.addWatch()
	return f, nil
}

// deployed returns the functions of the deployment.
func (f *Functions) deployed() []topology.Function { return deployedBy(f.options) }

// deployedBy returns the functions that a deployment has by its options. The live channel comes before the functions
// that publish on it.
func deployedBy(options settings.Options) []topology.Function {
	var all []topology.Function
	if options.Live {
		all = append(all, topology.LiveAuthorizer)
	}
	if options.EUM.Topic != "" {
		all = append(all, topology.EUMWebhook)
	}
	return append(all, topology.Deployed(options.Without)...)
}

// addFunction adds a function with its log group and role. Its name is explicit, so that its logs, metrics and alarms
// can be found by name.
func (f *Functions) addFunction(function topology.Function, program string) {
	id := goName(function.Name)
	logs := awslogs.NewCfnLogGroup(f.Stack, jsii.String(id+"Logs"), &awslogs.CfnLogGroupProps{
		LogGroupName:    jsii.String(f.logGroupName(function)),
		RetentionInDays: jsii.Number(f.logRetentionDays()),
	})
	identify(logs, id+"Logs")
	logs.ApplyRemovalPolicy(retainedOnceCreated(f.options.Stage), nil)

	role := f.addRole(function)
	code := awss3assets.NewAsset(f.Stack, jsii.String(id+"Code"), &awss3assets.AssetProps{Path: &program})
	environment := f.environment(function)
	props := &awslambda.CfnFunctionProps{
		FunctionName:  jsii.String(f.functionName(function)),
		Description:   &function.Purpose,
		Architectures: jsii.Strings("arm64"),
		Runtime:       jsii.String("provided.al2023"),
		Handler:       jsii.String("bootstrap"),
		Code:          &awslambda.CfnFunction_CodeProperty{S3Bucket: code.S3BucketName(), S3Key: code.S3ObjectKey()},
		Role:          role.AttrArn(),
		MemorySize:    jsii.Number(function.MemoryMB),
		Timeout:       jsii.Number(function.Timeout.Seconds()),
		Environment:   &awslambda.CfnFunction_EnvironmentProperty{Variables: environment},
		// Lambda's own lines at the start and end of every invocation would double the log. The metrics contain the
		// same.
		LoggingConfig: &awslambda.CfnFunction_LoggingConfigProperty{
			LogFormat: jsii.String("JSON"), LogGroup: logs.Ref(), ApplicationLogLevel: jsii.String("INFO"),
			SystemLogLevel: jsii.String("WARN"),
		},
		TracingConfig: &awslambda.CfnFunction_TracingConfigProperty{
			Mode: jsii.String(tracing[slices.Contains(f.options.Traced, function.Name)])},
	}
	if count := f.options.Reserved[function.Name]; count > 0 {
		props.ReservedConcurrentExecutions = jsii.Number(count)
	}
	made := awslambda.NewCfnFunction(f.Stack, &id, props)
	identify(made, id)
	f.addLive(function, made, *code.AssetHash(), *environment)
	code.AddResourceMetadata(made, jsii.String("Code")) // SAM needs it to find the program
	for _, resource := range []constructs.IConstruct{logs, role, made} {
		awscdk.Tags_Of(resource).Add(jsii.String("function"), &function.Name, nil)
	}
}

// tracing maps whether a function is traced to Lambda's tracing mode. PassThrough starts no trace, and neither does the
// API.
var tracing = map[bool]string{true: "Active", false: "PassThrough"}

// environment returns the function's variables: the stage, table names, plain variables, and references to secrets.
func (f *Functions) environment(function topology.Function) *map[string]*string {
	variables := map[string]*string{"STAGE": jsii.String(string(f.options.Stage))}
	for name, value := range function.Collector() {
		variables[name] = &value
	}
	for _, table := range function.Tables() {
		variables[table.Env()] = jsii.String(table.Name(f.options.Stage))
	}
	if len(function.Objects) > 0 {
		variables["MEDIA_BUCKET"] = jsii.String(f.data.filesBucketName())
	}
	trying := f.options.Stage == tables.Dev // SAM can only set variables that the template has
	for _, name := range function.Config {
		if value := f.options.Config[name]; value != "" || trying {
			variables[name] = &value
		}
	}
	if trying {
		variables["DYNAMODB_ENDPOINT"] = jsii.String("")
		if len(function.Objects) > 0 {
			variables["S3_ENDPOINT"] = jsii.String("")
		}
	}
	for _, name := range function.Secrets {
		variables[name] = jsii.String(names.SecretRef(name, f.options.Stage))
	}
	for _, name := range function.Wakes {
		if woken, is := topology.Named(name); is {
			variables[woken.Starter()] = jsii.String(f.starter(name))
		}
	}
	if f.options.SealedTokens && slices.Contains(function.Optional, topology.TokensKey) {
		variables[topology.TokensKey] = f.tokensKey.AttrArn()
	}
	if function.Live && f.options.Live {
		variables[live.Variable] = f.liveURL()
	}
	if dsn := f.options.Analytics.DSN; dsn != "" && slices.Contains(function.Optional, analyticsVariable) {
		variables[analyticsVariable] = &dsn
	}
	return &variables
}

// addSecrets adds the secrets with the values of all secret variables, by variable name. The one that is shared with
// WhatsApp is created empty, and functions treat a missing value as an error. The keys of the API
// concern nobody else, so AWS makes the first one of each.
func (f *Functions) addSecrets() {
	f.secret = f.addSecret("WhatsappSecrets", "what haatline shares with WhatsApp: put in with make secret",
		names.Secret("", f.options.Stage), "unused")
	f.cursorSecret = f.addSecret("CursorsSecrets", "the keys that seal the cursors of the API",
		names.Secret(topology.CursorKeys, f.options.Stage), topology.CursorKeys)
}

// addSecret adds a secret. AWS makes up one of its members: 32 letters and digits, which are 190 bits.
func (f *Functions) addSecret(id, purpose, name, generated string) awssecretsmanager.CfnSecret {
	made := awssecretsmanager.NewCfnSecret(f.Stack, &id, &awssecretsmanager.CfnSecretProps{
		Name: &name, Description: &purpose,
		GenerateSecretString: &awssecretsmanager.CfnSecret_GenerateSecretStringProperty{
			SecretStringTemplate: jsii.String("{}"), GenerateStringKey: &generated, ExcludePunctuation: true,
		},
	})
	identify(made, id)
	made.ApplyRemovalPolicy(retainedOnceCreated(f.options.Stage), nil)
	return made
}

// starter returns what starts a function by its name: with the alias that everything starts, where there are aliases.
func (f *Functions) starter(name string) string { return starter(name, f.options.Stage) }

func starter(name string, stage tables.Stage) string {
	full := "haatline-" + name + "-" + string(stage)
	if !stage.Durable() {
		return full
	}
	return full + ":" + liveAlias
}

// isDeployed reports whether the deployment has a function.
func (f *Functions) isDeployed(name string) bool {
	return slices.ContainsFunc(f.deployed(), func(of topology.Function) bool { return of.Name == name })
}

func (f *Functions) functionName(function topology.Function) string {
	return "haatline-" + function.Name + "-" + string(f.options.Stage)
}

func (f *Functions) logGroupName(function topology.Function) string {
	return "/aws/lambda/" + f.functionName(function)
}

func (f *Functions) logRetentionDays() int {
	if f.options.Stage.Durable() {
		return 30
	}
	return 7
}
