package stacks_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/bill"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// always lists the alarms of every stage: what was lost and what is stuck.
var always = []string{
	"DeadLetters", "EventsParked", "SendersStopped", "OutboxOldest", "LogOldest",
	"SlowOldest", "FailureQueueHolds"}

func TestWhatCanBeStuckHasAnAlarm(t *testing.T) {
	always := slices.Clone(always)
	for _, domain := range topology.Alarms(nil) {
		name := domain.Metric.Name
		if domain.Absent {
			name += "Absent"
		}
		always = append(always, name)
	}
	slices.Sort(always)
	want := slices.Concat(always,
		[]string{"FailureBucketHolds", "HttpApiErrors", "Throttles", "WebhookLatency", "WebhookRefused"})
	for _, function := range topology.Functions {
		if len(function.Streams) > 0 || function.Name == "webhook" { // FailureQueueHolds watches what only starts
			want = append(want, idOf(function)+"Errors")
		}
		for _, source := range function.Streams {
			want = append(want, idOf(function)+source.Table.ID+"Age")
		}
	}
	// tables in whose indexes all messages meet
	for _, table := range []tables.Table{tables.Messages, tables.Outbox} {
		want = append(want, table.ID+"Throttled")
	}
	for s, want := range map[tables.Stage][]string{tables.Prod: want, tables.Staging: want, tables.Dev: always} {
		if diff := cmp.Diff(slices.Compact(slices.Sorted(slices.Values(want))),
			stage(t, s)["functions"].of("AWS::CloudWatch::Alarm")); diff != "" {
			t.Errorf("%s:\n%s", s, diff)
		}
	}
}

// An alarm says in words what is wrong, notifies the topic when it begins and ends, and is quiet if nothing happens.
func TestEveryAlarmSpeaks(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		properties := functions.Resources[id].Properties
		if description := said(properties["AlarmDescription"]); len(description) < 30 ||
			properties["AlarmName"] != "haatline-prod-"+id {
			t.Errorf("%s: %s", id, description)
		}
		if said(properties["AlarmActions"]) != "[map[Ref:Alarms]]" ||
			said(properties["OKActions"]) != "[map[Ref:Alarms]]" {
			t.Errorf("%s: %v", id, properties)
		}
		quiet := properties["TreatMissingData"] == "notBreaching"
		// missing data is a problem only for metrics of a sweep
		if sweep := strings.Contains(id, "Oldest") && id != "SlowOldest"; quiet == sweep {
			t.Errorf("%s: no data is %v", id, properties["TreatMissingData"])
		}
		metrics := properties["Metrics"].([]any)
		returned := 0
		for _, m := range metrics {
			if at(m, "ReturnData") == true {
				returned++
			}
		}
		if returned != 1 {
			t.Errorf("%s: %d metrics are returned, and CloudWatch takes one", id, returned)
		}
	}
}

// read returns the metrics that an alarm reads.
func read(alarm made) []any {
	var list []any
	for _, m := range alarm.Properties["Metrics"].([]any) {
		if metric := at(m, "MetricStat"); metric != nil {
			list = append(list, metric)
		}
	}
	return list
}

func TestAnAlarmReadsAtMostTenMetrics(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		if metrics := read(functions.Resources[id]); len(metrics) == 0 || len(metrics) > 10 {
			t.Errorf("%s: %d metrics", id, len(metrics))
		}
	}
}

// DynamoDB writes latencies as sums, which have no percentiles, and writes throttles under different names for tables
// and for operations. An alarm on anything else would never have data.
func TestAlarmsAndTheDashboardReadMetricsThatDynamoDBWrites(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		for _, m := range read(functions.Resources[id]) {
			name := said(at(m, "Metric", "MetricName"))
			if at(m, "Metric", "Namespace") != "AWS/DynamoDB" {
				continue
			}
			dimensions := at(m, "Metric", "Dimensions").([]any)
			index := len(dimensions) == 2 && at(dimensions[1], "Name") == "GlobalSecondaryIndexName"
			if !slices.Contains([]string{"ReadThrottleEvents", "WriteThrottleEvents"}, name) ||
				at(dimensions[0], "Name") != "TableName" || len(dimensions) != 1 && !index {
				t.Errorf("%s: %v", id, m)
			}
		}
	}
	body := said(functions.Resources["Dashboard"].Properties["DashboardBody"])
	if regexp.MustCompile(`"SuccessfulRequestLatency"[^]]*"stat":"p`).MatchString(body) {
		t.Error("the dashboard draws percentiles of sums")
	}
}

