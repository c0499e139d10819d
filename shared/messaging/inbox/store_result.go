package inbox

import (
	"context"
	"slices"
	"sync"

	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/model"
)

// storeResult is what became of messages that were received.
type storeResult struct {
	stored  []decodedMessage // now or before, each with its conversation
	refused []string         // what DynamoDB does not take
	erased  bool             // some have been erased: they are not stored again, and nobody reacts to them
}

// merge returns what became of these messages and of more.
func (r storeResult) merge(more storeResult) storeResult {
	return storeResult{
		stored:  slices.Concat(r.stored, more.stored),
		refused: slices.Concat(r.refused, more.refused),
		erased:  r.erased || more.erased,
	}
}

// inConversation returns the message with its conversation.
func (a decodedMessage) inConversation(conversationPK string) decodedMessage {
	a.message.ConversationPK = conversationPK
	return a
}

// asInbound returns the stored messages as domains see them, without those that their senders have deleted.
func (s *Inbox) asInbound(of storeResult, phone model.PhoneNumberID) []inbound.Message {
	var once sync.Once
	var owner model.TenantID
	var err error
	tenant := func(ctx context.Context) (model.TenantID, error) {
		once.Do(func() { owner, err = s.Numbers.TenantOf(ctx, phone) })
		return owner, err
	}
	var messages []inbound.Message
	for _, a := range of.stored {
		if a.message.RevokedAt != "" {
			continue
		}
		m := inbound.Of(a.message, a.identifiers(), a.live)
		m.Tenant = tenant
		m.Purpose = func(ctx context.Context) (model.Purpose, error) { return s.purposeAnswered(ctx, m) }
		messages = append(messages, m)
	}
	return messages
}
