// Package requests owns what people ask of private group chats: to be let in. A request has two sides, one on the
// person's list and one on the chat's. They are written and changed together.
package requests

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/notifications"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Requests reads and writes chat requests.
type Requests struct {
	DB            *dynamo.Client
	Now           func() time.Time
	NewID         func() string
	Chats         *chats.Chats
	Notifications *notifications.Notifications
	// NewPending returns the random value of PendingId. If it is nil, crypto/rand is used.
	NewPending func() string
}

func (s *Requests) pending() string {
	if s.NewPending != nil {
		return s.NewPending()
	}
	return rand.Text()
}

// errDecided is for a request that does not wait any more.
var errDecided = communitymodel.Breaks("request-decided", "Request decided", "The request does not wait any more.")

// Ask asks to be let into a private group chat. There is one pending request at most of a person and a chat: the
// person's membership of the chat, in the state asking, is the condition. Asking again returns the one that waits.
func (s *Requests) Ask(ctx context.Context, chat model.Name, by communitymodel.User) (
	r communitymodel.ChatRequest, err error) {
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: chat}
	return r, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		seen, err := s.Chats.See(ctx, ref, by)
		if err != nil {
			return err
		}
		was := seen.Membership
		switch {
		case was.State == communitymodel.Asking:
			r, err = s.get(ctx, by.ID, was.Request)
			return err
		case seen.May():
			return communitymodel.Breaks("member-already", "Member already", "You are a member of this chat.")
		case !seen.Private && was.State != communitymodel.Removed:
			return communitymodel.Breaks("chat-open", "Open chat", "Everybody may join this chat: join it.")
		}
		now := model.At(s.Now())
		r = communitymodel.ChatRequest{
			ID: communitymodel.Stamped(now, s.NewID()), UserID: by.ID, ChatID: chat, CreatedAt: now,
			Status: communitymodel.Pending, PendingID: s.pending(), Removed: was.State == communitymodel.Removed,
		}
		decides, err := s.decides(ctx, seen)
		if err != nil {
			return err
		}
		writes, err := s.asks(seen, was, r, decides)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, writes))
	})
}

// decides returns who is told of a request to a chat: its creator while they take part in it, or else the founder of
// the community. Who is banned must not learn who asks.
func (s *Requests) decides(ctx context.Context, seen chats.Seen) (model.Name, error) {
	community := dynamo.Ref{Table: tables.Communities, Key: keys.Community(seen.CommunityID)}
	found, err := s.DB.BatchGet(ctx, append(chats.Refs(seen.Ref(), seen.CreatedBy), community))
	if err != nil {
		return "", err
	}
	creator, err := chats.In(found, seen.Ref(), communitymodel.User{ID: seen.CreatedBy, TenantID: seen.TenantID})
	switch {
	case err == nil && creator.May():
		return seen.CreatedBy, nil
	case err != nil && !errors.Is(err, dynamo.ErrNotFound):
		return "", err
	}
	return model.Name(dynamo.Text(community.Found(found), "Founder")), nil
}

// asks returns the writes of a new request, which tell who decides it.
func (s *Requests) asks(seen chats.Seen, was communitymodel.ChatMember, r communitymodel.ChatRequest,
	decides model.Name) ([]dynamo.Write, error) {
	writes := []dynamo.Write{communities.IsMember(seen.CommunityID, r.UserID), dynamo.Check{
		Table: tables.GroupChats, Key: seen.Ref().Key(),
		If: "attribute_exists(pk) AND attribute_not_exists(DeletedAt)",
	}}
	for _, key := range sides(r) {
		r.PK, r.SK = key.Partition, key.Sort
		item, err := dynamo.Marshal(r)
		if err != nil {
			return nil, err
		}
		writes = append(writes, dynamo.Put{Table: tables.ChatRequests, Item: item, If: dynamo.IfAbsent})
	}
	m := communitymodel.NewChatMember(seen.Ref(), r.UserID)
	m.State, m.Request, m.ReadSeq = communitymodel.Asking, r.ID, was.ReadSeq
	item, err := dynamo.Marshal(m)
	if err != nil {
		return nil, err
	}
	put := dynamo.Put{Table: tables.GroupChats, Item: item, If: dynamo.IfAbsent}
	if was.UserID != "" {
		put.Values = dynamo.Item{}
		put.If = dynamo.SameText("#State", was.State, put.Values)
	}
	told, err := s.Notifications.To(decides, s.Notifications.New(communitymodel.NoticeRequest,
		communitymodel.Target{
			Community: seen.CommunityID, ChatKind: communitymodel.Group, Chat: r.ChatID, Request: r.ID,
			User: r.UserID}))
	return append(writes, put, told), err
}

