package inbox

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// purposeAnswered returns the purpose of the business's message that a message answers. It is "" if there is no such
// message, if a person wrote it, or if it is in another conversation, because nobody can have tapped it there.
// Conversations that were merged are one.
func (s *Inbox) purposeAnswered(ctx context.Context, m inbound.Message) (model.Purpose, error) {
	if m.InReplyTo == "" {
		return "", nil
	}
	answered, err := s.Message(ctx, m.InReplyTo)
	if errors.Is(err, dynamo.ErrNotFound) {
		return "", nil
	}
	if err != nil || answered.Direction != model.Outbound || answered.Purpose == "" {
		return "", err
	}
	phone, customer, placed := keys.ConversationIDs(answered.ConversationPK)
	if !placed || phone != m.Phone {
		return "", nil
	}
	if contacts.SameCustomer(customer, m.Customer) {
		return answered.Purpose, nil
	}
	there, err := s.CurrentConversation(ctx, phone, customer)
	if err == nil {
		var here model.Conversation
		if here, err = s.CurrentConversation(ctx, phone, m.Customer); err == nil && here.PK == there.PK {
			return answered.Purpose, nil
		}
	}
	if errors.Is(err, ErrNoConversation) {
		return "", nil
	}
	return "", err
}
