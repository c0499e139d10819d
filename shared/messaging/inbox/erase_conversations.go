package inbox

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tombstone"
)

// maxErasureWrites bounds the writes of conversations and aliases in one transaction; a few others are added.
const maxErasureWrites = 90

// ConversationErasure returns the writes that commit together with the erasure of a customer's conversations.
type ConversationErasure struct {
	// Count returns the writes by which the audit record counts conversations. Complete returns the one that counts the
	// last and completes the record.
	Count    func(name string, n int) []dynamo.Write
	Complete func(conversations int) dynamo.Write
	// Unchanged returns the checks that nothing was added to other domains under a customer's key since they were
	// erased.
	Unchanged func(customer model.CustomerID) []dynamo.Write
	// Reference returns the writes that refer an identifier to the audit record.
	Reference func(id model.CustomerID) ([]dynamo.Write, error)
}

// EraseConversations erases a customer's conversations and aliases. Its last transaction removes the current
// conversation, on the condition that nothing has been added since it was read; otherwise it returns
// dynamo.ErrConflict.
func (s *Inbox) EraseConversations(ctx context.Context, of contacts.Customer, with ConversationErasure) error {
	return conversationEraser{Inbox: s, of: of, ConversationErasure: with}.erase(ctx)
}

type conversationEraser struct {
	*Inbox
	of contacts.Customer
	ConversationErasure
}

// identifierTombstone returns the writes that record when an identifier's owner was erased and refer it to the audit
// record.
func (e conversationEraser) identifierTombstone(id model.CustomerID) ([]dynamo.Write, error) {
	put, err := tombstone.PutIdentifier(e.of.Phone(), id, e.Now())
	if err != nil {
		return nil, err
	}
	reference, err := e.Reference(id)
	return append([]dynamo.Write{put}, reference...), err
}

// identifierErasure holds the writes that erase one identifier of the customer.
type identifierErasure struct {
	writes        []dynamo.Write
	conversations int
}

// identifiers returns the erasures of all identifiers but the one in the current conversation's key: a merged
// conversation, an alias, or both. Each leaves a reference to the record, so that the record proves the erasure under
// each of the customer's identifiers.
func (e conversationEraser) identifiers() ([]identifierErasure, error) {
	var order []model.CustomerID
	by := map[model.CustomerID]*identifierErasure{}
	of := func(id model.CustomerID) *identifierErasure {
		if by[id] == nil {
			by[id], order = &identifierErasure{}, append(order, id)
		}
		return by[id]
	}
	named := map[model.CustomerID]bool{}
	for _, c := range e.of.Merged() {
		_, customer, _ := keys.ConversationIDs(c.PK)
		one := of(customer)
		one.writes = append(append(one.writes, dynamo.Delete{
			Table: tables.Messages, Key: keys.Conversation(e.of.Phone(), customer),
			If: "mergedInto = :into", Values: dynamo.Item{":into": dynamo.S(c.MergedInto)},
		}), e.Unchanged(customer)...)
		one.conversations, named[customer] = 1, true
	}
	aliases, err := e.of.AliasErasures()
	if err != nil {
		return nil, err
	}
	for _, alias := range aliases {
		one := of(alias.ID)
		one.writes = append(one.writes, alias.Writes...)
		named[alias.ID] = named[alias.ID] || alias.Free
	}
	var all []identifierErasure
	for _, id := range order {
		if named[id] && id != e.of.Key() { // the last transaction writes the tombstone of the current key
			remember, err := e.identifierTombstone(id)
			if err != nil {
				return nil, err
			}
			by[id].writes = append(by[id].writes, remember...)
		}
		all = append(all, *by[id])
	}
	return all, nil
}

// erase deletes the conversations and aliases, and completes the erasure with the current conversation. If they exceed
// one transaction, the others go first.
func (e conversationEraser) erase(ctx context.Context) error {
	endings, err := e.identifiers()
	if err != nil {
		return err
	}
	var writes []dynamo.Write
	count := 0
	for _, one := range endings {
		if len(writes)+len(one.writes) > maxErasureWrites {
			if err := e.DB.Transact(ctx, append(writes, e.Count(CountConversations, count)...)); err != nil {
				return dynamo.Conflict(err)
			}
			writes, count = nil, 0
		}
		writes, count = append(writes, one.writes...), count+one.conversations
	}
	values := dynamo.Item{":unread": dynamo.N(e.of.Current().UnreadCount)}
	same := unchanged(*e.of.Current(), values) + " AND unreadCount = :unread"
	remember, err := e.identifierTombstone(e.of.Key())
	if err != nil {
		return err
	}
	last := []dynamo.Write{
		dynamo.Delete{
			Table: tables.Messages, Key: keys.Conversation(e.of.Phone(), e.of.Key()), If: same, Values: values,
		},
		e.Complete(count + 1),
	}
	return dynamo.Conflict(e.DB.Transact(ctx, slices.Concat(writes, remember, e.Unchanged(e.of.Key()), last)))
}
