package inbox

import (
	"context"
	"errors"
	"fmt"
	"strings"

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

// maxWaitingReads bounds how many pages of conversations are read to fill a page of waiting ones.
const maxWaitingReads = 8

// WaitingPage is a page of conversations that wait for a reply.
type WaitingPage struct {
	Conversations []model.Conversation
	Last          map[string]model.Message // the last message of each, by the conversation's pk
	Next          Position                 // where the next page begins; zero if there is none
}

// WaitingForReply reads a page of the conversations whose last message is the customer's, newest first, below a
// position. A page may be short even if another one follows.
func (s *Inbox) WaitingForReply(
	ctx context.Context, phones []model.PhoneNumberID, filter Filter, limit int, below Position,
) (WaitingPage, error) {
	page := WaitingPage{Last: map[string]model.Message{}}
	for range maxWaitingReads {
		rows, next, err := s.Conversations(ctx, phones, filter, limit, below)
		if err != nil {
			return WaitingPage{}, err
		}
		last, err := s.LastMessages(ctx, rows)
		if err != nil {
			return WaitingPage{}, err
		}
		for _, row := range rows {
			if last[row.PK].Direction != model.Inbound {
				continue
			}
			page.Conversations, page.Last[row.PK] = append(page.Conversations, row), last[row.PK]
			if len(page.Conversations) == limit {
				page.Next = Position{At: row.ReceivedAt, PK: row.PK}
				return page, nil
			}
		}
		if below = next; next == (Position{}) {
			break
		}
	}
	page.Next = below
	return page, nil
}

// InboxCounts counts conversations by the filters of the list.
type InboxCounts struct {
	All, Unread, WaitingForReply, Archived int // conversations; all but Archived count only those that are not archived

	UnreadTotal int // messages
	// Complete is false if a number has more conversations than are counted. The newest are counted.
	Complete bool
}

const (
	// maxCountedRows bounds how many conversations of a number are counted, and maxCountedWaiting of how many the last
	// messages are read. countPage is how many conversations one query reads.
	maxCountedRows, countPage, maxCountedWaiting = 2000, 500, 500
	// maxCountedRowsTotal and maxCountedWaitingTotal bound the same for all numbers of a call, which every reader of
	// the inbox may repeat without limit.
	maxCountedRowsTotal, maxCountedWaitingTotal = 20_000, 5000
	// whatsAppIDPrefix begins the message ids that Meta assigns. A conversation whose last message has another id was
	// last answered from haatline.
	whatsAppIDPrefix = "wamid."
)

// countLimits returns how many conversations, and how many last messages, are read per number.
func countLimits(numbers int) (rows, waiting int) {
	rows = max(1, min(maxCountedRows, maxCountedRowsTotal/numbers))
	waiting = max(1, min(maxCountedWaiting, maxCountedWaitingTotal/numbers))
	return rows, waiting
}

// CountInbox counts the conversations of some numbers.
func (s *Inbox) CountInbox(ctx context.Context, phones []model.PhoneNumberID) (InboxCounts, error) {
	parts, jobs := make([]InboxCounts, len(phones)), make([]func() error, len(phones))
	for i, phone := range phones {
		jobs[i] = func() (err error) {
			rows, waiting := countLimits(len(phones))
			parts[i], err = s.countNumber(ctx, phone, rows, waiting)
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

// countNumber counts the newest conversations of a number and reads some of their last messages.
func (s *Inbox) countNumber(ctx context.Context, phone model.PhoneNumberID, rows, waiting int) (InboxCounts, error) {
	counts, candidates := InboxCounts{}, []model.Conversation(nil)
	query := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexInbox, Where: "inboxPk = :pk", Backwards: true,
		Values: dynamo.Item{":pk": dynamo.S(keys.InboxConversations(phone))},
	}
	for read := 0; read < rows; read += countPage {
		query.Limit = int32(min(countPage, rows-read))
		page, err := s.DB.Query(ctx, query)
		if err != nil {
			return counts, err
		}
		for _, item := range page.Items {
			var c model.Conversation
			if err := dynamo.Unmarshal(item, &c); err != nil {
				return counts, err
			}
			if counts.count(c); !c.Archived && mayAwaitReply(c) {
				candidates = append(candidates, c)
			}
		}
		if query.After = page.Next; page.Next == nil {
			break
		}
	}
	counts.Complete = query.After == nil && len(candidates) <= waiting
	last, err := s.LastMessages(ctx, candidates[:min(len(candidates), waiting)])
	for _, m := range last {
		if m.Direction == model.Inbound {
			counts.WaitingForReply++
		}
	}
	return counts, err
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
}

// mayAwaitReply reports whether a conversation's last message may be the customer's.
func mayAwaitReply(c model.Conversation) bool {
	id, ok := keys.MessageIDOf(c.LastMessagePK)
	return ok && strings.HasPrefix(string(id), whatsAppIDPrefix)
}
