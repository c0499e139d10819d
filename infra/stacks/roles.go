package stacks

import (
	"maps"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
)

// addRole adds the function's role. Its only policy is what Policy and Optional return.
func (f *Functions) addRole(function topology.Function) awsiam.CfnRole {
	var statements []any
	for _, statement := range append(Policy(function), Optional(function, f.options)...) {
		var actions, resources []*string
		for _, action := range statement.Actions {
			actions = append(actions, jsii.String(statement.Service+":"+action))
		}
		for _, resource := range statement.Resources {
			resources = append(resources, f.arnsOf(resource, function)...)
		}
		if len(resources) > 0 { // what would be started may not be deployed
			statements = append(statements, limited(allow(actions, resources), statement.Leading))
		}
	}
	return f.newRole(goName(function.Name)+"Role", "lambda.amazonaws.com", nil, statements)
}

// limited returns a statement about a table, limited to items whose partition keys have one of the prefixes.
func limited(statement map[string]any, leading []string) map[string]any {
	if len(leading) == 0 {
		return statement
	}
	var patterns []string
	for _, prefix := range leading {
		patterns = append(patterns, prefix+"*")
	}
	statement["Condition"] = map[string]any{"ForAllValues:StringLike": map[string]any{"dynamodb:LeadingKeys": patterns}}
	return statement
}

// newRole adds a role for a service, with one policy.
func (f *Functions) newRole(id, service string, condition map[string]any, statements []any) awsiam.CfnRole {
	trust := map[string]any{
		"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": map[string]any{"Service": service},
	}
	maps.Copy(trust, condition)
	role := awsiam.NewCfnRole(f.Stack, &id, &awsiam.CfnRoleProps{
		AssumeRolePolicyDocument: document(trust),
		Policies: []*awsiam.CfnRole_PolicyProperty{{
			PolicyName: jsii.String("granted"), PolicyDocument: document(statements...),
		}},
	})
	identify(role, id)
	return role
}

// arnsOf returns the ARNs of a statement's resource.
func (f *Functions) arnsOf(resource Resource, function topology.Function) []*string {
	if resource.Kind != Model {
		return []*string{f.arnOf(resource, function)}
	}
	// a profile asks the model in whichever region it chooses
	model := resource.Name
	arns := []*string{}
	if area, of, profile := strings.Cut(model, "."); profile && len(area) <= longestArea && strings.Contains(of, ".") {
		arns, model = append(arns, arn(f.Stack, "bedrock", "inference-profile/"+resource.Name)), of
	}
	return append(arns, jsii.String("arn:"+*f.Partition()+":bedrock:*::foundation-model/"+model))
}

// longestArea is the length of the longest name of an area of inference profiles: us, eu, apac, global.
const longestArea = len("global")

// arnOf returns the ARN of a statement's resource.
func (f *Functions) arnOf(resource Resource, function topology.Function) *string {
	table := "table/" + resource.Table.Name(f.options.Stage)
	switch resource.Kind {
	case OwnLogs:
		return arn(f.Stack, "logs", "log-group:"+f.logGroupName(function)+":*")
	case Table:
		return arn(f.Stack, "dynamodb", table)
	case Index:
		return arn(f.Stack, "dynamodb", table+"/index/"+resource.Index)
	case Stream:
		return f.data.Tables[resource.Table.ID].AttrStreamArn()
	case TableStreams:
		return arn(f.Stack, "dynamodb", table+"/stream/*")
	case Secret:
		return f.secret.Ref()
	case CursorSecret:
		return f.cursorSecret.Ref()
	case NumberSecrets:
		return arn(f.Stack, "secretsmanager", "secret:"+names.NumberSecrets(f.options.Stage)+"*")
	case AccountSecrets:
		return arn(f.Stack, "secretsmanager", "secret:"+names.AccountSecrets(f.options.Stage)+"*")
	case AnalyticsSecret: // AWS adds six characters to a secret's name
		return arn(f.Stack, "secretsmanager", "secret:"+f.options.Analytics.Secret+"-??????")
	case AnalyticsCluster:
		return jsii.String("arn:" + *f.Partition() + ":dsql:" + f.options.Analytics.Region + ":" + *f.Account() +
			":cluster/" + f.options.Analytics.Cluster)
	case FailureBucket:
		return f.failureBucket.AttrArn()
	case FailureObjects:
		return jsii.String(*f.failureBucket.AttrArn() + "/" + names.FailurePrefix + "*")
	case FailureQueue:
		return f.failureQueue.AttrArn()
	case EUMQueue:
		return arn(f.Stack, "sqs", f.eumQueueName())
	case EUMNumbers:
		return arn(f.Stack, "social-messaging", "phone-number-id/*")
	case EUMAccounts:
		return arn(f.Stack, "social-messaging", "waba/*")
	case Files:
		return jsii.String("arn:" + *f.Partition() + ":s3:::" + f.data.filesBucketName() + "/" + resource.Under + "*")
	case TextSenders:
		return arn(f.Stack, "sms-voice", "*")
	case MailSenders:
		return arn(f.Stack, "ses", "identity/*")
	case MailSettings:
		return arn(f.Stack, "ses", "configuration-set/*")
	case Starts:
		return arn(f.Stack, "lambda", "function:"+f.starter(resource.Name))
	case EventBus:
		return arn(f.Stack, "events", "event-bus/"+resource.Name)
	case TokensKey:
		return f.tokensKey.AttrArn()
	case LiveChannels:
		return f.liveChannels.AttrChannelNamespaceArn()
	case Traces:
		return jsii.String("*")
	}
	// never grant more than intended
	panic("stacks: a policy names a " + string(resource.Kind) + ", which has no ARN here")
}
