package main

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/topology/topologytest"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/live/admission"
)

func TestTheFunctionReadsTheVariablesThatItDeclares(t *testing.T) {
	topologytest.Variables(t, "live-authorizer", wire, nil)
}

// The samples' token was signed with the key of the local cloud, and is good for ever.
func TestSampleEventsAreAnswered(t *testing.T) {
	yes := admission.Answer{IsAuthorized: true, Context: map[string]string{"sub": "user-0001", "tenant": "demo"}}
	cases := map[string]admission.Answer{"connect": yes, "own-channel": yes, "another-channel": {}}
	samples := dynamotest.Samples[admission.Request](t, "live-authorizer", cases)
	handle := wire(func(name string) string {
		return map[string]string{"SESSION_KEYS": "local-session-keys"}[name]
	}).(func(context.Context, admission.Request) (admission.Answer, error))
	for name, want := range cases {
		got, err := handle(t.Context(), samples[name])
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}
