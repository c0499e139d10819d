package cloud

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// openWindows tells the simulated WhatsApp which customers have written within the last 24 hours. The simulator keeps
// nothing over a restart, but WhatsApp would know.
func (c *Cloud) openWindows(ctx context.Context) error {
	conversations, err := scan[model.Conversation](ctx, c, tables.Messages,
		"itemType = :conversation AND windowExpiresAt > :now",
		map[string]types.AttributeValue{
			":conversation": &types.AttributeValueMemberS{Value: model.ItemConversation},
			":now":          &types.AttributeValueMemberS{Value: string(model.At(time.Now()))},
		})
	if err != nil {
		return fmt.Errorf("read who has written: %w", err)
	}
	for _, conversation := range conversations {
		phone, customer, ok := keys.ConversationIDs(conversation.PK)
		if !ok {
			continue
		}
		heard := conversation.WindowExpiresAt.Go().Add(-whatsappsim.WindowLength)
		names := append([]string{string(customer), conversation.From, conversation.UserID, conversation.GroupID},
			conversation.Aliases...)
		c.simulator.Heard(heard, string(phone), names...)
	}
	return nil
}