// sides returns the keys of both sides of a request.
func sides(r communitymodel.ChatRequest) []keys.Key {
	return []keys.Key{keys.RequestOfUser(r.UserID, r.CreatedAt, r.ID), keys.RequestOfChat(r.ChatID, r.CreatedAt, r.ID)}
}

// get returns a person's request, or dynamo.ErrNotFound.
func (s *Requests) get(ctx context.Context, user, id model.Name) (r communitymodel.ChatRequest, err error) {
	at, err := communitymodel.Stamp(id)
	if err != nil {
		return r, err
	}
	return r, s.DB.Get(ctx, tables.ChatRequests, keys.RequestOfUser(user, at, id), &r)
}

// ofChat returns a request to a chat, for somebody who may decide it. It returns dynamo.ErrNotFound for others.
func (s *Requests) ofChat(ctx context.Context, chat, id model.Name, by communitymodel.User) (
	seen chats.Seen, r communitymodel.ChatRequest, err error) {
	at, err := communitymodel.Stamp(id)
	if err != nil {
		return seen, r, err
	}
	seen, err = s.Chats.See(ctx, communitymodel.ChatRef{Kind: communitymodel.Group, ID: chat}, by)
	if err != nil {
		return seen, r, err
	}
	if !seen.Decides(by) {
		return seen, r, communitymodel.ErrNoModerator
	}
	return seen, r, s.DB.Get(ctx, tables.ChatRequests, keys.RequestOfChat(chat, at, id), &r)
}

// Accept lets who asks into the chat: the request and the membership change in one transaction, whose conditions are
// that the request waits, that there is a free place, and that who asks is still a member of the community. One that is
// accepted already stays so. It returns chats.ErrFull.
func (s *Requests) Accept(ctx context.Context, chat, id model.Name, by communitymodel.User) (
	r communitymodel.ChatRequest, err error) {
	return r, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		var seen chats.Seen
		if seen, r, err = s.ofChat(ctx, chat, id, by); err != nil {
			return err
		}
		switch {
		case r.Status == communitymodel.Accepted:
			return nil
		case r.Status != communitymodel.Pending:
			return errDecided
		case seen.NumMembers >= seen.Capacity:
			return chats.ErrFull
		}
		asking, member, err := s.asking(ctx, seen, r)
		if err != nil {
			return err
		}
		if !member.May() {
			return communitymodel.Breaks("not-a-member", "Not a member", "They have left the community.")
		}
		enters, err := s.Chats.Enters(seen, r.UserID, asking)
		if err != nil {
			return err
		}
		decided, err := s.decided(&r, communitymodel.Accepted, communitymodel.NoticeAccepted)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(enters, decided...)))
	})
}

// asking returns the memberships of who asks: of the chat, and of its community.
func (s *Requests) asking(ctx context.Context, seen chats.Seen, r communitymodel.ChatRequest) (
	m communitymodel.ChatMember, of communitymodel.Membership, err error) {
	own := dynamo.Ref{Table: tables.GroupChats, Key: seen.Ref().Member(r.UserID)}
	community := communities.MemberRef(seen.CommunityID, r.UserID)
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{own, community})
	if err != nil {
		return m, of, err
	}
	if err := dynamo.Unmarshal(own.Found(found), &m); err != nil {
		return m, of, err
	}
	of, err = communities.MemberIn(found, community)
	return m, of, err
}

