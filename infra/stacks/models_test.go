package stacks_test

import (
	"slices"
	"strings"
	"testing"
)

// beside returns what a role may in one deployment and not in another.
func beside(t *testing.T, id string, one, other made) []string {
	t.Helper()
	has := granted(t, id, other)
	return slices.DeleteFunc(granted(t, id, one), func(line string) bool { return slices.Contains(has, line) })
}

// A deployment that names models of Bedrock may ask these, and no others. One that names none may ask none.
func TestOnlyTheModelsThatAreNamedMayBeAsked(t *testing.T) {
	with := deploy(t, map[string]any{
		"stage": "prod", "defaultTenant": "", "reservedConcurrency": "models=5",
		"models": "bedrock:amazon.nova-lite-v1:0,bedrock:apac.amazon.nova-micro-v1:0=0.04/0.15,openai:gpt-4o-mini",
	})["functions"]
	none := stage(t, "prod")["functions"]
	const asks = "bedrock:InvokeModel on arn:${AWS::Partition}:bedrock:"
	want := []string{
		asks + "*::foundation-model/amazon.nova-lite-v1:0",
		asks + "${AWS::Region}:${AWS::AccountId}:inference-profile/apac.amazon.nova-micro-v1:0",
		asks + "*::foundation-model/amazon.nova-micro-v1:0",
	}
	for _, id := range with.of("AWS::IAM::Role") {
		more := beside(t, id, with.Resources[id], none.Resources[id])
		if id == "ModelsRole" && !slices.Equal(more, want) || id != "ModelsRole" && len(more) > 0 {
			t.Errorf("%s may beside: %q", id, more)
		}
	}
	if got := with.Resources["Models"].Properties["ReservedConcurrentExecutions"]; got != 5.0 {
		t.Errorf("%v runs are reserved", got)
	}
	for _, id := range none.of("AWS::IAM::Role") {
		for _, line := range granted(t, id, none.Resources[id]) {
			if strings.HasPrefix(line, "bedrock:") {
				t.Errorf("%s may %s", id, line)
			}
		}
	}
}
