package analytics

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A customer waits from a message on to which somebody has to reply, until the first reply, or until the team says that
// the work is resolved. Their next messages before that are of the same waiting.

// replies reports whether a message is a reply: a person or a domain has sent it to the customer alone. A notice that
// does not answer, a reaction, and what has never arrived are none.
func replies(m model.Message) bool {
	return m.Direction == model.Outbound && m.GroupID == "" && m.SentBy != "" && m.SentBy != anotherSender &&
		!m.Quiet && m.AttachedTo == "" && m.Type != "reaction" &&
		m.DeliveryStatus != model.Failed && m.DeliveryStatus != model.Cancelled
}

// anotherSender is the name of a sender of the number who is not known.
const anotherSender = "another_sender"

// thread is the conversation with one person: its timelines, and when its work was resolved, in order.
type thread struct {
	timelines []string
	resolved  []model.Time
	full      bool // there may be earlier resolutions that are not kept
	unknown   bool // its work was resolved before that was kept
}

// thread returns the conversation of a timeline. A conversation that was merged goes on in the older one.
func (s *Analytics) thread(ctx context.Context, pk string) (t thread, err error) {
	var c model.Conversation
	for range 10 { // it was merged that often at most
		c = model.Conversation{}
		err := s.DB.Get(ctx, tables.Messages, keys.ByPK(pk), &c)
		if errors.Is(err, dynamo.ErrNotFound) {
			return thread{timelines: []string{pk}}, nil
		}
		if err != nil {
			return t, err
		}
		if c.MergedInto == "" {
			break
		}
		pk = c.MergedInto
	}
	return thread{
		timelines: append([]string{pk}, c.MergedFrom...), resolved: c.Resolutions,
		full:    len(c.Resolutions) >= model.MaxResolutions,
		unknown: len(c.Resolutions) == 0 && c.State == model.WorkResolved,
	}, nil
}

// resolvedAfter returns the first resolution after a time; "" for none.
func (t thread) resolvedAfter(at model.Time) model.Time {
	for _, r := range t.resolved {
		if r > at {
			return r
		}
	}
	return ""
}

// untold reports whether it cannot be told when a waiting that began at a time was resolved first.
func (t thread) untold(at model.Time) bool { return t.unknown || t.full && at < t.resolved[0] }

// count counts the waitings that messages of the thread have begun. mine are the keys of these messages, from and to
// the times of the first and the last.
func (s *Analytics) count(ctx context.Context, t thread, from, to model.Time, mine map[string]bool,
	times *model.Times) error {
	all, err := s.around(ctx, t, from, to)
	if err != nil {
		return err
	}
	waits := func(last *model.Message, at model.Time) bool {
		resolved := model.Time("")
		if last != nil {
			resolved = t.resolvedAfter(last.ReceivedAt)
		}
		return last != nil && last.WasLive() && (resolved == "" || resolved > at)
	}
	var last *model.Message
	for i := range all {
		m := &all[i]
		if begins := m.WasLive() && mine[m.PK] && !waits(last, m.ReceivedAt); begins {
			t.note(*m, all[i+1:], times)
		}
		last = m
	}
	return nil
}

// note counts a waiting that a message has begun. rest are the messages after it.
func (t thread) note(m model.Message, rest []model.Message, times *model.Times) {
	times.Opened++
	resolved := t.resolvedAfter(m.ReceivedAt)
	if i := slices.IndexFunc(rest, replies); i >= 0 && (resolved == "" || rest[i].ReceivedAt < resolved) {
		note(times.Replies, rest[i].ReceivedAt.Go().Sub(m.ReceivedAt.Go()))
	}
	switch {
	case t.untold(m.ReceivedAt):
		times.Untold++
	case resolved != "":
		note(times.Resolutions, resolved.Go().Sub(m.ReceivedAt.Go()))
	}
}

// around reads what matters of a thread's messages between two times, the last one before them, and those after them up
// to the first reply, in order.
func (s *Analytics) around(ctx context.Context, t thread, from, to model.Time) (all []model.Message, err error) {
	var last *model.Message
	for _, pk := range t.timelines {
		err := s.read(ctx, pk, "< :at", from, func(m model.Message) bool {
			if last == nil || m.Order() > last.Order() {
				last = &m
			}
			return false
		})
		if err == nil {
			err = s.read(ctx, pk, ">= :at", from, func(m model.Message) bool {
				all = append(all, m)
				return m.ReceivedAt <= to || !replies(m)
			})
		}
		if err != nil {
			return nil, err
		}
	}
	if last != nil {
		all = append(all, *last)
	}
	slices.SortFunc(all, func(a, b model.Message) int { return cmp.Compare(a.Order(), b.Order()) })
	return all, nil
}

// read hands the messages of a timeline that begin a waiting or reply to a function until it returns false: those
// before a time, the last one first, or those from a time on.
func (s *Analytics) read(ctx context.Context, pk, where string, at model.Time, use func(model.Message) bool) error {
	q := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexConversation, Backwards: where[0] == '<', Limit: timelinePage,
		Where:  "conversationPk = :pk AND receivedAt " + where,
		Values: dynamo.Item{":pk": dynamo.S(pk), ":at": dynamo.S(at)},
	}
	for {
		found, next, err := dynamo.PageOf[model.Message](ctx, s.DB, q)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m.ItemType == model.ItemMessage && (m.WasLive() || replies(m)) && !use(m) {
				return nil
			}
		}
		if q.After = next; next == nil {
			return nil
		}
	}
}

// timelinePage is how many messages of a conversation are read at once. Most customers get their reply soon.
const timelinePage = 25
