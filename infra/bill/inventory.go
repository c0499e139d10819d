package bill

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/tables"
)

// Inventory lists what costs money every month in a stage's templates, or decides what an invocation costs.
type Inventory struct {
	AlarmMetrics   int                 // metrics that alarms read, counted per alarm
	Dashboards     int                 //
	Drawn          int                 // number of metrics on the largest dashboard
	DetailedRoutes int                 // number of routes with detailed metrics
	CountedSources int                 // number of event source mappings with metrics
	Secrets        int                 //
	Distributions  int                 // of CloudFront: the console's
	Recovered      bool                // the messages table has point-in-time recovery
	Schedules      map[string][]string // schedule expressions by function
	Functions      map[string]Function // by name
}

// Function is a function's configuration in a template.
type Function struct {
	MemoryMB  float64
	Traced    bool
	SystemLog bool // Lambda logs lines of its own for every invocation
}

//go:embed measured/inventory.json
var inventories []byte

// Deployed returns a stage's inventory. A test of the stacks keeps the stored inventories up to date.
func Deployed(stage tables.Stage) (Inventory, error) {
	all := map[tables.Stage]Inventory{}
	if err := json.Unmarshal(inventories, &all); err != nil {
		return Inventory{}, err
	}
	inventory, known := all[stage]
	if !known {
		return Inventory{}, fmt.Errorf("stage %q is none of dev, staging, prod", stage)
	}
	return inventory, nil
}

// resource is a resource in a template.
type resource struct {
	Type       string
	Properties struct {
		FunctionName                     any
		MemorySize                       float64
		TracingConfig                    struct{ Mode string }
		LoggingConfig                    struct{ SystemLogLevel string }
		MetricsConfig                    struct{ Metrics []string }
		Metrics                          []struct{ MetricStat any }
		MetricName                       any
		ScheduleExpression               string
		Description                      string
		DashboardBody                    json.RawMessage
		DefaultRouteSettings             struct{ DetailedMetricsEnabled bool }
		RouteSettings                    map[string]struct{ DetailedMetricsEnabled bool }
		PointInTimeRecoverySpecification struct{ PointInTimeRecoveryEnabled bool }
	}
}

// Take returns the inventory of one stage's templates, given as JSON.
func Take(templates ...[]byte) (Inventory, error) {
	i := Inventory{Schedules: map[string][]string{}, Functions: map[string]Function{}}
	for _, text := range templates {
		var template struct{ Resources map[string]resource }
		if err := json.Unmarshal(text, &template); err != nil {
			return i, fmt.Errorf("read a template: %w", err)
		}
		for id, r := range template.Resources {
			i.add(id, r)
		}
	}
	return i, nil
}

func (i *Inventory) add(id string, r resource) {
	p := r.Properties
	switch r.Type {
	case "AWS::CloudWatch::Alarm":
		for _, m := range p.Metrics {
			if m.MetricStat != nil {
				i.AlarmMetrics++
			}
		}
		if p.MetricName != nil {
			i.AlarmMetrics++
		}
	case "AWS::CloudWatch::Dashboard":
		i.Dashboards++
		i.Drawn = max(i.Drawn, Drawn(string(p.DashboardBody)))
	case "AWS::ApiGatewayV2::Stage":
		if p.DefaultRouteSettings.DetailedMetricsEnabled {
			i.DetailedRoutes++
		}
		for _, route := range p.RouteSettings {
			if route.DetailedMetricsEnabled {
				i.DetailedRoutes++
			}
		}
	case "AWS::Lambda::EventSourceMapping":
		if len(p.MetricsConfig.Metrics) > 0 {
			i.CountedSources++
		}
	case "AWS::SecretsManager::Secret":
		i.Secrets++
	case "AWS::Scheduler::Schedule":
		name := strings.TrimPrefix(p.Description, "starts ")
		i.Schedules[name] = append(i.Schedules[name], p.ScheduleExpression)
		slices.Sort(i.Schedules[name]) // a template has no order
	case "AWS::CloudFront::Distribution":
		i.Distributions++
	case "AWS::Lambda::Function":
		name, ours := strings.CutPrefix(fmt.Sprint(p.FunctionName), "haatline-")
		if !ours {
			return // the CDK's own, which runs during a deployment
		}
		name = name[:strings.LastIndex(name, "-")] // without the stage
		i.Functions[name] = Function{
			MemoryMB: p.MemorySize, Traced: p.TracingConfig.Mode == "Active",
			SystemLog: p.LoggingConfig.SystemLogLevel != "WARN"}
	case "AWS::DynamoDB::Table":
		if id == tables.Messages.ID {
			i.Recovered = p.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled
		}
	}
}

// drawnMetric matches a metric in the body of a dashboard, which begins with its namespace and name.
var drawnMetric = regexp.MustCompile(`\[\\*"(?:AWS/\w+|haatline)\\*",\\*"\w+\\*"`)

// Drawn returns how many metrics the body of a dashboard draws, with repetitions.
func Drawn(body string) int { return len(drawnMetric.FindAllString(body, -1)) }
