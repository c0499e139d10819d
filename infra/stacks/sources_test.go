package stacks_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

func TestEveryStreamSourceIsAsTheTopologySays(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	count := 0
	for _, function := range topology.Functions {
		for _, source := range function.Streams {
			count++
			id := idOf(function) + source.Table.ID + "Stream"
			got := functions.Resources[id].Properties
			stream := said(got["EventSourceArn"])
			if !strings.HasPrefix(stream, "${haatline-data-prod:") ||
				!strings.Contains(stream, "GetAtt"+source.Table.ID+"StreamArn") {
				t.Errorf("%s reads %s", id, stream)
			}
			var filters []any
			for _, pattern := range source.Filters {
				filters = append(filters, map[string]any{"Pattern": pattern})
			}
			want := map[string]any{
				"EventSourceArn": got["EventSourceArn"], "FunctionName": map[string]any{"Ref": idOf(function) + "Live"},
				"StartingPosition": "TRIM_HORIZON", "BatchSize": float64(source.BatchSize),
				"MaximumBatchingWindowInSeconds": source.BatchingWindow.Seconds(),
				"MaximumRecordAgeInSeconds":      source.MaxRecordAge.Seconds(),
				"MaximumRetryAttempts":           float64(source.MaxAttempts),
				"ParallelizationFactor":          1.0, "BisectBatchOnFunctionError": true,
				"FunctionResponseTypes": []any{"ReportBatchItemFailures"},
				"FilterCriteria":        map[string]any{"Filters": filters},
				"DestinationConfig": map[string]any{
					"OnFailure": map[string]any{
						"Destination": map[string]any{"Fn::GetAtt": []any{"FailureBucket", "Arn"}}}},
				"Tags": tags("project", "haatline", "stage", "prod"),
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s:\n%s", id, diff)
			}
		}
	}
	if made := len(functions.of("AWS::Lambda::EventSourceMapping")); made != count {
		t.Errorf("%d sources, want %d", made, count)
	}
}

// The bucket's own metric comes once a day, so the bucket notifies the topic of each failed record at once, in every
// stage.
func TestTheFailureBucketTellsTheTopicOfAlarms(t *testing.T) {
	for _, s := range []tables.Stage{tables.Dev, tables.Prod} {
		functions := stage(t, s)["functions"]
		bucket := functions.Resources["FailureBucket"]
		told := at(bucket.Properties, "NotificationConfiguration", "TopicConfigurations")
		if said(told) != "[map[Event:s3:ObjectCreated:* Topic:map[Ref:Alarms]]]" ||
			!strings.Contains(said(bucket.DependsOn), "AlarmsPolicy") {
			t.Errorf("%s: %v after %v", s, told, bucket.DependsOn)
		}
		allowed := false
		for _, statement := range at(functions.Resources["AlarmsPolicy"].Properties, "PolicyDocument",
			"Statement").([]any) {
			allowed = allowed ||
				at(statement, "Principal", "Service") == "s3.amazonaws.com" && at(statement, "Effect") == "Allow" &&
					at(statement, "Condition", "StringEquals", "aws:SourceAccount") != nil
		}
		if !allowed {
			t.Errorf("%s: S3 may not tell the topic", s)
		}
	}
}

// With a third reader, DynamoDB throttles all readers of a stream.
func TestNoStreamHasMoreThanTwoReaders(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	readers := map[string]int{}
	for _, id := range functions.of("AWS::Lambda::EventSourceMapping") {
		readers[said(functions.Resources[id].Properties["EventSourceArn"])]++
	}
	for stream, count := range readers {
		if count > 2 {
			t.Errorf("%s has %d readers", stream, count)
		}
	}
}

// Failed records contain personal data.
func TestTheFailureBucketIsClosedEncryptedAndForgets(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	bucket := functions.Resources["FailureBucket"].Properties
	for _, name := range []string{"BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"} {
		if at(bucket, "PublicAccessBlockConfiguration", name) != true {
			t.Errorf("%s is off", name)
		}
	}
	if got := said(
		at(bucket, "BucketEncryption",
			"ServerSideEncryptionConfiguration")); got !=
		"[map[ServerSideEncryptionByDefault:map[SSEAlgorithm:AES256]]]" {
		t.Errorf("encryption %s", got)
	}
	rules := at(bucket, "LifecycleConfiguration", "Rules").([]any)
	if len(rules) != 1 || at(rules[0], "ExpirationInDays") != 90.0 || at(rules[0], "Status") != "Enabled" ||
		at(rules[0], "Prefix") != nil {
		t.Errorf("expiry %v", rules)
	}
}

