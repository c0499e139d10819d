// Package scale computes which limit a load meets first. A load is how often each flow happens. What a flow writes to
// each table and index is measured (package cost), and which of it meets in one key is plain data here.
package scale

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/haatline/haatline/infra/cost"
)

// Limits of AWS and Meta, by the second.
const (
	ofKey    = 1000   // write units of one key of a table or of an index
	ofTable  = 40_000 // write units of a table, or of all its indexes, until AWS raises the account's quota
	ofNumber = 1000   // messages out of one number at WhatsApp's highest level; 80 at the first
)

// Flows of the cost report.
const (
	in      = "an inbound text of a known customer"
	out     = "an outbound text with its three statuses"
	planned = "a reminder planned"
	quiet   = "a quiet notice with its three statuses" // a message to a customer about an order
	hundred = "a hundred orders of a sale, made and followed"
	step    = "a step of an order" // by the shop's people
)

// Scopes: what a key is one of.
const (
	deployment = "deployment"
	account    = "account at WhatsApp"
	number     = "number"
	store      = "store"
	product    = "product"
	shard      = "shard of what is due"
)

// part is what a flow adds to a key: a share of its units on a table or an index.
type part struct {
	flow, on string
	share    float64
}

// hot is a key that many writes meet in.
type hot struct {
	what, scope string
	parts       []part
}

// Tables.
const (
	messages = "base-wecare-digital-whatsapp"
	outbox   = "tazco-outbox"
	orders   = "vyaparai-orders-dev"
	products = "vyaparai-products-dev"
	metrics  = "vyaparai-metrics-dev"
)

// hotKeys lists the keys that many writes meet in. A message that goes out has neither a direction nor an inbox key
// while it waits, so that these indexes get it once.
var hotKeys = []hot{
	{"gsi_direction: OUTBOUND", deployment, []part{
		{out, messages + "/gsi_direction", 1}, {quiet, messages + "/gsi_direction", 1}}},
	{"gsi_direction: INBOUND", deployment, []part{{in, messages + "/gsi_direction", 1}}},
	// a message enters and leaves each of sent and delivered, and enters read
	{"gsi_status: sent", deployment, []part{
		{out, messages + "/gsi_status", 2. / 5}, {quiet, messages + "/gsi_status", 2. / 5}}},
	// an event enters and leaves pending, and enters what became of it
	{"OutboxByStatusCreatedAt: pending", deployment, []part{
		{out, outbox + "/OutboxByStatusCreatedAt", 2. / 3},
		{quiet, outbox + "/OutboxByStatusCreatedAt", 2. / 3}}},
	{"gsi_webhook_event: statuses", account, []part{
		{out, messages + "/gsi_webhook_event", 1}, {quiet, messages + "/gsi_webhook_event", 1}}},
	{"gsi_waba_itemtype", account, []part{
		{out, messages + "/gsi_waba_itemtype", 1}, {quiet, messages + "/gsi_waba_itemtype", 1},
		{in, messages + "/gsi_waba_itemtype", 1}}},
	{"gsi_inbox: messages", number, []part{
		{out, messages + "/gsi_inbox", 1. / 3}, {in, messages + "/gsi_inbox", 1. / 3},
		{quiet, messages + "/gsi_inbox", 1}}},
	{"gsi_inbox: conversations", number, []part{
		{out, messages + "/gsi_inbox", 2. / 3}, {in, messages + "/gsi_inbox", 2. / 3}}},
	{"store_id-created_at-index", store, []part{
		{hundred, orders + "/store_id-created_at-index", 1}, {step, orders + "/store_id-created_at-index", 1}}},
	{"GSI2 of orders: the day", store, []part{{hundred, orders + "/GSI2", 1}, {step, orders + "/GSI2", 1}}},
	// a step leaves one state and enters another
	{"GSI3 of orders: confirmed", store, []part{{hundred, orders + "/GSI3", 1}, {step, orders + "/GSI3", 1. / 2}}},
	// the day's item takes two units where its index takes one, because it changes in transactions
	{"metrics: the day", store, []part{{hundred, metrics + "/GSI1", 2}}},
	{"products: the stock", product, []part{{hundred, products, 1}}},
	{"reminder-due-index", shard, []part{{planned, "vyaparai-customer-balances-dev/reminder-due-index", 1}}},
	{"due-index of reminders", shard, []part{{planned, "vyaparai-payment-reminders-dev/due-index", 1}}},
}

