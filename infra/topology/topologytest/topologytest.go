// Package topologytest compares what a function does with what the topology declares. It is for the functions' own
// tests: nothing else can call a function's wiring.
package topologytest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/live"
)

// Variables fails the test if a function's wiring asks its environment for other variables than the topology declares.
// wire is the wiring. values are what the environment answers it; variables without a value are empty.
func Variables(t testing.TB, function string, wire func(getenv func(string) string) any, values map[string]string) {
	t.Helper()
	all := topology.All()
	at := slices.IndexFunc(all, func(f topology.Function) bool { return f.Name == function })
	if at < 0 {
		t.Fatalf("the topology has no function %s", function)
	}
	var asked []string
	wire(func(name string) string {
		if !givenToAll(name) && !slices.Contains(asked, name) {
			asked = append(asked, name)
		}
		return values[name]
	})
	slices.Sort(asked)
	f := all[at]
	declared := f.Variables()
	if len(f.Objects) > 0 {
		declared = append(declared, "MEDIA_BUCKET")
	}
	if f.Live {
		declared = append(declared, live.Variable)
	}
	for _, name := range f.Wakes {
		if woken, is := topology.Named(name); is {
			declared = append(declared, woken.Starter())
		}
	}
	slices.Sort(declared)
	if diff := cmp.Diff(declared, asked); diff != "" && len(declared)+len(asked) > 0 {
		t.Errorf("variables that %s declares, and those it asks for:\n%s", function, diff)
	}
}

// givenToAll reports whether every function gets a variable without declaring it: from Lambda, or with its tables.
func givenToAll(name string) bool {
	return strings.HasPrefix(name, "AWS_") || strings.HasSuffix(name, "_TABLE_NAME") || name == "STAGE" ||
		name == "DYNAMODB_ENDPOINT" || name == "S3_ENDPOINT"
}
