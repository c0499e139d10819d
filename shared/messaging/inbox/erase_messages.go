package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tombstone"
)

// maxErased bounds the messages erased in one transaction. Each may have a pointer and a file too, which takes three
// writes; maxErasing leaves room for what counts them.
const maxErased, maxErasing = 30, 80

// Counts of an erasure.
const (
	CountMessages, CountConversations, CountLogEntries = "messages", "conversations", "logEntries"
)

// eraser erases a customer's messages. Every change commits together with its count.
type eraser struct {
	*Inbox
	of      contacts.Customer
	count   func(name string, n int) []dynamo.Write
	guarded bool // count also checks that no conversation has opened
}

// EraseMessages erases every message of a customer's conversations and its entries in the log. A message leaves a
// tombstone. count returns the writes by which an audit record counts, for each transaction. Because an index may lag
// behind, EraseMessages also erases the messages that the conversations name, and repeats until the index shows none
// after IndexLag.
func (s *Inbox) EraseMessages(
	ctx context.Context, of contacts.Customer, count func(name string, n int) []dynamo.Write,
) error {
	return eraser{Inbox: s, of: of, count: count}.messages(ctx)
}

// EraseLateMessages erases messages that an index has shown only after the conversation under a customer's key was
// erased. Each transaction checks that no new conversation has opened, because its messages do not belong to this
// erasure.
func (s *Inbox) EraseLateMessages(
	ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID,
	count func(name string, n int) []dynamo.Write,
) error {
	unopened := dynamo.Check{Table: tables.Messages, Key: keys.Conversation(phone, customer), If: dynamo.IfAbsent}
	e := eraser{Inbox: s, of: contacts.KnownByKey(phone, customer), guarded: true,
		count: func(name string, n int) []dynamo.Write { return append(count(name, n), unopened) },
	}
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		_, err := s.conversationUnder(ctx, phone, customer)
		if !errors.Is(err, ErrNoConversation) {
			return err // nil: one has opened
		}
		return e.messages(ctx)
	})
}

// MessagesQuery returns the query for the messages in a conversation's partition.
func MessagesQuery(partition string) dynamo.Query {
	return dynamo.Query{
		Table: tables.Messages, Index: tables.IndexConversation, Where: "conversationPk = :c",
		Values: dynamo.Item{":c": dynamo.S(partition)},
	}
}

// messages erases until a pass finds no message.
func (e eraser) messages(ctx context.Context) error {
	for {
		found, err := e.erasePass(ctx)
		if err != nil || found == 0 || e.IndexLag == 0 {
			return err
		}
		if err := dynamo.Sleep(ctx, e.IndexLag); err != nil {
			return err
		}
	}
}

// erasePass erases the messages that the index and the conversations show, and returns how many it has erased.
func (e eraser) erasePass(ctx context.Context) (found int, err error) {
	for _, partition := range e.of.Partitions() {
		q := MessagesQuery(partition)
		q.Limit = maxErased
		for {
			page, err := e.DB.Query(ctx, q)
			if err != nil {
				return found, fmt.Errorf("list messages to erase: %w", err)
			}
			var pks []string
			for _, row := range page.Items {
				pks = append(pks, dynamo.Text(row, keys.PK))
			}
			n, err := e.eraseKeys(ctx, pks)
			if found += n; err != nil {
				return found, err
			}
			if q.After = page.Next; q.After == nil {
				break
			}
		}
	}
	var shown []string
	for _, c := range e.of.Conversations() {
		for _, pk := range []string{c.LastMessagePK, c.LastInboundPK} {
			if pk != "" && !slices.Contains(shown, pk) {
				shown = append(shown, pk)
			}
		}
	}
	n, err := e.eraseKeys(ctx, shown)
	return found + n, err
}

