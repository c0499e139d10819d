// Package stacks makes the CloudFormation stacks from the tables and the topology. It adds only what AWS needs beyond
// them: retention, encryption, protection and tags.
package stacks

import (
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/shared/tables"
)

// NewAll makes every stack of a deployment. It returns an error if a function has not been built.
func NewAll(scope constructs.Construct, options settings.Options) error {
	data, identity := NewData(scope, options), NewIdentity(scope, options)
	functions, err := NewFunctions(scope, options, data, identity)
	if err != nil {
		return err
	}
	for name, stack := range map[string]awscdk.Stack{
		names.Data: data.Stack, names.Identity: identity.Stack, names.Functions: functions.Stack} {
		if slices.Contains(options.Unprotected, name) {
			stack.SetTerminationProtection(jsii.Bool(false))
		}
	}
	return nil
}

// newStack returns a tagged stack of the stage. It is protected against deletion if the stage is durable.
func newStack(scope constructs.Construct, name, description string, stage tables.Stage) awscdk.Stack {
	id := names.Stack(name, stage)
	stack := awscdk.NewStack(scope, &id, &awscdk.StackProps{
		StackName:             &id,
		Description:           &description,
		TerminationProtection: jsii.Bool(stage.Durable()),
	})
	// Some regions reject tags on a dashboard.
	but := &awscdk.TagProps{ExcludeResourceTypes: jsii.Strings("AWS::CloudWatch::Dashboard")}
	awscdk.Tags_Of(stack).Add(jsii.String("project"), jsii.String("haatline"), but)
	awscdk.Tags_Of(stack).Add(jsii.String("stage"), jsii.String(string(stage)), but)
	return stack
}

// retainedOnceCreated returns the policy for named resources with content. Outside dev they are retained when the stack
// is deleted, but not when the deployment that creates them fails, because the next attempt would find the name taken.
// Tables and the user pool are retained even then: they are protected, so deleting them would fail and leave the
// deployment stuck.
func retainedOnceCreated(stage tables.Stage) awscdk.RemovalPolicy {
	if stage.Durable() {
		return awscdk.RemovalPolicy_RETAIN_ON_UPDATE_OR_DELETE
	}
	return awscdk.RemovalPolicy_DESTROY
}

// arn returns the ARN of a resource in the stack's account and region whose name is known.
func arn(stack awscdk.Stack, service, resource string) *string {
	return jsii.String("arn:" + *stack.Partition() + ":" + service + ":" + *stack.Region() + ":" + *stack.Account() +
		":" + resource)
}

// identify sets an explicit logical id, so that moving a construct in the tree cannot change it.
func identify(resource awscdk.CfnElement, id string) { resource.OverrideLogicalId(&id) }

// document returns a policy document.
func document(statements ...any) map[string]any {
	return map[string]any{"Version": "2012-10-17", "Statement": statements}
}

func allow(actions, resources []*string) map[string]any {
	return map[string]any{"Effect": "Allow", "Action": &actions, "Resource": &resources}
}

// denyPlainHTTP returns the statement that denies unencrypted requests.
func denyPlainHTTP(action string, resources ...*string) map[string]any {
	return map[string]any{
		"Effect": "Deny", "Principal": "*", "Action": action, "Resource": &resources,
		"Condition": map[string]any{"Bool": map[string]any{"aws:SecureTransport": "false"}},
	}
}

// texts returns the texts that pointers of the CDK point at.
func texts(of []*string) []string {
	all := make([]string, len(of))
	for i, text := range of {
		all[i] = *text
	}
	return all
}

// goName returns OutboxSweep for outbox-sweep, and WhatsappAppSecret for whatsapp_app_secret.
func goName(name string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
