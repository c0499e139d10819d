// Package people owns what is done about the people of a deployment: one is made, and one signs in.
package people

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	cognito "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/people"
	"github.com/haatline/haatline/shared/tables"
)

// Operator creates an account, adds it to the group of its role, which the identity stack makes, and has it work for
// its tenant: by a group of the user pool, which it creates if missing, or with -item by an item, which the tokens of a
// deployment with memberships=on follow. It stores the person's name in the API's directory, which
// keeps it when the account is deleted. Existing things stay unchanged, so Operator can be repeated.
func Operator(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("operator", flag.ContinueOnError)
	stageName := flags.String("stage", "", "dev, staging or prod")
	email := flags.String("email", "", "the person's address, with which they sign in and to which the invitation goes")
	tenant := flags.String("tenant", "", "the tenant whose data the person sees")
	name := flags.String("name", "", "what others call the person; without it they see the address")
	role := flags.String("role", "operator", "what the person may do: "+strings.Join(roles(), ", "))
	platform := flags.Bool("platform", false,
		"the person is also one of the platform's own operators, who read everything of everybody")
	byItem := flags.Bool("item", false, "have the person work for the tenant by an item instead of a group of the "+
		"user pool: for a deployment with memberships=on")
	resend := flags.Bool("resend", false, "send the invitation again, with a new password: one is good for three days")
	if err := usage.Parse(flags, args, out); err != nil {
		return err
	}
	stage, err := deployment.ParseStage(*stageName)
	if err != nil {
		return err
	}
	if address, err := mail.ParseAddress(*email); err != nil || address.Address != *email {
		return usage.Wrong("-email %q is no address", *email)
	}
	if !slices.Contains(roles(), *role) {
		return usage.Wrong("-role %q: it is one of %s", *role, strings.Join(roles(), ", "))
	}
	group, err := groupOf(*tenant)
	if err != nil {
		return err
	}
	account, pool, err := userPool(ctx, stage)
	if err != nil {
		return err
	}
	p := directory{cognito.NewFromConfig(account), pool}
	groups := []string{*role}
	if *platform {
		groups = append(groups, httpapi.Platform)
	}
	if !*byItem {
		if err := p.makeGroup(ctx, group); err != nil {
			return fmt.Errorf("make the group %s: %s", group, deployment.Why(err))
		}
		groups = append([]string{group}, groups...)
	}
	said, subject, err := p.invite(ctx, *email, *resend)
	if err != nil {
		return fmt.Errorf("make %s: %s", *email, deployment.Why(err))
	}
	fmt.Fprintln(out, said)
	for _, group := range groups {
		if err := p.join(ctx, *email, group); err != nil {
			return fmt.Errorf("put %s into %s: %s", *email, group, deployment.Why(err))
		}
	}
	list := people.Directory{DB: dynamo.Wrap(dynamodb.NewFromConfig(account), stage), Now: time.Now}
	if err := list.Put(ctx,
		people.Person{Subject: subject, Name: strings.TrimSpace(*name), Email: *email}); err != nil {
		return fmt.Errorf("note what %s is called: %s", *email, deployment.Why(err))
	}
	if *byItem {
		members := people.Members{DB: list.DB, Now: list.Now}
		given := people.Given{
			Subject: model.Name(subject), Tenant: model.TenantID(*tenant), By: "make operator", Platform: true}
		if err := members.Give(ctx, given); err != nil {
			return fmt.Errorf("have %s work for %s: %s", *email, *tenant, deployment.Why(err))
		}
		groups = append([]string{group}, groups...)
	}
	fmt.Fprintf(out, "%s is in %s; sign in with: make sign-in STAGE=%s\n", *email, strings.Join(groups, " and "), stage)
	return nil
}

// roles returns the groups of the roles that a person of a tenant may have.
func roles() []string {
	var groups []string
	for _, role := range httpapi.Roles() {
		if role.Group != httpapi.Platform {
			groups = append(groups, role.Group)
		}
	}
	return groups
}

// CheckTenant returns a usage.Error for a tenant name that no group can have.
func CheckTenant(name string) error {
	_, err := groupOf(name)
	return err
}

