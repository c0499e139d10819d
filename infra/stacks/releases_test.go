package stacks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

// A new version gets a tenth of the runs for five minutes. The function's own alarms move its alias back.
func TestANewVersionIsACanaryThatAlarmsEnd(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	alarms := functions.of("AWS::CloudWatch::Alarm")
	for _, function := range topology.Functions {
		id := idOf(function)
		alias := functions.Resources[id+"Live"]
		version := said(at(alias.Properties, "FunctionVersion"))
		if said(at(alias.Properties, "FunctionName")) != "${"+id+"}" || at(alias.Properties, "Name") != "live" ||
			!strings.HasPrefix(version, "${"+id+"Version") {
			t.Errorf("%s: %v", function.Name, alias.Properties)
		}
		if got := said(at(alias.UpdatePolicy, "CodeDeployLambdaAliasUpdate", "DeploymentGroupName")); got !=
			"${"+id+"Move}" {
			t.Errorf("%s is moved by %s", function.Name, got)
		}
		move := functions.Resources[id+"Move"].Properties
		if at(move, "DeploymentConfigName") != "CodeDeployDefault.LambdaCanary10Percent5Minutes" ||
			at(move, "AutoRollbackConfiguration", "Enabled") != true ||
			!strings.Contains(said(at(move, "AutoRollbackConfiguration", "Events")), "DEPLOYMENT_STOP_ON_ALARM") {
			t.Errorf("%s: %v", function.Name, move)
		}
		list, _ := at(move, "AlarmConfiguration", "Alarms").([]any)
		if len(list) == 0 {
			t.Errorf("nothing stops the move of %s", function.Name)
		}
		for _, one := range list {
			alarm := strings.TrimPrefix(said(at(one, "Name")), "haatline-prod-")
			if !slices.Contains(alarms, alarm) || !strings.Contains(said(alias.DependsOn), alarm) {
				t.Errorf("%s is moved before there is the alarm %s", function.Name, alarm)
			}
		}
	}
	dev := stage(t, tables.Dev)["functions"]
	if diff := cmp.Diff([]string(nil), dev.of("AWS::Lambda::Alias")); diff != "" {
		t.Errorf("SAM knows no aliases:\n%s", diff)
	}
}
