package gateways

import (
	"errors"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/paygate"
	"github.com/haatline/haatline/shared/problem"
)

// The refusal names the providers in a text of its own: what reads their webhooks stays out of functions that do not.
func TestTheRefusalNamesTheProviders(t *testing.T) {
	var refused *problem.Error
	if !errors.As(ErrNotVerified, &refused) {
		t.Fatal(ErrNotVerified)
	}
	for _, provider := range paygate.Providers() {
		if !strings.Contains(refused.Detail, provider) {
			t.Errorf("%s lacks %s", refused.Detail, provider)
		}
	}
}
