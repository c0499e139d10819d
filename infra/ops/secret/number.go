package secret

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/uuid"

	"github.com/haatline/haatline/infra/ops/database"
	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

// accessToken is the value that a number may have of its own.
const accessToken = "WHATSAPP_ACCESS_TOKEN"

// ofNumber is a number that gets a token of its own.
type ofNumber struct {
	account aws.Config
	stage   tables.Stage
	phone   model.PhoneNumberID
}

// put reads a token without showing it, has the stage's key encrypt it for the number and its tenant, and stores it on
// the number's item, with an audit record.
func (n ofNumber) put(ctx context.Context, in io.Reader, out, problems io.Writer) error {
	by, err := deployment.Caller(ctx, n.account)
	if err != nil {
		return err
	}
	db, err := database.Open(ctx, n.stage)
	if err != nil {
		return err
	}
	rooms := messaging.New(messaging.Config{
		DB: db, Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }})
	_, tenant, err := rooms.AccessTokenRef(ctx, n.phone)
	switch {
	case err != nil:
		return fmt.Errorf("read the number: %s", deployment.Why(err))
	case tenant == "":
		return fmt.Errorf("%s has no tenant: give it to one first (make number)", n.phone)
	}
	token, err := ask(in, problems, accessToken)
	if err != nil {
		return err
	}
	getenv, err := n.environment(ctx)
	if err != nil {
		return err
	}
	of := secrets.Place{Tenant: string(tenant), Number: string(n.phone)}
	ref, err := secrets.Seal(ctx, getenv, names.TokensKey(n.stage), token, of)
	if err != nil {
		return fmt.Errorf("%w: deploy with -c tokens=kms first, and see that you may use the key", err)
	}
	_, err = rooms.GiveNumber(ctx, tenancy.NumberChange{
		Phone: n.phone, Tenant: tenant, AccessTokenRef: &ref, Reason: "a token of its own",
		By: audit.Actor{Subject: by, RequestID: "make secret"},
	})
	if err != nil {
		return fmt.Errorf("change the number: %s", deployment.Why(err))
	}
	_, err = fmt.Fprintf(out, "the token of %s is on its item, encrypted; the functions use it within five minutes\n",
		n.phone)
	return err
}

// environment returns the account's credentials and region as the environment of a function has them.
func (n ofNumber) environment(ctx context.Context) (func(name string) string, error) {
	credentials, err := n.account.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, fmt.Errorf("credentials: %s", deployment.Why(err))
	}
	variables := map[string]string{
		"AWS_ACCESS_KEY_ID": credentials.AccessKeyID, "AWS_SECRET_ACCESS_KEY": credentials.SecretAccessKey,
		"AWS_SESSION_TOKEN": credentials.SessionToken, "AWS_REGION": n.account.Region,
		"AWS_ENDPOINT_URL_KMS": cmp.Or(os.Getenv("AWS_ENDPOINT_URL_KMS"), os.Getenv("AWS_ENDPOINT_URL")),
	}
	return func(name string) string { return variables[name] }, nil
}
