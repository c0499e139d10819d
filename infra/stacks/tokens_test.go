package stacks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The functions that send may open tokens by the key, and nobody else may. Without the setting there is no key.
func TestTokensOfNumbersHaveAKeyIfItIsAskedFor(t *testing.T) {
	without := stage(t, "prod")["functions"]
	with := deploy(t, map[string]any{"stage": "prod", "defaultTenant": "", "tokens": "kms"})["functions"]
	var more []string
	for id := range with.Resources {
		if _, was := without.Resources[id]; !was {
			more = append(more, id)
		}
	}
	slices.Sort(more)
	if diff := cmp.Diff([]string{"TokensKey", "TokensKeyAlias"}, more); diff != "" {
		t.Error(diff)
	}
	key := with.Resources["TokensKey"]
	if at(key.Properties, "EnableKeyRotation") != true || key.DeletionPolicy != "Retain" ||
		at(with.Resources["TokensKeyAlias"].Properties, "AliasName") != "alias/haatline-prod-tokens" {
		t.Errorf("%v %s", key.Properties, key.DeletionPolicy)
	}
	var may []string
	for id, resource := range with.Resources {
		if resource.Type != "AWS::IAM::Role" {
			continue
		}
		for _, line := range granted(t, id, resource) {
			if strings.Contains(line, "kms:") {
				may = append(may, id+" "+line)
			}
		}
	}
	slices.Sort(may)
	want := []string{"OutboxRole kms:Decrypt on ${TokensKey.Arn}", "SlowLaneRole kms:Decrypt on ${TokensKey.Arn}"}
	if diff := cmp.Diff(want, may); diff != "" {
		t.Error(diff)
	}
}
