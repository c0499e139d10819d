package messages

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// DraftType is the type of the event that has what waits be posted. The events of an author and a chat have one order.
const DraftType = "community.draft"

// Waiting is the payload of that event. The draft is with its author.
type Waiting struct {
	Kind   communitymodel.Kind `json:"kind"`
	Chat   model.Name          `json:"chatId"`
	Author model.Name          `json:"author"`
}

// errBehind means that something else that the author has written in the chat waits: what they write now comes behind.
var errBehind = errors.New("something else waits")

// hasToWait reports whether a message that could not be posted is queued: too many others came first, the table has no
// capacity, or something else of its author waits.
func hasToWait(err error) bool {
	return errors.Is(err, dynamo.ErrConflict) || dynamo.Throttled(err) || errors.Is(err, errBehind)
}

// draftsTable is where drafts are: with what their authors are told.
var draftsTable = tables.CommunityNotifications

// drafts returns the query for what somebody has written in a chat and that waits, in order.
func drafts(user, chat model.Name) dynamo.Query {
	return dynamo.Query{
		Table: draftsTable, Where: "pk = :user AND begins_with(sk, :drafts)", Limit: 1,
		Values: dynamo.Item{
			":user":   dynamo.S(keys.CommunityUser(user).Partition),
			":drafts": dynamo.S(keys.QueuedDrafts(chat))},
	}
}

// behindDrafts returns errBehind if something that the author has written in the chat waits. It asks only if something
// of theirs may wait at all, which the person says with whom each request begins.
func (s *Messages) behindDrafts(ctx context.Context, a *attempts) error {
	if a.by.DraftsUntil <= model.At(s.Now()) {
		return nil
	}
	page, err := s.DB.Query(ctx, drafts(a.by.ID, a.ref.ID))
	if err == nil && len(page.Items) > 0 {
		err = errBehind
	}
	return err
}

// draftsOf returns the order in which what somebody has written in a chat is posted.
func draftsOf(ref communitymodel.ChatRef, by communitymodel.User) dynamo.Ref {
	return outbox.SequenceRef(by.TenantID, keys.EntityDraft, draftsID(ref.ID, by.ID))
}

func draftsID(chat, user model.Name) string { return string(chat) + ":" + string(user) }

// queue stores a draft, and has the outbox post it behind what its author has queued before. The conditions are that
// the author may do anything, and that no request has led to anything before. It returns what waits, or what an earlier
// request has led to.
func (s *Messages) queue(ctx context.Context, a *attempts) (communitymodel.Message, error) {
	id := model.Name(s.NewID())
	err := dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		sequence := draftsOf(a.ref, a.by)
		found, err := s.DB.BatchGet(ctx, append(a.request.Refs(), sequence))
		if err != nil {
			return err
		}
		if done, err := s.earlier(ctx, a, found); err != nil || done {
			return err
		}
		d := a.waits(id, model.At(s.Now()))
		writes, err := s.queued(ctx, a, d, sequence.Found(found))
		if err != nil {
			return err
		}
		err = s.DB.Transact(ctx, writes)
		var cancelled *dynamo.TransactionCancelled
		if errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
			return communitymodel.ErrNoMember // they may do nothing any more
		}
		a.message = waiting(a.by.ID, a.draft, made{Draft: id, QueuedAt: d.QueuedAt})
		return a.result(throttledQueues, dynamo.Conflict(err))
	})
	return a.message, err
}

// waits returns the draft as it waits.
func (a *attempts) waits(id model.Name, now model.Time) communitymodel.Draft {
	return communitymodel.Draft{
		ID: id, TenantID: a.by.TenantID, ChatKind: a.ref.Kind, ChatID: a.ref.ID, Author: a.by.ID,
		Content: a.draft.Content, ReplyTo: a.draft.ReplyTo, Mentions: a.draft.Mentions,
		Attachments: a.draft.Attachments, QueuedAt: now, Request: model.Name(a.request.ID()),
	}
}

// queued returns the writes of a draft: its author, who has something waiting from now on, the draft, its event, and
// the record of the request. The first one has the condition that the author may do anything: an erasure begins by
// that.
func (s *Messages) queued(ctx context.Context, a *attempts, d communitymodel.Draft, sequence dynamo.Item) (
	[]dynamo.Write, error) {
	payload, err := json.Marshal(Waiting{d.ChatKind, d.ChatID, d.Author})
	if err != nil {
		return nil, err
	}
	event, writes, err := s.Outbox.Append(ctx, sequence, outbox.Draft{
		Type: DraftType, Tenant: d.TenantID, EntityType: keys.EntityDraft, EntityID: draftsID(d.ChatID, d.Author),
		Payload: payload,
	})
	if err != nil {
		return nil, err
	}
	d.Keep(event.SequenceNumber)
	item, err := dynamo.Marshal(d)
	if err != nil {
		return nil, err
	}
	remember, err := a.request.Writes(s.Now(), made{Draft: d.ID, QueuedAt: d.QueuedAt})
	return slices.Concat([]dynamo.Write{
		dynamo.Update{
			Table: tables.CommunityUsers, Key: keys.CommunityUser(d.Author),
			Do:     "SET DraftsUntil = :until, Version = Version + :one",
			If:     "attribute_exists(pk) AND attribute_not_exists(DisabledAt) AND attribute_not_exists(ErasedAt)",
			Values: dynamo.Item{":until": dynamo.S(d.Until()), ":one": dynamo.N(1)},
		},
		dynamo.Put{Table: draftsTable, Item: item, If: dynamo.IfAbsent},
	}, writes, remember), err
}

// waiting returns a draft that waits as a message: it has no number yet.
func waiting(author model.Name, d Draft, is made) communitymodel.Message {
	return communitymodel.Message{
		ID: is.Draft, Content: d.Content, CreatedAt: is.QueuedAt, Author: author, ReplyTo: d.ReplyTo,
		Mentions: d.Mentions, Attachments: d.Attachments,
	}
}
