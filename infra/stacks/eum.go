package stacks

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/topology"
)

const (
	eumDays = 14 // the longest that SQS keeps a message
	// eumQueueHolds is the id of the alarm on the dead letter queue.
	eumQueueHolds = "EumQueueHolds"
)

// eumQueueName is the name of the queue of notices of AWS End User Messaging.
func (f *Functions) eumQueueName() string {
	return topology.EUMWebhook.Queue.FullName(f.options.Stage)
}

// addEUM adds the queue between the topic of AWS End User Messaging and the function that appends what it brings. The
// queue keeps a message until the function has taken it. After many attempts it goes to the dead letter queue.
func (f *Functions) addEUM(function topology.Function) {
	if function.Queue == nil {
		return
	}
	dead := f.addEUMQueue("EumDeadLetters", f.eumQueueName()+"-dead", nil)
	f.eumDead = dead
	queue := f.addEUMQueue("EumQueue", f.eumQueueName(), &awssqs.CfnQueueProps{
		VisibilityTimeout: jsii.Number(6 * function.Timeout.Seconds()), // as AWS advises for a queue before a function
		RedrivePolicy: map[string]any{
			"deadLetterTargetArn": dead.AttrArn(), "maxReceiveCount": function.Queue.MaxReceives},
	})
	topic := &f.options.EUM.Topic
	policy := awssqs.NewCfnQueuePolicy(f.Stack, jsii.String("EumQueuePolicy"), &awssqs.CfnQueuePolicyProps{
		Queues: &[]*string{queue.Ref()},
		PolicyDocument: document(
			map[string]any{
				"Effect": "Allow", "Principal": map[string]any{"Service": "sns.amazonaws.com"},
				"Action": "sqs:SendMessage", "Resource": queue.AttrArn(),
				"Condition": map[string]any{"ArnEquals": map[string]any{"aws:SourceArn": topic}},
			},
			denyPlainHTTP("sqs:*", queue.AttrArn()),
		),
	})
	identify(policy, "EumQueuePolicy")
	deadPolicy := awssqs.NewCfnQueuePolicy(f.Stack, jsii.String("EumDeadLettersPolicy"), &awssqs.CfnQueuePolicyProps{
		Queues: &[]*string{dead.Ref()}, PolicyDocument: document(denyPlainHTTP("sqs:*", dead.AttrArn())),
	})
	identify(deadPolicy, "EumDeadLettersPolicy")
	subscription := awssns.NewCfnSubscription(f.Stack, jsii.String("EumSubscription"), &awssns.CfnSubscriptionProps{
		TopicArn: topic, Region: &f.options.EUM.Region, Protocol: jsii.String("sqs"), Endpoint: queue.AttrArn(),
		RawMessageDelivery: true,
	})
	identify(subscription, "EumSubscription")
	subscription.AddResourceDependency(policy, jsii.String("SNS may put messages into the queue"))
	source := awslambda.NewCfnEventSourceMapping(f.Stack, jsii.String("EumWebhookQueue"),
		&awslambda.CfnEventSourceMappingProps{
			FunctionName: f.starts[function.Name].name, EventSourceArn: queue.AttrArn(),
			BatchSize:             jsii.Number(function.Queue.BatchSize),
			FunctionResponseTypes: jsii.Strings("ReportBatchItemFailures"),
			ScalingConfig: &awslambda.CfnEventSourceMapping_ScalingConfigProperty{
				MaximumConcurrency: jsii.Number(function.Queue.MaxConcurrency)},
		})
	identify(source, "EumWebhookQueue")
}

// addEUMQueue adds a queue with the given properties.
func (f *Functions) addEUMQueue(id, name string, props *awssqs.CfnQueueProps) awssqs.CfnQueue {
	if props == nil {
		props = &awssqs.CfnQueueProps{}
	}
	props.QueueName, props.SqsManagedSseEnabled = &name, true
	props.MessageRetentionPeriod = jsii.Number(eumDays * secondsADay)
	queue := awssqs.NewCfnQueue(f.Stack, &id, props)
	identify(queue, id)
	return queue
}

// alarmOfEUM watches the dead letter queue.
func (f *Functions) alarmOfEUM() alarm {
	return alarm{
		id: eumQueueHolds, says: "what AWS End User Messaging told of WhatsApp was not taken for an hour, or cannot " +
			"be read: the dead letter queue holds it",
		metrics: []metric{{"AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum",
			[][2]any{{"QueueName", f.eumDead.AttrQueueName()}}}},
		seconds: minutes, consecutive: 1,
	}
}
