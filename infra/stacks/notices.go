package stacks

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/topology"
)

// addNotices adds the topic by which AWS tells what becomes of emails, and which texts and emails have come in. It
// starts the function that sends them for each notice. Lambda tries a notice again that the function does not take.
func (f *Functions) addNotices(function topology.Function) {
	if !function.Email {
		return
	}
	topic := awssns.NewCfnTopic(f.Stack, jsii.String("Notices"), &awssns.CfnTopicProps{
		TopicName: jsii.String("haatline-notices-" + string(f.options.Stage)),
	})
	identify(topic, "Notices")
	policy := awssns.NewCfnTopicPolicy(f.Stack, jsii.String("NoticesPolicy"), &awssns.CfnTopicPolicyProps{
		Topics: &[]*string{topic.Ref()},
		PolicyDocument: document(
			map[string]any{
				"Effect":    "Allow",
				"Principal": map[string]any{"Service": []string{"ses.amazonaws.com", "sms-voice.amazonaws.com"}},
				"Action":    "sns:Publish", "Resource": topic.Ref(),
				"Condition": map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": f.Account()}},
			},
			denyPlainHTTP("sns:Publish", topic.Ref()),
		),
	})
	identify(policy, "NoticesPolicy")
	start := f.starts[function.Name]
	permission := awslambda.NewCfnPermission(f.Stack, jsii.String("NoticesPermission"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: start.arn,
		Principal: jsii.String("sns.amazonaws.com"), SourceArn: topic.Ref(),
	})
	identify(permission, "NoticesPermission")
	endpoint := start.arn
	if f.aliases[function.Name] != nil { // CloudFormation's rules take a reference to an alias for a mistake
		endpoint = arn(f.Stack, "lambda", "function:"+f.functionName(function)+":"+start.qualifier)
	}
	subscription := awssns.NewCfnSubscription(f.Stack, jsii.String("NoticesStart"), &awssns.CfnSubscriptionProps{
		TopicArn: topic.Ref(), Protocol: jsii.String("lambda"), Endpoint: endpoint,
	})
	identify(subscription, "NoticesStart")
	subscription.AddResourceDependency(permission, jsii.String("SNS may start the function"))
	f.addMail(topic, policy)
}
