package inbox

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// unknownFor is how long a message waits for the one that it answers to become known. The answer to a send may be lost;
// then a status tells WhatsApp's id of what was sent, and the customer may have tapped before it is read.
const unknownFor = 10 * time.Minute

// answersUnknown is an error by which an entry of the log is tried again by itself.
type answersUnknown struct{}

func (answersUnknown) Error() string { return "the message that this one answers is not known yet" }

// Unwrap returns dynamo.ErrStuck: nothing changes if the entry is tried again at once.
func (answersUnknown) Unwrap() error { return dynamo.ErrStuck }

// purposeAnswered returns the purpose of the business's message that a message answers, and answersUnknown if it may
// become known. It is "" if there is no such message, if a person wrote it, or if it is in another conversation,
// because nobody can have tapped it there. Conversations that were merged are one.
func (s *Inbox) purposeAnswered(ctx context.Context, m inbound.Message) (model.Purpose, error) {
	if m.InReplyTo == "" {
		return "", nil
	}
	answered, err := s.Message(ctx, m.InReplyTo)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && answered.Direction == "" && answered.ErasedAt == "" {
		if s.Now().Sub(m.At.Go()) < unknownFor {
			return "", answersUnknown{}
		}
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
