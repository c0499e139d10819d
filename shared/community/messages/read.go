package messages

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// Get returns a message of a chat, or dynamo.ErrNotFound.
func (s *Messages) Get(ctx context.Context, ref communitymodel.ChatRef, id model.Name) (
	m communitymodel.Message, err error) {
	at, err := communitymodel.Stamp(id)
	if err != nil {
		return m, err
	}
	return m, s.DB.Get(ctx, ref.Table(), keys.ChatMessage(ref.Key(), at, id), &m)
}

// Place says where a message is.
type Place struct {
	Chat communitymodel.ChatRef
	ID   model.Name
}

// At returns messages by their places, in one batch; the zero Message for one that is not there.
func (s *Messages) At(ctx context.Context, places []Place) ([]communitymodel.Message, error) {
	refs := make([]dynamo.Ref, len(places))
	for i, p := range places {
		at, err := communitymodel.Stamp(p.ID)
		if err != nil {
			return nil, err
		}
		refs[i] = messageRef(p.Chat, at, p.ID)
	}
	all := make([]communitymodel.Message, len(places))
	if len(places) == 0 {
		return all, nil
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	for i, ref := range refs {
		if item := ref.Found(found); item != nil {
			if err := dynamo.Unmarshal(item, &all[i]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// Attachment returns a file of a message, for a member of the chat. It returns the errors of chats.SeeAsMember, and
// dynamo.ErrNotFound for a file that the message has not, or has no more.
func (s *Messages) Attachment(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User,
	message, file model.Name) (a communitymodel.Attachment, err error) {
	refs := chats.Refs(ref, by.ID)
	if at, err := communitymodel.Stamp(message); err == nil {
		refs = append(refs, messageRef(ref, at, message))
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return a, err
	}
	if _, err := chats.InAsMember(found, ref, by); err != nil {
		return a, err
	}
	m, err := messageIn(found, ref, message)
	if err != nil {
		return a, err
	}
	at := slices.IndexFunc(m.Attachments, func(a communitymodel.Attachment) bool { return a.File == file })
	if at < 0 || file == "" {
		return a, dynamo.ErrNotFound
	}
	return m.Attachments[at], nil
}

// Page says which messages of a chat to read: those before or after an instant, or the newest ones.
type Page struct {
	After  model.Time // "" for no bound
	Before model.Time
	Limit  int
}

// List returns messages of a chat, in the order in which they were posted, and whether there are more in the direction
// of reading: forwards from After, and backwards from Before or from the newest one.
func (s *Messages) List(ctx context.Context, ref communitymodel.ChatRef, p Page) (
	all []communitymodel.Message, more bool, err error) {
	q := dynamo.Query{
		Table: ref.Table(), Where: "pk = :chat AND sk BETWEEN :from AND :to", Backwards: p.After == "",
		Values: dynamo.Item{
			":chat": dynamo.S(ref.Key().Partition), ":from": dynamo.S(keys.ChatMessages),
			":to": dynamo.S(keys.ChatMessages + "~")},
		Limit: int32(p.Limit + 1),
	}
	if p.After != "" { // no instant has two messages, and ids sort below the ~
		q.Values[":from"] = dynamo.S(keys.ChatMessages + string(p.After) + "~")
	}
	if p.Before != "" {
		q.Values[":to"] = dynamo.S(keys.ChatMessages + string(p.Before))
	}
	for q.After, more = nil, false; len(all) <= p.Limit; {
		page, next, err := dynamo.PageOf[communitymodel.Message](ctx, s.DB, q)
		if err != nil {
			return nil, false, fmt.Errorf("messages: %w", err)
		}
		if all = append(all, page...); next == nil {
			break
		}
		q.After = next
	}
	if more = len(all) > p.Limit; more {
		all = all[:p.Limit]
	}
	if q.Backwards {
		slices.Reverse(all)
	}
	return all, more, nil
}

// isGone reports whether an error says that a thing is not there.
func isGone(err error) bool { return errors.Is(err, dynamo.ErrNotFound) }
