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

// MarkUnread marks a read conversation as unread. It returns ErrNoConversation if there is none.
func (s *Inbox) MarkUnread(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error {
	return s.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
		return s.DB.UpdateReturning(ctx, MarkChanged(dynamo.Update{
			Table: tables.Messages, Key: keys.Conversation(phone, customer), Do: "SET unreadCount = :one",
			If:     "attribute_exists(pk) AND attribute_not_exists(mergedInto) AND unreadCount = :zero",
			Values: dynamo.Item{":one": dynamo.N(1), ":zero": dynamo.N(0)},
		}, phone, s.Now()))
	})
}

// AcknowledgeIdentity records that a person has seen that the customer has got another encryption key. It does nothing
// if there is nothing to acknowledge, and returns ErrNoConversation if there is no conversation.
func (s *Inbox) AcknowledgeIdentity(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error {
	return s.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
		return s.DB.UpdateReturning(ctx, MarkChanged(dynamo.Update{
			Table: tables.Messages, Key: keys.Conversation(phone, customer),
			Do: "SET identityAcknowledgedAt = identityChangedAt",
			If: "attribute_exists(identityChangedAt) AND attribute_not_exists(mergedInto) AND " +
				"(attribute_not_exists(identityAcknowledgedAt) OR identityAcknowledgedAt < identityChangedAt)",
		}, phone, s.Now()))
	})
}

// SetArchived archives a conversation or takes it out of the archive. A message of the customer that arrives after the
// call began takes it out again. SetArchived returns ErrNoConversation if there is none.
func (s *Inbox) SetArchived(
	ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID, archived bool,
) error {
	var first *model.Conversation // as it was read first; it may be merged into another since
	return s.onCurrentAsRead(ctx, phone, customer, func(key keys.Key, c model.Conversation) (dynamo.Item, error) {
		if first == nil {
			first = &c
		}
		if archived && c.PK != first.PK {
			return nil, nil // a person should see the conversation it was merged into
		}
		u := MarkChanged(dynamo.Update{
			Table: tables.Messages, Key: key,
			Do:     "SET archived = :to, archiveChangedAt = :changed",
			If:     "attribute_exists(pk) AND attribute_not_exists(mergedInto) AND archived <> :to",
			Values: dynamo.Item{":to": dynamo.Bool(archived)},
		}, phone, s.Now())
		if archived {
			u.If = dynamo.And(u.If, dynamo.SameNumber("unreadTotal", int64(c.UnreadTotal), u.Values))
		}
		return s.DB.UpdateReturning(ctx, u)
	})
}

// maxHops bounds how many merges of conversations, and how many changes of changes, are followed.
const maxHops = 8

// OnCurrent calls mark for the conversation that a customer's key or identifier means, following merges. mark returns a
// *dynamo.ConditionFailed if it changes nothing: with the item if the conversation needs no change, without an item if
// there is no current conversation under the key.
func (s *Inbox) OnCurrent(
	ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID,
	mark func(model.CustomerID) (dynamo.Item, error),
) error {
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
	return fmt.Errorf("%w: merged conversations form a cycle", dynamo.ErrPermanent)
}

// onCurrentAsRead is OnCurrent for a change that follows from the conversation as it was read.
func (s *Inbox) onCurrentAsRead(
	ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID,
	mark func(keys.Key, model.Conversation) (dynamo.Item, error),
) error {
	return s.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
		c, err := s.conversationUnder(ctx, phone, customer)
		if errors.Is(err, ErrNoConversation) || err == nil && c.MergedInto != "" {
			return nil, &dynamo.ConditionFailed{}
		}
		if err != nil {
			return nil, err
		}
		return mark(keys.Conversation(phone, customer), c)
	})
}

// CurrentConversation reads the conversation that a customer's key or identifier means, following merges. It returns
// ErrNoConversation if there is none.
func (s *Inbox) CurrentConversation(
	ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID,
) (model.Conversation, error) {
	c, err := s.Contacts.Current(ctx, phone, customer)
	switch {
	case err != nil:
		return model.Conversation{}, err
	case c == nil:
		return model.Conversation{}, ErrNoConversation
	}
	return *c, nil
}

// NeedsPerson marks a conversation: a person has to look at it. It does nothing if there is none.
func (s *Inbox) NeedsPerson(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error {
	err := s.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
		told, err := s.needsPersonWrites(ctx, phone, customer)
		if err != nil {
			return nil, err
		}
		return s.updateAnd(ctx, MarkChanged(dynamo.Update{
			Table: tables.Messages, Key: keys.Conversation(phone, customer), Do: "SET needsPersonSince = :changed",
			If: "attribute_exists(pk) AND attribute_not_exists(mergedInto) AND " +
				"attribute_not_exists(needsPersonSince)",
		}, phone, s.Now()), told)
	})
	if errors.Is(err, ErrNoConversation) {
		return nil
	}
	return err
}

// PersonDone removes the mark that a person has to go on with a conversation.
func (s *Inbox) PersonDone(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error {
	return s.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
		return s.DB.UpdateReturning(ctx, MarkChanged(dynamo.Update{
			Table: tables.Messages, Key: keys.Conversation(phone, customer), Do: "REMOVE needsPersonSince",
			If: "attribute_exists(needsPersonSince) AND attribute_not_exists(mergedInto)",
		}, phone, s.Now()))
	})
}
