// Package talks owns the conversations: their entries, their states, and how they are listed. An item stays small
// however long a conversation grows, because seven indexes copy it: older entries move to continuations, which are in
// no index.
package talks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
)

// ErrOver means that a conversation has come to its end.
var ErrOver = errors.New("the conversation is over")

// Talks reads and writes conversations.
type Talks struct {
	DB   *dynamo.Client
	Now  func() time.Time
	Plan Plan // plans their ends
}

// Ref refers to the item of a conversation.
func Ref(key keys.Key) dynamo.Ref { return dynamo.Ref{Table: tables.Conversations, Key: key} }

// In returns the conversation that a batch has read. It reports false if there is none.
func In(found dynamo.Found, key keys.Key) (c conversationsmodel.Conversation, is bool, err error) {
	item := Ref(key).Found(found)
	if item == nil {
		return c, false, nil
	}
	return c, true, dynamo.Unmarshal(item, &c)
}

// Get returns a conversation, or dynamo.ErrNotFound.
func (t *Talks) Get(ctx context.Context, key keys.Key) (c conversationsmodel.Conversation, err error) {
	return c, t.DB.Get(ctx, tables.Conversations, key, &c)
}

const (
	// maxItem is how many bytes an item has at most, as far as its entries can help it: an append costs as many write
	// units as the item has KB, in the table and in each index.
	maxItem = 3 << 10
	// perContinuation bounds a continuation. DynamoDB takes 400 KB.
	perContinuation = 100 << 10
)

// Write returns the writes of a conversation's next version with more entries. Its condition is the version that was
// read. Entries for which the item has no room move, the oldest first. A conversation that begins to wait for the
// person gets its end planned.
func (t *Talks) Write(c *conversationsmodel.Conversation,
	entries ...conversationsmodel.Entry) ([]dynamo.Write, error) {
	for _, entry := range entries {
		// a message that comes late stands where it belongs, as far as its neighbours have not moved
		at := len(c.Messages)
		for at > 0 && c.Messages[at-1].MessageTimestamp > entry.MessageTimestamp {
			at--
		}
		c.Messages = slices.Insert(slices.Clone(c.Messages), at, entry)
	}
	if c.Entries += len(entries); len(c.Messages) > 0 {
		c.LastRole = c.Messages[len(c.Messages)-1].Role
	}
	c.UpdatedAt = model.At(t.Now())
	planned, err := t.planned(c)
	if err != nil {
		return nil, err
	}
	moved, err := makeRoom(c)
	if err != nil {
		return nil, err
	}
	put, err := dynamo.PutVersion(tables.Conversations, c)
	return append(append(moved, put), planned...), err
}

// makeRoom takes the oldest entries from a conversation that has grown too large, and returns the writes of the
// continuations that hold them. It leaves half of the room free, so that not every entry moves another one.
func makeRoom(c *conversationsmodel.Conversation) ([]dynamo.Write, error) {
	item, err := dynamo.Marshal(c)
	if err != nil {
		return nil, err
	}
	size := dynamo.Size(item)
	if size <= maxItem {
		return nil, nil
	}
	sizes := make([]int, len(c.Messages))
	for i, entry := range c.Messages {
		stored, err := dynamo.Marshal(entry)
		if err != nil {
			return nil, err
		}
		sizes[i] = dynamo.Size(dynamo.Item{"": dynamo.L(dynamo.M(stored))})
		size -= sizes[i]
	}
	room, keep := max(maxItem-size, 0)/2, len(sizes)
	for keep > 0 && sizes[keep-1] <= room {
		keep--
		room -= sizes[keep]
	}
	moving := c.Messages[:keep]
	c.Messages = slices.Clone(c.Messages[keep:])
	var writes []dynamo.Write
	for first := 0; first < len(moving); {
		end, total := first, 0
		for end < len(moving) && (end == first || total+sizes[end] <= perContinuation) {
			total += sizes[end]
			end++
		}
		c.Continuations++
		write, err := continuation(*c, moving[first:end])
		if err != nil {
			return nil, err
		}
		writes, first = append(writes, write), end
	}
	return writes, nil
}

// continuation returns the write of a conversation's last continuation. Its condition is that it is not there.
func continuation(c conversationsmodel.Conversation, entries []conversationsmodel.Entry) (dynamo.Write, error) {
	key := keys.TalkHistory(c.CompanyID, c.ProjectID, c.RequestID, c.PrimaryChannel,
		model.Name(fmt.Sprintf("%06d", c.Continuations)))
	item, err := dynamo.Marshal(conversationsmodel.Continuation{
		PrimaryChannel: c.PrimaryChannel, ConversationID: key.Sort, TenantID: c.TenantID, Customer: c.Customer,
		Messages: entries, TTL: c.TTL,
	})
	return dynamo.Put{Table: tables.Conversations, Item: item, If: "attribute_not_exists(primary_channel)"}, err
}

