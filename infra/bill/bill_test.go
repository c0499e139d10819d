package bill

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/tables"
)

func bought(t *testing.T, stage tables.Stage, messages, orders float64) []Item {
	t.Helper()
	items, err := Month(stage, Load{Messages: messages, Orders: orders})
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// The golden file makes every change of the cost visible in review.
func TestTheBillsAreTheCommittedOnes(t *testing.T) {
	var got strings.Builder
	for _, of := range []struct {
		stage            tables.Stage
		messages, orders float64
	}{{tables.Dev, 0, 0}, {tables.Prod, 0, 0}, {tables.Prod, 10_000, 0}, {tables.Prod, 0, 200},
		{tables.Prod, 1_000_000, 0}} {
		fmt.Fprintf(&got, "%s, %.0f messages and %.0f orders a day\n%s\n", of.stage, of.messages, of.orders,
			Show(bought(t, of.stage, of.messages, of.orders)))
	}
	golden.Compare(t, "testdata/bill.golden", got.String())
}

// The goals are of a stage with all domains.
func TestAMonthCostsNoMoreThanItsGoal(t *testing.T) {
	for _, goal := range []struct {
		stage         tables.Stage
		messages, usd float64
	}{{tables.Dev, 0, 3}, {tables.Prod, 0, 5.50}, {tables.Prod, 10_000, 20}} {
		items, usd := bought(t, goal.stage, goal.messages, 0), goal.usd
		if total := Total(items); total > usd || total < usd/10 {
			t.Errorf("%s with %.0f messages a day: the goal is %.2f\n%s", goal.stage, goal.messages, usd, Show(items))
		}
	}
}

// Ten people at the console, for eight hours a day.
func TestAnOpenConsoleCostsNoMoreThanItsGoal(t *testing.T) {
	const goal = 5.00
	with, err := Month(tables.Prod, Load{Messages: 10_000, Agents: 10})
	if err != nil {
		t.Fatal(err)
	}
	if part := Total(with) - Total(bought(t, tables.Prod, 10_000, 0)); part > goal || part < goal/5 {
		t.Errorf("ten cost %.2f, and the goal is %.2f\n%s", part, goal, Show(with))
	}
}

// Orders come on top of a stage that is in use: what does not grow with them is there already. The goal is of a stage
// without the console, by which a request of people costs a second dollar for a million.
func TestTwoHundredOrdersADayCostNoMoreThanTheirGoal(t *testing.T) {
	const goal = 3.00
	ofConsole := func(item Item) bool { return strings.HasPrefix(item.What, "Console") }
	without := slices.DeleteFunc(bought(t, tables.Prod, 10_000, 0), ofConsole)
	with := slices.DeleteFunc(bought(t, tables.Prod, 10_000, 200), ofConsole)
	if part := Total(with) - Total(without); part > goal || part < goal/2 {
		t.Errorf("they cost %.2f, and the goal is %.2f\n%s", part, goal, Show(with))
	}
}

// Scripts parse the last line.
func TestTheLastLineIsTheTotal(t *testing.T) {
	var out bytes.Buffer
	if err := Run([]string{"-messages", "10000", "-stage", "prod"}, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	var usd float64
	if n, err := fmt.Sscanf(lines[len(lines)-1], "total %f USD a month", &usd); n != 1 || err != nil {
		t.Errorf("the last line is %q", lines[len(lines)-1])
	}
	out.Reset()
	if err := Run([]string{"-messages", "0", "-tokens", "kms"}, &out); err != nil ||
		!strings.Contains(out.String(), "1.00  Key of tokens") {
		t.Errorf("%v\n%s", err, &out)
	}
	for _, args := range [][]string{
		{"-tokens", "vault"},
		{"-messages", "-1"}, {"-messages", "NaN"}, {"-orders", "-1"}, {"-orders", "NaN"}, {"-stage", "local"}, {"more"},
	} {
		if err := Run(args, &out); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}

// Each of these costs money if a template has it, so that the bill shows when one comes back.
func TestWhatIsChargedIsCounted(t *testing.T) {
	inventory, err := Take([]byte(`{"Resources":{
		"A":{"Type":"AWS::CloudWatch::Alarm","Properties":{"Metrics":[{"MetricStat":{}},{"MetricStat":{}},{"Expression":"m1+m2"}]}},
		"B":{"Type":"AWS::CloudWatch::Alarm","Properties":{"MetricName":"Errors"}},
		"S":{"Type":"AWS::ApiGatewayV2::Stage","Properties":{"DefaultRouteSettings":{"DetailedMetricsEnabled":true},"RouteSettings":{"GET /x":{"DetailedMetricsEnabled":true},"GET /y":{}}}},
		"M":{"Type":"AWS::Lambda::EventSourceMapping","Properties":{"MetricsConfig":{"Metrics":["EventCount"]}}},
		"F":{"Type":"AWS::Lambda::Function","Properties":{"FunctionName":"haatline-messaging-api-prod","MemorySize":512,"TracingConfig":{"Mode":"Active"}}},
		"D":{"Type":"AWS::CloudWatch::Dashboard","Properties":{"DashboardBody":{"Fn::Join":["",["{\"metrics\":[[\"AWS/Lambda\",\"Errors\",{}],[\"haatline\",\"MessagesIn\"]]}"]]}}},
		"X":{"Type":"AWS::SecretsManager::Secret","Properties":{}},
		"C":{"Type":"AWS::CloudFront::Distribution","Properties":{}},
		"Copies":{"Type":"AWS::Lambda::Function","Properties":{"MemorySize":256}},
		"Messages":{"Type":"AWS::DynamoDB::Table","Properties":{"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}}}}`))
	want := Inventory{
		AlarmMetrics: 3, DetailedRoutes: 2, CountedSources: 1, Dashboards: 1, Drawn: 2, Secrets: 1, Recovered: true,
		Distributions: 1,
		Schedules:     map[string][]string{},
		Functions:     map[string]Function{"messaging-api": {MemoryMB: 512, Traced: true, SystemLog: true}},
	}
	if diff := cmp.Diff(want, inventory); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

// Lambda traces a run a second, and one in twenty of the others.
func TestTracesAreCountedWhereTheyAreMade(t *testing.T) {
	m := month{
		Inventory: Inventory{Functions: map[string]Function{"outbox": {Traced: true}, "inbound": {}}},
		busy:      100, runs: map[string]float64{"outbox": 1100, "inbound": 1100},
	}
	if got := m.traces(); got != 150 {
		t.Errorf("%v traces", got)
	}
}
