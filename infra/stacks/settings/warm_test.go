package settings_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/stacks/settings"
)

func TestTablesThatAreMadeReadyAreNamedWithTheirUnits(t *testing.T) {
	for text, want := range map[string]map[string]int{
		"": {}, "Messages=20000": {"Messages": 20000}, "Messages=20000,Outbox=4000": {
			"Messages": 20000, "Outbox": 4000},
		"Messages": nil, "Messages=3999": nil, "Messages=40001": nil, "Letters=20000": nil, "Messages=x": nil,
	} {
		options, err := settings.Read("build", func(name string) any {
			return map[string]any{"stage": "prod", "defaultTenant": "", "warmWrites": text}[name]
		})
		if want == nil {
			if err == nil || !strings.HasPrefix(err.Error(), "warmWrites: ") {
				t.Errorf("%q: %v", text, err)
			}
		} else if err != nil || !maps.Equal(options.WarmWrites, want) {
			t.Errorf("%q: %v, %v", text, options.WarmWrites, err)
		}
	}
}
