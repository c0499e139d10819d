package stacks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The functions that send may open tokens by the key, and those that call companies' functions the secrets of these.
// The API that stores such a secret may seal it, and nobody else may do anything. Without the setting there is no key.
func TestTokensOfNumbersHaveAKeyIfItIsAskedFor(t *testing.T) {
	without := stage(t, "prod")["functions"]
	with := deploy(t, map[string]any{"stage": "prod", "defaultTenant": "", "tokens": "kms"})["functions"]
	var more []string
	for id, made := range with.Resources {
		if _, was := without.Resources[id]; !was && made.Type != "AWS::Lambda::Version" {
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
	want := []string{
		"ConversationsApiRole kms:Decrypt on ${TokensKey.Arn}", "ConversationsApiRole kms:Encrypt on ${TokensKey.Arn}",
		"MessagingApiRole kms:Encrypt on ${TokensKey.Arn}",
		"ModelsRole kms:Decrypt on ${TokensKey.Arn}", "OutboxRole kms:Decrypt on ${TokensKey.Arn}",
		"SlowLaneRole kms:Decrypt on ${TokensKey.Arn}"}
	if diff := cmp.Diff(want, may); diff != "" {
		t.Error(diff)
	}
}
