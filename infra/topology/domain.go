package topology

import (
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Part is what one domain adds to the system. Each has a file of its own here.
type Part struct {
	Name      string
	Functions []Function // its own: its API, its schedules
	// Shared is what its reactions, outbox handlers, eraser and exporter need in functions that serve all domains, by
	// the function's name. Erasing and exporting run in messaging-api.
	Shared map[string]Needs
	// Alarms watch the domain's own metrics.
	Alarms []Alarm
	// Tables are those that the domain owns.
	Tables []Owned
}

// Owned is a table of a domain, and what becomes of what it holds of a customer. A test compares.
type Owned struct {
	Table tables.Table
	// Erased is the name under which an erasure counts what it takes from the table, or "not: " and the reason.
	Erased string
	// Exported is the kind of the export's lines, or "not: " and the reason.
	Exported string
}

// Alarm says that a metric of a domain means trouble. It fires if the statistic is above a value for a number of
// periods in a row. The metric has values only while the domain is used, so no value is no trouble, unless Absent says
// so.
type Alarm struct {
	Metric  telemetry.Metric
	Stat    string // of a period: Maximum or Sum
	Above   float64
	Period  time.Duration // a minute, or a multiple of it that CloudWatch allows
	Periods int           // in a row; with the period a week at most
	Absent  bool          // the alarm fires if there is no value, and only then
	Says    string        // what is wrong, and where to look
}

// Periods of alarms.
const (
	quarter = 15 * time.Minute
	day     = 24 * time.Hour
)

// Optional returns the names of the domains that a deployment may leave out.
func Optional() []string {
	var all []string
	for _, domain := range domains {
		if domain.Name != messagingDomain.Name {
			all = append(all, domain.Name)
		}
	}
	return all
}

// Deployed returns the functions of a deployment that leaves out some domains' own functions. What these domains need
// in the shared functions stays: it costs nothing as long as nobody uses them. The function that authorizes sessions
// goes with the last domain that has some, because its secret costs money.
func Deployed(without []string) []Function {
	left := map[string]bool{}
	ends, stays := false, false
	for _, domain := range domains {
		for _, f := range domain.Functions {
			left[f.Name] = slices.Contains(without, domain.Name)
			sessions := slices.ContainsFunc(f.Routes, func(r Route) bool { return r.For == Sessions })
			ends, stays = ends || sessions && left[f.Name], stays || sessions && !left[f.Name]
		}
	}
	return slices.DeleteFunc(slices.Clone(Functions),
		func(f Function) bool { return left[f.Name] || f.Sessions && ends && !stays })
}

// Alarms returns the alarms of the domains that a deployment does not leave out.
func Alarms(without []string) []Alarm {
	var all []Alarm
	for _, domain := range domains {
		if !slices.Contains(without, domain.Name) {
			all = append(all, domain.Alarms...)
		}
	}
	return all
}

// MessageLoop returns the functions that every message keeps busy, and the API of the inbox, without what other domains
// need in them.
func MessageLoop() []Function {
	// most messages show no file, model, form or payment
	seldom := []string{"slow-lane", "models", "flow-exchange", "payment-webhook"}
	return slices.DeleteFunc(join(shared, []Part{messagingDomain}),
		func(f Function) bool { return slices.Contains(seldom, f.Name) })
}

// Metrics returns the metrics of all functions.
func Metrics() []telemetry.Metric {
	var all []telemetry.Metric
	for _, f := range Functions {
		for _, metric := range f.Metrics {
			if !slices.Contains(all, metric) {
				all = append(all, metric)
			}
		}
	}
	return all
}

// Needs is what a domain adds to a function that serves all domains.
type Needs struct {
	Grants    []Grant
	Objects   []ObjectGrant
	Metrics   []telemetry.Metric
	Schedules []Schedule
	Config    []string
	Secrets   []string
	Opens     bool
	SMS       bool
	Email     bool
	Live      bool
}

// sends is what preparing a WhatsApp message needs, in a function of any domain.
var sends = []Grant{
	{Table: tables.Messages, Actions: []string{"BatchGetItem", "ConditionCheckItem", "GetItem", "UpdateItem"}},
	{Table: tables.Outbox, Actions: []string{"PutItem"}},
	{Table: tables.OutboxSequences, Actions: []string{"BatchGetItem", "UpdateItem"}},
}

// counts is what the limit of a tenant's calls needs, in every function of the API.
var counts = Grant{Table: tables.RateLimits, Actions: []string{"UpdateItem"}}

// resends is what marking a dead letter as sent again needs beside.
var resends = Grant{Table: tables.Outbox, Actions: []string{"GetItem", "UpdateItem"}}

// Functions lists every function, with what the domains need of it.
var Functions = append(join(shared, domains), openAPI, sessionAuthorizer, preToken)

// All returns the functions of a deployment that has everything, as the local cloud does.
func All() []Function { return append(slices.Clone(Functions), LiveAuthorizer, EUMWebhook) }

// join returns the functions of all domains. A function that serves all has the grants of all: those on one table
// become one.
func join(shared []Function, domains []Part) []Function {
	all := slices.Clone(shared)
	for _, domain := range domains {
		all = append(all, domain.Functions...)
	}
	for _, domain := range domains {
		for name, needs := range domain.Shared {
			at := slices.IndexFunc(all, func(f Function) bool { return f.Name == name })
			if at < 0 {
				panic(fmt.Sprintf("a domain needs something in %s, which is no function", name))
			}
			f := &all[at]
			f.SMS, f.Email, f.Config = f.SMS || needs.SMS, f.Email || needs.Email, union(f.Config, needs.Config)
			f.Secrets, f.Opens = union(f.Secrets, needs.Secrets), f.Opens || needs.Opens
			f.Live, f.Schedules = f.Live || needs.Live, append(slices.Clip(f.Schedules), needs.Schedules...)
			for _, metric := range needs.Metrics {
				if !slices.Contains(f.Metrics, metric) {
					f.Metrics = append(slices.Clip(f.Metrics), metric)
				}
			}
			f.Objects = slices.Concat(f.Objects, needs.Objects)
			f.Grants = slices.Clone(f.Grants)
			for _, grant := range needs.Grants {
				f.Grants = add(f.Grants, grant)
			}
		}
	}
	return all
}

// add returns grants with one more.
func add(grants []Grant, more Grant) []Grant {
	at := slices.IndexFunc(grants,
		func(g Grant) bool { return g.Table.ID == more.Table.ID && slices.Equal(g.Leading, more.Leading) })
	if at < 0 {
		return append(grants, more)
	}
	grants[at].Actions = union(grants[at].Actions, more.Actions)
	grants[at].Indexes = union(grants[at].Indexes, more.Indexes)
	return grants
}

// union returns the values of both lists, sorted, without repetition; the first list as it is where the second is
// empty.
func union(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}
