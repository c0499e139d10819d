// Package chats owns group chats and private chats, and who belongs to them.
package chats

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Bounds of a group chat's capacity, and of how many chats somebody is in: their list is read whole.
const (
	MinCapacity, MaxCapacity = 2, 1000
	MaxChats                 = 500
)

// Chats reads and writes chats and their members.
type Chats struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string
	// Moved is called after somebody has gone from a group chat, with the chat as it was before. It may be nil.
	Moved func(ctx context.Context, was communitymodel.Chat)
}

func (s *Chats) now() model.Time { return model.At(s.Now()) }

// ErrFull is for a group chat that has no free place.
var ErrFull = communitymodel.Breaks("chat-full", "Chat full", "The group chat has no free place.")

// New is a group chat to create.
type New struct {
	Community         model.Name
	Name, Description string
	Capacity          int64
	Private           bool
}

// check returns the error of a text that cannot be shown as it is.
func (n New) check() error {
	if n.Name != model.ShownLine(n.Name) {
		return communitymodel.Wrong("body.name", "holds a character that controls how the text is shown")
	}
	if n.Description != model.Shown(n.Description) {
		return communitymodel.Wrong("body.description", "holds a character that controls how the text is shown")
	}
	return nil
}

// made is what the record of a request says.
type made struct {
	ID model.Name `json:"id"`
}

// Create creates a group chat of a community, with its creator as the first member. The conditions are that the creator
// is a member of the community, and that it is not closed. A repeated request gets the first one's chat.
func (s *Chats) Create(ctx context.Context, by communitymodel.User, n New, request idempotency.Request) (
	chat communitymodel.Chat, err error) {
	if err := n.check(); err != nil {
		return chat, err
	}
	id := communitymodel.GroupChatID(n.Community, s.NewID())
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		whole, member := communities.Ref(n.Community), communities.MemberRef(n.Community, by.ID)
		found, err := s.DB.BatchGet(ctx, append(request.Refs(), whole, member))
		if err != nil {
			return err
		}
		var earlier made
		if done, err := request.Earlier(found, s.Now(), &earlier); err != nil || done {
			if err == nil {
				chat, err = s.get(ctx, communitymodel.ChatRef{Kind: communitymodel.Group, ID: earlier.ID})
			}
			return err
		}
		if m, err := communities.MemberIn(found, member); err != nil || !m.May() {
			return cmp.Or(err, communitymodel.ErrNoMember)
		}
		if dynamo.Text(whole.Found(found), "DeletedAt") != "" {
			return dynamo.ErrNotFound
		}
		if err := s.hasRoom(ctx, by.ID); err != nil {
			return err
		}
		remember, err := request.Writes(s.Now(), made{id})
		if err != nil {
			return err
		}
		writes, made, err := s.group(id, by, n)
		chat = made
		if err != nil {
			return err
		}
		writes = append(writes, communities.IsMember(n.Community, by.ID), communities.IsOpen(n.Community))
		return dynamo.Conflict(s.DB.Transact(ctx, append(writes, remember...)))
	})
	return chat, err
}

// group returns the writes of a new group chat.
func (s *Chats) group(id model.Name, by communitymodel.User, n New) ([]dynamo.Write, communitymodel.Chat, error) {
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: id}
	chat := communitymodel.Chat{
		PK: ref.Key().Partition, SK: ref.Key().Sort, ID: id, Name: n.Name, Description: n.Description,
		Capacity: n.Capacity, Private: n.Private, NumMembers: 1, TenantID: by.TenantID, CommunityID: n.Community,
		CreatedAt: s.now(), CreatedBy: by.ID,
	}
	member := s.joined(ref, by.ID)
	link := keys.CommunityGroupChat(n.Community, id)
	var writes []dynamo.Write
	for _, of := range []struct {
		table  tables.Table
		entity any
	}{
		{tables.GroupChats, chat}, {tables.GroupChats, member},
		{tables.Communities, communitymodel.Link{
			PK: link.Partition, SK: link.Sort, GroupChatPK: ref.Key().Partition, ChatID: id, CommunityID: n.Community}},
	} {
		item, err := dynamo.Marshal(of.entity)
		if err != nil {
			return nil, chat, err
		}
		writes = append(writes, dynamo.Put{Table: of.table, Item: item, If: dynamo.IfAbsent})
	}
	return writes, chat, nil
}

// joined returns the membership of somebody who joins now.
func (s *Chats) joined(ref communitymodel.ChatRef, user model.Name) communitymodel.ChatMember {
	m := communitymodel.NewChatMember(ref, user)
	m.State, m.JoinedAt = communitymodel.Joined, s.now()
	return m
}

// get returns a chat, or dynamo.ErrNotFound.
func (s *Chats) get(ctx context.Context, ref communitymodel.ChatRef) (chat communitymodel.Chat, err error) {
	return chat, s.DB.Get(ctx, ref.Table(), ref.Key(), &chat)
}

// Seen is a chat as somebody sees it.
type Seen struct {
	communitymodel.Chat
	Membership communitymodel.ChatMember // the zero ChatMember if they have never joined
	Community  communitymodel.Membership // of a group chat's community
}

// May reports whether somebody takes part in the chat now.
func (s Seen) May() bool {
	return s.Membership.State == communitymodel.Joined && (s.Users != nil || s.Community.May())
}

