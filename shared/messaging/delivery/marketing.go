package delivery

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// codeMarketingStopped is Meta's code for a marketing message to somebody who has stopped them.
const codeMarketingStopped = 131050

// MarkMarketingStopped returns the reaction that records what a failed message shows: its customer has stopped
// marketing messages.
func (s *Statuses) MarkMarketingStopped() OnDelivery {
	return OnDelivery{Name: "marketing", React: func(ctx context.Context, d Delivery) error {
		if d.Status != model.Failed || d.Problem == nil || d.Problem.Code != codeMarketingStopped || d.Mismatch != "" {
			return nil
		}
		item, err := s.Inbox.MessageItem(ctx, d.MessageID)
		if err != nil {
			return fmt.Errorf("marketing stopped: %w", err)
		}
		phone, customer, ok := keys.ConversationIDs(dynamo.Text(item, "conversationPk"))
		failedAt := model.Time(dynamo.Text(item, "failedAt"))
		if !ok || failedAt == "" {
			return nil
		}
		return s.Inbox.SetMarketing(ctx, phone, []model.CustomerID{customer}, true, model.OrderOf(failedAt, 0))
	}}
}
