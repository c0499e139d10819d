package bill

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/haatline/haatline/shared/tables"
)

// Inventory is what a stage's templates hold that is charged by the month, or decides what a run is charged.
type Inventory struct {
	AlarmMetrics   int                 // that the alarms read, each as often as it is read
	Dashboards     int                 //
	Drawn          int                 // metrics of the dashboard that has most
	DetailedRoutes int                 // routes with metrics of their own
	CountedSources int                 // mappings to a stream with metrics of their own
	Secrets        int                 //
	Recovered      bool                // the messages can be recovered to a point in time
	Schedules      map[string]string   // their expressions, by the function they start
	Functions      map[string]Function // by name
}

// Function is what a template says of a function.
type Function struct {
	MemoryMB    float64
	Traced      bool
	PlatformLog bool // Lambda writes its own lines of every run
}

//go:embed measured/inventory.json
var inventories []byte

// Deployed returns what a stage holds, by its templates as they were last synthesised: a test of the stacks keeps the file true.
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

// resource is one of a template.
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

// Take counts what templates of one stage hold, each as JSON.
func Take(templates ...[]byte) (Inventory, error) {
	i := Inventory{Schedules: map[string]string{}, Functions: map[string]Function{}}
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
		i.Schedules[strings.TrimPrefix(p.Description, "starts ")] = p.ScheduleExpression
	case "AWS::Lambda::Function":
		name := strings.Split(fmt.Sprint(p.FunctionName), "-")[1]
		i.Functions[name] = Function{MemoryMB: p.MemorySize, Traced: p.TracingConfig.Mode == "Active", PlatformLog: p.LoggingConfig.SystemLogLevel != "WARN"}
	case "AWS::DynamoDB::Table":
		if id == tables.Messages.ID {
			i.Recovered = p.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled
		}
	}
}

// drawnMetric is a metric in the body of a dashboard: its namespace and its name come first.
var drawnMetric = regexp.MustCompile(`\[\\*"(?:AWS/\w+|haatline)\\*",\\*"\w+\\*"`)

// Drawn returns how many metrics the body of a dashboard names, each as often as it is drawn.
func Drawn(body string) int { return len(drawnMetric.FindAllString(body, -1)) }
