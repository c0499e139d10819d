package cloud

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The demo tenant and its number; the number is the one in Meta's own samples.
const (
	demoPhoneID = "106540352242922"
	demoPhone   = "15550783881"
	demoWABA    = "102290129340398"
)

// member is that somebody works for the demo tenant, as operations on people write it.
func member(subject string) map[string]types.AttributeValue {
	s := func(value string) types.AttributeValue { return &types.AttributeValueMemberS{Value: value} }
	now := s(time.Now().UTC().Format("2006-01-02T15:04:05.000Z"))
	return map[string]types.AttributeValue{
		"pk": s(keys.Member(model.Name(subject), defaultTenant).Partition), "itemType": s(model.ItemMember),
		"subject": s(subject), "tenantId": s(defaultTenant), "fromPk": s(keys.TenantsOf(model.Name(subject))),
		"receivedAt": now, "givenAt": now, "givenBy": s(operatorSubject)}
}

// seed creates the demo tenant, its number and its operators' names if they do not exist. It keeps later changes.
func seed(ctx context.Context, client *dynamodb.Client) error {
	s := func(value string) types.AttributeValue { return &types.AttributeValueMemberS{Value: value} }
	one := &types.AttributeValueMemberN{Value: "1"}
	items := []map[string]types.AttributeValue{
		{
			"pk": s("TENANT#" + defaultTenant), "itemType": s("TENANT"), "tenantId": s(defaultTenant),
			"displayName": s("Demo Kirana Store"), "wabaId": s(demoWABA),
			"phoneNumberIds": &types.AttributeValueMemberL{Value: []types.AttributeValue{s(demoPhoneID)}},
			"createdAt":      s(time.Now().UTC().Format("2006-01-02T15:04:05.000Z")),
		},
		{
			"pk": s("PHONE#" + demoPhoneID), "itemType": s("PHONE"), "phoneNumberId": s(demoPhoneID),
			"tenantId": s(defaultTenant), "wabaMetaId": s(demoWABA), "displayPhoneNumber": s(demoPhone),
		},
		{"pk": s("PERSON#" + operatorSubject), "itemType": s("PERSON"), "subject": s(operatorSubject), "tenants": one,
			"name": s("Operator"), "email": s("operator@localhost")},
		{"pk": s("PERSON#" + colleagueSubject), "itemType": s("PERSON"), "subject": s(colleagueSubject), "tenants": one,
			"name": s("Meena"), "email": s("meena@localhost")},
		member(operatorSubject), member(colleagueSubject),
	}
	for _, item := range items {
		_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
			TableName:           aws.String(tables.Messages.Name(stage)),
			Item:                item,
			ConditionExpression: aws.String("attribute_not_exists(pk)"),
		})
		var exists *types.ConditionalCheckFailedException
		if err != nil && !errors.As(err, &exists) {
			return fmt.Errorf("seed the demo tenant: %w", err)
		}
	}
	return nil
}
