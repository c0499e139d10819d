package messaging

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// Conversation reads the conversation under a customer's key, which may be one that was merged into another. Where there is
// none it reads the conversation that the identifier leads to. It returns ErrNoConversation.
func (s *Store) Conversation(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (model.Conversation, error) {
	c, err := s.conversationUnder(ctx, phone, customer)
	if errors.Is(err, ErrNoConversation) {
		return s.standing(ctx, phone, customer)
	}
	return c, err
}

// conversationUnder reads the conversation under a customer's key; ErrNoConversation when there is none.
func (s *Store) conversationUnder(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (model.Conversation, error) {
	var c model.Conversation
	err := s.DB.Get(ctx, table, keys.Conversation(phone, customer), &c)
	if errors.Is(err, dynamo.ErrNotFound) {
		return c, ErrNoConversation
	}
	return c, err
}

// Filter is which conversations a list shows.
type Filter struct {
	UnreadOnly bool
	Archived   bool // the archived ones instead of the others
}

// Inbox reads a page of a number's conversations, newest first, starting below a position; nil for the top. It reads on
// until the page is full, because a filter leaves rows out after they are read.
func (s *Store) Inbox(ctx context.Context, phone model.PhoneNumberID, filter Filter, limit int, after dynamo.Item) ([]model.Conversation, dynamo.Item, error) {
	q := dynamo.Query{
		Table: table, Index: "gsi_inbox", Where: "inboxPk = :inbox", Filter: "archived = :archived", Backwards: true, Limit: int32(limit), After: after,
		Values: dynamo.Item{":inbox": dynamo.S(keys.InboxConversations(phone)), ":archived": dynamo.B(filter.Archived)},
	}
	if filter.UnreadOnly {
		q.Filter += " AND unreadCount > :zero"
		q.Values[":zero"] = dynamo.N(0)
	}
	return pages[model.Conversation](ctx, s.DB, q, limit, func(item dynamo.Item) dynamo.Item {
		return dynamo.Item{"pk": item["pk"], "inboxPk": item["inboxPk"], "receivedAt": item["receivedAt"]}
	})
}

// maxPages bounds how far a filtered list reads for one page.
const maxPages = 10

// pages reads until limit rows pass, and says where to go on. position gives the index key of a row.
func pages[T any](ctx context.Context, db *dynamo.Client, q dynamo.Query, limit int, position func(dynamo.Item) dynamo.Item) ([]T, dynamo.Item, error) {
	rows := []T{}
	for range maxPages {
		page, err := db.Query(ctx, q)
		if err != nil {
			return nil, nil, err
		}
		for i, item := range page.Items {
			var row T
			if err := dynamo.Unmarshal(item, &row); err != nil {
				return nil, nil, err
			}
			if rows = append(rows, row); len(rows) == limit && (i < len(page.Items)-1 || page.Next != nil) {
				return rows, position(item), nil
			}
		}
		if q.After = page.Next; q.After == nil {
			return rows, nil, nil
		}
	}
	return rows, q.After, nil
}

// Timeline reads a page of a conversation's messages, newest first, below a position; the zero position for the top. Where
// the conversation took in others of the same person, all are read and merged.
func (s *Store) Timeline(ctx context.Context, c model.Conversation, limit int, below Position) ([]model.Message, Position, error) {
	var merged []model.Message
	var floor model.Time // at and below it, some partition has not been read
	for _, partition := range append([]string{c.PK}, c.MergedFrom...) {
		rows, reached, err := s.partition(ctx, partition, limit, below)
		if err != nil {
			return nil, Position{}, fmt.Errorf("timeline: %w", err)
		}
		merged, floor = append(merged, rows...), max(floor, reached)
	}
	merged = slices.DeleteFunc(merged, func(m model.Message) bool { return m.ReceivedAt <= floor })
	slices.SortFunc(merged, func(a, b model.Message) int { return positionOf(b).compare(positionOf(a)) })
	if len(merged) <= limit && floor == "" {
		return merged, Position{}, nil
	}
	merged = merged[:min(limit, len(merged))]
	return merged, positionOf(merged[len(merged)-1]), nil
}

// partition reads one conversation's messages below a position: at least limit of them with nothing missing between, or
// all there are. reached is the time at and below which messages may be missing, "" when none are. Messages of one time have no order in
// the index that could be relied on, so those of the last time read count as missing.
func (s *Store) partition(ctx context.Context, partition string, limit int, below Position) (rows []model.Message, reached model.Time, err error) {
	q := dynamo.Query{
		Table: table, Index: "gsi_conversation", Where: "conversationPk = :c", Backwards: true, Limit: int32(limit + 1),
		Values: dynamo.Item{":c": dynamo.S(partition)},
	}
	if below != (Position{}) {
		q.Where += " AND receivedAt <= :at"
		q.Values[":at"] = dynamo.S(below.At)
	}
	for {
		page, err := s.DB.Query(ctx, q)
		if err != nil {
			return nil, "", err
		}
		for _, item := range page.Items {
			var m model.Message
			if err := dynamo.Unmarshal(item, &m); err != nil {
				return nil, "", err
			}
			reached = m.ReceivedAt
			if below == (Position{}) || positionOf(m).compare(below) < 0 {
				rows = append(rows, m)
			}
		}
		if page.Next == nil {
			return rows, "", nil
		}
		if whole := slices.IndexFunc(rows, func(m model.Message) bool { return m.ReceivedAt <= reached }); whole >= limit {
			return rows, reached, nil
		}
		q.After = page.Next
	}
}

// Position is a place in a timeline: below it the next page starts. Messages of one time are ordered by their arrival, and
// those that arrived at one time by their ids.
type Position struct {
	At      model.Time `json:"at"`
	Arrival int64      `json:"arrival,omitempty"`
	PK      string     `json:"pk"`
}

func positionOf(m model.Message) Position {
	return Position{At: m.ReceivedAt, Arrival: m.Arrival, PK: m.PK}
}

func (p Position) compare(other Position) int {
	return cmp.Or(cmp.Compare(p.At, other.At), cmp.Compare(p.Arrival, other.Arrival), cmp.Compare(p.PK, other.PK))
}

// Message reads a message by its id, the platform's or the one haatline gave it; dynamo.ErrNotFound when there is none.
func (s *Store) Message(ctx context.Context, id model.MessageID) (model.Message, error) {
	var m model.Message
	for range 2 { // a pointer leads to a message, never to another pointer
		m = model.Message{}
		if err := s.DB.Get(ctx, table, keys.Message(id), &m); err != nil {
			return m, err
		}
		if m.ErasedAt != "" {
			break
		}
		if m.WAMessageID == "" {
			return m, nil
		}
		id = m.WAMessageID
	}
	return m, dynamo.ErrNotFound
}

// Event reads an entry of the log; dynamo.ErrNotFound when there is none.
func (s *Store) Event(ctx context.Context, id model.EventID) (model.WebhookEvent, error) {
	var event model.WebhookEvent
	err := s.DB.Get(ctx, table, keys.WebhookEvent(id), &event)
	if err == nil && event.ItemType != model.ItemWebhookEvent {
		err = dynamo.ErrNotFound
	}
	return event, err
}

// Events reads a page of one kind of a WABA's log, the newest first.
func (s *Store) Events(ctx context.Context, waba model.WABAID, kind string, limit int, after dynamo.Item) ([]model.WebhookEvent, dynamo.Item, error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: table, Index: "gsi_webhook_event", Where: "webhookEventType = :k", Backwards: true, Limit: int32(limit), After: after,
		Values: dynamo.Item{":k": dynamo.S(keys.WebhookEventType(waba, kind))},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("list log: %w", err)
	}
	refs := make([]dynamo.Ref, len(page.Items))
	for i, row := range page.Items {
		refs[i] = dynamo.Ref{Table: table, Key: keys.Key{PartitionName: "pk", Partition: dynamo.Text(row, "pk")}}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, nil, fmt.Errorf("read log: %w", err)
	}
	events := make([]model.WebhookEvent, 0, len(refs))
	for _, ref := range refs {
		if item := ref.Found(found); item != nil {
			var event model.WebhookEvent
			if err := dynamo.Unmarshal(item, &event); err != nil {
				return nil, nil, err
			}
			events = append(events, event)
		}
	}
	return events, page.Next, nil
}
