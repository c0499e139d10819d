package stacks

import (
	"fmt"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/telemetry"
)

// widget is a tile of the dashboard. Three make a row.
type widget struct {
	title   string
	metrics []metric
	seconds int
	ratio   [2]string // label and expression over the metrics m1, m2, …; empty to show the metrics themselves
	// shortens is set for a tile that leaves out its last metrics if the dashboard would have too many.
	shortens bool
}

// free is how many metrics a dashboard may have that costs nothing.
const free = 50

// addDashboard adds the page that answers "is anything stuck, and where": first alarms, then waiting and failed work,
// then each function, each table, and the API. A dashboard with at most fifty metrics is free.
func (f *Functions) addDashboard() {
	var age, errors, durations, throttled, latency []metric
	for _, function := range topology.MessageLoop() { // the alarms name the others
		errors = append(errors, f.ofFunction(function, "Errors", "Sum"))
		if function.Name != "webhook" { // a tile of its own shows it
			durations = append(durations, f.ofFunction(function, "Duration", "p99"))
		}
		if len(function.Streams) > 0 {
			age = append(age, f.ofFunction(function, "IteratorAge", "Maximum"))
		}
	}
	for _, table := range watchedTables() {
		throttled = append(throttled, f.throttled(table)...)
		latency = append(latency, f.latency(table))
	}
	errors = append(errors, anyFunction("Errors", "Sum"))
	var domains []metric
	for _, alarm := range topology.Alarms(f.options.Without) {
		if alarm.Above > 0 { // what should never be is in the alarm's tile
			domains = append(domains, f.ours(alarm.Metric, "Maximum"))
		}
	}
	widgets := []widget{
		{title: "Behind: age of the oldest record, by function", metrics: age, seconds: minute},
		{title: "Waiting: age of the oldest pending event of the outbox, and of its slow lane",
			metrics: []metric{f.ours(telemetry.OutboxOldest, "Maximum"), f.ours(telemetry.SlowOldest, "Maximum")},
			seconds: minute},
		{title: "Waiting: age of the oldest entry of the log",
			metrics: []metric{f.ours(telemetry.LogOldest, "Maximum")}, seconds: minute},
		{title: "Waiting: time to send, p50 and p99",
			metrics: []metric{f.ours(telemetry.OutboxAge, "p50"), f.ours(telemetry.OutboxAge, "p99")},
			seconds: minutes},
		{title: "Given up: dead letters, parked events, stopped senders", metrics: []metric{
			f.ours(telemetry.DeadLetters, "Sum"), f.ours(telemetry.EventsParked, "Sum"),
			f.ours(telemetry.SendersStopped, "Sum")}, seconds: minutes},
		{title: "Given up: runs that never came to be (failure queue)", metrics: []metric{f.queued()},
			seconds: minutes},
		{title: "Messages in and out, and statuses failed", metrics: []metric{
			f.ours(telemetry.MessagesIn, "Sum"), f.ours(telemetry.MessagesOut, "Sum"),
			f.ours(telemetry.StatusFailed, "Sum")}, seconds: minutes},
		f.unitsPerMessage(),
		{title: "The domains' own metrics that have a limit", metrics: domains, seconds: minute},
		{title: "Errors by function, and of all functions of the account", metrics: errors, seconds: minutes},
		{title: "Refused runs, of all functions of the account", metrics: []metric{anyFunction("Throttles", "Sum")},
			seconds: minutes},
		{title: "Duration p99 by function", metrics: durations, seconds: minutes},
		{title: "Refused requests by table", metrics: throttled, seconds: minutes, shortens: true},
		{title: "DynamoDB transactions by table: average latency", metrics: latency, seconds: minutes,
			shortens: true},
		{title: "Objects in the failure bucket (daily)", metrics: []metric{f.kept()}, seconds: secondsADay},
		{title: "HTTP API: requests, refused, failed",
			metrics: []metric{f.ofAPI("Count", "Sum"), f.ofAPI("4xx", "Sum"), f.ofAPI("5xx", "Sum")}, seconds: minutes},
		{title: "HTTP API: latency p99",
			metrics: []metric{f.ofAPI("Latency", "p99"), f.ofAPI("IntegrationLatency", "p99")}, seconds: minutes},
		{title: "Webhook: duration p50 and p99", metrics: []metric{f.webhookDuration("p50"), f.webhookDuration("p99")},
			seconds: minutes},
	}
	widgets = fitting(widgets, free)
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
				"title": w.title, "metrics": w.series(), "region": f.Region(), "period": w.seconds,
				"view": "timeSeries",
			},
		})
	}
	dashboard := awscloudwatch.NewCfnDashboard(f.Stack, jsii.String("Dashboard"), &awscloudwatch.CfnDashboardProps{
		DashboardName: jsii.String("haatline-" + string(f.options.Stage)),
		DashboardBody: f.ToJsonString(map[string]any{"widgets": tiles}, nil),
	})
	identify(dashboard, "Dashboard")
}

// fitting returns the widgets with no more metrics than most, as far as those that shorten can give way, the last
// first. So a new domain's metrics have a place.
func fitting(widgets []widget, most int) []widget {
	over := -most
	for _, w := range widgets {
		over += len(w.metrics)
	}
	for i, w := range slices.Backward(widgets) {
		if w.shortens && over > 0 {
			cut := min(over, len(w.metrics)-1)
			widgets[i].metrics = w.metrics[:len(w.metrics)-cut]
			over -= cut
		}
	}
	return widgets
}

// unitsPerMessage shows how the cost of a message changes: the write units of all tables per message in either
// direction. DynamoDB's free metric leaves out the indexes. Each invocation's log line includes them.
func (f *Functions) unitsPerMessage() widget {
	all := []metric{f.ours(telemetry.MessagesIn, "Sum"), f.ours(telemetry.MessagesOut, "Sum")}
	for _, table := range watchedTables() {
		all = append(all, f.written(table))
	}
	terms := filled(all)
	return widget{
		title: "DynamoDB write units of the tables per message, in and out", metrics: all, seconds: minutes,
		ratio: [2]string{"write units per message", "(" + sum(terms[2:]) + ")/(" + sum(terms[:2]) + ")"},
	}
}

// series returns the metrics as a dashboard writes them: namespace, name, dimensions, and how to draw them.
func (w widget) series() []any {
	var list []any
	if w.ratio[1] != "" {
		list = append(list, []any{map[string]any{"expression": w.ratio[1], "label": w.ratio[0]}})
	}
	for i, m := range w.metrics {
		line := []any{m.namespace, m.name}
		for _, d := range m.dimensions {
			line = append(line, d[0], d[1])
		}
		drawn := map[string]any{"stat": m.stat}
		if w.ratio[1] != "" {
			drawn["id"], drawn["visible"] = fmt.Sprintf("m%d", i+1), false
		}
		list = append(list, append(line, drawn))
	}
	return list
}
