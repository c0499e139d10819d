package stacks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// metric is one series of CloudWatch.
type metric struct {
	namespace, name, stat string
	dimensions            [][2]any // name and value, in the order the dashboard writes them
}

// alarm goes off when a value is above a threshold for a number of periods in a row. No data is no alarm: most of what
// is watched is only written when something happens. Where silence itself is the trouble, the alarm says so.
type alarm struct {
	id, says    string
	value       string // over the metrics m1, m2, …; empty where there is one, and it is the value
	metrics     []metric
	above       float64
	seconds     int // of a period
	consecutive int
	silence     bool // no data is an alarm, too
}

const (
	minute  = 60
	minutes = 5 * minute // the usual period: shorter ones make noise of a quiet system
	quarter = 15 * minute
)

// share is the percentage of m1 in m2, from the third on: in a quiet hour one bad request is a large share of all. Counted
// over a quarter of an hour, three are soon together where something is broken.
const share = "IF(m1>=3,100*m1/m2,0)"

// addWatch makes the alarms, the topic that hears of them, and the dashboard.
func (f *Functions) addWatch() {
	f.addTopic()
	for _, function := range topology.Functions {
		for _, a := range f.alarmsOfFunction(function) {
			f.addAlarm(a)
		}
	}
	for _, table := range watchedTables() {
		for _, a := range f.alarmsOfTable(table) {
			f.addAlarm(a)
		}
	}
	for _, a := range slices.Concat(f.alarmsOfFailures(), f.alarmsOfWork(), f.alarmsOfAPI()) {
		f.addAlarm(a)
	}
	f.addDashboard()
}

// addTopic makes the topic of alarms. It is not encrypted with a key: CloudWatch cannot use the account's own key for
// topics, and the name of an alarm is no secret.
func (f *Functions) addTopic() {
	f.topic = awssns.NewCfnTopic(f.Stack, jsii.String("Alarms"), &awssns.CfnTopicProps{
		TopicName: jsii.String("haatline-alarms-" + string(f.options.Stage)),
	})
	identify(f.topic, "Alarms")
	policy := awssns.NewCfnTopicPolicy(f.Stack, jsii.String("AlarmsPolicy"), &awssns.CfnTopicPolicyProps{
		Topics: &[]*string{f.topic.Ref()},
		PolicyDocument: document(
			map[string]any{
				"Effect": "Allow", "Principal": map[string]any{"Service": "cloudwatch.amazonaws.com"},
				"Action": "sns:Publish", "Resource": f.topic.Ref(),
				"Condition": map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": f.Account()}},
			},
			denyPlainHTTP("sns:Publish", f.topic.Ref()),
		),
	})
	identify(policy, "AlarmsPolicy")
	if f.options.AlarmEmail != "" {
		subscription := awssns.NewCfnSubscription(f.Stack, jsii.String(names.AlarmsByEmail), &awssns.CfnSubscriptionProps{
			TopicArn: f.topic.Ref(), Protocol: jsii.String("email"), Endpoint: &f.options.AlarmEmail,
		})
		identify(subscription, names.AlarmsByEmail)
	}
}

func (f *Functions) addAlarm(a alarm) {
	var queries []*awscloudwatch.CfnAlarm_MetricDataQueryProperty
	for i, m := range a.metrics {
		var dimensions []*awscloudwatch.CfnAlarm_DimensionProperty
		for _, d := range m.dimensions {
			dimensions = append(dimensions, &awscloudwatch.CfnAlarm_DimensionProperty{Name: text(d[0]), Value: text(d[1])})
		}
		queries = append(queries, &awscloudwatch.CfnAlarm_MetricDataQueryProperty{
			Id: jsii.String(fmt.Sprintf("m%d", i+1)), ReturnData: a.value == "",
			MetricStat: &awscloudwatch.CfnAlarm_MetricStatProperty{
				Metric: &awscloudwatch.CfnAlarm_MetricProperty{Namespace: text(m.namespace), MetricName: text(m.name), Dimensions: dimensions},
				Stat:   text(m.stat), Period: jsii.Number(a.seconds),
			},
		})
	}
	if a.value != "" {
		queries = append(queries, &awscloudwatch.CfnAlarm_MetricDataQueryProperty{
			Id: jsii.String("value"), Expression: text(a.value), Label: text(a.id), ReturnData: true,
		})
	}
	made := awscloudwatch.NewCfnAlarm(f.Stack, &a.id, &awscloudwatch.CfnAlarmProps{
		AlarmName:          jsii.String(names.AlarmPrefix(f.options.Stage) + a.id),
		AlarmDescription:   &a.says,
		Metrics:            queries,
		Threshold:          &a.above,
		ComparisonOperator: jsii.String("GreaterThanThreshold"),
		EvaluationPeriods:  jsii.Number(a.consecutive),
		TreatMissingData:   jsii.String(missing[a.silence]),
		AlarmActions:       &[]any{f.topic.Ref()},
		OkActions:          &[]any{f.topic.Ref()},
	})
	identify(made, a.id)
	f.alarms = append(f.alarms, made)
}

