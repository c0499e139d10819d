package chats

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// Enters returns the writes by which somebody enters a group chat: they take a free place, and are a member of the
// community. Their membership, and whether the chat is private, is as it was read.
func (s *Chats) Enters(seen Seen, user model.Name, was communitymodel.ChatMember) ([]dynamo.Write, error) {
	ref := seen.Ref()
	m := s.joined(ref, user)
	m.ReadSeq = seen.LastSeq // what was said before they came is not unread
	item, err := dynamo.Marshal(m)
	if err != nil {
		return nil, err
	}
	put := dynamo.Put{Table: ref.Table(), Item: item, If: dynamo.IfAbsent}
	if was.UserID != "" {
		put.Values = dynamo.Item{}
		put.If = dynamo.And(
			dynamo.SameText("#State", was.State, put.Values), dynamo.SameText("#Request", was.Request, put.Values))
	}
	private := "#Private = :private"
	if !seen.Private { // it is not stored before somebody sets it
		private = "(attribute_not_exists(#Private) OR #Private = :private)"
	}
	return []dynamo.Write{
		dynamo.Update{
			Table: ref.Table(), Key: ref.Key(), Do: "SET NumMembers = NumMembers + :one",
			If:     dynamo.And("NumMembers < #Capacity AND attribute_not_exists(DeletedAt)", private),
			Values: dynamo.Item{":one": dynamo.N(1), ":private": dynamo.Bool(seen.Private)},
		},
		put, communities.IsMember(seen.CommunityID, user),
	}, nil
}

// Join makes somebody a member of a group chat that is not private. A member stays one. It returns ErrFull if there is
// no free place.
func (s *Chats) Join(ctx context.Context, id model.Name, by communitymodel.User) (seen Seen, err error) {
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: id}
	return seen, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if seen, err = s.See(ctx, ref, by); err != nil || seen.May() {
			return err
		}
		switch {
		case seen.Private:
			return communitymodel.Breaks("chat-private", "Private chat", "Ask to join this group chat.")
		case seen.Membership.State == communitymodel.Asking:
			return communitymodel.Breaks("request-waits", "Request waits",
				"You have asked to join this chat. Wait for the decision, or withdraw your request.")
		case seen.Membership.State == communitymodel.Removed:
			return communitymodel.Forbidden("removed", "Removed", "A moderator has removed you from this chat.")
		case seen.NumMembers >= seen.Capacity:
			return ErrFull
		}
		if err := s.hasRoom(ctx, by.ID); err != nil {
			return err
		}
		writes, err := s.Enters(seen, by.ID, seen.Membership)
		if err != nil {
			return err
		}
		if err := dynamo.Conflict(s.DB.Transact(ctx, writes)); err != nil {
			return err
		}
		seen.Membership = s.joined(ref, by.ID)
		seen.NumMembers++
		return nil
	})
}

// hasRoom returns the error for somebody who is in as many chats as one may be in.
func (s *Chats) hasRoom(ctx context.Context, user model.Name) error {
	members, err := s.Memberships(ctx, user)
	members = slices.DeleteFunc(members, func(m communitymodel.ChatMember) bool {
		return m.State != communitymodel.Joined
	})
	if err == nil && len(members) >= MaxChats {
		err = communitymodel.Breaks("too-many-chats", "Too many chats", "You are in %d chats. Leave one first.",
			len(members))
	}
	return err
}

// IsIn returns the condition, for another transaction, that somebody takes part in a chat.
func IsIn(ref communitymodel.ChatRef, user model.Name) dynamo.Check {
	return dynamo.Check{
		Table: ref.Table(), Key: ref.Member(user), If: "#State = :joined",
		Values: dynamo.Item{":joined": dynamo.S(communitymodel.Joined)},
	}
}

// Ends ends somebody's membership of a chat: by themselves (Left), or by a moderator (Removed). Its condition is that
// they are a member: so a place of a group chat becomes free once. Who is none stays as they are. A group chat has
// another audience from then on; the condition is that it has the one that was read, so that all who listened are told.
func (s *Chats) Ends(ctx context.Context, ref communitymodel.ChatRef, user model.Name,
	state communitymodel.MemberState, at model.Time) error {
	refs := []dynamo.Ref{{Table: ref.Table(), Key: ref.Key()}, {Table: ref.Table(), Key: ref.Member(user)}}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return err
	}
	var chat communitymodel.Chat
	if err := dynamo.Unmarshal(refs[0].Found(found), &chat); err != nil {
		return err
	}
	if communitymodel.MemberState(dynamo.Text(refs[1].Found(found), "State")) != communitymodel.Joined {
		return nil
	}
	if err := dynamo.Conflict(s.DB.Transact(ctx, ending(ref, chat, user, state, at))); err != nil {
		return err
	}
	if ref.Kind == communitymodel.Group && s.Moved != nil {
		s.Moved(ctx, chat)
	}
	return nil
}

