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

// AboutWrites returns writes for the transaction of the first message. By them an erasure of customers finds the
// messages that tell somebody else of these customers. They need no condition, because every writer writes the same.
func (s *Inbox) AboutWrites(
	tenant model.TenantID, customers []model.CustomerID, messages ...model.MessageID,
) ([]dynamo.Write, error) {
	var writes []dynamo.Write
	for _, customer := range customers {
		item, err := dynamo.Marshal(model.About{
			PK: keys.About(messages[0], customer).Partition, ItemType: model.ItemAbout,
			FromPK:     keys.ToldOf(tenant, customer),
			ReceivedAt: model.At(s.Now()), Messages: messages,
		})
		if err != nil {
			return nil, err
		}
		writes = append(writes, dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional})
	}
	return writes, nil
}

// ToldQuery returns the query for the keys of the items that lead to messages that tell somebody else of a customer.
func ToldQuery(tenant model.TenantID, customer model.CustomerID) dynamo.Query {
	return dynamo.Query{
		Table: tables.Messages, Index: tables.IndexFrom, Where: "fromPk = :told",
		Values: dynamo.Item{":told": dynamo.S(keys.ToldOf(tenant, customer))},
	}
}

// Told calls pass for each item that leads to messages that tell somebody else of a customer. AboutWrites wrote the
// items.
func (s *Inbox) Told(
	ctx context.Context, tenant model.TenantID, customer model.CustomerID, pass func(about model.About) error,
) error {
	q := ToldQuery(tenant, customer)
	for {
		page, err := s.DB.Query(ctx, q)
		if err != nil {
			return fmt.Errorf("what was told of a customer: %w", err)
		}
		refs := make([]dynamo.Ref, len(page.Items))
		for i, row := range page.Items {
			refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(dynamo.Text(row, keys.PK))}
		}
		found, err := s.DB.BatchGet(ctx, refs)
		if err != nil {
			return fmt.Errorf("what was told of a customer: %w", err)
		}
		for _, ref := range refs {
			item := ref.Found(found)
			if item == nil {
				continue // the index is behind
			}
			var about model.About
			if err := dynamo.Unmarshal(item, &about); err != nil {
				return err
			}
			if err := pass(about); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil
		}
	}
}

// EmptyLogged removes a message from the entries of the log, because it tells of somebody who is erased. count returns
// the writes that count an entry.
func (s *Inbox) EmptyLogged(ctx context.Context, m model.Message, count func(name string, n int) []dynamo.Write) error {
	var logged []model.EventID
	for _, id := range append([]model.EventID{m.EventID}, m.AlsoLogged...) {
		if id != "" {
			logged = append(logged, id)
		}
	}
	itself := func(a decodedMessage, _ dynamo.Item) bool { return a.message.PK == m.PK }
	return s.Log.Remove(ctx, logged, s.positionsOf(itself), func() []dynamo.Write { return count(CountLogEntries, 1) })
}

// EmptyWrites returns the writes that remove what a message says, from the message and from its conversation's row. The
// message stays, with its kind and time. The condition is that it is in the conversation in which it was read, and was
// not emptied.
func (s *Inbox) EmptyWrites(ctx context.Context, m model.Message) ([]dynamo.Write, error) {
	phone, customer, placed := keys.ConversationIDs(m.ConversationPK)
	writes := []dynamo.Write{dynamo.Update{
		Table: tables.Messages, Key: keys.ByPK(m.PK), If: "conversationPk = :in AND attribute_not_exists(emptiedAt)",
		Do: "SET textBody = :emptied, preview = :emptied, emptiedAt = :now, changesPk = :texts, changedAt = :now " +
			"REMOVE caption, content, versions, about",
		Values: dynamo.Item{
			":emptied": dynamo.S(model.Emptied), ":now": dynamo.S(model.At(s.Now())), ":in": dynamo.S(m.ConversationPK),
			":texts": dynamo.S(keys.ChangedTexts(phone)), // search reads it again
		},
	}}
	if !placed {
		return writes, nil
	}
	talk, err := s.CurrentConversation(ctx, phone, customer)
	switch {
	case errors.Is(err, ErrNoConversation):
		return writes, nil
	case err != nil:
		return nil, err
	case talk.LastMessagePK != m.PK && (m.QueuedID == "" || talk.LastMessagePK != keys.Message(m.QueuedID).Partition):
		return writes, nil
	}
	return append(writes, dynamo.Update{
		Table: tables.Messages, Key: keys.ByPK(talk.PK), Do: "SET lastPreview = :emptied", If: "lastMessagePk = :last",
		Values: dynamo.Item{":emptied": dynamo.S(model.Emptied), ":last": dynamo.S(talk.LastMessagePK)},
	}), nil
}
