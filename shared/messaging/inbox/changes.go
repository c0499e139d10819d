package inbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging/hints"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A program that is open asks what has changed since it last asked. A new message moves its conversation in gsi_inbox,
// so it is found there and pays nothing. All else marks the conversation with the time, which puts it into gsi_changes.
// A write that a reader could not see yet is found by the next one, because each looks back a little further.
const (
	// fresh is for how long a message's own time finds its conversation. A later write marks the conversation.
	fresh = 20 * time.Second
	// lookback is how far before its last look a reader looks again: as long as a message is fresh, and as long as a
	// write and an index may take after its time was set.
	lookback = fresh + 20*time.Second
	// longestAway is for how long a program may have been away, and maxChanged how many changes of a number it is
	// told. Beyond either, it reads everything anew.
	longestAway = 24 * time.Hour
	maxChanged  = 100
)

// Changes is what has changed of some numbers' conversations since a time.
type Changes struct {
	Conversations []model.Conversation // as they are now, each once
	Gone          []string             // the pks of those that no list shows any more
	Until         model.Time           // since when to ask the next time
	Anew          bool                 // too much has changed: everything is to be read anew
}

// ChangedSince returns which conversations of some numbers have changed since a time; none for no time. What changed
// shortly before is returned again. An erased conversation is not found.
func (s *Inbox) ChangedSince(ctx context.Context, phones []model.PhoneNumberID, after model.Time) (Changes, error) {
	now := s.Now()
	changes := Changes{Until: model.At(now)}
	if after == "" {
		return changes, nil
	}
	if changes.Anew = now.Sub(after.Go()) > longestAway; changes.Anew {
		return changes, nil
	}
	since := dynamo.S(model.At(min(after, changes.Until).Go().Add(-lookback)))
	var queries []dynamo.Query
	for _, phone := range phones {
		queries = append(queries, dynamo.Query{
			Table: tables.Messages, Index: tables.IndexInbox, Limit: maxChanged + 1,
			Where:  "inboxPk = :pk AND receivedAt >= :since",
			Values: dynamo.Item{":pk": dynamo.S(keys.InboxConversations(phone)), ":since": since},
		}, dynamo.Query{
			Table: tables.Messages, Index: tables.IndexChanges, Limit: maxChanged + 1,
			Where:  "changesPk = :pk AND changedAt >= :since",
			Values: dynamo.Item{":pk": dynamo.S(keys.Changes(phone)), ":since": since},
		})
	}
	pages, jobs := make([]dynamo.Page, len(queries)), make([]func() error, len(queries))
	for i, query := range queries {
		jobs[i] = func() (err error) {
			pages[i], err = s.DB.Query(ctx, query)
			return err
		}
	}
	if err := errors.Join(lanes.Concurrently(partitionsAtOnce, jobs...)...); err != nil {
		return changes, fmt.Errorf("what has changed: %w", err)
	}
	return changes, s.read(ctx, pages, &changes)
}

// read adds the conversations of pages of both indexes to changes. It reads those of gsi_changes, which has keys only.
func (s *Inbox) read(ctx context.Context, pages []dynamo.Page, changes *Changes) error {
	seen := map[string]bool{}
	var refs []dynamo.Ref
	for _, page := range pages {
		if changes.Anew = changes.Anew || len(page.Items) > maxChanged || page.Next != nil; changes.Anew {
			changes.Conversations = nil
			return nil
		}
		for _, item := range page.Items {
			pk := dynamo.Text(item, "pk")
			switch _, row := item["itemType"]; {
			case seen[pk]:
				continue
			case !row:
				refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(pk)})
			default:
				var c model.Conversation
				if err := dynamo.Unmarshal(item, &c); err != nil {
					return err
				}
				changes.Conversations = append(changes.Conversations, c)
			}
			seen[pk] = true
		}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return fmt.Errorf("read what has changed: %w", err)
	}
	for _, ref := range refs {
		var c model.Conversation
		if err := dynamo.Unmarshal(ref.Found(found), &c); err != nil {
			return err
		}
		switch {
		case c.PK == "":
		case c.InboxPK == "": // merged, or all its messages are somebody else's
			changes.Gone = append(changes.Gone, c.PK)
		default:
			changes.Conversations = append(changes.Conversations, c)
		}
	}
	return nil
}

// MarkChanged has an update of a conversation of a number say that it has changed now.
func MarkChanged(u dynamo.Update, phone model.PhoneNumberID, now time.Time) dynamo.Update {
	const set = "SET "
	rest, sets := strings.CutPrefix(u.Do, set)
	do := set + "changesPk = :changes, changedAt = :changed"
	switch {
	case sets:
		do += ", " + rest
	case rest != "":
		do += " " + rest
	}
	values := dynamo.Item{":changes": dynamo.S(keys.Changes(phone)), ":changed": dynamo.S(model.At(now))}
	for name, value := range u.Values {
		values[name] = value
	}
	u.Do, u.Values = do, values
	return u
}

// markLate marks a conversation that a write at this time changes, unless its last message is fresh.
func (s *Inbox) markLate(c *model.Conversation, phone model.PhoneNumberID) {
	if now := s.Now(); now.Sub(c.ReceivedAt.Go()) > fresh {
		c.ChangesPK, c.ChangedAt = keys.Changes(phone), model.At(now)
	}
}

// Changed marks a conversation whose messages have changed, such as by a reaction, and notes a hint. It does nothing if
// there is none.
func (s *Inbox) Changed(ctx context.Context, conversationPK string) error {
	phone, customer, placed := keys.ConversationIDs(conversationPK)
	if !placed {
		return nil
	}
	hints.Note(ctx, phone, customer)
	err := s.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
		return s.DB.UpdateReturning(ctx, MarkChanged(dynamo.Update{
			Table: tables.Messages, Key: keys.Conversation(phone, customer),
			If: "attribute_exists(pk) AND attribute_not_exists(mergedInto)"}, phone, s.Now()))
	})
	if errors.Is(err, ErrNoConversation) {
		return nil
	}
	return err
}
