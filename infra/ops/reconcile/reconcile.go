// Package reconcile is the command that checks whether the credit books of a deployment hold.
package reconcile

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/haatline/haatline/infra/ops/database"
	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
)

// ErrFindings means that something does not hold.
var ErrFindings = errors.New("the books do not hold")

// Run checks all ledgers of a stage and prints what does not hold, and how much was checked. It returns ErrFindings if
// anything does not hold that it has not mended.
func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("reconcile", flag.ContinueOnError)
	stageName := flags.String("stage", "", "dev, staging or prod, or local for a running make run")
	mend := flags.Bool("mend", false, "make balances what their ledgers come to; ledgers stay as they are")
	if err := usage.Parse(flags, args, out); err != nil {
		return err
	}
	stage, err := deployment.ParseStage(*stageName, deployment.Local)
	if err != nil {
		return err
	}
	db, err := database.Open(ctx, stage)
	if err != nil {
		return err
	}
	rooms := registry.Open(messaging.Config{DB: db, Now: time.Now, IndexLag: 2 * time.Second})
	checked, err := registry.Khata(rooms).Books.All(ctx, func() bool { return true }, *mend)
	switch {
	case deployment.Is(err, "ResourceNotFoundException"):
		return fmt.Errorf(
			"the tables of %s are not there: deploy first, or set AWS_REGION and AWS_PROFILE to the deployment's",
			stage)
	case stage == deployment.Local && dynamo.Unavailable(err):
		return errors.New("the local DynamoDB does not answer: start the local cloud again: make run")
	case err != nil:
		return fmt.Errorf("check the books: %s", deployment.Why(err))
	}
	left := 0
	for _, f := range checked.Findings {
		mended := ""
		if f.Mended {
			mended = " (mended)"
		} else {
			left++
		}
		fmt.Fprintf(out, "%s: store %s, customer %s, %s: %s%s\n", f.Kind, f.Store, f.Customer, f.About, f.Detail,
			mended)
	}
	fmt.Fprintf(out,
		"checked %d ledgers with %d entries, %d orders on credit and %d idempotency records: %d findings\n",
		checked.Customers, checked.Entries, checked.Orders, checked.Records, len(checked.Findings))
	if left > 0 {
		return fmt.Errorf("%w: %d findings", ErrFindings, left)
	}
	return nil
}