// A dashboard with more than fifty metrics costs money every month.
func TestTheDashboardHasAtMostFiftyMetrics(t *testing.T) {
	for _, s := range []tables.Stage{tables.Dev, tables.Prod} {
		drawn := bill.Drawn(said(stage(t, s)["functions"].Resources["Dashboard"].Properties["DashboardBody"]))
		if drawn == 0 || drawn > 50 {
			t.Errorf("%s: %d metrics", s, drawn)
		}
	}
}

// In an hour with three requests, one bad request is a third. So a share counts from the third bad request on, and a
// percentile must stay high for longer than one request takes.
func TestOneBadRequestInAQuietHourIsNoAlarm(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		alarm := functions.Resources[id]
		for _, m := range alarm.Properties["Metrics"].([]any) {
			if expression := said(at(m, "Expression")); strings.Contains(expression, "/") &&
				!strings.HasPrefix(expression, "IF(m1>=3,") {
				t.Errorf("%s: %s", id, expression)
			}
		}
		for _, m := range read(alarm) {
			if stat := said(at(m, "Stat")); strings.HasPrefix(stat, "p") &&
				alarm.Properties["EvaluationPeriods"].(float64) < 3 {
				t.Errorf("%s: %s over one period", id, stat)
			}
		}
	}
}

func TestThresholds(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for id, want := range map[string]struct{ above, seconds, consecutive float64 }{
		"MessagesThrottled": {0, 60, 5}, "InboundErrors": {4, 900, 1}, "Throttles": {0, 60, 5},
		"InboundMessagesAge": {60_000, 60, 5},
		"FailureQueueHolds":  {0, 300, 1}, "HttpApiErrors": {1, 900, 1}, "WebhookLatency": {1000, 300, 3},
		"DeadLetters": {0, 300, 1}, "EventsParked": {0, 300, 1}, "SendersStopped": {0, 300, 1},
		"OutboxOldest": {300, 60, 5}, "LogOldest": {300, 60, 5},
	} {
		properties := functions.Resources[id].Properties
		period := at(properties["Metrics"].([]any)[0], "MetricStat", "Period")
		if properties["Threshold"] != want.above || period != want.seconds ||
			properties["EvaluationPeriods"] != want.consecutive {
			t.Errorf("%s: %v, %v, %v", id, properties["Threshold"], period, properties["EvaluationPeriods"])
		}
	}
}

// The dashboard shows every alarm and names every function, stream source and table in which something can get stuck.
func TestTheDashboardSaysWhere(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	body := said(functions.Resources["Dashboard"].Properties["DashboardBody"])
	if !json.Valid([]byte(body)) {
		t.Fatalf("the body is no JSON: %s", body)
	}
	var want []string
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		want = append(want, "${"+id+".Arn}")
	}
	for _, metric := range topology.Metrics() {
		never := slices.ContainsFunc(topology.Alarms(nil),
			func(a topology.Alarm) bool { return a.Metric == metric && a.Above == 0 })
		if metric.Series != telemetry.LogOnly && !never { // of what should never be, the alarm is on it
			want = append(want, `"haatline","`+metric.Name+`"`)
		}
	}
	for _, function := range topology.MessageLoop() {
		want = append(want, `"haatline-`+function.Name+`-prod"`)
	}
	for _, table := range []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences} {
		want = append(want, `"`+table.Name(tables.Prod)+`"`)
	}
	for _, text := range want {
		if !strings.Contains(body, text) {
			t.Errorf("%s is not on it", text)
		}
	}
}
