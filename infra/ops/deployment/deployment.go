// Package deployment finds a deployment in AWS: its stage, its account, and its stacks with their outputs.
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
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"

	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/sdkhttp"
	"github.com/haatline/haatline/shared/tables"
)

// Local is the stage of the local cloud. It is not a deployment in AWS.
const Local tables.Stage = "local"

// ParseStage parses the flag -stage. It returns a usage.Error for a stage that is not allowed.
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

// ErrNoCredentials means that the environment has no AWS credentials.
var ErrNoCredentials = errors.New(
	"no AWS credentials: put them into the environment (AWS_ACCESS_KEY_ID and its fellows), or name a profile that " +
		"has them (AWS_PROFILE)")

// AWS returns the account configured in the environment, with the usual AWS rules. It returns an error if no region is
// set, and ErrNoCredentials if there are no credentials, because the SDK's own error would list everything it tried.
func AWS(ctx context.Context) (aws.Config, error) {
	account, err := config.LoadDefaultConfig(ctx, config.WithLogger(logging.Nop{}), // what is wrong is said once, by us
		config.WithHTTPClient(awshttp.NewBuildableClient())) // otherwise there is one only with AWS_CA_BUNDLE
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
	account.HTTPClient = sdkhttp.Client(account.HTTPClient)
	return account, nil
}

// Caller returns the ARN of the person or role whose credentials the account has.
func Caller(ctx context.Context, account aws.Config) (string, error) {
	who, err := sts.NewFromConfig(account).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return "", fmt.Errorf("ask AWS who we are: %s", Why(err))
	}
	return aws.ToString(who.Arn), nil
}

// noCredentials returns ErrNoCredentials with the profile's name, because a single sign-on session may have ended.
func noCredentials(profile string) error {
	if profile == "" {
		return ErrNoCredentials
	}
	return fmt.Errorf("the profile %s gives none; where it signs in: aws sso login --profile %s (%w)", profile, profile,
		ErrNoCredentials)
}

// Adding says how to add a context value to the values that a stage is deployed with.
func Adding(stage tables.Stage, value string) string {
	return fmt.Sprintf(
		"add -c %s to everything you deploy with (what is left out is undone), or put it into the context in "+
			"cdk.json; then make deploy STAGE=%s", value, stage)
}

// ErrNoStack means that the account and region have no such stack.
var ErrNoStack = errors.New("is not there")

// Stack is a deployed stack.
type Stack struct {
	Name      string
	Status    string
	Protected bool // against deletion
	Outputs   map[string]string
}

// Stood reports whether the stack was ever created successfully. What is left of a failed first deployment is empty and
// can only be deleted; a stack in review was never created.
func (s Stack) Stood() bool {
	switch s.Status {
	case "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "ROLLBACK_IN_PROGRESS", "CREATE_FAILED", "REVIEW_IN_PROGRESS":
		return false
	}
	return true
}

// Find reads one of the stacks in package names. It returns ErrNoStack, wrapped, if it was never deployed.
func Find(ctx context.Context, account aws.Config, name string, stage tables.Stage) (Stack, error) {
	stack := Stack{Name: names.Stack(name, stage), Outputs: map[string]string{}}
	found, err := cloudformation.NewFromConfig(account).DescribeStacks(ctx,
		&cloudformation.DescribeStacksInput{StackName: &stack.Name})
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

// Protect switches a stack's protection against deletion on or off.
func Protect(ctx context.Context, account aws.Config, stack Stack, protected bool) error {
	_, err := cloudformation.NewFromConfig(account).UpdateTerminationProtection(ctx,
		&cloudformation.UpdateTerminationProtectionInput{
			StackName: &stack.Name, EnableTerminationProtection: &protected,
		})
	return err
}

// Resource returns the physical name of the resource with the logical id.
func Resource(ctx context.Context, account aws.Config, name string, stage tables.Stage, id string) (string, error) {
	stack := names.Stack(name, stage)
	found, err := cloudformation.NewFromConfig(account).DescribeStackResource(ctx,
		&cloudformation.DescribeStackResourceInput{
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

// Is reports whether an error is an AWS error with one of the codes.
func Is(err error, codes ...string) bool {
	var refusal smithy.APIError
	return errors.As(err, &refusal) && slices.Contains(codes, refusal.ErrorCode())
}

// Why describes an AWS error in one line. Only the first line of a service's message is kept: the lines after it may
// quote the request, including the session token.
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