// Moderates reports whether somebody may moderate the chat.
func (s Seen) Moderates(by communitymodel.User) bool {
	return s.Users == nil && s.Community.May() &&
		(s.Community.Moderates() || by.Role == communitymodel.RoleModerator)
}

// Decides reports whether somebody may decide requests to join the chat.
func (s Seen) Decides(by communitymodel.User) bool {
	return s.Moderates(by) || s.May() && s.CreatedBy == by.ID
}

// Refs returns what In needs of a chat as somebody sees it.
func Refs(ref communitymodel.ChatRef, user model.Name) []dynamo.Ref {
	refs := []dynamo.Ref{{Table: ref.Table(), Key: ref.Key()}, {Table: ref.Table(), Key: ref.Member(user)}}
	if community := communitymodel.CommunityOf(ref.ID); ref.Kind == communitymodel.Group && community != "" {
		refs = append(refs, communities.MemberRef(community, user))
	}
	return refs
}

// In returns the chat that a batch has read. It returns dynamo.ErrNotFound for another tenant's, for a private chat of
// others, for a group chat of a community that they are no member of, and for one that does not exist.
func In(found dynamo.Found, ref communitymodel.ChatRef, by communitymodel.User) (seen Seen, err error) {
	refs := Refs(ref, by.ID)
	chat, member := refs[0].Found(found), refs[1].Found(found)
	if chat == nil {
		return seen, dynamo.ErrNotFound
	}
	if err := errors.Join(dynamo.Unmarshal(chat, &seen.Chat), dynamo.Unmarshal(member, &seen.Membership)); err != nil {
		return seen, err
	}
	if len(refs) > 2 {
		if seen.Community, err = communities.MemberIn(found, refs[2]); err != nil {
			return seen, err
		}
	}
	if seen.TenantID != by.TenantID || seen.DeletedAt != "" ||
		seen.Users != nil && !slices.Contains(seen.Users, by.ID) ||
		seen.Users == nil && !seen.Community.May() {
		return Seen{}, dynamo.ErrNotFound
	}
	return seen, nil
}

// InAsMember is In for what only members of the chat may do. It returns communitymodel.ErrNoMember for anybody else who
// sees the chat.
func InAsMember(found dynamo.Found, ref communitymodel.ChatRef, by communitymodel.User) (Seen, error) {
	seen, err := In(found, ref, by)
	if err == nil && !seen.May() {
		err = communitymodel.ErrNoMember
	}
	return seen, err
}

// See returns a chat as somebody sees it, with the same errors as In.
func (s *Chats) See(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User) (Seen, error) {
	found, err := s.DB.BatchGet(ctx, Refs(ref, by.ID))
	if err != nil {
		return Seen{}, err
	}
	return In(found, ref, by)
}

// SeeAsMember is See for what only members of the chat may see, with the same errors as InAsMember.
func (s *Chats) SeeAsMember(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User) (Seen, error) {
	found, err := s.DB.BatchGet(ctx, Refs(ref, by.ID))
	if err != nil {
		return Seen{}, err
	}
	return InAsMember(found, ref, by)
}

// Edit changes what a group chat is called, its capacity, and whether it is private. It writes what changes alone: of
// two changes at once, none takes back the other. The condition is that the capacity stays at least the number of
// members.
func (s *Chats) Edit(ctx context.Context, id model.Name, by communitymodel.User, change func(*New)) (
	chat communitymodel.Chat, err error) {
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: id}
	return chat, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		seen, err := s.See(ctx, ref, by)
		if err != nil {
			return err
		}
		if !seen.Decides(by) {
			return communitymodel.ErrNoModerator
		}
		chat = seen.Chat
		is := New{Name: chat.Name, Description: chat.Description, Capacity: chat.Capacity, Private: chat.Private}
		to := is
		change(&to)
		if err := to.check(); err != nil {
			return err
		}
		if to.Capacity < chat.NumMembers {
			return communitymodel.Wrong("body.capacity", "fewer than the chat's members")
		}
		chat.Name, chat.Description, chat.Capacity, chat.Private = to.Name, to.Description, to.Capacity, to.Private
		update := changes(is, to)
		if update.Do == "" {
			return nil
		}
		update.Table, update.Key = ref.Table(), ref.Key()
		err = s.DB.Update(ctx, update)
		return dynamo.Conflict(err)
	})
}

// changes returns the update of what differs between two states of a group chat; one that does nothing for none.
func changes(is, to New) dynamo.Update {
	var do dynamo.Do
	u := dynamo.Update{If: dynamo.IfPresent, Values: dynamo.Item{}}
	set := func(differs bool, what string, value dynamo.Item) {
		if differs {
			do.Set = append(do.Set, what)
			maps.Copy(u.Values, value)
		}
	}
	set(to.Name != is.Name, "#Name = :name", dynamo.Item{":name": dynamo.S(to.Name)})
	set(to.Description != is.Description, "Description = :description",
		dynamo.Item{":description": dynamo.S(to.Description)})
	set(to.Private != is.Private, "#Private = :private", dynamo.Item{":private": dynamo.Bool(to.Private)})
	set(to.Capacity != is.Capacity, "#Capacity = :capacity", dynamo.Item{":capacity": dynamo.N(to.Capacity)})
	if to.Capacity != is.Capacity {
		u.If = dynamo.And(u.If, "NumMembers <= :capacity")
	}
	u.Do = do.String()
	return u
}
