package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
)

// ErrNoConversation means that there is no such conversation.
var ErrNoConversation = problem.New("no such conversation", problem.Error{Class: problem.NotFound})

// Conversation reads the conversation under a customer's key, even one that was merged into another. If there is none,
// it reads the one that the identifier leads to. It returns ErrNoConversation if there is none either.
func (s *Inbox) Conversation(
	ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID,
) (model.Conversation, error) {
	c, err := s.conversationUnder(ctx, phone, customer)
	if errors.Is(err, ErrNoConversation) {
		return s.CurrentConversation(ctx, phone, customer)
	}
	return c, err
}

// conversationUnder reads the conversation under a customer's key. It returns ErrNoConversation if there is none.
func (s *Inbox) conversationUnder(
	ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID,
) (model.Conversation, error) {
	var c model.Conversation
	err := s.DB.Get(ctx, tables.Messages, keys.Conversation(phone, customer), &c)
	if errors.Is(err, dynamo.ErrNotFound) {
		return c, ErrNoConversation
	}
	return c, err
}

// Filter selects the conversations of a list.
type Filter struct {
	UnreadOnly bool
	Waiting    bool       // those in which the customer wrote last
	ForPerson  bool       // those that an assistant has left to a person
	Archived   bool       // archived conversations instead of the others
	Since      model.Time // those whose last message was written then or later; "" for all

	// Of what a team does about them. The zero values select all.
	Assignee   string
	Unassigned bool
	State      *model.WorkState
	Priority   *model.Priority
	Label      string
}

// Conversations reads a page of the conversations of some numbers, newest first, below a position. The zero position is
// the top.
func (s *Inbox) Conversations(
	ctx context.Context, phones []model.PhoneNumberID, filter Filter, limit int, below Position,
) ([]model.Conversation, Position, error) {
	queries := make([]dynamo.Query, len(phones))
	for i, phone := range phones {
		queries[i] = dynamo.Query{
			Table: tables.Messages, Index: tables.IndexInbox, Where: "inboxPk = :pk", Filter: "archived = :archived",
			Values: dynamo.Item{
				":pk": dynamo.S(keys.InboxConversations(phone)), ":archived": dynamo.Bool(filter.Archived),
			},
		}
		if filter.UnreadOnly {
			queries[i].Filter += " AND unreadCount > :zero"
			queries[i].Values[":zero"] = dynamo.N(0)
		}
		if filter.Waiting {
			queries[i].Filter += " AND attribute_exists(waitingSince)"
		}
		if filter.ForPerson {
			queries[i].Filter += " AND attribute_exists(needsPersonSince)"
		}
		filter.workFilter(&queries[i], model.At(s.Now()))
	}
	between := span{below, filter.Since}
	rows, next, err := readMerged(ctx, s.DB, queries, limit, between, func(c model.Conversation) Position {
		return Position{At: c.ReceivedAt, PK: c.PK}
	})
	if err != nil {
		return nil, Position{}, fmt.Errorf("inbox: %w", err)
	}
	return rows, next, nil
}

// Timeline reads a page of a conversation's messages, newest first, below a position. The zero position is the top. It
// includes the messages of merged conversations.
func (s *Inbox) Timeline(
	ctx context.Context, c model.Conversation, limit int, below Position,
) ([]model.Message, Position, error) {
	return s.TimelineSince(ctx, c, "", limit, below)
}

// TimelineSince is Timeline without the messages that were written before a time; "" for none.
func (s *Inbox) TimelineSince(
	ctx context.Context, c model.Conversation, since model.Time, limit int, below Position,
) ([]model.Message, Position, error) {
	var queries []dynamo.Query
	for _, partition := range append([]string{c.PK}, c.MergedFrom...) {
		queries = append(queries, dynamo.Query{
			Table: tables.Messages, Index: tables.IndexConversation, Where: "conversationPk = :pk",
			Values: dynamo.Item{":pk": dynamo.S(partition)},
		})
	}
	rows, next, err := readMerged(ctx, s.DB, queries, limit, span{below, since}, PositionOf)
	if err != nil {
		return nil, Position{}, fmt.Errorf("timeline: %w", err)
	}
	return rows, next, nil
}

const (
	// maxPages bounds how many pages of one partition are read for one page of results: a filter drops rows after they
	// are read.
	maxPages = 10
	// partitionsAtOnce is how many partitions are read concurrently.
	partitionsAtOnce = 16
	// maxSortKey sorts after every key.
	maxSortKey = "\U0010ffff"
)

// span is which rows are read: those below a position, written at a time or later. The zero span is all rows.
type span struct {
	below Position
	since model.Time
}

