// Package bill computes what a stage costs in a month. It uses the resources in the templates, the DynamoDB units of
// each flow, and the bytes that each invocation logs; tests measure all three and keep them up to date. Two tables are
// plain data: AWS's list prices, and assumptions about the messages.
//
// These prices are why a write of its own marks an entry of the log as processed. The mark could be in the transaction
// that stores the message. At 10,000 messages a day that would save a round trip each, one cent a month, and take one
// more write unit each, nine cents a month. A test measures both.
package bill

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/cost"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/shared/tables"
)

// Item is a line of the bill.
type Item struct {
	What string
	USD  float64
	Why  string // how the amount is computed
}

// Run prints the monthly bill of a stage, item by item, with the total in the last line.
func Run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bill", flag.ContinueOnError)
	messages := flags.Float64("messages", 10_000, "messages a day, in and out")
	orders := flags.Float64("orders", 0, "orders a day by chat; their messages come on top of the others")
	agents := flags.Float64("agents", 0, "people who have the console open for eight hours a day")
	stage := flags.String("stage", "prod", "dev, staging or prod")
	tokens := flags.String("tokens", "secrets", "kms for a deployment with -c tokens=kms")
	if err := usage.Parse(flags, args, out); err != nil {
		return err
	}
	if *messages < 0 || *messages > 1e8 || math.IsNaN(*messages) {
		return usage.Wrong("-messages %v: a number from 0 to 100000000", *messages)
	}
	if *orders < 0 || *orders > 1e7 || math.IsNaN(*orders) {
		return usage.Wrong("-orders %v: a number from 0 to 10000000", *orders)
	}
	if *agents < 0 || *agents > 1e6 || math.IsNaN(*agents) {
		return usage.Wrong("-agents %v: a number from 0 to 1000000", *agents)
	}
	if *tokens != "secrets" && *tokens != "kms" {
		return usage.Wrong("-tokens %s: it is kms or secrets", *tokens)
	}
	items, err := Month(tables.Stage(*stage), Load{*messages, *orders, *agents})
	if err != nil {
		return usage.Wrong("%v", err)
	}
	if *tokens == "kms" {
		items = append(items, Item{"Key of tokens", prices.key,
			"of KMS, a month; a dollar more after each of the first two years"})
	}
	_, err = io.WriteString(out, Show(items))
	return err
}

// Show formats a bill as text.
func Show(items []Item) string {
	text := ""
	for _, item := range items {
		text += fmt.Sprintf("%10.2f  %-28s %s\n", item.USD, item.What, item.Why)
	}
	return text + fmt.Sprintf("total %.2f USD a month\n", Total(items))
}

// Total returns the sum of the items.
func Total(items []Item) float64 {
	sum := 0.0
	for _, item := range items {
		sum += item.USD
	}
	return sum
}

// lines is what an invocation logs, measured on the running functions. An API invocation that changes something logs
// more than one that reads.
type lines struct{ Bytes, Lines, ReadUnits float64 }

// logs has the log volume of an invocation by function, and that of an idle sweep by "{function} sweep".
//
//go:embed measured/logs.json
var logs []byte

const (
	days            = 30
	secondsADay     = 24 * 60 * 60
	window          = 5 * 60 // seconds for which functions cache a secret, and DynamoDB caches a table's key
	overhead        = 26     // bytes that CloudWatch adds to each line
	systemLogBytes  = 760    // bytes that Lambda itself logs per invocation
	routeMetrics    = 6      // metrics of a route with detailed metrics
	sourceMetrics   = 7      // metrics of an event source mapping with metrics
	readsASecond    = 4      // reads per shard and second
	tracedAtLeast   = 1      // invocations per second that Lambda always traces,
	tracedOfTheRest = 0.05   // and share of the others
)

// month is the work of a stage in a month.
type month struct {
	Inventory
	stage    tables.Stage
	measured map[string]lines

	in, out float64 // messages, with those of orders
	notices float64 // of the messages out: quiet ones about orders
	// requests of people: messages sent, conversations marked as read, orders moved, and what only reads
	sent, marks, moves, looks float64
	orders                    float64            // by chat
	busy                      float64            // seconds
	runs                      map[string]float64 // by function, without the sweeps
	sweeps                    map[string]float64
	agentHours                float64 // in which somebody has the console open
	asks                      float64 // requests of open consoles: changes, counts and presence
	requests                  float64 // requests of the HTTP API
	people                    float64
}

// Flows of the cost report, and what the names of a store's tables and of that of the orders begin with.
const (
	inbound   = "an inbound text of a known customer"
	outbound  = "an outbound text with its three statuses"
	notice    = "a quiet notice with its three statuses"
	chat      = "an order by chat in three turns"
	life      = "an order's life to delivered"
	ofOrders  = "vyaparai-"
	theOrders = ofOrders + "orders"
)

// operators is the function that answers people at their work.
const operators = "messaging-api"

// Load is what a stage has to do in a day: messages in and out, orders by chat, and people who have the console open.
type Load struct{ Messages, Orders, Agents float64 }

