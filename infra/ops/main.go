// Command ops is for the people who run a deployment of haatline. It checks what a deployment still lacks, assigns
// numbers to tenants, creates accounts, signs people in, and exports a tenant's data. It calls AWS, Meta and the API.
// It is not deployed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/haatline/haatline/infra/bill"
	"github.com/haatline/haatline/infra/conversations"
	"github.com/haatline/haatline/infra/ops/doctor"
	"github.com/haatline/haatline/infra/ops/export"
	"github.com/haatline/haatline/infra/ops/number"
	"github.com/haatline/haatline/infra/ops/people"
	"github.com/haatline/haatline/infra/ops/protection"
	"github.com/haatline/haatline/infra/ops/reconcile"
	"github.com/haatline/haatline/infra/ops/redrive"
	"github.com/haatline/haatline/infra/ops/secret"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/phrasings"
)

const text = `usage: go run ./infra/ops <command>

  context   says whether what a deployment is given can be: -c name=value …
  before-deploy  prints what the CDK has to be told before it deploys a stage
  protect   protects the stacks that stand from being deleted
  bill      says what a stage costs in a month, item by item, at AWS's list prices
  doctor    says what a deployment still lacks, at Meta and in AWS, and what to do about it
  number    gives a business number to a tenant, or takes it away
  operator  makes a person who may sign in
  secret    puts a value into the stage's secret
  sign-in   signs a person in and prints the access token
  export    prints all of a tenant's data as JSON lines
  reconcile checks whether the credit books hold
  redrive   brings back what the streams gave up on
  phrasings measures how well labelled messages to a shop are understood
  conversations  plays labelled conversations to a shop and judges what became of them

Each command lists its flags with -h.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs a command and returns the exit status: 0, 1 for a failure, 2 for wrong usage.
func run(ctx context.Context, args []string, out, problems io.Writer) int {
	command := ""
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	var err error
	switch command {
	case "doctor":
		err = doctor.Run(ctx, args, out)
	case "bill":
		err = bill.Run(args, out)
	case "context":
		err = readContext(args, out)
	case "before-deploy":
		err = protection.Before(ctx, args, out)
	case "protect":
		err = protection.After(ctx, args, out)
	case "number":
		err = number.Run(ctx, args, out)
	case "operator":
		err = people.Operator(ctx, args, out)
	case "sign-in":
		err = people.SignIn(ctx, args, out, problems)
	case "export":
		err = export.Run(ctx, args, out, problems)
	case "secret":
		err = secret.Run(ctx, args, os.Stdin, out, problems)
	case "phrasings":
		err = phrasings.Run(args, out)
	case "conversations":
		err = conversations.Run(ctx, args, out)
	case "reconcile":
		err = reconcile.Run(ctx, args, out)
	case "redrive":
		err = redrive.Run(ctx, args, out)
	case "-h", "-help", "--help", "help":
		fmt.Fprint(out, text)
	default:
		fmt.Fprint(problems, text)
		return 2
	}
	var wrong usage.Error
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &wrong):
		fmt.Fprintln(problems, "haatline:", oneLine(wrong.Error()))
		return 2
	case ctx.Err() != nil:
		fmt.Fprintln(problems, "haatline: stopped before its end")
		return 1
	}
	fmt.Fprintln(problems, "haatline:", oneLine(err.Error()))
	return 1
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
