package inbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// MarkUnread brings a read conversation back to a person's attention. It returns ErrNoConversation.
func (s *Inbox) MarkUnread(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error {
	return s.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
		return s.DB.Update(ctx, dynamo.Update{
			Table: tables.Messages, Key: keys.Conversation(phone, customer), Do: "SET unreadCount = :one",
			If:     "attribute_exists(pk) AND attribute_not_exists(mergedInto) AND unreadCount = :zero",
			Values: dynamo.Item{":one": dynamo.N(1), ":zero": dynamo.N(0)},
		})
	})
}

// SetArchived puts a conversation away or takes it back. A message of the customer that arrives while it is put away takes
// it out again: what was put away is what stood there when it was called. It returns ErrNoConversation.
func (s *Inbox) SetArchived(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID, archived bool) error {
	var first *model.Conversation // as the call first saw it; it may be merged into another meanwhile
	return s.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
		c, err := s.conversationUnder(ctx, phone, customer)
		if errors.Is(err, ErrNoConversation) || err == nil && c.MergedInto != "" {
			return nil, &dynamo.ConditionFailed{}
		}
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = &c
		}
		if archived && c.PK != first.PK {
			return nil, nil // what it was merged with may have come meanwhile: a person should see it
		}
		u := dynamo.Update{
			Table: tables.Messages, Key: keys.Conversation(phone, customer), Do: "SET archived = :to, archiveChangedAt = :now",
			If:     "attribute_exists(pk) AND attribute_not_exists(mergedInto) AND archived <> :to",
			Values: dynamo.Item{":to": dynamo.Bool(archived), ":now": dynamo.S(model.At(s.Now()))},
		}
		if archived {
			u.If += " AND " + SameNumber("unreadTotal", int64(c.UnreadTotal), u.Values)
		}
		return s.DB.Update(ctx, u)
	})
}

// onStanding marks the conversation that a customer's key or identifier means: the one under it, or the one that it was
// merged into. mark returns a *dynamo.ConditionFailed with the item where there is nothing to change, or no conversation
// that stands.
func (s *Inbox) OnCurrent(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID, mark func(model.CustomerID) (dynamo.Item, error)) error {
	for range maxHops {
		_, err := mark(customer)
		var failed *dynamo.ConditionFailed
		if !errors.As(err, &failed) || len(failed.Item) > 0 && dynamo.Text(failed.Item, "mergedInto") == "" {
			return dynamo.IgnoreConditionFailed(err)
		}
		c, err := s.CurrentConversation(ctx, phone, customer)
		if err != nil {
			return err
		}
		_, customer, _ = keys.ConversationIDs(c.PK)
	}
	return fmt.Errorf("%w: conversations that merge in a circle", dynamo.ErrPermanent)
}

// standing reads the conversation that a customer's key or identifier means: the one it was merged into, if it was. It
// returns ErrNoConversation.
func (s *Inbox) CurrentConversation(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (model.Conversation, error) {
	p, err := s.lookUp(phone, nil).resolveAddressee(ctx, customer)
	if err != nil {
		return model.Conversation{}, err
	}
	if p.existing == nil {
		return model.Conversation{}, ErrNoConversation
	}
	return *p.existing, nil
}