// groupOf returns the group of a tenant. It returns a usage.Error for an invalid tenant name, and for one with
// characters that would not survive: the API gets a token's groups as one text, [a b], and splits it at blanks.
func groupOf(tenant string) (string, error) {
	id, err := model.Parse[model.TenantID](tenant)
	if err != nil {
		return "", usage.Wrong("-tenant %q: %v", tenant, err)
	}
	group := "tenant:" + string(id)
	if strings.ContainsAny(tenant, "[], \t\r\n") {
		return "", usage.Wrong("-tenant %q: it holds a blank, a comma or a bracket", tenant)
	}
	if len(group) > 128 {
		return "", usage.Wrong("-tenant %q: the name of a group has at most 128 characters, and this one %d", tenant,
			len(group))
	}
	return group, nil
}

// userPool returns the stage's account and the id of its user pool.
func userPool(ctx context.Context, stage tables.Stage) (aws.Config, string, error) {
	account, stack, err := identityOf(ctx, stage)
	if err != nil {
		return account, "", err
	}
	pool := stack.Outputs[names.UserPoolID]
	if pool == "" {
		return account, "", fmt.Errorf("stack %s says no %s: deploy it again", stack.Name, names.UserPoolID)
	}
	return account, pool, nil
}

func identityOf(ctx context.Context, stage tables.Stage) (aws.Config, deployment.Stack, error) {
	account, err := deployment.AWS(ctx)
	if err != nil {
		return account, deployment.Stack{}, err
	}
	stack, err := deployment.Find(ctx, account, names.Identity, stage)
	if errors.Is(err, deployment.ErrNoStack) {
		return account, stack,
			fmt.Errorf("%w: deploy first, or set AWS_REGION and AWS_PROFILE to the deployment's", err)
	}
	if err != nil {
		return account, stack, fmt.Errorf("read stack %s: %s", stack.Name, deployment.Why(err))
	}
	return account, stack, nil
}

// directory is the stage's user pool.
type directory struct {
	client *cognito.Client
	pool   string
}

func (d directory) makeGroup(ctx context.Context, name string) error {
	_, err := d.client.CreateGroup(ctx, &cognito.CreateGroupInput{UserPoolId: &d.pool, GroupName: &name})
	if deployment.Is(err, "GroupExistsException") {
		return nil
	}
	return err
}

// invite creates an account, and Cognito sends the invitation. It returns a sentence about the result, and the subject.
func (d directory) invite(ctx context.Context, email string, again bool) (said, subject string, err error) {
	request := &cognito.AdminCreateUserInput{
		UserPoolId: &d.pool, Username: &email,
		DesiredDeliveryMediums: []types.DeliveryMediumType{types.DeliveryMediumTypeEmail},
		UserAttributes: []types.AttributeType{
			{Name: aws.String("email"), Value: &email}, {Name: aws.String("email_verified"), Value: aws.String("true")},
		},
	}
	made, err := d.client.AdminCreateUser(ctx, request)
	if deployment.Is(err, "UsernameExistsException") {
		if !again {
			subject, err = d.subject(ctx, email)
			return email + " is there already, and was not written to", subject, err
		}
		request.MessageAction = types.MessageActionTypeResend
		made, err = d.client.AdminCreateUser(ctx, request)
	}
	if err != nil {
		return "", "", err
	}
	return email + " was invited by mail, with a password that is good for three days",
		attribute(made.User.Attributes, "sub"), nil
}

// subject returns the subject (sub) of an existing account.
func (d directory) subject(ctx context.Context, email string) (string, error) {
	found, err := d.client.AdminGetUser(ctx, &cognito.AdminGetUserInput{UserPoolId: &d.pool, Username: &email})
	if err != nil {
		return "", err
	}
	return attribute(found.UserAttributes, "sub"), nil
}

func attribute(attributes []types.AttributeType, name string) string {
	for _, a := range attributes {
		if aws.ToString(a.Name) == name {
			return aws.ToString(a.Value)
		}
	}
	return ""
}

func (d directory) join(ctx context.Context, email, group string) error {
	_, err := d.client.AdminAddUserToGroup(ctx,
		&cognito.AdminAddUserToGroupInput{UserPoolId: &d.pool, Username: &email, GroupName: &group})
	return err
}
