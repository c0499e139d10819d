package stacks_test

import (
	"encoding/json"
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
		if returned != 1 || len(metrics) > 10 { // what CloudWatch takes
			t.Errorf("%s: %d metrics, %d of them returned", id, len(metrics), returned)
		}
	}
}

func TestThresholds(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for id, want := range map[string]struct{ above, seconds, consecutive float64 }{
		"MessagesThrottled": {0, 60, 5}, "MessagesLatency": {100, 300, 3}, "InboundErrors": {1, 300, 1}, "InboundMessagesAge": {60_000, 60, 5},
		"FailureQueueHolds": {0, 300, 1}, "HttpApiErrors": {1, 300, 1}, "WebhookLatency": {1000, 300, 1},
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
