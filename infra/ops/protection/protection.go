// Package protection protects stacks against deletion after they were created. The CDK would protect a stack before it
// creates it. If the first deployment then fails, nobody can delete the stack, and the next deployment fails because it
// must.
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

// Before prints the flags that the CDK needs for a stage's deployment. They name the stacks that were never created
// successfully, which must not be protected yet. If there are any, the flags also let the deployment take over existing
// tables and log groups, left by a failed deployment or a destroyed stack. Before also removes the protection from what
// is left of a failed first deployment. That stack is empty, and the CDK deletes it.
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

// After protects the existing stacks of a stage.
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
