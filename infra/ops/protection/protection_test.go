package protection_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/infra/ops/protection"
)

type command func(context.Context, []string, io.Writer) error

func run(t *testing.T, c command, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := c(t.Context(), args, &out)
	return out.String(), err
}

func TestAStackThatHasNeverStoodIsNotProtectedYet(t *testing.T) {
	standing, failed := awstest.Stack{Status: "UPDATE_COMPLETE", Protected: true},
		awstest.Stack{Status: "ROLLBACK_COMPLETE", Protected: true}
	for name, c := range map[string]struct {
		stacks  map[string]awstest.Stack
		want    string
		changes []string
	}{
		"the first deployment": {nil, "-c unprotected=data,identity,functions --import-existing-resources\n", nil},
		"a later one": {
			map[string]awstest.Stack{
				"data": standing, "identity": standing, "functions": {Status: "UPDATE_ROLLBACK_COMPLETE"}}, "", nil},
		"the functions failed": {
			map[string]awstest.Stack{"data": standing, "identity": standing, "functions": failed},
			"-c unprotected=functions --import-existing-resources\n",
			[]string{"UpdateTerminationProtection haatline-functions-prod false"}},
		"the tables failed": {
			map[string]awstest.Stack{"data": failed},
			"-c unprotected=data,identity,functions --import-existing-resources\n",
			[]string{"UpdateTerminationProtection haatline-data-prod false"}},
		"never executed": {
			map[string]awstest.Stack{
				"data": {Status: "REVIEW_IN_PROGRESS"}, "identity": standing, "functions": standing},
			"-c unprotected=data --import-existing-resources\n", nil},
	} {
		account := awstest.New(t)
		for id, stack := range c.stacks {
			account.Stacks["haatline-"+id+"-prod"] = stack
		}
		out, err := run(t, protection.Before, "-stage", "prod")
		changed := slices.DeleteFunc(slices.Clone(account.Asked),
			func(asked string) bool { return asked == "DescribeStacks" })
		if err != nil || out != c.want || !slices.Equal(changed, c.changes) {
			t.Errorf("%s: %q, %v, changed %v", name, out, err, changed)
		}
	}
}

func TestWhatStandsIsProtectedAfterADeployment(t *testing.T) {
	account := awstest.New(t)
	account.Stacks["haatline-data-prod"] = awstest.Stack{Status: "CREATE_COMPLETE"}
	account.Stacks["haatline-identity-prod"] = awstest.Stack{Status: "UPDATE_COMPLETE", Protected: true}
	account.Stacks["haatline-functions-prod"] = awstest.Stack{Status: "ROLLBACK_COMPLETE"}
	out, err := run(t, protection.After, "-stage", "prod")
	if err != nil || out != "haatline-data-prod is protected from deletion\n" ||
		!account.Stacks["haatline-data-prod"].Protected || account.Stacks["haatline-functions-prod"].Protected {
		t.Errorf("%q, %v: %v", out, err, account.Stacks)
	}
}

func TestDevIsNeverProtected(t *testing.T) {
	account := awstest.New(t)
	for _, c := range []command{protection.Before, protection.After} {
		if out, err := run(t, c, "-stage", "dev"); err != nil || out != "" || len(account.Asked) > 0 {
			t.Errorf("%q, %v, asked %v", out, err, account.Asked)
		}
	}
}

func TestARefusalIsToldInOneLine(t *testing.T) {
	for _, operation := range []string{"DescribeStacks", "UpdateTerminationProtection"} {
		account := awstest.New(t)
		account.Stacks["haatline-data-prod"] = awstest.Stack{Status: "ROLLBACK_COMPLETE", Protected: true}
		account.Refuse[operation] = "AccessDenied:not authorized\nby anybody"
		if out, err := run(t, protection.Before, "-stage", "prod"); err == nil || out != "" ||
			strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "AccessDenied") {
			t.Errorf("%s: %q, %v", operation, out, err)
		}
	}
}
