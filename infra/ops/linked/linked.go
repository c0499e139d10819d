// Package linked asks AWS End User Messaging which numbers are linked with an account of AWS.
package linked

import (
	"context"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/eum"
	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Open returns a client for the account of a stage. For deployment.Local it is one for the stand-in of this checkout's
// running local cloud.
func Open(ctx context.Context, stage tables.Stage) (*socialmessaging.Client, error) {
	if stage != deployment.Local {
		account, err := deployment.AWS(ctx)
		if err != nil {
			return nil, err
		}
		return socialmessaging.NewFromConfig(account), nil
	}
	root, err := engine.Root()
	if err != nil {
		return nil, err
	}
	dir := cloud.Dir(root, os.Getenv)
	addresses, err := cloud.ReadAddresses(dir)
	if err != nil {
		return nil, fmt.Errorf("no local cloud runs in %s: start it with make run", dir)
	}
	return Local(addresses), nil
}

// Local returns a client for the stand-in of a local cloud.
func Local(addresses cloud.Addresses) *socialmessaging.Client {
	return socialmessaging.New(socialmessaging.Options{
		Region: cloud.Region, Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		BaseEndpoint: aws.String(addresses.Files + eum.Path), Retryer: aws.NopRetryer{}})
}

// NumberID returns AWS's id of a number. It returns an error that says what to do if no account that is linked has the
// number.
func NumberID(ctx context.Context, client *socialmessaging.Client, phone model.PhoneNumberID) (string, error) {
	pages := socialmessaging.NewListLinkedWhatsAppBusinessAccountsPaginator(client,
		&socialmessaging.ListLinkedWhatsAppBusinessAccountsInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return "", fmt.Errorf("list the accounts at AWS: %s", deployment.Why(err))
		}
		for _, account := range page.LinkedAccounts {
			whole, err := client.GetLinkedWhatsAppBusinessAccount(ctx,
				&socialmessaging.GetLinkedWhatsAppBusinessAccountInput{Id: account.Id})
			if err != nil {
				return "", fmt.Errorf("look at an account at AWS: %s", deployment.Why(err))
			}
			if whole.Account == nil {
				continue
			}
			for _, number := range whole.Account.PhoneNumbers {
				if aws.ToString(number.MetaPhoneNumberId) == string(phone) {
					return aws.ToString(number.PhoneNumberId), nil
				}
			}
		}
	}
	return "", fmt.Errorf("AWS knows no number %s in this account and region: link its WhatsApp Business Account in "+
		"the console of AWS End User Messaging", phone)
}
