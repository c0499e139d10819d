package stacks_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

func TestWhatCanBeStuckHasAnAlarm(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	want := []string{
		"FailureQueueHolds", "FailureBucketHolds", "HttpApiErrors", "WebhookLatency", "DeadLetters", "EventsParked", "SendersStopped", "OutboxOldest", "LogOldestInbound", "LogOldestStatus",
	}
	for _, function := range topology.Functions {
		want = append(want, idOf(function)+"Errors", idOf(function)+"Throttles")
		for _, source := range function.Streams {
			want = append(want, idOf(function)+source.Table.ID+"Age", idOf(function)+source.Table.ID+"GivenUp")
		}
		for _, table := range function.Tables() {
			want = append(want, table.ID+"Throttled", table.ID+"Latency")
		}
	}
	for _, id := range want {
		if functions.Resources[id].Type != "AWS::CloudWatch::Alarm" {
			t.Errorf("there is no alarm %s", id)
		}
	}
}

// An alarm says in words what is wrong, reaches the topic both ways, and is quiet where nothing happens.
func TestEveryAlarmSpeaks(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		properties := functions.Resources[id].Properties
		if description := said(properties["AlarmDescription"]); len(description) < 30 || properties["AlarmName"] != "haatline-prod-"+id {
			t.Errorf("%s: %s", id, description)
		}
		if said(properties["AlarmActions"]) != "[map[Ref:Alarms]]" || said(properties["OKActions"]) != "[map[Ref:Alarms]]" {
			t.Errorf("%s: %v", id, properties)
		}
		quiet := properties["TreatMissingData"] == "notBreaching"
		if sweep := strings.Contains(id, "Oldest"); quiet == sweep { // only a sweep that says nothing is trouble
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

// read lists the metrics that an alarm reads.
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

// metered are the operations that DynamoDB writes metrics for. A condition check is part of a transaction and has none.
var metered = []string{
	"BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "TransactGetItems", "TransactWriteItems", "UpdateItem",
}

// DynamoDB hands its latencies on as sums, from which no percentile can be had: an alarm on one would never have data.
func TestAlarmsReadMetricsThatDynamoDBWrites(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		for _, m := range read(functions.Resources[id]) {
			if at(m, "Metric", "Namespace") != "AWS/DynamoDB" {
				continue
			}
			if at(m, "Metric", "MetricName") == "SuccessfulRequestLatency" && !slices.Contains([]string{"Average", "Maximum", "Minimum", "SampleCount"}, said(at(m, "Stat"))) {
				t.Errorf("%s: %v of a latency", id, at(m, "Stat"))
			}
			for _, dimension := range at(m, "Metric", "Dimensions").([]any) {
				if value := said(at(dimension, "Value")); at(dimension, "Name") == "Operation" && !slices.Contains(metered, value) {
					t.Errorf("%s: %s has no metrics", id, value)
				}
			}
		}
	}
	body := said(functions.Resources["Dashboard"].Properties["DashboardBody"])
	if strings.Contains(body, "ConditionCheckItem") || regexp.MustCompile(`"SuccessfulRequestLatency"[^]]*"stat":"p`).MatchString(body) {
		t.Error("the dashboard draws what DynamoDB does not write")
	}
}

// In an hour with three requests, one bad one is a third of them. A share counts from the third bad one on, and a
// percentile has to be high for longer than one request lasts.
func TestOneBadRequestInAQuietHourIsNoAlarm(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		alarm := functions.Resources[id]
		for _, m := range alarm.Properties["Metrics"].([]any) {
			if expression := said(at(m, "Expression")); strings.Contains(expression, "/") && !strings.HasPrefix(expression, "IF(m1>=3,") {
				t.Errorf("%s: %s", id, expression)
			}
		}
		for _, m := range read(alarm) {
			if stat := said(at(m, "Stat")); strings.HasPrefix(stat, "p") && alarm.Properties["EvaluationPeriods"].(float64) < 3 {
				t.Errorf("%s: %s over one period", id, stat)
			}
		}
	}
}

func TestThresholds(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for id, want := range map[string]struct{ above, seconds, consecutive float64 }{
		"MessagesThrottled": {0, 60, 5}, "MessagesLatency": {50, 300, 3}, "InboundErrors": {1, 900, 1}, "InboundMessagesAge": {60_000, 60, 5},
		"FailureQueueHolds": {0, 300, 1}, "HttpApiErrors": {1, 900, 1}, "WebhookLatency": {1000, 300, 3},
		"DeadLetters": {0, 300, 1}, "EventsParked": {0, 300, 1}, "SendersStopped": {0, 300, 1}, "OutboxOldest": {300, 60, 5}, "LogOldestInbound": {300, 60, 5},
	} {
		properties := functions.Resources[id].Properties
		period := at(properties["Metrics"].([]any)[0], "MetricStat", "Period")
		if properties["Threshold"] != want.above || period != want.seconds || properties["EvaluationPeriods"] != want.consecutive {
			t.Errorf("%s: %v, %v, %v", id, properties["Threshold"], period, properties["EvaluationPeriods"])
		}
	}
}

// The dashboard shows every alarm, and names every function, stream source and table where something can be stuck.
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
	for _, id := range functions.of("AWS::Lambda::EventSourceMapping") {
		want = append(want, "${"+id+"}")
	}
	for _, metric := range telemetry.Metrics() {
		want = append(want, `"haatline","`+metric.Name+`"`)
	}
	for _, function := range topology.Functions {
		want = append(want, `"haatline-`+function.Name+`-prod"`)
		for _, table := range function.Tables() {
			want = append(want, `"`+table.Name(tables.Prod)+`"`)
		}
	}
	for _, text := range want {
		if !strings.Contains(body, text) {
			t.Errorf("%s is not on it", text)
		}
	}
}
