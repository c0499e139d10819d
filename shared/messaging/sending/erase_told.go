package sending

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// CountTold names the count of messages to others that told of the customer and are emptied.
const CountTold = "toldToOthers"

// EraseTold empties the messages that tell others of customers: those of the business, and those that these answer.
// The outbox event of such a message is emptied as well. If it still waits, it ends without being sent. The message
// stays, with its kind and time. It returns outbox.ErrLeased while a relay is sending one of the messages.
func (s *Sender) EraseTold(
	ctx context.Context, tenant model.TenantID, customers []model.CustomerID,
	count func(name string, n int) []dynamo.Write,
) error {
	for _, customer := range customers {
		err := s.Inbox.Told(ctx, tenant, customer, func(about model.About) error {
			return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error { return s.eraseAbout(ctx, about, count) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eraseAbout empties the messages to which one item leads, and deletes it in the same transaction, with those by which
// the same messages were found before: under a former address of the person, or for others of whom they told. They
// would lead to messages that say nothing.
func (s *Sender) eraseAbout(ctx context.Context, about model.About,
	count func(name string, n int) []dynamo.Write) error {
	messages, err := s.Told(ctx, about)
	if err != nil {
		return err
	}
	var writes []dynamo.Write
	leads := []keys.Key{keys.ByPK(about.PK)}
	if s.Forget != nil {
		if err := s.Forget(ctx, messages); err != nil {
			return err
		}
	}
	for _, m := range messages {
		for _, customer := range m.About {
			if key := keys.About(about.Messages[0], customer); !slices.Contains(leads, key) {
				leads = append(leads, key)
			}
		}
		if err := s.Inbox.EmptyLogged(ctx, m, count); err != nil {
			return err
		}
		message, err := s.Inbox.EmptyWrites(ctx, m)
		if err != nil {
			return err
		}
		event, err := s.emptyEvent(ctx, m.OutboxEventID)
		if err != nil {
			return err
		}
		writes = append(append(writes, message...), event...)
	}
	if len(messages) > 0 {
		writes = append(writes, count(CountTold, len(messages))...)
	}
	for _, key := range leads {
		writes = append(writes, dynamo.Delete{Table: tables.Messages, Key: key, If: dynamo.Unconditional})
	}
	return dynamo.Conflict(s.DB.Transact(ctx, writes))
}

// Told reads the messages to which an item leads. It leaves out those that are erased, and those that are emptied
// because they have told of somebody else who is erased.
func (s *Sender) Told(ctx context.Context, about model.About) (all []model.Message, err error) {
	for _, id := range about.Messages {
		m, err := s.told(ctx, id)
		if err != nil {
			return nil, err
		}
		if m.ConversationPK != "" && m.EmptiedAt == "" {
			all = append(all, m)
		}
	}
	return all, nil
}

// told reads a message, or the one that a pointer leads to; a zero one for one that is not there.
func (s *Sender) told(ctx context.Context, id model.MessageID) (model.Message, error) {
	m, found, err := s.storedMessage(ctx, id)
	if err == nil && found && m.WAMessageID != "" {
		m, found, err = s.storedMessage(ctx, m.WAMessageID)
	}
	if err != nil || !found {
		return model.Message{}, err
	}
	return m, nil
}

// emptyEvent returns the write that empties the event of a message; none for a message without one, or whose event has
// expired.
func (s *Sender) emptyEvent(ctx context.Context, id string) ([]dynamo.Write, error) {
	if id == "" {
		return nil, nil
	}
	event, err := s.Outbox().Get(ctx, id)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && event.EmptiedAt != "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var payload messagePayload
	if json.Unmarshal(event.Payload, &payload) != nil {
		return nil, nil // it is no message
	}
	payload.Request, payload.Files = nil, nil
	empty, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	write, err := s.Outbox().EmptyWrite(event, empty)
	return []dynamo.Write{write}, err
}
