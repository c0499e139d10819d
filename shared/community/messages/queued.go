package messages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// The waits between the attempts of an event grow to longestWait, which leaves it its place before later ones.
const (
	firstWait   = time.Second
	longestWait = 40 * time.Second
	// unlimited is more attempts than there are until a draft is over.
	unlimited = 1 << 30
)

// Handlers returns the handler of the event that has what waits be posted.
func (s *Messages) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{DraftType: {Send: s.postWaiting}}
}

// postWaiting posts what an author has written in a chat and that waits, up to the draft of the event, in order. It may
// run again, and beside itself: each draft is deleted by the transaction that posts it.
func (s *Messages) postWaiting(ctx context.Context, event model.OutboxEvent) (string, error) {
	var of Waiting
	if err := json.Unmarshal(event.Payload, &of); err != nil {
		return "", outbox.Unreadable(err)
	}
	last := keys.QueuedDraft(of.Author, of.Chat, event.SequenceNumber).Sort
	for {
		more, err := s.postFirst(ctx, of, last)
		if err != nil {
			return "", &outbox.Failure{
				Reason: "the chat has no room for the message yet", Class: "room", Attempts: unlimited,
				Wait: min(firstWait<<min(event.RetryCount, 10), longestWait),
			}
		}
		if !more {
			return "", nil
		}
	}
}

// postFirst posts the first draft of an author in a chat that is not behind a sort key, or ends it. It reports false if
// there is none.
func (s *Messages) postFirst(ctx context.Context, of Waiting, last string) (more bool, err error) {
	var posted *post
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		page, _, err := dynamo.PageOf[communitymodel.Draft](ctx, s.DB, drafts(of.Author, of.Chat))
		if more = err == nil && len(page) > 0 && page[0].SK <= last; !more {
			return err
		}
		posted, err = s.postDraft(ctx, page[0])
		return err
	})
	if err == nil && posted != nil {
		s.hint(ctx, posted.seen.Chat, posted.message.CreatedAt)
	}
	return more, err
}

// postDraft posts a draft, or ends it if its author may not post it any more, or if it has waited for too long. It
// returns dynamo.ErrConflict to be repeated.
func (s *Messages) postDraft(ctx context.Context, d communitymodel.Draft) (*post, error) {
	var by communitymodel.User
	err := s.DB.Get(ctx, tables.CommunityUsers, keys.CommunityUser(d.Author), &by)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	if !by.Active() || d.Over(s.Now()) {
		return nil, s.end(ctx, d, by)
	}
	p, err := s.commit(ctx, d, by)
	if refused(err) {
		return nil, s.end(ctx, d, by)
	}
	return p, err
}

// refused reports whether an error says that a draft cannot be posted, now or later.
func refused(err error) bool {
	var is *problem.Error
	return errors.As(err, &is) && !errors.Is(err, dynamo.ErrConflict)
}

// commit posts a draft. The conditions are those of every message, and that the draft waits. Its files were looked at
// before it was queued.
func (s *Messages) commit(ctx context.Context, d communitymodel.Draft, by communitymodel.User) (*post, error) {
	draft := Draft{Content: d.Content, ReplyTo: d.ReplyTo, Mentions: d.Mentions, Attachments: d.Attachments}
	p := post{ref: d.Chat(), by: by, id: string(d.ID)}
	found, err := s.DB.BatchGet(ctx, append(s.refs(p.ref, by), s.reads(p.ref, draft)...))
	if err != nil {
		return nil, err
	}
	if p, err = s.prepare(found, p, draft); err != nil {
		return nil, err
	}
	writes, err := s.writes(ctx, p, found)
	if err != nil {
		return nil, err
	}
	settled, err := idempotency.Settled(d.Request, made{ID: p.message.ID})
	if err != nil {
		return nil, err
	}
	return &p, refusal(p, s.DB.Transact(ctx, slices.Concat(writes, []dynamo.Write{gone(d)}, settled)))
}

// gone returns the write that deletes a draft. Its condition is that it waits.
func gone(d communitymodel.Draft) dynamo.Delete {
	return dynamo.Delete{Table: draftsTable, Key: d.Key(), If: dynamo.IfPresent}
}

// end deletes a draft that is not posted, and tells its author, unless they were erased. The same request may be made
// again.
func (s *Messages) end(ctx context.Context, d communitymodel.Draft, by communitymodel.User) error {
	writes := append([]dynamo.Write{gone(d)}, idempotency.Forgotten(d.Request)...)
	if by.ID != "" && by.ErasedAt == "" {
		told, err := s.Notifications.To(d.Author, s.Notifications.New(communitymodel.NoticeUnposted,
			communitymodel.Target{
				Community: communitymodel.CommunityOf(d.ChatID), ChatKind: d.ChatKind, Chat: d.ChatID, Message: d.ID}))
		if err != nil {
			return fmt.Errorf("tell of a draft: %w", err)
		}
		writes = append(writes, told)
	}
	return dynamo.Conflict(s.DB.Transact(ctx, writes))
}
