package stacks_test

import (
	"slices"
	"testing"

	"github.com/haatline/haatline/infra/stacks"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/infra/topology"
)

// Only the function that tells events puts them on the bus, on that bus alone, and only where the deployment names one.
func TestOneFunctionPutsEventsOnTheBusThatIsNamed(t *testing.T) {
	for bus, want := range map[string][]string{"": nil, "haat": {"slow-lane"}} {
		var may []string
		for _, f := range topology.All() {
			options := settings.Options{Config: map[string]string{topology.EventBus: bus}}
			for _, s := range stacks.Optional(f, options) {
				if s.Service != "events" {
					continue
				}
				may = append(may, f.Name)
				if !slices.Equal(s.Actions, []string{"PutEvents"}) || len(s.Resources) != 1 ||
					s.Resources[0].Kind != stacks.EventBus || s.Resources[0].Name != bus {
					t.Errorf("%+v", s)
				}
			}
		}
		if !slices.Equal(may, want) {
			t.Errorf("bus %q: %v", bus, may)
		}
	}
}
