package stacks_test

import (
	"slices"
	"strings"
	"testing"
)

// Who does not use a domain deploys, and pays for, nothing that runs for it.
func TestADomainThatIsLeftOutHasNoFunctionsAndNoAlarms(t *testing.T) {
	with := stage(t, "prod")["functions"]
	without := deploy(t, map[string]any{"stage": "prod", "defaultTenant": "", "without": "cards"})["functions"]
	for _, kind := range []string{"AWS::Lambda::Function", "AWS::Scheduler::Schedule", "AWS::CloudWatch::Alarm", "AWS::ApiGatewayV2::Route"} {
		var gone []string
		for _, id := range with.of(kind) {
			if !slices.Contains(without.of(kind), id) {
				gone = append(gone, id)
			}
		}
		ours := slices.DeleteFunc(slices.Clone(gone), func(id string) bool { return strings.Contains(id, "Approvals") || strings.Contains(id, "Cards") })
		if len(gone) == 0 || len(ours) > 0 {
			t.Errorf("%s: without cards there are no %v", kind, gone)
		}
	}
}
