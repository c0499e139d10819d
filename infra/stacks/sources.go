package stacks

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsscheduler"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/topology"
)

const (
	// failureDays is how long failed records are kept. They contain personal data.
	failureDays = 90
	secondsADay = 24 * 60 * 60
)

// addStreams connects a function to the streams that the topology names.
func (f *Functions) addStreams(function topology.Function) {
	for _, source := range function.Streams {
		var filters []*awslambda.CfnEventSourceMapping_FilterProperty
		for _, pattern := range source.Filters {
			filters = append(filters, &awslambda.CfnEventSourceMapping_FilterProperty{Pattern: jsii.String(pattern)})
		}
		id := sourceID(function, source)
		made := awslambda.NewCfnEventSourceMapping(f.Stack, &id, &awslambda.CfnEventSourceMappingProps{
			FunctionName:   f.starts[function.Name].name,
			EventSourceArn: f.data.Tables[source.Table.ID].AttrStreamArn(),
			// includes records from before the function existed
			StartingPosition:               jsii.String("TRIM_HORIZON"),
			BatchSize:                      jsii.Number(source.BatchSize),
			MaximumBatchingWindowInSeconds: jsii.Number(source.BatchingWindow.Seconds()),
			MaximumRecordAgeInSeconds:      jsii.Number(source.MaxRecordAge.Seconds()),
			MaximumRetryAttempts:           jsii.Number(source.MaxAttempts),
			ParallelizationFactor:          jsii.Number(f.options.Parallelism(function)),
			BisectBatchOnFunctionError:     true,
			FunctionResponseTypes:          jsii.Strings("ReportBatchItemFailures"),
			DestinationConfig: &awslambda.CfnEventSourceMapping_DestinationConfigProperty{
				OnFailure: &awslambda.CfnEventSourceMapping_OnFailureProperty{Destination: f.failureBucket.AttrArn()},
			},
		})
		if len(filters) > 0 {
			made.SetFilterCriteria(&awslambda.CfnEventSourceMapping_FilterCriteriaProperty{Filters: &filters})
		}
		identify(made, id)
	}
}

func sourceID(function topology.Function, source topology.StreamSource) string {
	return goName(function.Name) + source.Table.ID + "Stream"
}

