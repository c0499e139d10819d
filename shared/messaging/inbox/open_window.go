package inbox

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// OpenWindow opens the customer service window of a conversation, for something other than a message: a call. Nothing
// becomes unread. The condition is that the window does not end later already. It opens the conversation if there is
// none.
func (s *Inbox) OpenWindow(
	ctx context.Context, phone model.PhoneNumberID, who []model.CustomerID, at model.Time,
) error {
	until := model.At(at.Go().Add(customerServiceWindow))
	for _, customer := range who {
		err := s.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
			return s.DB.UpdateReturning(ctx, MarkChanged(dynamo.Update{
				Table: tables.Messages, Key: keys.Conversation(phone, customer), Do: "SET windowExpiresAt = :until",
				If: "attribute_exists(pk) AND attribute_not_exists(mergedInto) AND " +
					"(attribute_not_exists(windowExpiresAt) OR windowExpiresAt < :until)",
				Values: dynamo.Item{":until": dynamo.S(until)},
			}, phone, s.Now()))
		})
		if !errors.Is(err, ErrNoConversation) {
			return err
		}
	}
	return s.openByCall(ctx, phone, who[0], at, until)
}

// openByCall opens a conversation with a customer who has called and never written. The condition is that there is
// none.
func (s *Inbox) openByCall(
	ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID, at, until model.Time,
) error {
	order := model.OrderOf(at, 0)
	c := model.Conversation{
		PK: keys.Conversation(phone, customer).Partition, ItemType: model.ItemConversation,
		InboxPK: keys.InboxConversations(phone), From: string(customer), ReceivedAt: at,
		FirstOrder: order, LastOrder: order, WindowExpiresAt: until,
	}
	s.markLate(&c, phone)
	item, err := dynamo.Marshal(c)
	if err != nil {
		return err
	}
	return s.DB.PutOnce(ctx, tables.Messages, item)
}
