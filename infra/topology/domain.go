package topology

import (
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Domain is what one domain adds to the system. Each has a file of its own here.
type Domain struct {
	Functions []Function // its own: its API, its schedules
	// Shared is what its reactions, outbox handlers and eraser need in functions that serve all domains, by the function's name.
	// Erasing runs in messaging-api.
	Shared map[string]Needs
}

// Needs is what a domain adds to a function that serves all domains.
type Needs struct {
	Grants  []Grant
	Metrics []telemetry.Metric
}

// domains lists the domains.
var domains = []Domain{messaging, cardsDomain}

// sends is what preparing a WhatsApp message needs, in a function of any domain.
var sends = []Grant{
	{Table: tables.Messages, Actions: []string{"BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"}},
	{Table: tables.Outbox, Actions: []string{"PutItem"}},
	{Table: tables.OutboxSequences, Actions: []string{"BatchGetItem", "UpdateItem"}},
}

// Functions lists every function, with what the domains need of it.
var Functions = append(join(shared, domains), openAPI)

// join returns the functions of all domains. A function that serves all has the grants of all: those on one table become one.
func join(shared []Function, domains []Domain) []Function {
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
			for _, metric := range needs.Metrics {
				if !slices.Contains(f.Metrics, metric) {
					f.Metrics = append(slices.Clip(f.Metrics), metric)
				}
			}
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
	at := slices.IndexFunc(grants, func(g Grant) bool { return g.Table.ID == more.Table.ID && slices.Equal(g.Leading, more.Leading) })
	if at < 0 {
		return append(grants, more)
	}
	grants[at].Actions = union(grants[at].Actions, more.Actions)
	grants[at].Indexes = union(grants[at].Indexes, more.Indexes)
	return grants
}

// union returns the values of both lists, sorted, without repetition; the first list as it is where the second is empty.
func union(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}