// readMerged reads a page of several merged partitions, newest first, within a span. It returns the position of the
// next page; the zero position at the end. A query names its partition in Where, and its index is sorted by receivedAt.
func readMerged[T any](
	ctx context.Context, db *dynamo.Client, queries []dynamo.Query, limit int, between span,
	position func(T) Position,
) ([]T, Position, error) {
	parts, reached := make([][]T, len(queries)), make([]model.Time, len(queries))
	jobs := make([]func() error, len(queries))
	for i, q := range queries {
		jobs[i] = func() (err error) {
			parts[i], reached[i], err = readPartition(ctx, db, q, limit, between, position)
			return err
		}
	}
	if err := errors.Join(lanes.Concurrently(partitionsAtOnce, jobs...)...); err != nil {
		return nil, Position{}, err
	}
	floor := model.Time("") // at and below this time, some partition has unread rows
	if len(reached) > 0 {
		floor = slices.Max(reached)
	}
	rows := slices.DeleteFunc(slices.Concat(parts...), func(row T) bool { return position(row).At <= floor })
	sorting.Func(rows, func(a, b T) int { return position(b).compare(position(a)) })
	switch {
	case len(rows) > limit:
		return rows[:limit], position(rows[limit-1]), nil
	case floor == "":
		return rows, Position{}, nil
	case len(rows) == limit:
		return rows, position(rows[limit-1]), nil
	}
	return rows, Position{At: floor, PK: maxSortKey}, nil
}

// readPartition reads one partition's rows within a span: at least limit of them without a gap, all of them, or as
// many as maxPages hold. reached is the time at and below which rows may be missing; "" if none are. The index has no
// reliable order among rows of the same time, so those of the last time read count as missing.
func readPartition[T any](
	ctx context.Context, db *dynamo.Client, q dynamo.Query, limit int, between span, position func(T) Position,
) (rows []T, reached model.Time, err error) {
	q.Backwards, q.Limit = true, int32(limit+1)
	between.limit(&q)
	below := between.below
	for read := 1; ; read++ {
		page, err := db.Query(ctx, q)
		if err != nil {
			return nil, "", err
		}
		for _, item := range page.Items {
			var row T
			if err := dynamo.Unmarshal(item, &row); err != nil {
				return nil, "", err
			}
			if below == (Position{}) || position(row).compare(below) < 0 {
				rows = append(rows, row)
			}
		}
		if page.Next == nil {
			return rows, "", nil
		}
		reached = model.Time(dynamo.Text(page.Next, "receivedAt"))
		whole := len(rows)
		if at := slices.IndexFunc(rows, func(row T) bool { return position(row).At <= reached }); at >= 0 {
			whole = at
		}
		goesOn := below == (Position{}) || Position{At: reached, PK: maxSortKey}.compare(below) < 0
		if whole >= limit || q.Filter != "" && read >= maxPages && goesOn {
			return rows, reached, nil
		}
		q.After = page.Next
	}
}

// limit adds the span to a query.
func (of span) limit(q *dynamo.Query) {
	switch bounded := of.below != (Position{}); {
	case bounded && of.since != "":
		q.Where += " AND receivedAt BETWEEN :since AND :at"
		q.Values[":since"], q.Values[":at"] = dynamo.S(min(of.since, of.below.At)), dynamo.S(of.below.At)
	case bounded:
		q.Where += " AND receivedAt <= :at"
		q.Values[":at"] = dynamo.S(of.below.At)
	case of.since != "":
		q.Where += " AND receivedAt >= :since"
		q.Values[":since"] = dynamo.S(of.since)
	}
}

// Position is a place in a timeline. The next page starts below it. Messages of the same time are ordered by their
// arrival, and those of the same arrival by their ids.
type Position struct {
	At      model.Time
	Arrival int64
	PK      string
}

// PositionOf returns the place of a message in a timeline.
func PositionOf(m model.Message) Position {
	return Position{At: m.ReceivedAt, Arrival: m.Arrival, PK: m.PK}
}

func (p Position) compare(other Position) int {
	return cmp.Or(cmp.Compare(p.At, other.At), cmp.Compare(p.Arrival, other.Arrival), cmp.Compare(p.PK, other.PK))
}

// Message reads a message by Meta's id or by the one that haatline gave it. It returns dynamo.ErrNotFound if there is
// none.
func (s *Inbox) Message(ctx context.Context, id model.MessageID) (model.Message, error) {
	var m model.Message
	for range 3 { // a pointer leads to a message, never to another pointer, and a change to the message that it changes
		m = model.Message{}
		if err := s.DB.Get(ctx, tables.Messages, keys.Message(id), &m); err != nil {
			return m, err
		}
		if m.ErasedAt != "" {
			break
		}
		target, attached := keys.MessageIDOf(m.AttachedTo)
		switch {
		case attached:
			id = target
		case m.WAMessageID != "":
			id = m.WAMessageID
		default:
			return m, nil
		}
	}
	return m, dynamo.ErrNotFound
}