// ending returns the writes that end somebody's membership of a chat.
func ending(ref communitymodel.ChatRef, chat communitymodel.Chat, user model.Name, state communitymodel.MemberState,
	at model.Time) []dynamo.Write {
	writes := []dynamo.Write{dynamo.Update{
		Table: ref.Table(), Key: ref.Member(user), Do: "SET #State = :state, LeftAt = :now", If: "#State = :joined",
		Values: dynamo.Item{
			":state": dynamo.S(state), ":now": dynamo.S(at), ":joined": dynamo.S(communitymodel.Joined)},
	}}
	if ref.Kind != communitymodel.Group {
		return writes
	}
	values := dynamo.Item{":one": dynamo.N(1), ":audience": dynamo.N(chat.Audience + 1)}
	return append(writes, dynamo.Update{
		Table: ref.Table(), Key: ref.Key(), Do: "SET NumMembers = NumMembers - :one, Audience = :audience",
		If:     dynamo.And(dynamo.IfPresent, dynamo.SameNumber("Audience", chat.Audience, values)),
		Values: values,
	})
}

// Leave ends somebody's own membership of a group chat.
func (s *Chats) Leave(ctx context.Context, id model.Name, by communitymodel.User) error {
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: id}
	if _, err := s.See(ctx, ref, by); err != nil {
		return err
	}
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		return s.Ends(ctx, ref, by.ID, communitymodel.Left, s.now())
	})
}

// Remove ends somebody's membership of a group chat, by a moderator. They cannot join again by themselves.
func (s *Chats) Remove(ctx context.Context, id model.Name, by communitymodel.User, user model.Name) error {
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: id}
	seen, err := s.See(ctx, ref, by)
	if err != nil {
		return err
	}
	if !seen.Moderates(by) {
		return communitymodel.ErrNoModerator
	}
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		return s.Ends(ctx, ref, user, communitymodel.Removed, s.now())
	})
}

// LeaveCommunity has somebody leave all group chats of a community that they have joined until an instant. It may run
// again after any failure: whoever has come back since stays. A chat that cannot be left now holds up no other.
func (s *Chats) LeaveCommunity(ctx context.Context, community, user model.Name, at model.Time) error {
	members, err := s.Memberships(ctx, user)
	if err != nil {
		return err
	}
	var failed error
	for _, m := range members {
		ref := communitymodel.ChatOf(m.PK)
		if m.State != communitymodel.Joined || m.JoinedAt > at || communitymodel.CommunityOf(ref.ID) != community {
			continue
		}
		failed = errors.Join(failed, dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
			return s.Ends(ctx, ref, user, communitymodel.Left, at)
		}))
	}
	return failed
}

// Members returns up to limit members of a chat, from behind a place, and the place behind the last one; "" at the end.
// A page may be short.
func (s *Chats) Members(ctx context.Context, ref communitymodel.ChatRef, limit int, after string) (
	members []communitymodel.ChatMember, next string, err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: ref.Table(), Where: "pk = :chat AND begins_with(sk, :members)", Filter: "#State = :joined",
		Values: dynamo.Item{
			":chat": dynamo.S(ref.Key().Partition), ":members": dynamo.S(keys.ChatMembers),
			":joined": dynamo.S(communitymodel.Joined)},
	}, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("members of a chat: %w", err)
	}
	if members, err = dynamo.Entities[communitymodel.ChatMember](rows); err != nil {
		return nil, "", err
	}
	return members, next, nil
}

// own changes somebody's own membership. Its condition is that they are a member.
func (s *Chats) own(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, do string,
	values dynamo.Item) error {
	if _, err := s.SeeAsMember(ctx, ref, by); err != nil {
		return err
	}
	return s.setOwn(ctx, ref, by, do, "", values)
}

// setOwn writes somebody's own membership if a condition holds. One that does not hold is no error.
func (s *Chats) setOwn(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, do, condition string,
	values dynamo.Item) error {
	values[":joined"] = dynamo.S(communitymodel.Joined)
	err := s.DB.Update(ctx, dynamo.Update{
		Table: ref.Table(), Key: ref.Member(by.ID), Do: do, If: dynamo.And("#State = :joined", condition),
		Values: values,
	})
	return dynamo.IgnoreConditionFailed(err)
}

// SetNotify says of which messages of a chat a member is told.
func (s *Chats) SetNotify(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User,
	notify communitymodel.Notify) error {
	return s.own(ctx, ref, by, "SET Notify = :notify", dynamo.Item{":notify": dynamo.S(notify)})
}

// Read moves a member's pointer to the newest message that they have read. It never goes back, and not beyond what is
// written: else that would be read before it is there.
func (s *Chats) Read(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, seq int64) error {
	seen, err := s.SeeAsMember(ctx, ref, by)
	if err != nil {
		return err
	}
	return s.setOwn(ctx, ref, by, "SET ReadSeq = :seq", "ReadSeq < :seq",
		dynamo.Item{":seq": dynamo.N(min(seq, seen.LastSeq))})
}
