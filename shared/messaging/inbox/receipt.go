package inbox

import (
	"context"
	"slices"
	"sync"

	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/model"
)

// receipt is what became of messages that were received.
type receipt struct {
	stored  []arrival // now or before, each with its conversation
	refused []string  // what DynamoDB does not take
	erased  bool      // some have been erased: they are not stored again, and nobody reacts to them
}

// and returns what became of these messages and of more.
func (r receipt) and(more receipt) receipt {
	return receipt{
		stored: slices.Concat(r.stored, more.stored), refused: slices.Concat(r.refused, more.refused), erased: r.erased || more.erased,
	}
}

// in returns the arrival with its conversation.
func (a arrival) in(conversationPK string) arrival {
	a.message.ConversationPK = conversationPK
	return a
}

// messages returns the stored messages as domains see them.
func (s *Inbox) messages(of receipt, phone model.PhoneNumberID) []inbound.Message {
	var once sync.Once
	var owner model.TenantID
	var err error
	tenant := func(ctx context.Context) (model.TenantID, error) {
		once.Do(func() { owner, err = s.Numbers.TenantOf(ctx, phone) })
		return owner, err
	}
	messages := make([]inbound.Message, len(of.stored))
	for i, a := range of.stored {
		messages[i] = inbound.Of(a.message, a.identifiers(), a.unread)
		messages[i].Tenant = tenant
	}
	return messages
}
