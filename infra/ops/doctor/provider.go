package doctor

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// providerCheck returns the check of the numbers at AWS End User Messaging.
func (x *examination) providerCheck() check {
	return check{"numbers at AWS", []need{&x.db, &x.numbers}, x.checkAtAWS}
}

// checkAtAWS checks whether AWS End User Messaging knows the numbers that send there, and tells of them.
func (x *examination) checkAtAWS(ctx context.Context) []finding {
	var list []finding
	for _, n := range x.numbers.value {
		var phone model.Phone
		if err := x.read(ctx, tables.Messages, keys.Phone(model.PhoneNumberID(n.ID)), &phone); err != nil {
			return append(list, x.unread(err, tables.Messages))
		}
		if phone.AWSPhoneNumberID == "" {
			continue
		}
		list = append(list, x.checkNumberAtAWS(ctx, phone).of(x.called(n)+" at AWS"))
	}
	if len(list) == 0 {
		return []finding{fine("no number sends there")}
	}
	return list
}

// checkNumberAtAWS checks one number.
func (x *examination) checkNumberAtAWS(ctx context.Context, phone model.Phone) finding {
	client := x.social
	if client == nil {
		client = socialmessaging.NewFromConfig(x.account.value)
	}
	id := phone.AWSPhoneNumberID
	again := "give it the id that AWS has: make number STAGE=" + string(x.stage) + " PHONE=" +
		string(phone.PhoneNumberID) + " TENANT=" + string(phone.TenantID) + ` ARGS="-aws find"`
	number, err := client.GetLinkedWhatsAppBusinessAccountPhoneNumber(ctx,
		&socialmessaging.GetLinkedWhatsAppBusinessAccountPhoneNumberInput{Id: &id})
	switch {
	case deployment.Is(err, "ResourceNotFoundException"):
		return lacks("AWS does not know "+x.private.cleaned(id)+" in this account and region", again)
	case err != nil:
		return x.refused(err, "social-messaging:GetLinkedWhatsAppBusinessAccountPhoneNumber")
	case number.PhoneNumber == nil || aws.ToString(number.PhoneNumber.MetaPhoneNumberId) != string(phone.PhoneNumberID):
		return lacks(x.private.cleaned(id)+" is another number", again)
	}
	account, err := client.GetLinkedWhatsAppBusinessAccount(ctx,
		&socialmessaging.GetLinkedWhatsAppBusinessAccountInput{Id: number.LinkedWhatsAppBusinessAccountId})
	if err != nil {
		return x.refused(err, "social-messaging:GetLinkedWhatsAppBusinessAccount")
	}
	if account.Account != nil {
		for _, to := range account.Account.EventDestinations {
			if strings.Contains(aws.ToString(to.EventDestinationArn), ":sns:") {
				return fine("AWS tells of it by the topic %s", x.private.cleaned(aws.ToString(to.EventDestinationArn)))
			}
		}
	}
	return lacks("AWS tells no topic of what happens to its account",
		"give the account a topic of SNS as its event destination, and deploy with -c eumTopic={its ARN}")
}
