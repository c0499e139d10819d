// Package deployment owns how a deployment in AWS is found: the stage, the account, and what a stack says of itself.
package deployment

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"

	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/tables"
)

// Local is the stage of the local cloud, which is no deployment in AWS.
const Local tables.Stage = "local"

// ParseStage reads the flag -stage. It returns a usage.Error for a stage that cannot be.
func ParseStage(name string, allowed ...tables.Stage) (tables.Stage, error) {
	allowed = slices.Concat(names.Stages, allowed)
	if stage := tables.Stage(name); slices.Contains(allowed, stage) {
		return stage, nil
	}
	list := make([]string, len(allowed))
	for i, stage := range allowed {
		list[i] = string(stage)
	}
	return "", usage.Wrong("-stage %q is not one of %s", name, strings.Join(list, ", "))
}

// ErrNoCredentials says that the environment holds nothing to ask AWS with.
var ErrNoCredentials = errors.New("no AWS credentials: put them into the environment (AWS_ACCESS_KEY_ID and its fellows), or name a profile that has them (AWS_PROFILE)")

// AWS is the account that the environment names, in the way of every AWS program. It returns an error where no region is
// named, and ErrNoCredentials where there are none: a call without them ends in all that the SDK has tried.
func AWS(ctx context.Context) (aws.Config, error) {
	account, err := config.LoadDefaultConfig(ctx, config.WithLogger(logging.Nop{})) // what is wrong is said once, by us
	if err != nil {
		return account, errors.New(Why(err))
	}
	if _, err := account.Credentials.Retrieve(ctx); ctx.Err() != nil {
		return account, ctx.Err()
	} else if err != nil {
		return account, noCredentials(os.Getenv("AWS_PROFILE"))
	}
	if account.Region == "" {
		return account, errors.New("no region is named: set AWS_REGION to that of the deployment")
	}
	return account, nil
}

// noCredentials names the profile that should have had some: one of single sign-on gives none after its session's end.
func noCredentials(profile string) error {
	if profile == "" {
		return ErrNoCredentials
	}
	return fmt.Errorf("the profile %s gives none; where it signs in: aws sso login --profile %s (%w)", profile, profile, ErrNoCredentials)
}

// Adding says how a value is added to what a stage is deployed with, without losing those that are.
func Adding(stage tables.Stage, value string) string {
	return fmt.Sprintf("add -c %s to everything you deploy with (what is left out is undone), or put it into the context in cdk.json; then make deploy STAGE=%s", value, stage)
}

// ErrNoStack says that there is no such stack in the account and region.
var ErrNoStack = errors.New("is not there")

// Stack is a deployed stack.
type Stack struct {
	Name      string
	Status    string
	Protected bool // from deletion
	Outputs   map[string]string
}

// Stood reports whether the stack was ever made: what is left of a first deployment that failed holds nothing and can only
// be deleted, and one in review has never begun.
func (s Stack) Stood() bool {
	switch s.Status {
	case "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "ROLLBACK_IN_PROGRESS", "CREATE_FAILED", "REVIEW_IN_PROGRESS":
		return false
	}
	return true
}

// Find reads one of the stacks that package names lists. It returns ErrNoStack, wrapped, where it was never deployed.
func Find(ctx context.Context, account aws.Config, name string, stage tables.Stage) (Stack, error) {
	stack := Stack{Name: names.Stack(name, stage), Outputs: map[string]string{}}
	found, err := cloudformation.NewFromConfig(account).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &stack.Name})
	if says(err, "ValidationError", "does not exist") || err == nil && len(found.Stacks) == 0 {
		return stack, fmt.Errorf("stack %s %w in %s", stack.Name, ErrNoStack, account.Region)
	}
	if err != nil {
		return stack, fmt.Errorf("stack %s: %w", stack.Name, err)
	}
	stack.Status = string(found.Stacks[0].StackStatus)
	stack.Protected = aws.ToBool(found.Stacks[0].EnableTerminationProtection)
	for _, output := range found.Stacks[0].Outputs {
		stack.Outputs[aws.ToString(output.OutputKey)] = aws.ToString(output.OutputValue)
	}
	return stack, nil
}

// Protect protects a stack from deletion, or takes the protection from it.
func Protect(ctx context.Context, account aws.Config, stack Stack, protected bool) error {
	_, err := cloudformation.NewFromConfig(account).UpdateTerminationProtection(ctx, &cloudformation.UpdateTerminationProtectionInput{
		StackName: &stack.Name, EnableTerminationProtection: &protected,
	})
	return err
}

// HasResource says whether a stack made the resource with the logical id.
func HasResource(ctx context.Context, account aws.Config, name string, stage tables.Stage, id string) (bool, error) {
	stack := names.Stack(name, stage)
	_, err := cloudformation.NewFromConfig(account).DescribeStackResource(ctx, &cloudformation.DescribeStackResourceInput{
		StackName: &stack, LogicalResourceId: &id,
	})
	if says(err, "ValidationError", "does not exist") {
		return false, nil
	}
	return err == nil, err
}

// Resource is the name that AWS gave to the resource with the logical id.
func Resource(ctx context.Context, account aws.Config, name string, stage tables.Stage, id string) (string, error) {
	stack := names.Stack(name, stage)
	found, err := cloudformation.NewFromConfig(account).DescribeStackResource(ctx, &cloudformation.DescribeStackResourceInput{
		StackName: &stack, LogicalResourceId: &id,
	})
	if err != nil {
		return "", err
	}
	return aws.ToString(found.StackResourceDetail.PhysicalResourceId), nil
}

func says(err error, code, text string) bool {
	var refusal smithy.APIError
	return errors.As(err, &refusal) && refusal.ErrorCode() == code && strings.Contains(refusal.ErrorMessage(), text)
}

// Is says whether an error is AWS's own of one of the codes.
func Is(err error, codes ...string) bool {
	var refusal smithy.APIError
	return errors.As(err, &refusal) && slices.Contains(codes, refusal.ErrorCode())
}

// Why is an error of an AWS call in one line: what the service said, or who did not answer. Only the first line of what
// the service said is kept, because behind it a refused signature quotes the request, session token included.
func Why(err error) string {
	var refusal smithy.APIError
	if errors.As(err, &refusal) {
		message, _, _ := strings.Cut(strings.TrimSpace(refusal.ErrorMessage()), "\n")
		return strings.TrimSuffix(refusal.ErrorCode()+": "+message, ": ")
	}
	var transport *url.Error
	if errors.As(err, &transport) {
		host := transport.URL
		if parsed, parseErr := url.Parse(transport.URL); parseErr == nil {
			host = parsed.Host
		}
		return fmt.Sprintf("no answer from %s: %v", host, transport.Err)
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}
