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

// alarm fires when a value is above a threshold for a number of periods in a row. Missing data does not fire it,
// because most metrics are only written when something happens. If silence itself is a problem, the alarm says so.
type alarm struct {
	id, says    string
	value       string // an expression over the metrics m1, m2, …; empty for a single metric
	metrics     []metric
	above       float64
	seconds     int // of a period
	consecutive int
	silence     bool // missing data fires the alarm, too
}

// apiErrors is the alarm on the answers of the API.
const apiErrors = "HttpApiErrors"

// failureQueueHolds is the id of the alarm on the queue of what was given up on.
const failureQueueHolds = "FailureQueueHolds"

// throttles is the id of the alarm on runs of functions that the account refuses.
const throttles = "Throttles"

const (
	minute  = 60
	minutes = 5 * minute // the usual period: in a quiet system, shorter ones cause false alarms
	quarter = 15 * minute
)

// share is the percentage of m1 in m2, if m1 is at least three: in a quiet hour one bad request would be a large share.
// If something is broken, three bad requests in a quarter of an hour are reached soon.
const share = "IF(m1>=3,100*m1/m2,0)"

// addWatch adds the alarms and the dashboard. An alarm costs money for each metric it reads, so no two alarms watch the
// same problem. Dev has only the alarms for what was lost or is stuck.
func (f *Functions) addWatch() {
	list := f.alarmsOfWork()
	if f.options.Stage != tables.Dev {
		for _, function := range f.deployed() {
			list = append(list, f.alarmsOfFunction(function)...)
		}
		for _, table := range watchedTables() {
			if len(table.Global) > 0 { // one without an index has a key for each person, and nobody writes so much
				list = append(list, f.alarmOfTable(table))
			}
		}
		list = append(list, f.alarmsOfRuns()...)
	}
	if f.eumDead != nil {
		list = append(list, f.alarmOfEUM())
	}
	for _, a := range list {
		f.addAlarm(a)
	}
	f.moveAfterAlarms()
	f.addDashboard()
}

// addTopic adds the topic for alarms. It has no encryption key, because CloudWatch cannot publish with the account's
// own key, and alarm names are not secret.
func (f *Functions) addTopic() {
	f.topic = awssns.NewCfnTopic(f.Stack, jsii.String(names.AlarmTopic), &awssns.CfnTopicProps{
		TopicName: jsii.String("haatline-alarms-" + string(f.options.Stage)),
	})
	identify(f.topic, names.AlarmTopic)
	f.topicPolicy = awssns.NewCfnTopicPolicy(f.Stack, jsii.String("AlarmsPolicy"), &awssns.CfnTopicPolicyProps{
		Topics: &[]*string{f.topic.Ref()},
		PolicyDocument: document(
			map[string]any{
				"Effect": "Allow", "Principal": map[string]any{"Service": "cloudwatch.amazonaws.com"},
				"Action": "sns:Publish", "Resource": f.topic.Ref(),
				"Condition": map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": f.Account()}},
			},
			map[string]any{
				"Effect": "Allow", "Principal": map[string]any{"Service": "s3.amazonaws.com"},
				"Action": "sns:Publish", "Resource": f.topic.Ref(),
				"Condition": map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": f.Account()}},
			},
			denyPlainHTTP("sns:Publish", f.topic.Ref()),
		),
	})
	identify(f.topicPolicy, "AlarmsPolicy")
	if f.options.AlarmEmail != "" {
		subscription := awssns.NewCfnSubscription(f.Stack, jsii.String("AlarmsByEmail"),
			&awssns.CfnSubscriptionProps{
				TopicArn: f.topic.Ref(), Protocol: jsii.String("email"), Endpoint: &f.options.AlarmEmail,
			})
		identify(subscription, "AlarmsByEmail")
	}
}