func TestNothingIsTakenUnencrypted(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for id, action := range map[string]string{
		"FailureBucketPolicy": "s3:*", "FailureQueuePolicy": "sqs:*", "AlarmsPolicy": "sns:Publish"} {
		denied := false
		for _, statement := range at(functions.Resources[id].Properties, "PolicyDocument", "Statement").([]any) {
			denied = denied ||
				at(statement, "Effect") == "Deny" && at(statement, "Principal") == "*" &&
					at(statement, "Action") == action &&
					at(statement, "Condition", "Bool", "aws:SecureTransport") == "false"
		}
		if !denied {
			t.Errorf("%s takes plain HTTP", id)
		}
	}
}

func TestEveryScheduleIsAsTheTopologySays(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	var want, got []string
	for _, function := range topology.Functions {
		for _, schedule := range function.Schedules {
			want = append(want,
				fmt.Sprintf("haatline-%s-prod %s ${%sLive} %s", schedule.Name, schedule.Expression, idOf(function),
					schedule.Input))
		}
	}
	for _, id := range functions.of("AWS::Scheduler::Schedule") {
		properties := functions.Resources[id].Properties
		got = append(got, fmt.Sprintf("%s %s %s %s", properties["Name"], properties["ScheduleExpression"],
			said(at(properties, "Target", "Arn")), at(properties, "Target", "Input")))
		if said(at(properties, "Target", "DeadLetterConfig", "Arn")) != "${FailureQueue.Arn}" ||
			at(properties, "Target", "RetryPolicy", "MaximumRetryAttempts") != 3.0 ||
			at(properties, "Target", "RetryPolicy", "MaximumEventAgeInSeconds") != 300.0 {
			t.Errorf("%s: %v", id, properties["Target"])
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	queue := functions.Resources["FailureQueue"].Properties
	if queue["SqsManagedSseEnabled"] != true || queue["MessageRetentionPeriod"] != 14*24*3600.0 {
		t.Errorf("queue %v", queue)
	}
}

// A schedule may start its own function and nothing else.
func TestASchedulesRoleStartsItsFunctionOnly(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, function := range topology.Functions {
		id := idOf(function) + "ScheduleRole"
		role, made := functions.Resources[id]
		if made != (len(function.Schedules) > 0) {
			t.Errorf("%s: made %v", id, made)
		}
		if !made {
			continue
		}
		want := []string{
			"lambda:InvokeFunction on ${" + idOf(function) + "Live}", "sqs:SendMessage on ${FailureQueue.Arn}"}
		if diff := cmp.Diff(want, granted(t, id, role)); diff != "" {
			t.Errorf("%s:\n%s", id, diff)
		}
		trust := at(role.Properties, "AssumeRolePolicyDocument", "Statement").([]any)[0]
		if at(trust, "Principal", "Service") != "scheduler.amazonaws.com" ||
			at(trust, "Condition", "StringEquals", "aws:SourceAccount") == nil {
			t.Errorf("%s trusts %v", id, trust)
		}
	}
}

// An event bus without publishers would suggest that somebody publishes to it.
func TestThereIsNoEventBus(t *testing.T) {
	if buses := stage(t, tables.Prod)["functions"].of("AWS::Events::EventBus"); len(buses) != 0 {
		t.Errorf("%v: nothing publishes to it", buses)
	}
}

// CloudFormation rejects tags on a dashboard in some regions.
func TestADashboardHasNoTags(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::CloudWatch::Dashboard") {
		if tags := functions.Resources[id].Properties["Tags"]; tags != nil {
			t.Errorf("%s: %v", id, tags)
		}
	}
}

// A new account runs at most ten functions at once. The stream readers must leave half of them to the webhook.
func TestTheStreamsLeaveTheWebhookRoomInANewAccount(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	all := 0.0
	for _, id := range functions.of("AWS::Lambda::EventSourceMapping") {
		all += functions.Resources[id].Properties["ParallelizationFactor"].(float64)
	}
	if all > 5 {
		t.Errorf("%v batches at once of every shard", all)
	}
}

func TestAStackThatHasNeverStoodIsNotProtected(t *testing.T) {
	made := chosen(t)
	for name, protected := range map[string]bool{"data": false, "identity": true, "functions": false} {
		if made[name].protected != protected {
			t.Errorf("%s: protected %v", name, made[name].protected)
		}
	}
	if factor := made["functions"].Resources["OutboxOutboxStream"].Properties["ParallelizationFactor"]; factor != 10.0 {
		t.Errorf("%v batches at once", factor)
	}
}
