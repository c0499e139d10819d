// Package protection owns the order in which a deployment is protected: a stack is protected from deletion once it stands.
// The CDK protects a stack before it makes it. Where the first deployment then fails, nobody can delete what is left of it,
// and the next deployment, which would, fails as well.
package protection

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/tables"
)

// Before prints what the CDK's command line has to be told before it deploys a stage: which stacks have never stood, and
// are not to be protected yet; and, where there are any, to take over what is there already under the name it would be given:
// tables and log groups, left by a deployment that failed or by a stack that was destroyed. It takes the protection from what is left of a first deployment
// that failed: there is nothing in it, and the CDK deletes it.
func Before(ctx context.Context, args []string, out io.Writer) error {
	stage, account, err := open(ctx, "before-deploy", args, out)
	if err != nil || !stage.Durable() {
		return err
	}
	var never []string
	for _, name := range names.Stacks {
		stack, err := deployment.Find(ctx, account, name, stage)
		switch {
		case errors.Is(err, deployment.ErrNoStack):
		case err != nil:
			return errors.New(deployment.Why(err))
		case stack.Stood():
			continue
		case stack.Protected:
			if err := deployment.Protect(ctx, account, stack, false); err != nil {
				return errors.New(deployment.Why(err))
			}
		}
		never = append(never, name)
	}
	if len(never) == 0 {
		return nil
	}
	fmt.Fprintln(out, "-c unprotected="+strings.Join(never, ",")+" --import-existing-resources")
	return nil
}

// After protects the stacks of a stage that stand.
func After(ctx context.Context, args []string, out io.Writer) error {
	stage, account, err := open(ctx, "protect", args, out)
	if err != nil || !stage.Durable() {
		return err
	}
	for _, name := range names.Stacks {
		stack, err := deployment.Find(ctx, account, name, stage)
		if errors.Is(err, deployment.ErrNoStack) || err == nil && (stack.Protected || !stack.Stood()) {
			continue
		}
		if err == nil {
			err = deployment.Protect(ctx, account, stack, true)
		}
		if err != nil {
			return errors.New(deployment.Why(err))
		}
		fmt.Fprintf(out, "%s is protected from deletion\n", stack.Name)
	}
	return nil
}

func open(ctx context.Context, command string, args []string, out io.Writer) (tables.Stage, aws.Config, error) {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	stageName := flags.String("stage", "", "the deployment: dev, staging or prod")
	if err := usage.Parse(flags, args, out); err != nil {
		return "", aws.Config{}, err
	}
	stage, err := deployment.ParseStage(*stageName)
	if err != nil || !stage.Durable() {
		return stage, aws.Config{}, err
	}
	account, err := deployment.AWS(ctx)
	return stage, account, err
}
