package inbox

import (
	"slices"

	"github.com/haatline/haatline/shared/keys"
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
		stored: slices.Concat(r.stored, more.stored), refused: slices.Concat(r.refused, more.refused), erased: r.erased || more.erased,
	}
}

// inConversation returns the arrival with its conversation.
func (a decodedMessage) inConversation(conversationPK string) decodedMessage {
	a.message.ConversationPK = conversationPK
	return a
}

// received returns the stored messages for the domains that react to them.
func (r storeResult) received(phone model.PhoneNumberID) []Received {
	var all []Received
	for _, a := range r.stored {
		_, customer, _ := keys.ConversationIDs(a.message.ConversationPK)
		all = append(all, Received{Message: a.message, Phone: phone, Customer: customer, Live: a.unread})
	}
	return all
}