func (f *Functions) addAlarm(a alarm) {
	var queries []*awscloudwatch.CfnAlarm_MetricDataQueryProperty
	for i, m := range a.metrics {
		var dimensions []*awscloudwatch.CfnAlarm_DimensionProperty
		for _, d := range m.dimensions {
			dimensions = append(dimensions,
				&awscloudwatch.CfnAlarm_DimensionProperty{Name: text(d[0]), Value: text(d[1])})
		}
		queries = append(queries, &awscloudwatch.CfnAlarm_MetricDataQueryProperty{
			Id: jsii.String(fmt.Sprintf("m%d", i+1)), ReturnData: a.value == "",
			MetricStat: &awscloudwatch.CfnAlarm_MetricStatProperty{
				Metric: &awscloudwatch.CfnAlarm_MetricProperty{
					Namespace: text(m.namespace), MetricName: text(m.name), Dimensions: dimensions},
				Stat: text(m.stat), Period: jsii.Number(a.seconds),
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

// missing maps alarm.silence to CloudWatch's name for how to treat missing data.
var missing = map[bool]string{false: "notBreaching", true: "breaching"}

// text returns a string for the CDK. The value may be a reference already.
func text(value any) *string {
	if reference, ok := value.(*string); ok {
		return reference
	}
	return jsii.String(value.(string))
}

func (f *Functions) ofFunction(function topology.Function, name, stat string) metric {
	return metric{"AWS/Lambda", name, stat, [][2]any{{"FunctionName", f.functionName(function)}}}
}

// anyFunction returns a metric over all functions in the account's region, including functions that are not haatline's.
func anyFunction(name, stat string) metric { return metric{"AWS/Lambda", name, stat, nil} }

func (f *Functions) alarmsOfFunction(function topology.Function) []alarm {
	id := goName(function.Name)
	var list []alarm
	if !onlyAnswers(function) && !onlyStarts(function) {
		list = append(list, alarm{
			id: id + "Errors",
			says: "five runs of " + function.Name +
				" or more have ended in an error within a quarter of an hour: its log says why",
			metrics: []metric{f.ofFunction(function, "Errors", "Sum")}, above: 4, seconds: quarter, consecutive: 1,
		})
	}
	// A record that a function reports as failed is no error of the invocation. Only the age of what waits behind it
	// shows it.
	for _, source := range function.Streams {
		list = append(list, alarm{
			id: id + source.Table.ID + "Age",
			says: function.Name + " is over a minute behind the stream of " + source.Table.ID +
				", or stuck on a record",
			metrics: []metric{f.ofFunction(function, "IteratorAge", "Maximum")},
			above:   60_000, seconds: minute, consecutive: 5,
		})
	}
	return list
}

// onlyAnswers reports whether a function does nothing but answer people. Each of its errors is an answer 5xx, which
// HttpApiErrors watches. A webhook's caller is nobody who looks at the answer.
func onlyAnswers(function topology.Function) bool {
	return len(function.Streams)+len(function.Schedules) == 0 &&
		!slices.ContainsFunc(function.Routes, func(r topology.Route) bool { return r.Path == names.WebhookPath })
}

// onlyStarts reports whether nothing but schedules starts a function. A run of those that fails twice is in the failure
// queue, which FailureQueueHolds watches.
func onlyStarts(function topology.Function) bool {
	return len(function.Streams)+len(function.Routes) == 0 && len(function.Schedules) > 0
}

// watchedTables returns the tables that several functions use for every message. A table without traffic needs no
// alarm, and a table with a single function is covered by the function's own alarms.
func watchedTables() []tables.Table {
	var list []tables.Table
	for _, table := range tables.All() {
		users := 0
		for _, function := range topology.MessageLoop() {
			if slices.ContainsFunc(function.Grants, func(g topology.Grant) bool { return g.Table.ID == table.ID }) {
				users++
			}
		}
		if users > 1 {
			list = append(list, table)
		}
	}
	return list
}

// latency returns an average, because DynamoDB writes latencies as sums, which have no percentiles. It is the latency
// of transactions, which are most of the writes and the slowest calls.
func (f *Functions) latency(table tables.Table) metric {
	return metric{
		"AWS/DynamoDB", "SuccessfulRequestLatency", "Average",
		[][2]any{{"TableName", table.Name(f.options.Stage)}, {"Operation", "TransactWriteItems"}}}
}

// written returns the write units of a table, without those of its indexes.
func (f *Functions) written(table tables.Table) metric {
	return metric{
		"AWS/DynamoDB", "ConsumedWriteCapacityUnits", "Sum", [][2]any{{"TableName", table.Name(f.options.Stage)}}}
}

// throttled returns the requests to a table that DynamoDB refused because one key got too many.
func (f *Functions) throttled(table tables.Table) []metric {
	of := [][2]any{{"TableName", table.Name(f.options.Stage)}}
	return []metric{
		{"AWS/DynamoDB", "ReadThrottleEvents", "Sum", of}, {"AWS/DynamoDB", "WriteThrottleEvents", "Sum", of}}
}

// indexThrottled returns the writes to a table that DynamoDB refused because of an index. DynamoDB counts them for the
// index, and not for the table.
func (f *Functions) indexThrottled(table tables.Table) (all []metric) {
	for _, index := range table.Global {
		if index.FewValues {
			all = append(all, metric{"AWS/DynamoDB", "WriteThrottleEvents", "Sum", [][2]any{
				{"TableName", table.Name(f.options.Stage)}, {"GlobalSecondaryIndexName", index.Name}}})
		}
	}
	return all
}

// alarmOfTable watches writes. A read is refused at three times the rate, and what waits for it has alarms of its own.
func (f *Functions) alarmOfTable(table tables.Table) alarm {
	throttled := append(f.throttled(table)[1:], f.indexThrottled(table)...)
	return alarm{
		id: table.ID + "Throttled", says: "DynamoDB refuses writes to " + table.ID +
			": one key of the table or of an index takes too many",
		value: sum(filled(throttled)), metrics: throttled, seconds: minute, consecutive: 5,
	}
}

func (f *Functions) queued() metric {
	return metric{
		"AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum",
		[][2]any{{"QueueName", f.failureQueue.AttrQueueName()}}}
}

func (f *Functions) kept() metric {
	return metric{
		"AWS/S3", "NumberOfObjects", "Average",
		[][2]any{{"BucketName", f.failureBucket.Ref()}, {"StorageType", "AllStorageTypes"}}}
}

// alarmsOfRuns returns the alarms on invocations and on the public endpoint.
func (f *Functions) alarmsOfRuns() []alarm {
	return []alarm{
		{
			id:      throttles,
			says:    "Lambda refuses runs: the account's concurrency in this region is used up, or a function's own",
			metrics: []metric{anyFunction("Throttles", "Sum")}, seconds: minute, consecutive: 5,
		},
		{
			// CloudWatch counts objects once a day. The bucket itself notifies the topic at once.
			id: "FailureBucketHolds", says: "records that were given up on wait in the failure bucket: make " +
				"redrive brings them back",
			metrics: []metric{f.kept()}, seconds: secondsADay, consecutive: 1,
		},
		{
			id: apiErrors, says: "over 1 % of the requests to the HTTP API end with 5xx",
			value: share, metrics: []metric{f.ofAPI("5xx", "Sum"), f.ofAPI("Count", "Sum")}, above: 1, seconds: quarter,
			consecutive: 1,
		},
		{
			id: "WebhookRefused",
			says: "twenty webhook posts or more were refused within a quarter of an hour: with 401 the app's " +
				"secret is wrong or somebody tries the door, with 429 the webhook's rate is too low",
			metrics: []metric{f.refusedPosts()}, above: 19, seconds: quarter, consecutive: 1,
		},
		{
			id: "WebhookLatency",
			says: "over one in a hundred webhook posts takes more than a second: WhatsApp sends them again, and " +
				"then slower",
			metrics: []metric{f.webhookDuration("p99")}, above: 1000, seconds: minutes, consecutive: 3,
		},
	}
}

// ours returns one of our own metrics, over all functions together.
func (f *Functions) ours(of telemetry.Metric, stat string) metric {
	return metric{telemetry.Namespace, of.Name, stat, [][2]any{{telemetry.DimensionStage, string(f.options.Stage)}}}
}

// filled returns the terms of an expression over all metrics, with missing data as 0.
func filled(metrics []metric) []string {
	terms := make([]string, len(metrics))
	for i := range metrics {
		terms[i] = fmt.Sprintf("FILL(m%d,0)", i+1)
	}
	return terms
}

func sum(terms []string) string { return strings.Join(terms, "+") }

// alarmsOfWork returns the alarms on the functions' own metrics.
func (f *Functions) alarmsOfWork() []alarm {
	var list []alarm
	for _, counted := range []struct {
		metric telemetry.Metric
		says   string
	}{
		{telemetry.DeadLetters,
			"messages were given up on: GET /v1/outbox?state=dead_letter names them and why, and they can be replayed"},
		{telemetry.EventsParked,
			"what WhatsApp posted could not be dealt with: the lines \"record parked\" of the functions' logs name " +
				"it by correlationId, GET /v1/webhook-events/{correlationId} says why"},
		{telemetry.SendersStopped,
			"WhatsApp refuses a number or its token, so nothing is sent from it for now, or a token ends within " +
				"two weeks: make doctor says what is wrong"},
	} {
		list = append(list,
			alarm{id: counted.metric.Name, says: counted.says, metrics: []metric{f.ours(counted.metric, "Sum")},
				seconds: minutes, consecutive: 1})
	}
	for _, domain := range topology.Alarms(f.options.Without) {
		list = append(list, f.alarmOfDomain(domain))
	}
	// A sweep that fails while others run is in the failure queue.
	return append(list, alarm{
		id: telemetry.LogOldest.Name,
		says: "an entry of the log has been waiting for inbound or status for over five minutes, set aside or never " +
			"brought, or no sweep runs that says so",
		metrics: []metric{f.ours(telemetry.LogOldest, "Maximum")}, above: 300, seconds: minute, consecutive: 5,
		silence: true,
	}, alarm{
		id: telemetry.OutboxOldest.Name,
		says: "an event of the outbox has been waiting for over five minutes, or the sweep that says so " +
			"does not run",
		metrics: []metric{f.ours(telemetry.OutboxOldest, "Maximum")}, above: 300, seconds: minute, consecutive: 5,
		silence: true,
	}, alarm{
		id: telemetry.SlowOldest.Name,
		says: "a file, a listing of templates, an SMS or a question to a model has been waiting for its first " +
			"attempt for over a quarter of an hour: the log of slow-lane says why, of a question that of models",
		metrics: []metric{f.ours(telemetry.SlowOldest, "Maximum")}, above: 900, seconds: minutes, consecutive: 3,
	}, alarm{
		id: failureQueueHolds, says: "a scheduled run, or a notice of AWS, was given up: the failure queue holds it",
		metrics: []metric{f.queued()}, seconds: minutes, consecutive: 1,
	})
}

// alarmOfDomain returns the alarm of a domain's metric. An absent metric is an expression: CloudWatch then always has a
// value to compare.
func (f *Functions) alarmOfDomain(of topology.Alarm) alarm {
	a := alarm{
		id: of.Metric.Name, says: of.Says, metrics: []metric{f.ours(of.Metric, of.Stat)}, above: of.Above,
		seconds: int(of.Period.Seconds()), consecutive: of.Periods,
	}
	if of.Absent {
		a.id, a.value, a.above = of.Metric.Name+"Absent", "IF(FILL(m1,0)==0,1,0)", 0
	}
	return a
}

func (f *Functions) ofAPI(name, stat string) metric {
	return metric{"AWS/ApiGateway", name, stat, [][2]any{{"ApiId", f.api.Ref()}}}
}

// webhookDuration returns how long the webhook's invocations take. Only the webhook's caller gives up on slow answers.
func (f *Functions) webhookDuration(stat string) metric {
	i := slices.IndexFunc(topology.Functions, func(function topology.Function) bool {
		return slices.ContainsFunc(function.Routes, func(r topology.Route) bool { return r.Path == names.WebhookPath })
	})
	return f.ofFunction(topology.Functions[i], "Duration", stat)
}