// missing is what CloudWatch calls the two ways to see no data.
var missing = map[bool]string{false: "notBreaching", true: "breaching"}

// text is a string of a description for the CDK, which may be a reference already.
func text(value any) *string {
	if reference, ok := value.(*string); ok {
		return reference
	}
	return jsii.String(value.(string))
}

func (f *Functions) ofFunction(function topology.Function, name, stat string) metric {
	return metric{"AWS/Lambda", name, stat, [][2]any{{"FunctionName", f.functionName(function)}}}
}

func (f *Functions) alarmsOfFunction(function topology.Function) []alarm {
	id := goName(function.Name)
	list := []alarm{
		{
			id: id + "Errors", says: "over 1 % of the runs of " + function.Name + " end in an error: its log says why",
			value:   share,
			metrics: []metric{f.ofFunction(function, "Errors", "Sum"), f.ofFunction(function, "Invocations", "Sum")},
			above:   1, seconds: quarter, consecutive: 1,
		},
		{
			id: id + "Throttles", says: function.Name + " is refused runs: the account's or its own concurrency is used up",
			metrics: []metric{f.ofFunction(function, "Throttles", "Sum")}, seconds: minute, consecutive: 5,
		},
	}
	// A record that a function reports as failed is no error of its run: only the age of what waits behind it tells.
	for _, source := range function.Streams {
		list = append(list, alarm{
			id:      id + source.Table.ID + "Age",
			says:    function.Name + " is over a minute behind the stream of " + source.Table.ID + ", or stuck on a record",
			metrics: []metric{f.ofFunction(function, "IteratorAge", "Maximum")},
			above:   60_000, seconds: minute, consecutive: 5,
		}, alarm{
			id:      id + source.Table.ID + "GivenUp",
			says:    function.Name + " has given up on records of " + source.Table.ID + ": they are in the failure bucket, and make redrive brings them back",
			value:   "FILL(m1,0)+FILL(m2,0)",
			metrics: []metric{f.ofSource(function, source, "OnFailureDestinationDeliveredEventCount"), f.ofSource(function, source, "DroppedEventCount")},
			seconds: minutes, consecutive: 1,
		})
	}
	return list
}

func (f *Functions) ofSource(function topology.Function, source topology.StreamSource, name string) metric {
	mapping := f.sources[sourceID(function, source)]
	return metric{"AWS/Lambda", name, "Sum", [][2]any{{"EventSourceMappingUUID", mapping.Ref()}}}
}

// watchedTables are those some function uses: a table without traffic has nothing to watch.
func watchedTables() []tables.Table {
	var list []tables.Table
	for _, table := range tables.All() {
		if len(operations(table)) > 0 {
			list = append(list, table)
		}
	}
	return list
}

// unmetered is the one action that is no operation of its own: it happens in transactions, and DynamoDB writes no metrics
// for it.
const unmetered = "ConditionCheckItem"

