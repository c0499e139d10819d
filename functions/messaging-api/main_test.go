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
	sections := registry.Open(messaging.Config{}).Beside()
	for _, section := range sections {
		if !slices.ContainsFunc(httpapi.Scopes(), func(s httpapi.Scope) bool {
			return s.Name == httpapi.ScopePrefix+section.Scope
		}) {
			t.Errorf("%s needs %q", section.Name, section.Scope)
		}
	}
	if len(sections) < 5 {
		t.Errorf("%d sections", len(sections))
	}
}
