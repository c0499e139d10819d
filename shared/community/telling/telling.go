// Package telling has the outbox tell the members of a chat of a message, and has who leaves a community leave its
// chats. Both work step by step, and an attempt goes on where the one before has stopped.
package telling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/notifications"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// Telling handles the events.
type Telling struct {
	DB            *dynamo.Client
	Chats         *chats.Chats
	Notifications *notifications.Notifications
}

const (
	// perStep is how many members are read and told before the next ones are read. A chat has chats.MaxCapacity members
	// at most, so that an event has few steps.
	perStep = 200
	// atOnce is how many of them are told at the same time.
	atOnce = 8
)

// Handlers returns the handlers of the domain's outbox events.
func (s *Telling) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{
		messages.TellingType:    {Send: s.tell},
		communities.LeavingType: {Send: s.leave},
	}
}

// leave has somebody leave the chats of a community.
func (s *Telling) leave(ctx context.Context, event model.OutboxEvent) (string, error) {
	var of communities.Leaving
	if err := json.Unmarshal(event.Payload, &of); err != nil {
		return "", outbox.Unreadable(err)
	}
	return "", outbox.Unfinished(s.Chats.LeaveCommunity(ctx, of.Community, of.User, event.CreatedAt), outbox.NotWritten)
}

// tell tells the members of a chat. It may run again: whom it has told is not told twice. A member whom it cannot tell
// holds up no other: the next attempt tells those who are left.
func (s *Telling) tell(ctx context.Context, event model.OutboxEvent) (string, error) {
	var t messages.Telling
	if err := json.Unmarshal(event.Payload, &t); err != nil {
		return "", outbox.Unreadable(err)
	}
	var failed error
	for after := ""; ; {
		members, next, err := s.step(ctx, t, after)
		if err != nil {
			return "", outbox.Unfinished(err, outbox.NotWritten)
		}
		failed = errors.Join(failed, s.tellSome(ctx, t, members))
		if after = next; after == "" {
			return "", outbox.Unfinished(failed, outbox.NotWritten)
		}
	}
}

// tellSome tells some members. It returns an error after it has tried all of them.
func (s *Telling) tellSome(ctx context.Context, t messages.Telling, members []communitymodel.ChatMember) error {
	var told []notice
	for _, m := range members {
		if kind := kindFor(t, m); kind != "" {
			told = append(told, s.notice(t, m.UserID, kind))
		}
	}
	told, err := s.untold(ctx, told)
	if err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, n := range told {
		group.Go(func() error {
			put, err := s.Notifications.To(n.user, n.Notification)
			if err != nil {
				return err
			}
			return dynamo.IgnoreConditionFailed(s.DB.Put(ctx, put))
		})
	}
	return group.Wait()
}

// step returns the members behind a place whom a message may tell, and the place behind them; "" at the end. A message
// that tells single people has one step.
func (s *Telling) step(ctx context.Context, t messages.Telling, after string) (
	members []communitymodel.ChatMember, next string, err error) {
	ref := communitymodel.ChatRef{Kind: t.Kind, ID: t.Chat}
	if t.All {
		return s.Chats.Members(ctx, ref, perStep, after)
	}
	users := slices.Clone(t.Mention)
	if t.Replied != "" && !slices.Contains(users, t.Replied) {
		users = append(users, t.Replied)
	}
	refs := make([]dynamo.Ref, len(users))
	for i, user := range users {
		refs[i] = dynamo.Ref{Table: ref.Table(), Key: ref.Member(user)}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, "", err
	}
	for _, of := range refs {
		var m communitymodel.ChatMember
		if err := dynamo.Unmarshal(of.Found(found), &m); err != nil {
			return nil, "", err
		}
		if m.State == communitymodel.Joined {
			members = append(members, m)
		}
	}
	return members, "", nil
}

// kindFor returns of what a member is told; "" for nothing.
func kindFor(t messages.Telling, m communitymodel.ChatMember) communitymodel.NotificationType {
	switch {
	case m.UserID == t.Author || m.Notify == communitymodel.NotifyNone || m.Blocks:
		return ""
	case slices.Contains(t.Mention, m.UserID):
		return communitymodel.NoticeMention
	case t.Replied == m.UserID:
		return communitymodel.NoticeReply
	case t.All && m.Notify == communitymodel.NotifyAll:
		return communitymodel.NoticeMessage
	}
	return ""
}

// notice is a notification of somebody.
type notice struct {
	user model.Name
	communitymodel.Notification
}

// notice returns the notification of a member. Its id follows from the message.
func (s *Telling) notice(t messages.Telling, user model.Name, kind communitymodel.NotificationType) notice {
	return notice{user, s.Notifications.At(t.At, "m-"+string(t.Message), kind, communitymodel.Target{
		Community: communitymodel.CommunityOf(t.Chat), ChatKind: t.Kind, Chat: t.Chat, Message: t.Message})}
}

// untold returns the notifications that are not there yet, unread or read: an earlier attempt may have told some.
func (s *Telling) untold(ctx context.Context, all []notice) ([]notice, error) {
	var refs []dynamo.Ref
	for _, n := range all {
		refs = append(refs, refsOf(n)...)
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("told before: %w", err)
	}
	return slices.DeleteFunc(all, func(n notice) bool {
		return slices.ContainsFunc(refsOf(n), func(ref dynamo.Ref) bool { return ref.Found(found) != nil })
	}), nil
}

// refsOf returns where a notification is while it is unread, and when it is read.
func refsOf(n notice) []dynamo.Ref {
	return []dynamo.Ref{
		{Table: tables.CommunityNotifications, Key: keys.UnreadNotification(n.user, n.CreatedAt, n.ID)},
		{Table: tables.CommunityNotifications, Key: keys.ReadNotification(n.user, n.CreatedAt, n.ID)},
	}
}
