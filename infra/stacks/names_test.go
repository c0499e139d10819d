package stacks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

// Other programs find a deployment's resources by these names.
func TestThingsAreCalledWhatTheirNamesSay(t *testing.T) {
	all := chosen(t)
	for stack, outputs := range map[string][]string{
		names.Data: nil, names.Functions: {names.APIURL, names.ConsoleURL},
		names.Identity: {names.UserPoolID, names.ClientID, names.SignInURL},
	} {
		made, there := all[stack]
		if !there {
			t.Errorf("there is no stack %s", stack)
		}
		for _, output := range outputs {
			if made.Outputs[output] == nil {
				t.Errorf("%s has no output %s", stack, output)
			}
		}
	}
	functions := all[names.Functions]
	if functions.Resources[names.AlarmTopic].Type != "AWS::SNS::Topic" {
		t.Errorf("%s is no topic", names.AlarmTopic)
	}
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		if name := said(functions.Resources[id].Properties["AlarmName"]); !strings.HasPrefix(name,
			names.AlarmPrefix(tables.Prod)) {
			t.Errorf("the alarm %s is called %s", id, name)
		}
	}
	var secrets, webhook []string
	for _, id := range functions.of("AWS::SecretsManager::Secret") {
		secrets = append(secrets, said(functions.Resources[id].Properties["Name"]))
	}
	for _, function := range topology.Functions {
		for _, variable := range function.Secrets {
			id, member, _ := strings.Cut(
				strings.TrimPrefix(names.SecretRef(variable, tables.Prod), "secretsmanager:"), "#")
			if !slices.Contains(secrets, id) || member != variable {
				t.Errorf("%s is none of the secrets %v, or %s no member of it", id, secrets, member)
			}
		}
		for _, route := range function.Routes {
			if route.Path == names.WebhookPath {
				webhook = append(webhook, route.Method)
			}
		}
	}
	if slices.Sort(webhook); !slices.Equal(webhook, []string{"GET", "POST"}) {
		t.Errorf("%s is taken with %v", names.WebhookPath, webhook)
	}
}
