// Package stacks owns what is deployed: the CloudFormation stacks, made from the tables and the topology. It adds what
// AWS needs to know beyond them (retention, encryption, protection, tags) and describes nothing a second time.
package stacks

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/shared/tables"
)

// ParseStage reads the context value "stage": dev where there is none. A misspelt stage must not become a stack of its
// own, so only the three known ones pass.
func ParseStage(context any) (tables.Stage, error) {
	if context == nil {
		return tables.Dev, nil
	}
	name, _ := context.(string)
	switch stage := tables.Stage(name); stage {
	case tables.Dev, tables.Staging, tables.Prod:
		return stage, nil
	}
	return "", fmt.Errorf("stage %q is not one of dev, staging, prod (-c stage=…)", fmt.Sprint(context))
}

// newStack is a stack of the stage, tagged, and protected against deletion where the stage keeps its data.
func newStack(scope constructs.Construct, name, description string, stage tables.Stage) awscdk.Stack {
	id := "haatline-" + name + "-" + string(stage)
	stack := awscdk.NewStack(scope, &id, &awscdk.StackProps{
		StackName:             &id,
		Description:           &description,
		TerminationProtection: jsii.Bool(stage.Durable()),
	})
	awscdk.Tags_Of(stack).Add(jsii.String("project"), jsii.String("haatline"), nil)
	awscdk.Tags_Of(stack).Add(jsii.String("stage"), jsii.String(string(stage)), nil)
	return stack
}
