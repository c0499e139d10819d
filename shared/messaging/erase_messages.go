package messaging

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tombstone"
)

// maxErased is how many messages are erased in one transaction: each may have a pointer and a media object, too.
const maxErased = 30

// erasing is one erasure at work: the customer, the record that counts, and a check that holds for each of its transactions.
type erasing struct {
	*Store
	traces
	record model.AuditLog
	late   bool // after the record has been completed
	guard  []dynamo.Write
}

// counting are the writes that go with every transaction.
func (e erasing) counting(name string, n int) []dynamo.Write {
	count := audit.Counted
	if e.late {
		count = audit.CountedLate
	}
	return append(slices.Clone(e.guard), count(e.record, map[string]int{name: n}))
}

// eraseEvents removes what the outbox holds for the customer, and returns the last numbers by conversation.
func (e erasing) eraseEvents(ctx context.Context) (map[model.CustomerID]int64, error) {
	last := map[model.CustomerID]int64{}
	store := outbox.Store{DB: e.DB, Now: e.Now}
	for _, customer := range e.customers {
		var err error
		if last[customer], err = store.Erase(ctx, e.entity(customer), e.withEvents); err != nil {
			return nil, err
		}
	}
	return last, nil
}

// withEvents counts removed events and puts tombstones for messages that the platform has taken and nobody has: a status
// may come for them yet.
func (e erasing) withEvents(ctx context.Context, removed []model.OutboxEvent) ([]dynamo.Write, error) {
	writes := e.counting(countEvents, len(removed))
	var refs []dynamo.Ref
	for _, event := range removed {
		if wamid, err := model.Parse[model.MessageID](event.ExternalID); err == nil {
			refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Message(wamid)})
		}
	}
	found, err := e.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read what was sent: %w", err)
	}
	for _, ref := range refs {
		if item := ref.Found(found); isMessage(item) || tombstone.Is(item) {
			continue
		}
		put, err := tombstone.Put(ref.Key.Partition, e.Now(), "attribute_not_exists(direction)", nil)
		if err != nil {
			return nil, err
		}
		writes = append(writes, put)
	}
	return writes, nil
}

// eraseMessages erases every message of the customer's conversations. An index may lag behind: what the conversations
// themselves show is looked for as well, and it ends only when the index has had its time and shows nothing any more.
func (e erasing) eraseMessages(ctx context.Context) error {
	for {
		found, err := e.erasePass(ctx)
		if err != nil || found == 0 || e.IndexLag == 0 {
			return err
		}
		if err := outbox.Sleep(ctx, e.IndexLag); err != nil {
			return err
		}
	}
}

// erasePass goes through the messages once, and returns how many it has erased.
func (e erasing) erasePass(ctx context.Context) (found int, err error) {
	for _, partition := range e.partitions() {
		q := dynamo.Query{
			Table: tables.Messages, Index: "gsi_conversation", Where: "conversationPk = :c", Limit: maxErased, Values: dynamo.Item{":c": dynamo.S(partition)},
		}
		for {
			page, err := e.DB.Query(ctx, q)
			if err != nil {
				return found, fmt.Errorf("messages to erase: %w", err)
			}
			var pks []string
			for _, row := range page.Items {
				pks = append(pks, dynamo.Text(row, "pk"))
			}
			n, err := e.these(ctx, pks)
			if found += n; err != nil {
				return found, err
			}
			if q.After = page.Next; q.After == nil {
				break
			}
		}
	}
	var shown []string
	for _, c := range e.kept() {
		for _, pk := range []string{c.LastMessagePK, c.LastInboundPK} {
			if pk != "" && !slices.Contains(shown, pk) {
				shown = append(shown, pk)
			}
		}
	}
	n, err := e.these(ctx, shown)
	return found + n, err
}

// these erases messages by their keys: first from the log, which only they lead to, then themselves. Those that are
// erased already, or not the customer's, are left alone. It returns how many it has erased.
func (e erasing) these(ctx context.Context, pks []string) (n int, err error) {
	tries := dynamo.MaxAttempts
	if len(e.guard) > 0 {
		tries = 1 // a guard that has failed once fails again: who set it looks anew
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
		err = e.Remove(ctx, logged, e.placesOf(e.owns), func() []dynamo.Write { return e.counting(countEntries, 1) })
		if err != nil {
			return err
		}
		for len(messages) > 0 {
			size := fittingErased(messages)
			writes, err := e.tombstones(messages[:size])
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

// read reads those of the messages that are the customer's; a pointer stands for the message it leads to.
func (e erasing) read(ctx context.Context, pks []string) ([]model.Message, error) {
	var messages []model.Message
	for range 2 { // a pointer leads to a message, never to another pointer
		var refs []dynamo.Ref
		for _, pk := range pks {
			refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: pk}})
		}
		found, err := e.DB.BatchGet(ctx, refs)
		if err != nil {
			return nil, fmt.Errorf("read messages to erase: %w", err)
		}
		var led []string
		for _, ref := range refs {
			var m model.Message
			if err := dynamo.Unmarshal(ref.Found(found), &m); err != nil {
				return nil, err
			}
			target := keys.Message(m.WAMessageID).Partition
			switch {
			case m.WAMessageID != "" && !slices.Contains(pks, target):
				led = append(led, target)
			case slices.Contains(e.partitions(), m.ConversationPK):
				messages = append(messages, m)
			}
		}
		if pks = led; len(pks) == 0 {
			break
		}
	}
	return messages, nil
}

// fittingErased is how many messages, from the first, one transaction takes.
func fittingErased(messages []model.Message) int {
	size, bytes := 0, 0
	for size < len(messages) && size < maxErased && (size == 0 || bytes < maxTransactionBytes) {
		bytes += len(messages[size].Content) + len(messages[size].TextBody)
		size++
	}
	return size
}

// tombstones put tombstones in the place of messages, of the pointers that lead to them, and of what is known of their
// media. The condition is that each still is where it was read.
func (e erasing) tombstones(messages []model.Message) ([]dynamo.Write, error) {
	writes := e.counting(countMessages, len(messages))
	media := map[model.MediaID]bool{}
	for _, m := range messages {
		put, err := tombstone.Put(m.PK, e.Now(), "conversationPk = :c", dynamo.Item{":c": dynamo.S(m.ConversationPK)})
		if err != nil {
			return nil, err
		}
		writes = append(writes, put)
		if m.QueuedID != "" {
			put, err := tombstone.Put(keys.Message(m.QueuedID).Partition, e.Now(), dynamo.Unconditional, nil) // it leads to nothing else
			if err != nil {
				return nil, err
			}
			writes = append(writes, put)
		}
		if m.MediaID != "" && !media[m.MediaID] {
			media[m.MediaID] = true
			put, err := tombstone.PutMedia(m.MediaID, e.Now())
			if err != nil {
				return nil, err
			}
			writes = append(writes, put)
		}
	}
	return writes, nil
}