// History returns all entries of a conversation, in the order of their times.
func (t *Talks) History(ctx context.Context,
	c conversationsmodel.Conversation) ([]conversationsmodel.Entry, error) {
	var all []conversationsmodel.Entry
	if c.Continuations > 0 {
		rows, err := t.DB.Rows(ctx, HistoryOf(c))
		if err != nil {
			return nil, fmt.Errorf("history of a conversation: %w", err)
		}
		for _, row := range rows {
			var part conversationsmodel.Continuation
			if err := dynamo.Unmarshal(row, &part); err != nil {
				return nil, err
			}
			all = append(all, part.Messages...)
		}
	}
	all = append(all, c.Messages...)
	sorting.Func(all, func(a, b conversationsmodel.Entry) int {
		return strings.Compare(string(a.MessageTimestamp), string(b.MessageTimestamp))
	})
	return all, nil
}

// Rewrite changes an entry of a conversation, in its item or in a continuation, and returns the writes; none if there
// is no such entry, or it is so already. Their condition is the version that was read. An entry that was deleted waits
// for no answer.
func (t *Talks) Rewrite(ctx context.Context, c *conversationsmodel.Conversation, id string,
	change func(*conversationsmodel.Entry)) (writes []dynamo.Write, err error) {
	changed := func(entries []conversationsmodel.Entry) bool {
		at := slices.IndexFunc(entries, func(e conversationsmodel.Entry) bool { return e.EntryID == id })
		if at < 0 {
			return false
		}
		was := entries[at]
		if change(&entries[at]); entries[at].DeletedAt != "" && c.Pending == id {
			c.Pending = ""
		}
		return was != entries[at]
	}
	if !changed(c.Messages) {
		if writes, err = t.rewriteOlder(ctx, *c, changed); err != nil || len(writes) == 0 {
			return nil, err
		}
	}
	own, err := t.Write(c)
	return append(writes, own...), err
}

// rewriteOlder returns the writes of the continuations in which an entry is changed.
func (t *Talks) rewriteOlder(ctx context.Context, c conversationsmodel.Conversation,
	changed func([]conversationsmodel.Entry) bool) (writes []dynamo.Write, err error) {
	if c.Continuations == 0 {
		return nil, nil
	}
	rows, err := t.DB.Rows(ctx, HistoryOf(c))
	if err != nil {
		return nil, fmt.Errorf("history of a conversation: %w", err)
	}
	for _, row := range rows {
		var part conversationsmodel.Continuation
		if err := dynamo.Unmarshal(row, &part); err != nil {
			return nil, err
		}
		if !changed(part.Messages) {
			continue
		}
		item, err := dynamo.Marshal(part)
		if err != nil {
			return nil, err
		}
		writes = append(writes,
			dynamo.Put{Table: tables.Conversations, Item: item, If: "attribute_exists(primary_channel)"})
	}
	return writes, nil
}

// HistoryOf returns the query for the continuations of a conversation.
func HistoryOf(c conversationsmodel.Conversation) dynamo.Query {
	return dynamo.Query{
		Table: tables.Conversations, Where: "primary_channel = :p AND begins_with(conversation_id, :history)",
		Values: dynamo.Item{
			":p": dynamo.S(c.PrimaryChannel), ":history": dynamo.S(keys.TalkHistoryPrefix(c.ConversationID))},
	}
}

// Move has a conversation come into another state. It reports whether that changes anything, and returns ErrOver if the
// conversation cannot come into the state any more.
func Move(c *conversationsmodel.Conversation, to conversationsmodel.Status) (changed bool, err error) {
	switch {
	case c.Status == to:
		return false, nil
	case !c.Status.MayBecome(to):
		return false, Over(*c)
	}
	c.Status = to
	return true, nil
}

// Over returns the error that a conversation has come to its end.
func Over(c conversationsmodel.Conversation) error {
	return problem.Breaks(ErrOver, "conversation-over", "Conversation over",
		"The conversation is %s. Begin another one.", c.Status)
}

// HandOff has a person of the company go on with a conversation.
func HandOff(c *conversationsmodel.Conversation, reason string) (changed bool, err error) {
	if changed, err = Move(c, conversationsmodel.WithPerson); err != nil {
		return false, err
	}
	if c.HandOffToHuman {
		return changed, nil
	}
	c.HandOffToHuman, c.HandOffReason = true, &reason
	return true, nil
}

// HandBack ends that a person goes on with a conversation. Why it was handed over stays.
func HandBack(c *conversationsmodel.Conversation) (changed bool, err error) {
	if !c.HandOffToHuman && c.Status != conversationsmodel.WithPerson {
		return false, nil
	}
	if changed, err = Move(c, conversationsmodel.AwaitingReply); err != nil {
		return false, err
	}
	changed, c.HandOffToHuman = changed || c.HandOffToHuman, false
	return changed, nil
}

// Change reads a conversation, has decide change it, and writes it back. It returns dynamo.ErrNotFound for one that is
// not there.
func (t *Talks) Change(ctx context.Context, key keys.Key, decide func(c *conversationsmodel.Conversation) (
	changed bool, err error)) (c conversationsmodel.Conversation, err error) {
	return c, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if c, err = t.Get(ctx, key); err != nil {
			return err
		}
		changed, err := decide(&c)
		if err != nil || !changed {
			return err
		}
		writes, err := t.Write(&c)
		if err != nil {
			return err
		}
		return dynamo.Conflict(t.DB.Write(ctx, writes))
	})
}