// Month returns the items of a stage's monthly bill for a load.
func Month(stage tables.Stage, load Load) ([]Item, error) {
	messages, orders := load.Messages, load.Orders
	inventory, err := Deployed(stage)
	if err != nil {
		return nil, err
	}
	m := month{Inventory: inventory, stage: stage, measured: map[string]lines{}, sweeps: map[string]float64{}}
	if err := json.Unmarshal(logs, &m.measured); err != nil {
		return nil, err
	}
	// The assistant reads and answers what comes in for an order, and the notices are automatic. People move the order.
	m.orders = orders * days
	m.sent, m.moves = messages*days*(1-mix.in), m.orders*mix.orderMoves
	m.marks, m.looks = messages*days*mix.in*mix.marks, messages*days*mix.looks+m.moves*mix.looks
	m.notices = m.orders * mix.orderNotices
	m.in, m.out = messages*days*mix.in+m.orders*mix.orderIn, m.sent+m.orders*mix.orderAnswers+m.notices
	m.people = max(1, math.Ceil(messages/mix.messagesAPerson))
	if m.in+m.out > 0 {
		m.busy = days * mix.busyHours * 60 * 60
	}
	for function, expressions := range m.Schedules {
		for _, expression := range expressions {
			every, err := periodOf(expression)
			if err != nil {
				return nil, fmt.Errorf("a schedule of %s: %w", function, err)
			}
			m.sweeps[function] += days * secondsADay / every.Seconds()
		}
	}
	statuses := m.out * mix.statuses
	m.runs = map[string]float64{
		"webhook": m.in + statuses, "inbound": m.batched(m.in), "status": m.batched(statuses),
		"outbox":  m.batched(m.out + m.marks),
		operators: m.changes() + m.looks, // those of orders are another function's, which is like it
	}
	if orders > 0 {
		m.runs["orders"] = m.batched(m.orders * (1 + mix.orderMoves))
	}
	m.agentHours = load.Agents * days * mix.consoleHours
	m.asks = m.agentHours * (mix.consoleAsks + mix.consoleCounts + mix.consoleTells)
	m.runs[operators] += m.asks
	m.requests = m.runs["webhook"] + m.runs[operators]
	return m.items()
}

// periodOf returns how often a rate of the scheduler starts something.
func periodOf(expression string) (time.Duration, error) {
	var count float64
	var unit string
	if _, err := fmt.Sscanf(strings.ReplaceAll(expression, ")", " "), "rate(%f %s", &count, &unit); err != nil {
		return 0, fmt.Errorf("%q is no rate: %w", expression, err)
	}
	unit = strings.TrimSuffix(unit, "s")
	each, known := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}[unit]
	if !known || count <= 0 {
		return 0, fmt.Errorf("%q is no rate", expression)
	}
	return time.Duration(count * float64(each)), nil
}

// changes returns the requests of people that change something.
func (m month) changes() float64 { return m.sent + m.marks + m.moves }

// batched returns how many invocations a stream needs for a number of records. Lambda's polling limits how often a
// shard is read.
func (m month) batched(records float64) float64 {
	return min(records, m.busy*mix.shards*readsASecond)
}

func (m month) items() ([]Item, error) {
	writes, reads, err := m.units()
	if err != nil {
		return nil, err
	}
	stored, err := m.stored()
	if err != nil {
		return nil, err
	}
	perGB, recovery := prices.tableGB, "without recovery"
	if m.Recovered {
		perGB, recovery = perGB+prices.recoveryGB, "with recovery"
	}
	runs, gigabyteSeconds, logged := m.lambda()
	access := m.requests * (mix.accessLineBytes + overhead) / gigabyte
	series, seriesOf := m.series()
	traces := m.traces()
	keyCalls, secretCalls := m.windows()
	starts := total(m.sweeps)
	out := (m.out*mix.sendBytes + m.runs[operators]*mix.answerBytes) / gigabyte
	dashboard := 0.0
	if m.Drawn > freeMetrics {
		dashboard = prices.dashboard * float64(m.Dashboards)
	}
	return []Item{
		{"DynamoDB, written", writes * prices.writeUnit, fmt.Sprintf("%.2f million units", writes/million)},
		{"DynamoDB, read", reads * prices.readUnit, fmt.Sprintf("%.2f million units", reads/million)},
		{"DynamoDB, stored", stored * perGB,
			fmt.Sprintf("%.2f GB of one month's messages, %s; as much again with every month that they are kept",
				stored, recovery)},
		{"DynamoDB, keys of KMS", keyCalls * prices.keyCall, fmt.Sprintf("%.0f calls", keyCalls)},
		{"Lambda, runs", runs * prices.run, fmt.Sprintf("%.2f million", runs/million)},
		{"Lambda, time", gigabyteSeconds * prices.gigabyteSecond, fmt.Sprintf("%.0f GB-seconds", gigabyteSeconds)},
		{"HTTP API", m.requests * prices.request, fmt.Sprintf("%.2f million requests", m.requests/million)},
		{"Scheduler", starts * prices.start, fmt.Sprintf("%.0f starts of sweeps", starts)},
		{"Logs of the functions", logged * (prices.logGB + prices.logGBKept), fmt.Sprintf("%.2f GB", logged)},
		{"Access log of the API", access * (prices.logGB + prices.logGBKept), fmt.Sprintf("%.2f GB", access)},
		{"Metrics of our own", float64(series) * prices.metric, seriesOf},
		{"Metrics of routes", float64(m.DetailedRoutes*routeMetrics) * prices.metric,
			fmt.Sprintf("%d routes with their own", m.DetailedRoutes)},
		{"Metrics of stream mappings", float64(m.CountedSources*sourceMetrics) * prices.metric,
			fmt.Sprintf("%d mappings with their own", m.CountedSources)},
		{"Alarms", float64(m.AlarmMetrics) * prices.alarmMetric, fmt.Sprintf("%d metrics read", m.AlarmMetrics)},
		{"Dashboard", dashboard, fmt.Sprintf("%d metrics; %d are free", m.Drawn, freeMetrics)},
		{"Traces", traces * prices.trace, fmt.Sprintf("%.2f million", traces/million)},
		{"Secrets", float64(m.Secrets)*prices.secret + secretCalls*prices.secretCall,
			fmt.Sprintf("%d held, %.0f calls", m.Secrets, secretCalls)},
		{"Sign-in", m.people * prices.person, fmt.Sprintf("of %.0f", m.people)},
		{"Data out", out * prices.outGB, fmt.Sprintf("%.2f GB", out)},
		m.front(), m.files(),
	}, nil
}

