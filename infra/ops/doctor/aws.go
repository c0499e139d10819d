package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/tables"
)

// awsChecks returns the checks of the deployment in AWS.
func (x *examination) awsChecks() []check {
	x.secretToken = fmt.Sprintf("$(make -s secret STAGE=%s NAME=%s ARGS=-show)", x.stage, accessToken)
	x.putSecret = func(variable string) string {
		return fmt.Sprintf("put it there: make secret STAGE=%s NAME=%s", x.stage, variable)
	}
	if x.graph.url == "" {
		x.graph.url = names.GraphURL
	}
	checks := []check{{"credentials", nil, x.checkCredentials}}
	for _, name := range names.Stacks {
		checks = append(checks,
			check{name + " stack", []need{&x.account},
				func(ctx context.Context) []finding { return x.checkStack(ctx, name) }})
	}
	checks = append(checks, check{"tables", []need{&x.account}, x.checkTables},
		check{"concurrent runs", []need{&x.account}, x.checkRuns})
	seen := map[string]bool{}
	for _, function := range topology.Functions {
		for _, variable := range function.Secrets {
			if !seen[variable] && !slices.Contains(seldom, variable) {
				seen[variable] = true
				checks = append(checks,
					check{"secret " + variable, []need{&x.account},
						func(ctx context.Context) []finding { return x.checkSecret(ctx, variable) }})
			}
		}
	}
	return append(checks, check{"language models", []need{&x.account}, x.checkModels},
		check{"forms", []need{&x.account}, x.checkForms})
}

// putInto says how to store a value in a secret.
func putInto(id string) string {
	return fmt.Sprintf(
		`put it there without leaving it in the shell's history: read -rs V && aws secretsmanager put-secret-value `+
			`--secret-id %s --secret-string "$V"`, id)
}

// checkCredentials asks AWS for our identity, which needs no permission.
func (x *examination) checkCredentials(ctx context.Context) []finding {
	const do = "take those of the deployment's account; this must answer: aws sts get-caller-identity"
	account, err := deployment.AWS(ctx)
	if errors.Is(err, deployment.ErrNoCredentials) {
		return []finding{lacks(err.Error(), do)}
	}
	if err != nil {
		return []finding{lacks(x.private.cleaned(err.Error()), "export AWS_REGION=… (and AWS_PROFILE=…)")}
	}
	credentials, err := account.Credentials.Retrieve(ctx)
	if err != nil {
		return []finding{lacks(deployment.ErrNoCredentials.Error(), do)}
	}
	x.private.add(credentials.SecretAccessKey)
	x.private.add(credentials.SessionToken)
	who, err := sts.NewFromConfig(account).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return []finding{lacks(x.whyAWS(err), do)}
	}
	x.account.set(account)
	x.db.set(dynamo.Wrap(dynamodb.NewFromConfig(account), x.stage))
	return []finding{fine("account %s, region %s", aws.ToString(who.Account), account.Region)}
}

// whyAWS returns an AWS error in a form that may be shown.
func (x *examination) whyAWS(err error) string { return x.private.cleaned(deployment.Why(err)) }

// refused returns the finding for something that AWS refused to show or did not answer.
func (x *examination) refused(err error, action string) finding {
	return unseen(x.whyAWS(err), "let these credentials do "+action+", and look again")
}

// readOutputs reads the addresses and names in a stack's outputs.
func (x *examination) readOutputs(name string, stack deployment.Stack) {
	switch name {
	case names.Functions:
		if url := stack.Outputs[names.APIURL]; url != "" && !x.apiURL.known {
			x.apiURL.set(strings.TrimSuffix(url, "/"))
		}
		x.consoleURL.set(stack.Outputs[names.ConsoleURL])
	case names.Identity:
		x.pages.set(stack.Outputs[names.SignInURL])
		if pool := stack.Outputs[names.UserPoolID]; pool != "" {
			x.userPool.set(pool)
		}
	}
}

// checkTables checks all tables and returns a finding for each one that has a problem.
func (x *examination) checkTables(ctx context.Context) []finding {
	client := dynamodb.NewFromConfig(x.account.value)
	var trouble []finding
	protected := 0
	for _, table := range tables.All() {
		found, err := x.checkTable(ctx, client, table)
		switch {
		case err != nil:
			return append(trouble, x.refused(err, "dynamodb:DescribeTable and dynamodb:DescribeContinuousBackups"))
		case found.state != good:
			trouble = append(trouble, found.of("table "+table.Name(x.stage)))
		}
		if table.Recoverable(x.stage) {
			protected++
		}
	}
	if len(trouble) > 0 {
		return trouble
	}
	return []finding{
		fine("%d are active; %d of them can be recovered to a point in time and are protected from deletion, as "+
			"%s asks for", len(tables.All()), protected, x.stage)}
}

func (x *examination) checkTable(ctx context.Context, client *dynamodb.Client, table tables.Table) (finding, error) {
	deploy := fmt.Sprintf("deploy again: make deploy STAGE=%s ARGS=\"-c …\"", x.stage)
	name := table.Name(x.stage)
	described, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if deployment.Is(err, "ResourceNotFoundException") {
		return lacks("is not there", deploy), nil
	}
	if err != nil {
		return finding{}, err
	}
	if status := described.Table.TableStatus; status != types.TableStatusActive && status != types.TableStatusUpdating {
		return lacks("is "+string(status), "DynamoDB's console says why; wait while it is CREATING"), nil
	}
	if !table.Recoverable(x.stage) {
		return fine("is active"), nil
	}
	if !aws.ToBool(described.Table.DeletionProtectionEnabled) {
		return lacks("is not protected from deletion",
			"aws dynamodb update-table --deletion-protection-enabled --table-name "+name), nil
	}
	backups, err := client.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: &name})
	if err != nil {
		return finding{}, err
	}
	recovery := backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	if recovery == nil || recovery.PointInTimeRecoveryStatus != types.PointInTimeRecoveryStatusEnabled {
		return lacks("cannot be recovered to a point in time",
			"aws dynamodb update-continuous-backups --point-in-time-recovery-specification "+
				"PointInTimeRecoveryEnabled=true --table-name "+name), nil
	}
	return fine("is active"), nil
}