// operations are the DynamoDB operations the functions call on a table; its metrics are written for each of them.
func operations(table tables.Table) []string {
	var list []string
	for _, function := range topology.Functions {
		for _, grant := range function.Grants {
			if grant.Table.ID != table.ID {
				continue
			}
			for _, action := range grant.Actions {
				if action != unmetered {
					list = append(list, action)
				}
			}
			if len(grant.Indexes) > 0 {
				list = append(list, "Query")
			}
			if slices.Contains(grant.Actions, "PutItem") || slices.Contains(grant.Actions, "UpdateItem") {
				list = append(list, "TransactWriteItems")
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (f *Functions) ofTable(table tables.Table, name, stat string) []metric {
	var list []metric
	for _, operation := range operations(table) {
		list = append(list, metric{"AWS/DynamoDB", name, stat, [][2]any{{"TableName", table.Name(f.options.Stage)}, {"Operation", operation}}})
	}
	return list
}

// latencies are averages: DynamoDB writes what its requests took as sums, which have no percentiles.
func (f *Functions) latencies(table tables.Table) []metric {
	return f.ofTable(table, "SuccessfulRequestLatency", "Average")
}

func (f *Functions) alarmsOfTable(table tables.Table) []alarm {
	throttled, latency := f.ofTable(table, "ThrottledRequests", "Sum"), f.latencies(table)
	return []alarm{
		{
			id: table.ID + "Throttled", says: "DynamoDB refuses requests to " + table.ID + ": one key or one index takes too many",
			value: sum(filled(throttled)), metrics: throttled, seconds: minute, consecutive: 5,
		},
		{
			id: table.ID + "Latency", says: "DynamoDB takes over 50 ms on average for a kind of request to " + table.ID,
			value: "MAX([" + strings.Join(filled(latency), ",") + "])", metrics: latency, above: 50, seconds: minutes, consecutive: 3,
		},
	}
}

func (f *Functions) queued() metric {
	return metric{"AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", [][2]any{{"QueueName", f.failureQueue.AttrQueueName()}}}
}

func (f *Functions) kept() metric {
	return metric{"AWS/S3", "NumberOfObjects", "Average", [][2]any{{"BucketName", f.failureBucket.Ref()}, {"StorageType", "AllStorageTypes"}}}
}

func (f *Functions) alarmsOfFailures() []alarm {
	return []alarm{
		{
			id: "FailureQueueHolds", says: "a scheduled run never came to be: the failure queue holds it",
			metrics: []metric{f.queued()}, seconds: minutes, consecutive: 1,
		},
		{
			// Counted once a day; that a record was given up on is said within minutes by the alarm of its source.
			id: "FailureBucketHolds", says: "records that were given up on wait in the failure bucket: make redrive brings them back",
			metrics: []metric{f.kept()}, seconds: secondsADay, consecutive: 1,
		},
	}
}

// ours are the series of a metric of our own: one for each function that measures it.
func (f *Functions) ours(of telemetry.Metric, stat string) []metric {
	var list []metric
	for _, function := range topology.Functions {
		if slices.Contains(function.Metrics, of) {
			list = append(list, f.oursOf(function.Name, of, stat))
		}
	}
	return list
}

func (f *Functions) oursOf(function string, of telemetry.Metric, stat string) metric {
	return metric{telemetry.Namespace, of.Name, stat, [][2]any{
		{telemetry.DimensionStage, string(f.options.Stage)}, {telemetry.DimensionFunction, function},
	}}
}

// filled are the terms of an expression over all metrics, those without data as nothing.
func filled(metrics []metric) []string {
	terms := make([]string, len(metrics))
	for i := range metrics {
		terms[i] = fmt.Sprintf("FILL(m%d,0)", i+1)
	}
	return terms
}

func sum(terms []string) string { return strings.Join(terms, "+") }

// alarmsOfWork watch what the functions themselves say of their work.
func (f *Functions) alarmsOfWork() []alarm {
	var list []alarm
	for _, counted := range []struct {
		metric telemetry.Metric
		says   string
	}{
		{telemetry.DeadLetters, "messages were given up on: GET /v1/outbox?state=dead_letter names them and why, and they can be replayed"},
		{telemetry.EventsParked, "what WhatsApp posted could not be dealt with: the lines \"record parked\" of the functions' logs name it by correlationId, GET /v1/webhook-events/{correlationId} says why"},
		{telemetry.SendersStopped, "WhatsApp refuses a number or its token, so nothing is sent from it for now: make doctor says what is wrong"},
	} {
		series := f.ours(counted.metric, "Sum")
		list = append(list, alarm{id: counted.metric.Name, says: counted.says, value: sum(filled(series)), metrics: series, seconds: minutes, consecutive: 1})
	}
	for _, function := range topology.Functions {
		if slices.Contains(function.Metrics, telemetry.LogOldest) {
			list = append(list, alarm{
				id:      telemetry.LogOldest.Name + goName(function.Name),
				says:    "an entry of the log has been waiting for " + function.Name + " for over five minutes, set aside or never brought, or the sweep that says so does not run",
				metrics: []metric{f.oursOf(function.Name, telemetry.LogOldest, "Maximum")}, above: 300, seconds: minute, consecutive: 5, silence: true,
			})
		}
	}
	return append(list, alarm{
		id: telemetry.OutboxOldest.Name, says: "an event of the outbox has been waiting for over five minutes, or the sweep that says so does not run",
		metrics: f.ours(telemetry.OutboxOldest, "Maximum"), above: 300, seconds: minute, consecutive: 5, silence: true,
	})
}

func (f *Functions) ofAPI(name, stat string) metric {
	return metric{"AWS/ApiGateway", name, stat, [][2]any{{"ApiId", f.api.Ref()}}}
}

// ofWebhook is a metric of the one route whose caller is a machine that gives up on us.
func (f *Functions) ofWebhook(name, stat string) metric {
	return metric{"AWS/ApiGateway", name, stat, [][2]any{
		{"ApiId", f.api.Ref()}, {"Stage", "$default"}, {"Method", "POST"}, {"Resource", "/webhooks/whatsapp"},
	}}
}

func (f *Functions) alarmsOfAPI() []alarm {
	return []alarm{
		{
			id: "HttpApiErrors", says: "over 1 % of the requests to the HTTP API end with 5xx",
			value: share, metrics: []metric{f.ofAPI("5xx", "Sum"), f.ofAPI("Count", "Sum")}, above: 1, seconds: quarter, consecutive: 1,
		},
		{
			id: "WebhookLatency", says: "over one in a hundred webhook posts takes more than a second: WhatsApp sends them again, and then slower",
			metrics: []metric{f.ofWebhook("Latency", "p99")}, above: 1000, seconds: minutes, consecutive: 3,
		},
	}
}
