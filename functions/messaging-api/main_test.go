package main

import (
	"slices"
	"testing"

	"github.com/haatline/haatline/infra/topology/topologytest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
)

func TestTheFunctionReadsTheVariablesThatItDeclares(t *testing.T) {
	topologytest.Variables(t, "messaging-api", wire, nil)
}

// A section whose scope nobody can have is shown to nobody.
func TestTheScopesOfWhatStandsBesideConversationsExist(t *testing.T) {
	rooms, needed := registry.Open(messaging.Config{}), map[string]string{}
	for _, section := range rooms.Beside() {
		needed[section.Name] = section.Scope
	}
	for _, mark := range rooms.Marks() {
		needed[mark.Name] = mark.Scope
	}
	for name, scope := range needed {
		if !slices.ContainsFunc(httpapi.Scopes(), func(s httpapi.Scope) bool {
			return s.Name == httpapi.ScopePrefix+scope
		}) {
			t.Errorf("%s needs %q", name, scope)
		}
	}
	if len(needed) < 7 {
		t.Errorf("only %v", needed)
	}
}
