package people_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/infra/ops/people"
)

const pages = "https://acme-line.auth.ap-south-1.amazoncognito.com"

func newAccount(t *testing.T) *awstest.AWS {
	t.Helper()
	account := awstest.New(t)
	account.Stacks["haatline-identity-prod"] = awstest.Stack{Status: "CREATE_COMPLETE", Outputs: map[string]string{
		"UserPoolId": "ap-south-1_pool", "ClientId": "client", "SignInUrl": pages,
	}}
	for _, group := range []string{"platform", "operator", "administrator"} {
		account.Groups[group] = nil
	}
	const asha = "PERSON#sub-of-asha@acme.example"
	account.Tables["base-wecare-digital-whatsapp-prod"] = awstest.Table{Items: map[string]map[string]any{asha: {
		"pk": map[string]string{"S": asha}, "subject": map[string]string{"S": "sub-of-asha@acme.example"}}}}
	return account
}

func operator(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := people.Operator(t.Context(),
		append([]string{"-stage", "prod", "-email", "asha@acme.example", "-tenant", "acme"}, args...), &out)
	return out.String(), err
}

func TestAPersonWorksForTheTenantByAnItem(t *testing.T) {
	account := newAccount(t)
	out, err := operator(t, "-item")
	if err != nil || !strings.Contains(out, "asha@acme.example was invited by mail") ||
		!strings.Contains(out, "is in tenant:acme and operator") {
		t.Errorf("%v: %s", err, out)
	}
	asked := strings.Join(account.Asked, "\n")
	if !strings.Contains(asked, "MEMBER#sub-of-asha@acme.example#acme") || account.Groups["tenant:acme"] != nil {
		t.Errorf("%s %v", asked, account.Groups)
	}
}

func TestAPersonIsInvitedAndPutIntoTheTenantsGroup(t *testing.T) {
	account := newAccount(t)
	out, err := operator(t)
	if err != nil || !strings.Contains(out, "asha@acme.example was invited by mail") ||
		!strings.Contains(out, "make sign-in STAGE=prod") {
		t.Errorf("%v: %s", err, out)
	}
	want := map[string][]string{
		"platform": nil, "administrator": nil, "operator": {"asha@acme.example"}, "tenant:acme": {"asha@acme.example"}}
	if diff := cmp.Diff(want, account.Groups); diff != "" ||
		!slices.Equal(account.Users, []string{"asha@acme.example"}) {
		t.Errorf("%v, groups:\n%s", account.Users, diff)
	}
}

// The API finds there what a person is called, also when their account is gone.
func TestWhatAPersonIsCalledIsNoted(t *testing.T) {
	account := newAccount(t)
	const noted = "UpdateItem base-wecare-digital-whatsapp-prod PERSON#sub-of-asha@acme.example"
	for times := range 2 { // the second time the account is there
		if _, err := operator(t, "-name", "Asha Rao"); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(strings.Join(account.Asked, "\n"), noted); got != times+1 {
			t.Errorf("%d: %v", times, account.Asked)
		}
	}
}

func TestThePlatformsOperatorIsInTheGroupsOfThePlatformTheRoleAndTheTenant(t *testing.T) {
	account := newAccount(t)
	if _, err := operator(t, "-platform", "-role", "administrator"); err != nil {
		t.Fatal(err)
	}
	for _, group := range []string{"platform", "administrator", "tenant:acme"} {
		if !slices.Equal(account.Groups[group], []string{"asha@acme.example"}) {
			t.Errorf("%s: %v", group, account.Groups[group])
		}
	}
}

func TestMakingAPersonTwiceWritesToThemOnce(t *testing.T) {
	account := newAccount(t)
	if _, err := operator(t); err != nil {
		t.Fatal(err)
	}
	out, err := operator(t)
	if err != nil || !strings.Contains(out, "is there already, and was not written to") || len(account.Users) != 1 ||
		len(account.Groups["operator"]) != 1 {
		t.Errorf("%v: %s%v %v", err, out, account.Users, account.Groups)
	}
	out, err = operator(t, "-resend")
	if err != nil || !strings.Contains(out, "was invited by mail") ||
		!slices.Contains(account.Asked, "AdminCreateUser asha@acme.example RESEND") {
		t.Errorf("again: %v: %s%v", err, out, account.Asked)
	}
}

func TestWhatCannotBeIsRefusedBeforeAnythingIsMade(t *testing.T) {
	account := newAccount(t)
	account.WantWrongUse(t, operator, [][]string{
		{"-stage", "local"}, {"-role", ""}, {"-role", "platform"}, {"-role", "boss"}, {"-email", ""},
		{"-email", "asha"}, {"-email", "Asha <asha@acme.example>"}, {"-tenant", ""},
		{"-tenant", "a#b"}, {"-tenant", "a b"}, {"-tenant", "a,b"}, {"-tenant", "[a"},
		{"-tenant", strings.Repeat("x", 200)}, {"more"},
	})
}

func TestARefusalOfAWSIsOneLine(t *testing.T) {
	for operation, want := range map[string]string{
		"AdminCreateUser":     "make asha@acme.example: AccessDeniedException: no",
		"CreateGroup":         "make the group tenant:acme: AccessDeniedException: no",
		"AdminAddUserToGroup": "put asha@acme.example into tenant:acme: AccessDeniedException: no",
		"TransactWriteItems":  "have asha@acme.example work for acme: AccessDeniedException: no",
		"UpdateItem":          "note what asha@acme.example is called: AccessDeniedException: no",
		"DescribeStacks":      "read stack haatline-identity-prod: AccessDeniedException: no",
	} {
		account := newAccount(t)
		account.Refuse[operation] = "AccessDeniedException:no\nand much more"
		var args []string
		if operation == "TransactWriteItems" {
			args = append(args, "-item")
		}
		if _, err := operator(t, args...); err == nil || err.Error() != want {
			t.Errorf("%s: %v", operation, err)
		}
	}
	account := newAccount(t)
	clear(account.Stacks)
	if _, err := operator(t); err == nil ||
		!strings.Contains(err.Error(), "haatline-identity-prod is not there in ap-south-1") {
		t.Errorf("nothing deployed: %v", err)
	}
}
