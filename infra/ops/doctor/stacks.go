package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/tables"
)

func (x *examination) checkStack(ctx context.Context, name string) []finding {
	deploy := fmt.Sprintf("deploy it, with the same context as ever: make deploy STAGE=%s ARGS=\"-c …\"", x.stage)
	stack, err := deployment.Find(ctx, x.account.value, name, x.stage)
	if errors.Is(err, deployment.ErrNoStack) {
		return []finding{
			lacks(err.Error()+": it was not deployed, or to another region or account", deploy+x.leftTables(ctx, name))}
	}
	if err != nil {
		return []finding{x.refused(err, "cloudformation:DescribeStacks")}
	}
	if !stack.Stood() {
		return []finding{x.neverStood(ctx, name, stack)}
	}
	x.readOutputs(name, stack)
	says := stack.Name + " is " + stack.Status
	console := "CloudFormation's console shows under the stack's events what failed; then " + deploy
	switch status := stack.Status; {
	case status == "UPDATE_ROLLBACK_COMPLETE", status == "IMPORT_ROLLBACK_COMPLETE":
		return []finding{warns(says+": the last deployment failed, and the one before it runs", console)}
	case strings.HasSuffix(status, "_IN_PROGRESS"):
		return []finding{warns(says, "wait until it is done, and look again")}
	case status != "CREATE_COMPLETE" && status != "UPDATE_COMPLETE" && status != "IMPORT_COMPLETE":
		return []finding{lacks(says, console)}
	case x.stage.Durable() && !stack.Protected:
		return []finding{
			warns(says+", and not protected from deletion",
				fmt.Sprintf("go run ./infra/ops protect -stage %s", x.stage))}
	}
	return []finding{fine("%s", says)}
}

// neverStood returns the finding for a stack whose first deployment failed.
func (x *examination) neverStood(ctx context.Context, name string, stack deployment.Stack) finding {
	says := stack.Name + " is " + stack.Status
	again := fmt.Sprintf("make deploy STAGE=%s ARGS=\"-c …\"", x.stage)
	switch stack.Status {
	case "REVIEW_IN_PROGRESS":
		return lacks(says+": its first deployment was prepared and never begun",
			"deploy it: "+again+x.leftTables(ctx, name))
	case "ROLLBACK_IN_PROGRESS":
		return warns(says+": its first deployment failed, and is being undone", "wait until it is done, and look again")
	}
	do := "the stack's events say what failed; then deploy again, which deletes what is left and " +
		"makes it anew: " + again
	if stack.Protected {
		do += " (the CDK by itself cannot: aws cloudformation update-termination-protection " +
			"--no-enable-termination-protection --stack-name " + stack.Name + ")"
	}
	return lacks(says+": its first deployment failed, and nothing of it runs", do+x.leftTables(ctx, name))
}

// leftTables says what happens to tables that exist without their stack. They outlive it, and a new stack would find
// their names taken.
func (x *examination) leftTables(ctx context.Context, name string) string {
	if name != names.Data || !x.stage.Durable() {
		return ""
	}
	client, count := dynamodb.NewFromConfig(x.account.value), 0
	for _, table := range tables.All() {
		if _, err := client.DescribeTable(ctx,
			&dynamodb.DescribeTableInput{TableName: aws.String(table.Name(x.stage))}); err == nil {
			count++
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("; %d of its tables are there without it: make deploy takes them over, with what they hold",
		count)
}

// fewRuns is the concurrency limit below which too few functions are left for the webhook during a burst of messages. A
// stream of a new table has about four shards, and each uses one.
const fewRuns = 100

// checkRuns checks the account's concurrency limit. A new account may have only ten.
func (x *examination) checkRuns(ctx context.Context) []finding {
	settings, err := lambda.NewFromConfig(x.account.value).GetAccountSettings(ctx, &lambda.GetAccountSettingsInput{})
	if err != nil {
		return []finding{x.refused(err, "lambda:GetAccountSettings")}
	}
	var all, unreserved int32
	if limit := settings.AccountLimit; limit != nil {
		all, unreserved = limit.ConcurrentExecutions, aws.ToInt32(limit.UnreservedConcurrentExecutions)
	}
	if all < fewRuns {
		return []finding{
			warns(fmt.Sprintf(
				"the account runs %d functions at once, in all: a burst of messages takes most of them, and the "+
					"webhook is refused meanwhile (WhatsApp posts again); none can be reserved for a function, "+
					"because AWS keeps %d unreserved", all, fewRuns),
				"ask for more, which costs nothing: aws service-quotas request-service-quota-increase --service-code "+
					"lambda --quota-code L-B99A9384 --desired-value 1000")}
	}
	return []finding{fine("the account runs %d functions at once, %d of them for whichever comes", all, unreserved)}
}
