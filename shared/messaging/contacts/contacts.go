// Package contacts knows who is who at a number of the business. It says to which person an identifier leads now, or
// led at an instant, and it decides what a newly seen fact about identifiers changes.
//
// It reads alias and conversation items. It returns the writes of alias items, and says in a Person what changes for
// conversations. It writes no conversation and no message: package inbox does, in the same transaction.
//
// Package identity computes from facts alone who had an identifier when. This package reads the facts, and keeps the
// result.
package contacts

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tenancy"
)

// Contacts finds the people behind identifiers.
type Contacts struct {
	DB  *dynamo.Client
	Now func() time.Time
	// Numbers says which tenant has a number, for RekeyWrites, and which store, for Prefetch; nil where neither is
	// called.
	Numbers *tenancy.Numbers
	// Events takes the events that have domains move what they keep of a person; nil for none.
	Events *outbox.Outbox
}

// Current reads the conversation that a customer's key or identifier means, following merges. It returns nil if there
// is none.
func (s *Contacts) Current(
	ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID,
) (*model.Conversation, error) {
	p, err := s.LookUp(phone, nil).resolveAddressee(ctx, customer)
	if err != nil {
		return nil, err
	}
	return p.Existing, nil
}

// KeyOf returns the customer in the key of the conversation that one of the identifiers means, or the first identifier
// if none has a conversation.
func (s *Contacts) KeyOf(
	ctx context.Context, phone model.PhoneNumberID, who []model.CustomerID,
) (model.CustomerID, error) {
	for _, customer := range who {
		c, err := s.Current(ctx, phone, customer)
		if err != nil {
			return "", err
		}
		if c != nil {
			return keyOf(*c), nil
		}
	}
	return who[0], nil
}

// IdentifiersOf returns the current and former identifiers of a conversation's customer.
func IdentifiersOf(c model.Conversation) []string {
	_, customer, _ := keys.ConversationIDs(c.PK)
	return append([]string{string(identity.IdentifierIn(customer))}, c.Aliases...)
}

// keyOf returns the customer in a conversation's key.
func keyOf(c model.Conversation) model.CustomerID {
	_, customer, _ := keys.ConversationIDs(c.PK)
	return customer
}