// Load is how often each flow happens in a second, and over how many of each scope it spreads; of what is not named
// there is one.
type Load struct {
	Name   string
	Rates  map[string]float64
	Spread map[string]float64
}

// peak is how much faster the busiest minutes are than a day of twelve hours on average.
const peak, busyDay = 4.0, 12 * 3600.0

// Loads are the loads that the report is about.
var Loads = []Load{
	{"one tenant with one number: 1,000 messages a second, half of them out",
		map[string]float64{in: 500, out: 500}, map[string]float64{}},
	{"100,000 tenants of 10 messages a day",
		map[string]float64{in: 500_000 / busyDay * peak, out: 500_000 / busyDay * peak},
		map[string]float64{account: 100_000, number: 100_000}},
	{"a month's end: 10 million reminders of 10,000 stores, within a day",
		map[string]float64{planned: 10_000_000 / busyDay, out: 10_000_000 / busyDay},
		map[string]float64{account: 10_000, number: 10_000, shard: 4}},
}

// Finding is how much of a limit a load takes.
type Finding struct {
	What, Scope  string
	Takes, Limit float64
}

// Of returns what a load takes of each limit, the most first.
func Of(load Load) ([]Finding, error) {
	var all []Finding
	for _, key := range hotKeys {
		f := Finding{key.what, key.scope, 0, ofKey}
		for _, p := range key.parts {
			write, _, err := cost.UnitsAt(p.flow, p.on)
			if err != nil {
				return nil, err
			}
			f.Takes += load.Rates[p.flow] * write * p.share / cmp.Or(load.Spread[key.scope], 1)
		}
		all = append(all, f)
	}
	for _, table := range []string{messages, outbox, orders, metrics} {
		f := Finding{table, "table with its indexes", 0, ofTable}
		for flow, rate := range load.Rates {
			for _, name := range []string{table, table + "/"} {
				write, _, err := units(flow, name)
				if err != nil {
					return nil, err
				}
				f.Takes += rate * write
			}
		}
		all = append(all, f)
	}
	all = append(all, Finding{"messages out", number + " at WhatsApp",
		(load.Rates[out] + load.Rates[quiet]) / cmp.Or(load.Spread[number], 1), ofNumber})
	return sorted(all), nil
}

// sorted returns findings with the most first, without those that take next to nothing.
func sorted(all []Finding) []Finding {
	all = slices.DeleteFunc(all, func(f Finding) bool { return f.Takes < f.Limit/1000 })
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(b.Takes/b.Limit, a.Takes/a.Limit) })
	return all
}

// units returns the units of a flow on a table, or on all of its indexes for a name that ends with a slash.
func units(flow, name string) (write, read float64, err error) {
	if name[len(name)-1] == '/' {
		return cost.UnitsOn(flow, name)
	}
	return cost.UnitsAt(flow, name)
}

// Report returns what each load takes of the limits, in words.
func Report() (string, error) {
	text := ""
	for _, load := range Loads {
		found, err := Of(load)
		if err != nil {
			return "", err
		}
		text += load.Name + "\n" + show(found) + "\n"
	}
	played, err := TheSale.Report()
	return text + played, err
}

// show returns findings as lines.
func show(found []Finding) (text string) {
	for _, f := range found {
		text += fmt.Sprintf("  %5.0f %%  %6.0f of %5.0f a second  %s, one %s\n", 100*f.Takes/f.Limit, f.Takes,
			f.Limit, f.What, f.Scope)
	}
	return text
}

// Run prints the report.
func Run(_ []string, out io.Writer) error {
	text, err := Report()
	if err == nil {
		_, err = io.WriteString(out, text)
	}
	return err
}