// addSchedules lets EventBridge Scheduler start a function. A run that is minutes late is worth less than the next one,
// so neither the scheduler nor Lambda's asynchronous queue retries for long. A notice of AWS has no next one: it is
// tried for hours, as long as Lambda allows. What both give up on goes to the failure queue.
func (f *Functions) addSchedules(function topology.Function) {
	if len(function.Schedules) == 0 {
		return
	}
	id, age, attempts := goName(function.Name), 300, 1
	if function.Email {
		age, attempts = 6*60*60, 2
	}
	retries := awslambda.NewCfnEventInvokeConfig(f.Stack, jsii.String(id+"Starts"),
		&awslambda.CfnEventInvokeConfigProps{
			FunctionName:             f.starts[function.Name].function,
			Qualifier:                jsii.String(f.starts[function.Name].qualifier),
			MaximumEventAgeInSeconds: jsii.Number(age),
			MaximumRetryAttempts:     jsii.Number(attempts),
			DestinationConfig: &awslambda.CfnEventInvokeConfig_DestinationConfigProperty{
				OnFailure: &awslambda.CfnEventInvokeConfig_OnFailureProperty{Destination: f.failureQueue.AttrArn()},
			},
		})
	identify(retries, id+"Starts")
	if alias := f.aliases[function.Name]; alias != nil {
		retries.AddResourceDependency(alias, jsii.String("it names the alias"))
	}
	role := f.newRole(id+"ScheduleRole", "scheduler.amazonaws.com",
		map[string]any{"Condition": map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": f.Account()}}},
		[]any{
			allow(*jsii.Strings("lambda:InvokeFunction"), []*string{f.starts[function.Name].arn}),
			allow(*jsii.Strings("sqs:SendMessage"), []*string{f.failureQueue.AttrArn()}),
		})
	for _, schedule := range function.Schedules {
		made := awsscheduler.NewCfnSchedule(f.Stack, jsii.String(goName(schedule.Name)), &awsscheduler.CfnScheduleProps{
			Name:               jsii.String("haatline-" + schedule.Name + "-" + string(f.options.Stage)),
			Description:        jsii.String("starts " + function.Name),
			ScheduleExpression: jsii.String(schedule.Expression),
			FlexibleTimeWindow: &awsscheduler.CfnSchedule_FlexibleTimeWindowProperty{Mode: jsii.String("OFF")},
			Target: &awsscheduler.CfnSchedule_TargetProperty{
				Arn: f.starts[function.Name].arn, RoleArn: role.AttrArn(), Input: jsii.String(schedule.Input),
				DeadLetterConfig: &awsscheduler.CfnSchedule_DeadLetterConfigProperty{Arn: f.failureQueue.AttrArn()},
				RetryPolicy: &awsscheduler.CfnSchedule_RetryPolicyProperty{
					MaximumEventAgeInSeconds: jsii.Number(300), MaximumRetryAttempts: jsii.Number(3),
				},
			},
		})
		identify(made, goName(schedule.Name))
	}
}

// addWakes says what becomes of a start for one event that has to wait: Lambda keeps it for an hour while the function
// is as busy as it may be. It tries none twice, and keeps none that fails, because the event itself is stored.
func (f *Functions) addWakes(function topology.Function) {
	if !topology.Woken(function.Name) {
		return
	}
	id := goName(function.Name) + "Starts"
	starts := awslambda.NewCfnEventInvokeConfig(f.Stack, &id, &awslambda.CfnEventInvokeConfigProps{
		FunctionName:             f.starts[function.Name].function,
		Qualifier:                jsii.String(f.starts[function.Name].qualifier),
		MaximumEventAgeInSeconds: jsii.Number(60 * 60), MaximumRetryAttempts: jsii.Number(0),
	})
	identify(starts, id)
	if alias := f.aliases[function.Name]; alias != nil {
		starts.AddResourceDependency(alias, jsii.String("it names the alias"))
	}
}

// addFailureBucket adds the bucket for the records that a stream source gave up on. It notifies the alarm topic of each
// object at once, because bucket metrics come once a day and metrics of event source mappings cost money. In dev it is
// deleted with the stack if it is empty: CloudFormation deletes no bucket that has objects.
func (f *Functions) addFailureBucket() {
	bucket := awss3.NewCfnBucket(f.Stack, jsii.String("FailureBucket"), &awss3.CfnBucketProps{
		NotificationConfiguration: &awss3.CfnBucket_NotificationConfigurationProperty{
			TopicConfigurations: []*awss3.CfnBucket_TopicConfigurationProperty{
				{Event: jsii.String("s3:ObjectCreated:*"), Topic: f.topic.Ref()}},
		},
		BucketEncryption: encryptedByS3(),
		PublicAccessBlockConfiguration: &awss3.CfnBucket_PublicAccessBlockConfigurationProperty{
			BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true,
		},
		OwnershipControls: ownedByTheBucket(),
		LifecycleConfiguration: &awss3.CfnBucket_LifecycleConfigurationProperty{
			Rules: []*awss3.CfnBucket_RuleProperty{{
				Id: jsii.String("expire"), Status: jsii.String("Enabled"), ExpirationInDays: jsii.Number(failureDays),
				AbortIncompleteMultipartUpload: &awss3.CfnBucket_AbortIncompleteMultipartUploadProperty{
					DaysAfterInitiation: jsii.Number(1)},
			}},
		},
	})
	identify(bucket, "FailureBucket")
	bucket.ApplyRemovalPolicy(retainedOnceCreated(f.options.Stage), nil)
	bucket.AddResourceDependency(f.topicPolicy, jsii.String("S3 tries whether it may tell the topic"))
	f.failureBucket = bucket
	policy := awss3.NewCfnBucketPolicy(f.Stack, jsii.String("FailureBucketPolicy"), &awss3.CfnBucketPolicyProps{
		Bucket:         bucket.Ref(),
		PolicyDocument: document(denyPlainHTTP("s3:*", bucket.AttrArn(), jsii.String(*bucket.AttrArn()+"/*"))),
	})
	identify(policy, "FailureBucketPolicy")
	policy.ApplyRemovalPolicy(retainedOnceCreated(f.options.Stage), nil) // a retained bucket keeps its policy
}

// addFailureQueue adds the queue for scheduled starts, and notices of AWS, that failed.
func (f *Functions) addFailureQueue() {
	queue := awssqs.NewCfnQueue(f.Stack, jsii.String("FailureQueue"), &awssqs.CfnQueueProps{
		QueueName:              jsii.String("haatline-failures-" + string(f.options.Stage)),
		MessageRetentionPeriod: jsii.Number(14 * secondsADay),
		SqsManagedSseEnabled:   true,
	})
	identify(queue, "FailureQueue")
	f.failureQueue = queue
	policy := awssqs.NewCfnQueuePolicy(f.Stack, jsii.String("FailureQueuePolicy"), &awssqs.CfnQueuePolicyProps{
		Queues:         &[]*string{queue.Ref()},
		PolicyDocument: document(denyPlainHTTP("sqs:*", queue.AttrArn())),
	})
	identify(policy, "FailureQueuePolicy")
}