// front returns what the console costs at CloudFront. The API's answers leave by it, too, and are counted as data out.
func (m month) front() Item {
	if m.Distributions == 0 {
		return Item{"Console, CloudFront", 0, "there is none"}
	}
	loads := m.people * days * mix.consoleLoads * mix.consoleFiles
	bytes := m.people * mix.consoleReleases * mix.consoleBytes / gigabyte
	requests := loads + m.runs[operators]
	return Item{"Console, CloudFront", requests*prices.frontRequest + bytes*prices.frontGB + loads*prices.frontRun,
		fmt.Sprintf("%.2f million requests, those of the API included", requests/million)}
}

// files returns what the files of the console cost in S3.
func (m month) files() Item {
	if m.Distributions == 0 {
		return Item{"Console, files in S3", 0, "there are none"}
	}
	stored := mix.consoleReleases * 12 * mix.consoleBytes * 4 / gigabyte // of a year, uncompressed
	reads := m.people * days * mix.consoleLoads * mix.consoleFiles
	return Item{"Console, files in S3", stored*prices.fileGB + reads*prices.fileRead,
		fmt.Sprintf("%.2f million reads", reads/million)}
}

// units returns the DynamoDB units of all flows.
func (m month) units() (writes, reads float64, err error) {
	for _, of := range []struct {
		flow  string
		count float64
	}{
		{inbound, m.in * (1 - mix.newCustomers)},
		{"an inbound text of a new customer", m.in * mix.newCustomers},
		{outbound, m.out - m.notices},
		{notice, m.notices},
		{"a conversation marked as read", m.marks},
	} {
		write, read, err := cost.Units(of.flow)
		if err != nil {
			return 0, 0, err
		}
		writes, reads = writes+of.count*write, reads+of.count*read
	}
	for _, part := range []struct {
		flow, tables string // its messages are counted above
		sign         float64
	}{{chat, ofOrders, 1}, {chat, theOrders, -1}, {life, ofOrders, 1}} { // a life begins with the order's making
		write, read, err := cost.UnitsOn(part.flow, part.tables)
		if err != nil {
			return 0, 0, err
		}
		writes, reads = writes+part.sign*m.orders*write, reads+part.sign*m.orders*read
	}
	writes += m.changes()*mix.auditUnits + m.claims()
	reads += m.looks*mix.lookUnits + m.agentHours*
		(mix.consoleAsks*mix.askUnits+mix.consoleCounts*mix.countUnits+mix.consoleTells*mix.tellUnits)
	for _, function := range slices.Sorted(maps.Keys(m.sweeps)) { // in order, because floating-point sums depend on it
		count := m.sweeps[function]
		reads += count * m.measured[function+" sweep"].ReadUnits
	}
	return writes, reads, nil
}

// stored returns the gigabytes that the messages and orders of the month leave.
func (m month) stored() (float64, error) {
	bytes := 0.0
	for _, of := range []struct {
		flow, tables string
		count        float64
	}{
		{inbound, "", m.in}, {outbound, "", m.out - m.notices}, {notice, "", m.notices}, {life, ofOrders, m.orders},
	} {
		each, err := cost.Stored(of.flow, of.tables)
		if err != nil {
			return 0, err
		}
		bytes += of.count * each
	}
	return bytes / gigabyte, nil
}

// claims returns how often a process of the API takes tokens of a tenant's limit, each time with one write: for twenty
// requests, and once in a minute at least while there are any, for those that read and those that change something.
func (m month) claims() float64 {
	requests := m.runs[operators]
	return min(requests, m.busy/60*2+requests/20)
}
