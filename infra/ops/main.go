// Command ops is for the people who run a deployment of haatline. It checks what a deployment still lacks, assigns
// numbers to tenants, creates accounts, signs people in, and exports a tenant's data. It calls AWS, Meta and the API.
// It is not deployed.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/haatline/haatline/infra/assistant"
	"github.com/haatline/haatline/infra/bill"
	"github.com/haatline/haatline/infra/conversations"
	"github.com/haatline/haatline/infra/ops/doctor"
	"github.com/haatline/haatline/infra/ops/export"
	"github.com/haatline/haatline/infra/ops/number"
	"github.com/haatline/haatline/infra/ops/people"
	"github.com/haatline/haatline/infra/ops/protection"
	"github.com/haatline/haatline/infra/ops/reconcile"
	"github.com/haatline/haatline/infra/ops/redrive"
	"github.com/haatline/haatline/infra/ops/restore"
	"github.com/haatline/haatline/infra/ops/secret"
	"github.com/haatline/haatline/infra/ops/templates"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/phrasings"
	"github.com/haatline/haatline/infra/scale"
)

// program lists the commands.
var program = usage.Program{
	Path: "./infra/ops",
	Commands: []usage.Command{
		{Name: "context", Does: "says whether what a deployment is given can be: -c name=value …",
			Run: usage.Immediate(readContext)},
		{Name: "before-deploy", Does: "prints what the CDK has to be told before it deploys a stage",
			Run: usage.Plain(protection.Before)},
		{Name: "protect", Does: "protects the stacks that stand from being deleted",
			Run: usage.Plain(protection.After)},
		{Name: "bill", Does: "says what a stage costs in a month, item by item, at AWS's list prices",
			Run: usage.Immediate(bill.Run)},
		{Name: "scale", Does: "says which limits a load meets first", Run: usage.Immediate(scale.Run)},
		{Name: "doctor", Does: "says what a deployment still lacks, at Meta and in AWS, and what to do about it",
			Run: usage.Plain(doctor.Run)},
		{Name: "number", Does: "gives a business number to a tenant, or takes it away",
			Run: usage.Plain(number.Run)},
		{Name: "operator", Does: "makes a person who may sign in",
			Run: usage.Plain(people.Operator)},
		{Name: "secret", Does: "puts a value into the stage's secret",
			Run: func(ctx context.Context, args []string, out, problems io.Writer) error {
				return secret.Run(ctx, args, os.Stdin, out, problems)
			}},
		{Name: "sign-in", Does: "signs a person in and prints the access token",
			Run: people.SignIn},
		{Name: "export", Does: "prints all of a tenant's data as JSON lines",
			Run: export.Run},
		{Name: "templates", Does: "has Meta review the templates that haatline sends and an account lacks",
			Run: usage.Plain(templates.Run)},
		{Name: "reconcile", Does: "checks whether the credit books hold",
			Run: usage.Plain(reconcile.Run)},
		{Name: "redrive", Does: "brings back what the streams gave up on",
			Run: usage.Plain(redrive.Run)},
		{Name: "restore", Does: "brings back what tables held at an earlier time",
			Run: usage.Plain(restore.Run)},
		{Name: "assistant", Does: "measures how well a list of questions and answers is found by what people write",
			Run: usage.Plain(assistant.Run)},
		{Name: "phrasings", Does: "measures how well labelled messages to a shop are understood",
			Run: usage.Immediate(phrasings.Run)},
		{Name: "conversations", Does: "plays labelled conversations to a shop and judges what became of them",
			Run: usage.Plain(conversations.Run)},
	},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(program.Run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
