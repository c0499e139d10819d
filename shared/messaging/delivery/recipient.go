package delivery

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// sightRecipient records the identifiers that a message's first status shows of the customer: the number that answers
// may differ from the one that was dialled, and a status names the user id as well. Later statuses show nothing new.
func (s *Statuses) sightRecipient(ctx context.Context, st reportedStatus, phone model.PhoneNumberID, item dynamo.Item,
	event *model.OutboxEvent) error {
	at := whatsapp.Text(st.status.Timestamp).Seconds()
	if st.status.Participant != "" || dynamo.Text(item, "groupId") != "" || at.IsZero() {
		return nil
	}
	var message model.Message
	if err := dynamo.Unmarshal(item, &message); err != nil {
		return err
	}
	sentTo := message.To
	if sentTo == "" && event != nil { // the status comes before the answer to the send
		sentTo = cmp.Or(addressOf(*event))
	}
	ids := st.recipient(sentTo, message.CustomerIDs)
	// the status itself is there if an earlier attempt died
	earlier := func(u model.StatusUpdate) bool { return u.Status != st.status.Status || u.Timestamp != model.At(at) }
	if len(ids) < 2 || slices.ContainsFunc(message.DeliveryStatusHistory, earlier) {
		return nil
	}
	if err := s.Inbox.Sight(ctx, phone, model.OrderOf(model.At(at), st.arrival), ids); err != nil {
		return fmt.Errorf("sight recipient: %w", err)
	}
	return nil
}

// recipient returns the identifiers of the customer to whom a status's message went, the one it was sent to first.
// answered has those that the answer to the send showed.
func (st reportedStatus) recipient(sentTo string, answered []model.CustomerID) []model.CustomerID {
	ids := []string{sentTo}
	for _, id := range answered {
		ids = append(ids, string(id))
	}
	ids = append(ids, st.status.RecipientID, st.status.RecipientUserID, st.status.RecipientParent)
	for _, contact := range st.contacts {
		if slices.Contains(ids, contact.WAID) && contact.WAID != "" ||
			slices.Contains(ids, contact.UserID) && contact.UserID != "" {
			ids = append(ids, contact.WAID, contact.UserID, contact.ParentUserID)
		}
	}
	return model.ParseCustomers(ids...)
}
