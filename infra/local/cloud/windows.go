package cloud

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// openWindows tells the simulated WhatsApp, which remembers nothing over a restart, which customers have written within the
// last 24 hours. WhatsApp itself would know, and a person who restarts the cloud goes on where they were. A scan is enough:
// what is on a laptop is small, and this runs once.
func (c *Cloud) openWindows(ctx context.Context) error {
	pages := dynamodb.NewScanPaginator(engine.Client(c.endpoint), &dynamodb.ScanInput{
		TableName:        aws.String(tables.Messages.Name(stage)),
		FilterExpression: aws.String("itemType = :conversation AND windowExpiresAt > :now"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":conversation": &types.AttributeValueMemberS{Value: model.ItemConversation},
			":now":          &types.AttributeValueMemberS{Value: string(model.At(time.Now()))},
		},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("read who has written: %w", err)
		}
		var conversations []model.Conversation
		if err := attributevalue.UnmarshalListOfMaps(page.Items, &conversations); err != nil {
			return fmt.Errorf("read who has written: %w", err)
		}
		for _, conversation := range conversations {
			phone, customer, ok := keys.ConversationIDs(conversation.PK)
			if !ok {
				continue
			}
			heard := conversation.WindowExpiresAt.Go().Add(-whatsappsim.WindowLength)
			names := append([]string{string(customer), conversation.From, conversation.UserID, conversation.GroupID}, conversation.Aliases...)
			c.simulator.Heard(heard, string(phone), names...)
		}
	}
	return nil
}