// decided returns the writes that end a request, on both sides, and tell who asks. A withdrawn one is told to nobody.
func (s *Requests) decided(r *communitymodel.ChatRequest, to communitymodel.RequestStatus,
	kind communitymodel.NotificationType) ([]dynamo.Write, error) {
	var writes []dynamo.Write
	for _, key := range sides(*r) {
		writes = append(writes, dynamo.Update{
			Table: tables.ChatRequests, Key: key, Do: "SET #Status = :to REMOVE PendingId", If: "#Status = :pending",
			Values: dynamo.Item{":to": dynamo.S(to), ":pending": dynamo.S(communitymodel.Pending)},
		})
	}
	r.Status, r.PendingID = to, ""
	if kind == "" {
		return writes, nil
	}
	told, err := s.Notifications.To(r.UserID, s.Notifications.New(kind, communitymodel.Target{
		Community: communitymodel.CommunityOf(r.ChatID), ChatKind: communitymodel.Group, Chat: r.ChatID,
		Request: r.ID}))
	return append(writes, told), err
}

// asksNoMore returns the write that ends a person's asking. Its condition is that they ask by this request. Whom a
// moderator had removed is removed again: else they would join by themselves.
func asksNoMore(r communitymodel.ChatRequest) dynamo.Write {
	state := communitymodel.Left
	if r.Removed {
		state = communitymodel.Removed
	}
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: r.ChatID}
	return dynamo.Update{
		Table: tables.GroupChats, Key: ref.Member(r.UserID), Do: "SET #State = :state REMOVE #Request",
		If: "#State = :asking AND #Request = :request",
		Values: dynamo.Item{
			":state": dynamo.S(state), ":asking": dynamo.S(communitymodel.Asking),
			":request": dynamo.S(r.ID)},
	}
}

// Refuse ends a request without letting in who asks. One that is refused already stays so.
func (s *Requests) Refuse(ctx context.Context, chat, id model.Name, by communitymodel.User) (
	r communitymodel.ChatRequest, err error) {
	return r, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if _, r, err = s.ofChat(ctx, chat, id, by); err != nil {
			return err
		}
		return s.ends(ctx, &r, communitymodel.Refused, communitymodel.NoticeRefused)
	})
}

// Withdraw ends a person's own request. One that is withdrawn already stays so.
func (s *Requests) Withdraw(ctx context.Context, id model.Name, by communitymodel.User) (
	r communitymodel.ChatRequest, err error) {
	return r, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if r, err = s.get(ctx, by.ID, id); err != nil {
			return err
		}
		return s.ends(ctx, &r, communitymodel.Withdrawn, "")
	})
}

func (s *Requests) ends(ctx context.Context, r *communitymodel.ChatRequest, to communitymodel.RequestStatus,
	kind communitymodel.NotificationType) error {
	switch r.Status {
	case to:
		return nil
	case communitymodel.Pending:
	default:
		return errDecided
	}
	writes, err := s.decided(r, to, kind)
	if err != nil {
		return err
	}
	return dynamo.Conflict(s.DB.Transact(ctx, append(writes, asksNoMore(*r))))
}

// See marks both sides of a request as seen by the chat, for somebody who may decide it. The condition is that they
// are there.
func (s *Requests) See(ctx context.Context, chat, id model.Name, by communitymodel.User) (
	r communitymodel.ChatRequest, err error) {
	if _, r, err = s.ofChat(ctx, chat, id, by); err != nil || r.Seen {
		return r, err
	}
	var writes []dynamo.Write
	for _, key := range sides(r) {
		writes = append(writes, dynamo.Update{
			Table: tables.ChatRequests, Key: key, Do: "SET Seen = :yes", If: dynamo.IfPresent,
			Values: dynamo.Item{":yes": dynamo.Bool(true)},
		})
	}
	r.Seen = true
	return r, dynamo.Conflict(s.DB.Transact(ctx, writes))
}
