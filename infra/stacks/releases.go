package stacks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscodedeploy"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/telemetry"
)

// liveAlias is the alias of a function's version that everything starts.
const liveAlias = "live"

// started says what of a function everything starts: the function itself, or its alias.
type started struct {
	function  *string // the function's name
	name, arn *string // of what is started
	qualifier string
}

// canary is how a deployment moves to a new version: a tenth of the runs for five minutes, and then all.
const canary = "CodeDeployDefault.LambdaCanary10Percent5Minutes"

// addLive publishes a function's version and points its alias to it. CodeDeploy moves the alias, and back if one of the
// function's alarms goes on meanwhile. Dev has no aliases: SAM does not know them, and nobody waits for a canary there.
func (f *Functions) addLive(function topology.Function, made awslambda.CfnFunction, code string,
	environment map[string]*string) {
	f.starts[function.Name] = started{made.Ref(), made.Ref(), made.AttrArn(), "$LATEST"}
	if f.mover == nil {
		return
	}
	id := goName(function.Name)
	version := awslambda.NewCfnVersion(f.Stack, jsii.String(id+"Version"),
		&awslambda.CfnVersionProps{FunctionName: made.Ref()})
	identify(version, id+"Version"+f.configured(function, code, environment))
	alias := awslambda.NewCfnAlias(f.Stack, jsii.String(id+"Live"), &awslambda.CfnAliasProps{
		FunctionName: made.Ref(), FunctionVersion: version.AttrVersion(), Name: jsii.String(liveAlias),
	})
	identify(alias, id+"Live")
	f.aliases[function.Name] = alias
	f.starts[function.Name] = started{made.Ref(), alias.Ref(), alias.Ref(), liveAlias}
	var alarms []any
	for _, id := range f.stopping(function) {
		alarms = append(alarms, &awscodedeploy.CfnDeploymentGroup_AlarmProperty{
			Name: jsii.String(names.AlarmPrefix(f.options.Stage) + id)})
	}
	group := awscodedeploy.NewCfnDeploymentGroup(f.Stack, jsii.String(id+"Move"),
		&awscodedeploy.CfnDeploymentGroupProps{
			ApplicationName: f.mover.Ref(), ServiceRoleArn: f.moverRole.AttrArn(),
			DeploymentConfigName: jsii.String(canary),
			DeploymentStyle: &awscodedeploy.CfnDeploymentGroup_DeploymentStyleProperty{
				DeploymentType: jsii.String("BLUE_GREEN"), DeploymentOption: jsii.String("WITH_TRAFFIC_CONTROL")},
			AlarmConfiguration: &awscodedeploy.CfnDeploymentGroup_AlarmConfigurationProperty{
				Enabled: true, Alarms: &alarms},
			AutoRollbackConfiguration: &awscodedeploy.CfnDeploymentGroup_AutoRollbackConfigurationProperty{
				Enabled: true, Events: jsii.Strings("DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"),
			},
		})
	identify(group, id+"Move")
	alias.CfnOptions().SetUpdatePolicy(&awscdk.CfnUpdatePolicy{
		CodeDeployLambdaAliasUpdate: &awscdk.CfnCodeDeployLambdaAliasUpdate{
			ApplicationName: f.mover.Ref(), DeploymentGroupName: group.Ref()},
	})
}

// configured returns a hash of what makes a version: the program and the configuration. Lambda publishes no version
// without a change, and an alias does not see a change without a version. What addFunction sets for all functions alike
// is not in it: a change of that counts with the next change of the program.
func (f *Functions) configured(function topology.Function, code string, environment map[string]*string) string {
	of := []string{code, function.Purpose, fmt.Sprint(function.MemoryMB, function.Timeout,
		slices.Contains(f.options.Traced, function.Name))}
	for _, name := range slices.Sorted(maps.Keys(environment)) {
		value := *environment[name]
		if strings.Contains(value, "${Token[") { // of the account: it stays
			value = ""
		}
		of = append(of, name+"="+value)
	}
	hash := sha256.Sum256([]byte(strings.Join(of, "\n")))
	return hex.EncodeToString(hash[:4])
}

// stopping returns the ids of the alarms that stop a function's move: those on its errors and on what waits for it, and
// on the API's answers.
func (f *Functions) stopping(function topology.Function) (ids []string) {
	for _, a := range f.alarmsOfFunction(function) {
		ids = append(ids, a.id)
	}
	if len(function.Routes) > 0 || function.Sessions {
		ids = append(ids, apiErrors)
	}
	if onlyStarts(function) {
		ids = append(ids, failureQueueHolds)
	}
	if function.Tokens { // an alarm of its own would be a tenth of a dollar a month for all who run haatline
		ids = append(ids, throttles)
	}
	if topology.Woken(function.Name) { // its events wait in the slow lane
		ids = append(ids, telemetry.DeadLetters.Name, telemetry.SlowOldest.Name)
	}
	return ids
}

// moveAfterAlarms has the aliases move only when the alarms are there that may stop them.
func (f *Functions) moveAfterAlarms() {
	if f.mover == nil {
		return
	}
	for _, function := range f.deployed() {
		for _, alarm := range f.alarms {
			id := strings.TrimPrefix(*alarm.AlarmName(), names.AlarmPrefix(f.options.Stage))
			if slices.Contains(f.stopping(function), id) {
				f.aliases[function.Name].AddResourceDependency(alarm, jsii.String("it may stop the move"))
			}
		}
	}
}

// addMover adds what moves the aliases, outside dev. It may do nothing else.
func (f *Functions) addMover() {
	if !f.options.Stage.Durable() {
		return
	}
	var functions []*string
	for _, function := range f.deployed() {
		name := "function:" + f.functionName(function)
		functions = append(functions, arn(f.Stack, "lambda", name), arn(f.Stack, "lambda", name+":"+liveAlias))
	}
	f.mover = awscodedeploy.NewCfnApplication(f.Stack, jsii.String("Mover"), &awscodedeploy.CfnApplicationProps{
		ApplicationName: jsii.String("haatline-" + string(f.options.Stage)), ComputePlatform: jsii.String("Lambda")})
	identify(f.mover, "Mover")
	f.moverRole = f.newRole("MoverRole", "codedeploy.amazonaws.com", nil, []any{
		allow(*jsii.Strings("lambda:GetAlias", "lambda:GetProvisionedConcurrencyConfig", "lambda:UpdateAlias"),
			functions),
		allow(*jsii.Strings("cloudwatch:DescribeAlarms"), []*string{jsii.String("*")}), // it takes no resources
	})
}
