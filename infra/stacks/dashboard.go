package stacks

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/topology"
)

// widget is a tile of the dashboard; three make a row.
type widget struct {
	title   string
	metrics []metric
	seconds int
}

// addDashboard makes the page that answers "is anything stuck, and where": first what is in alarm, then what waits or
// was given up on and where, then each function, each table, and the API.
func (f *Functions) addDashboard() {
	var age, givenUp, errors, throttles, durations, throttled, latency []metric
	for _, function := range topology.Functions {
		errors = append(errors, f.ofFunction(function, "Errors", "Sum"))
		throttles = append(throttles, f.ofFunction(function, "Throttles", "Sum"))
		durations = append(durations, f.ofFunction(function, "Duration", "p99"))
		for _, source := range function.Streams {
			age = append(age, f.ofFunction(function, "IteratorAge", "Maximum"))
			givenUp = append(givenUp, f.ofSource(function, source, "OnFailureDestinationDeliveredEventCount"))
		}
	}
	for _, table := range watchedTables() {
		throttled = append(throttled, f.ofTable(table, "ThrottledRequests", "Sum")...)
		latency = append(latency, f.ofTable(table, "SuccessfulRequestLatency", "p99")...)
	}
	widgets := []widget{
		{"Behind: age of the oldest record, by function", age, minute},
		{"Given up: records to the failure bucket, by source", givenUp, minutes},
		{"Runs that never came to be (failure queue)", []metric{f.queued()}, minutes},
		{"Errors by function", errors, minutes},
		{"Refused runs by function", throttles, minutes},
		{"Duration p99 by function", durations, minutes},
		{"Refused requests by table and operation", throttled, minutes},
		{"DynamoDB latency p99 by table and operation", latency, minutes},
		{"Objects in the failure bucket (daily)", []metric{f.kept()}, secondsADay},
		{"HTTP API: requests, refused, failed", []metric{f.ofAPI("Count", "Sum"), f.ofAPI("4xx", "Sum"), f.ofAPI("5xx", "Sum")}, minutes},
		{"HTTP API: latency p99", []metric{f.ofAPI("Latency", "p99"), f.ofAPI("IntegrationLatency", "p99")}, minutes},
		{"Webhook: latency p50 and p99", []metric{f.ofWebhook("Latency", "p50"), f.ofWebhook("Latency", "p99")}, minutes},
	}
	const width, height = 8, 6
	var alarms []any
	for _, a := range f.alarms {
		alarms = append(alarms, a.AttrArn())
	}
	tiles := []any{map[string]any{
		"type": "alarm", "x": 0, "y": 0, "width": 3 * width, "height": height,
		"properties": map[string]any{"title": "Is anything wrong?", "alarms": alarms},
	}}
	for i, w := range widgets {
		tiles = append(tiles, map[string]any{
			"type": "metric", "x": i % 3 * width, "y": (1 + i/3) * height, "width": width, "height": height,
			"properties": map[string]any{
				"title": w.title, "metrics": w.series(), "region": f.Region(), "period": w.seconds, "view": "timeSeries",
			},
		})
	}
	dashboard := awscloudwatch.NewCfnDashboard(f.Stack, jsii.String("Dashboard"), &awscloudwatch.CfnDashboardProps{
		DashboardName: jsii.String("haatline-" + string(f.options.Stage)),
		DashboardBody: f.ToJsonString(map[string]any{"widgets": tiles}, nil),
	})
	identify(dashboard, "Dashboard")
}

// series are the metrics as a dashboard writes them: namespace, name, dimensions, and how to draw it.
func (w widget) series() []any {
	var list []any
	for _, m := range w.metrics {
		line := []any{m.namespace, m.name}
		for _, d := range m.dimensions {
			line = append(line, d[0], d[1])
		}
		list = append(list, append(line, map[string]any{"stat": m.stat}))
	}
	return list
}