// owns reports whether a decoded message belongs to the customer. The stored item decides. If there is none, the
// message's identifiers decide.
func (e eraser) owns(a decodedMessage, stored dynamo.Item) bool {
	switch {
	case tombstone.Is(stored):
		return true
	case IsMessage(stored):
		return slices.Contains(e.of.Partitions(), dynamo.Text(stored, "conversationPk"))
	}
	return e.of.Owns(a.sighting())
}

// eraseKeys erases messages by their keys: first from the log, because only they lead to their entries, then
// themselves. It skips messages that are erased already or belong to another customer, and returns how many it has
// erased.
func (e eraser) eraseKeys(ctx context.Context, pks []string) (n int, err error) {
	tries := dynamo.MaxAttempts
	if e.guarded {
		tries = 1 // a guard that failed once fails again: the caller starts over
	}
	err = dynamo.Retry(ctx, tries, func() error {
		messages, err := e.read(ctx, pks)
		if err != nil || len(messages) == 0 {
			return err
		}
		var logged []model.EventID
		for _, m := range messages {
			for _, id := range append([]model.EventID{m.EventID}, m.AlsoLogged...) {
				if id != "" && !slices.Contains(logged, id) {
					logged = append(logged, id)
				}
			}
		}
		counted := func() []dynamo.Write { return e.count(CountLogEntries, 1) }
		err = e.Log.Remove(ctx, logged, e.positionsOf(e.owns), counted)
		if err != nil {
			return err
		}
		for len(messages) > 0 {
			size := countErasable(messages)
			writes, err := e.tombstones(ctx, messages[:size])
			if err != nil {
				return err
			}
			if err := e.DB.Transact(ctx, writes); err != nil {
				return dynamo.Conflict(err)
			}
			n, messages = n+size, messages[size:]
		}
		return nil
	})
	return n, err
}

// read reads those of the messages that belong to the customer.
func (e eraser) read(ctx context.Context, pks []string) ([]model.Message, error) {
	found, err := e.readMessages(ctx, pks)
	foreign := func(m model.Message) bool { return !slices.Contains(e.of.Partitions(), m.ConversationPK) }
	return slices.DeleteFunc(found, foreign), err
}

// countErasable returns how many of the first messages one transaction can erase.
func countErasable(messages []model.Message) int {
	size, writes, bytes := 0, 0, 0
	for size < len(messages) && size < maxErased && writes < maxErasing && (size == 0 || bytes < maxTransactionBytes) {
		bytes += len(messages[size].Content) + len(messages[size].TextBody)
		writes += 2
		if ShowsTheirs(messages[size]) {
			writes += 1 + fileWrites
		}
		size++
	}
	return size
}

// ShowsTheirs reports whether a message shows a file that is its customer's, and is erased with it. A file that
// haatline has sent stays, unless it is about the customer.
func ShowsTheirs(m model.Message) bool {
	return m.MediaID != "" && (m.OutboxEventID == "" || m.PrivateFile)
}

// tombstones returns the writes that replace messages, the pointers to them and the records of their files by
// tombstones, and have the files deleted. The condition is that each message is still in the conversation in which it
// was read.
func (e eraser) tombstones(ctx context.Context, messages []model.Message) ([]dynamo.Write, error) {
	writes := e.count(CountMessages, len(messages))
	var shown []model.MediaID
	for _, m := range messages {
		put, err := tombstone.Put(m.PK, e.Now(), "conversationPk = :c", dynamo.Item{":c": dynamo.S(m.ConversationPK)})
		if err != nil {
			return nil, err
		}
		writes = append(writes, put)
		if m.QueuedID != "" {
			// No condition: the pointer leads to this message only.
			put, err := tombstone.Put(keys.Message(m.QueuedID).Partition, e.Now(), dynamo.Unconditional, nil)
			if err != nil {
				return nil, err
			}
			writes = append(writes, put)
		}
		if ShowsTheirs(m) {
			shown = append(shown, m.MediaID)
		}
	}
	files, err := e.Files.EraseWrites(ctx, e.of.Phone(), shown)
	return append(writes, files...), err
}
