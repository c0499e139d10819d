package inbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The inbox list shows more than the conversations' own rows. A status does not write to its conversation, because that
// would cost a write per status. Instead the list reads the last messages, one batch per page.

// LastMessages reads the last messages of conversations, by the conversation's pk. It omits a message that no longer
// exists.
func (s *Inbox) LastMessages(ctx context.Context, of []model.Conversation) (map[string]model.Message, error) {
	at := map[string]string{} // where the last message of each conversation is
	for _, c := range of {
		if c.LastMessagePK != "" {
			at[c.PK] = c.LastMessagePK
		}
	}
	last := map[string]model.Message{}
	for range 2 { // a queued message becomes a pointer when it is sent
		var refs []dynamo.Ref
		var conversations []string
		for conversation, pk := range at {
			refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(pk)})
			conversations = append(conversations, conversation)
		}
		if len(refs) == 0 {
			break
		}
		found, err := s.DB.BatchGet(ctx, refs)
		if err != nil {
			return nil, fmt.Errorf("read last messages: %w", err)
		}
		at = map[string]string{}
		for i, ref := range refs {
			var m model.Message
			if err := dynamo.Unmarshal(ref.Found(found), &m); err != nil {
				return nil, err
			}
			switch {
			case m.WAMessageID != "":
				at[conversations[i]] = keys.Message(m.WAMessageID).Partition
			case m.Direction != "":
				last[conversations[i]] = m
			}
		}
	}
	return last, nil
}

// InboxCounts counts conversations by the filters of the list.
type InboxCounts struct {
	All, Unread, WaitingForReply, Archived int // conversations; all but Archived count only those that are not archived

	UnreadTotal int // messages
	// Complete is false if a number has more conversations than are counted. The newest are counted.
	Complete bool
}

const (
	// maxCountedRows bounds how many conversations of a number are counted. countPage is how many one query reads.
	maxCountedRows, countPage = 2000, 500
	// maxCountedRowsTotal bounds the same for all numbers of a call, which every reader of the inbox may repeat without
	// limit.
	maxCountedRowsTotal = 20_000
)

// countedRows returns how many conversations are counted of each of some numbers.
func countedRows(numbers int) int {
	return max(1, min(maxCountedRows, maxCountedRowsTotal/max(1, numbers)))
}

// CountInbox counts the conversations of some numbers.
func (s *Inbox) CountInbox(ctx context.Context, phones []model.PhoneNumberID) (InboxCounts, error) {
	parts, jobs := make([]InboxCounts, len(phones)), make([]func() error, len(phones))
	most := countedRows(len(phones))
	for i, phone := range phones {
		jobs[i] = func() (err error) {
			parts[i], err = s.countNumber(ctx, phone, most)
			return err
		}
	}
	if err := errors.Join(lanes.Concurrently(partitionsAtOnce, jobs...)...); err != nil {
		return InboxCounts{}, fmt.Errorf("count inbox: %w", err)
	}
	all := InboxCounts{Complete: true}
	for _, part := range parts {
		all.All += part.All
		all.Unread += part.Unread
		all.Archived += part.Archived
		all.WaitingForReply += part.WaitingForReply
		all.UnreadTotal += part.UnreadTotal
		all.Complete = all.Complete && part.Complete
	}
	return all, nil
}

// countNumber counts the newest conversations of a number, by the rows of the inbox alone.
func (s *Inbox) countNumber(ctx context.Context, phone model.PhoneNumberID, most int) (counts InboxCounts, err error) {
	query := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexInbox, Where: "inboxPk = :pk", Backwards: true,
		Values: dynamo.Item{":pk": dynamo.S(keys.InboxConversations(phone))},
	}
	for read := 0; read < most; read += countPage {
		query.Limit = int32(min(countPage, most-read))
		page, err := s.DB.Query(ctx, query)
		if err != nil {
			return counts, err
		}
		for _, item := range page.Items {
			var c model.Conversation
			if err := dynamo.Unmarshal(item, &c); err != nil {
				return counts, err
			}
			counts.count(c)
		}
		if query.After = page.Next; page.Next == nil {
			break
		}
	}
	counts.Complete = query.After == nil
	return counts, nil
}

func (n *InboxCounts) count(c model.Conversation) {
	if c.Archived {
		n.Archived++
		return
	}
	n.All++
	n.UnreadTotal += c.UnreadCount
	if c.UnreadCount > 0 {
		n.Unread++
	}
	if c.WaitingSince != "" {
		n.WaitingForReply++
	}
}
