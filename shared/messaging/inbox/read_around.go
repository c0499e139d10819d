package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// TimelineAround reads the messages of a conversation around a place, newest first, with the message at the place. It
// returns the position of what is older; the zero position if nothing is.
func (s *Inbox) TimelineAround(
	ctx context.Context, c model.Conversation, limit int, at Position,
) ([]model.Message, Position, error) {
	above, err := s.TimelineAbove(ctx, c, limit/2, at)
	if err != nil {
		return nil, Position{}, err
	}
	at.PK += "\x00" // nothing stands between this place and the message
	below, next, err := s.Timeline(ctx, c, limit-len(above), at)
	return append(above, below...), next, err
}

// TimelineAbove reads the messages of a conversation that stand right above a place, newest first. Fewer than limit are
// the newest ones. It includes the messages of merged conversations.
func (s *Inbox) TimelineAbove(ctx context.Context, c model.Conversation, limit int, above Position) ([]model.Message,
	error) {
	if limit == 0 {
		return nil, nil
	}
	partitions := append([]string{c.PK}, c.MergedFrom...)
	parts, reached := make([][]model.Message, len(partitions)), make([]model.Time, len(partitions))
	jobs := make([]func() error, len(partitions))
	for i, partition := range partitions {
		jobs[i] = func() (err error) {
			parts[i], reached[i], err = s.readAbove(ctx, partition, limit, above)
			return err
		}
	}
	if err := errors.Join(lanes.Concurrently(partitionsAtOnce, jobs...)...); err != nil {
		return nil, fmt.Errorf("timeline: %w", err)
	}
	rows := slices.Concat(parts...)
	for _, at := range reached { // from this time on, a partition has unread rows
		rows = slices.DeleteFunc(rows, func(m model.Message) bool { return at != "" && m.ReceivedAt >= at })
	}
	sorting.Func(rows, func(a, b model.Message) int { return PositionOf(a).compare(PositionOf(b)) })
	rows = rows[:min(limit, len(rows))]
	slices.Reverse(rows)
	return rows, nil
}

// readAbove reads a partition's messages above a place, oldest first: at least limit of them without a gap, or all.
// reached is the time from which on some may be missing; "" if none are. The index has no reliable order among rows of
// the same time.
func (s *Inbox) readAbove(ctx context.Context, partition string, limit int, above Position) (rows []model.Message,
	reached model.Time, err error) {
	q := MessagesQuery(partition)
	q.Where += " AND receivedAt >= :from"
	q.Values[":from"], q.Limit = dynamo.S(above.At), int32(limit+1)
	for {
		some, next, err := dynamo.PageOf[model.Message](ctx, s.DB, q)
		if err != nil {
			return nil, "", err
		}
		for _, m := range some {
			if PositionOf(m).compare(above) > 0 {
				rows = append(rows, m)
			}
		}
		if next == nil {
			return rows, "", nil
		}
		reached = model.Time(dynamo.Text(next, "receivedAt"))
		whole := 0
		for _, m := range rows {
			if m.ReceivedAt < reached {
				whole++
			}
		}
		if whole >= limit {
			return rows, reached, nil
		}
		q.After = next
	}
}
