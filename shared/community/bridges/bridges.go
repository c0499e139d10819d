// Package bridges mirrors group chats to WhatsApp groups, both ways: each message once, named by its author.
package bridges

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// Inbox reads the messages of WhatsApp groups: inbox.Inbox implements it.
type Inbox interface {
	MessageItem(ctx context.Context, id model.MessageID) (dynamo.Item, error)
	CurrentConversation(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (
		model.Conversation, error)
}

// Groups knows the WhatsApp groups of numbers: groups.Groups implements it.
type Groups interface {
	Get(ctx context.Context, id model.Name) (model.Group, error)
}

// Numbers returns the tenant of a number: tenancy.Numbers implements it.
type Numbers interface {
	TenantOf(ctx context.Context, id model.PhoneNumberID) (model.TenantID, error)
}

// Bridges builds bridges, and mirrors messages over them.
type Bridges struct {
	DB  *dynamo.Client
	Now func() time.Time
	// Domain is the domain's name in the purpose of messages.
	Domain      string
	Outbox      *outbox.Outbox
	Communities *communities.Communities
	Messages    *messages.Messages
	Users       *users.Users
	Sender      sending.Preparer
	Inbox       Inbox
	Groups      Groups
	Numbers     Numbers
}

func (s *Bridges) now() model.Time { return model.At(s.Now()) }

// New is a bridge to build.
type New struct {
	Tenant          model.TenantID
	Community, Chat model.Name
	Phone           model.PhoneNumberID
	Group           model.Name
}

// Errors of bridges that cannot be built.
var (
	errBuilt = communitymodel.Breaks("bridged-already", "Bridged already",
		"The community, the chat or the WhatsApp group has a bridge. Remove that first.")
	errNoGroup = communitymodel.Wrong("body.whatsAppGroupId", "not a group of this number that works")
	errNoChat  = communitymodel.Wrong("body.chatId", "not a group chat of this community")
)

// Build mirrors a group chat to a WhatsApp group, from now on. A community has one bridge, and so has a WhatsApp group:
// these are the conditions. The same bridge is built once.
func (s *Bridges) Build(ctx context.Context, n New) (b communitymodel.Bridge, err error) {
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		community, chat, err := s.ends(ctx, n)
		if err != nil {
			return err
		}
		if community.BridgedChat != "" || chat.Bridged() {
			if community.BridgedChat == n.Chat && chat.BridgePhone == n.Phone && chat.BridgeGroup == n.Group {
				b, err = s.Of(ctx, n.Phone, n.Group)
				return err
			}
			return errBuilt
		}
		var writes []dynamo.Write
		if b, writes, err = s.built(n, community, chat); err != nil {
			return err
		}
		err = s.DB.Transact(ctx, writes)
		var cancelled *dynamo.TransactionCancelled
		if errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
			return s.makesWay(ctx, n) // the WhatsApp group has one
		}
		return dynamo.Conflict(err)
	})
	return b, err
}

// makesWay removes the bridge of a WhatsApp group if it belongs to the tenant who had the number before. Such a bridge
// mirrors nothing, and the number's present tenant has no operation to remove it. makesWay returns dynamo.ErrConflict
// then, and errBuilt for a bridge of the same tenant.
func (s *Bridges) makesWay(ctx context.Context, n New) error {
	is, err := s.Of(ctx, n.Phone, n.Group)
	switch {
	case errors.Is(err, dynamo.ErrNotFound): // it was removed meanwhile
	case err != nil:
		return err
	case is.TenantID == n.Tenant:
		return errBuilt
	default:
		if err := s.Remove(ctx, is.TenantID, is.CommunityID); err != nil {
			return err
		}
	}
	return fmt.Errorf("build a bridge: %w", dynamo.ErrConflict)
}

// ends returns the two ends of a new bridge on the side of the community, after a look at the WhatsApp group.
func (s *Bridges) ends(ctx context.Context, n New) (c communitymodel.Community, chat communitymodel.Chat, err error) {
	if err := s.hasGroup(ctx, n); err != nil {
		return c, chat, err
	}
	if c, err = s.Communities.Get(ctx, n.Community); err != nil {
		return c, chat, err
	}
	if c.TenantID != n.Tenant || c.DeletedAt != "" {
		return c, chat, dynamo.ErrNotFound
	}
	chat, err = s.chat(ctx, n.Chat)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && (chat.CommunityID != n.Community || chat.DeletedAt != "") {
		err = errNoChat
	}
	return c, chat, err
}

// hasGroup returns errNoGroup unless a number of the tenant has the group, and it works: by what Meta tells of groups,
// or by what was written in one that Meta has told nothing of.
func (s *Bridges) hasGroup(ctx context.Context, n New) error {
	tenant, err := s.Numbers.TenantOf(ctx, n.Phone)
	switch {
	case err != nil:
		return err
	case tenant != n.Tenant:
		return errNoGroup
	}
	group, err := s.Groups.Get(ctx, n.Group)
	switch {
	case err == nil && (group.PhoneNumberID != n.Phone || group.State == model.GroupDeleted):
		return errNoGroup
	case !errors.Is(err, dynamo.ErrNotFound):
		return err
	}
	talk, err := s.Inbox.CurrentConversation(ctx, n.Phone, model.CustomerID(n.Group))
	if errors.Is(err, inbox.ErrNoConversation) || err == nil && talk.GroupID != string(n.Group) {
		return errNoGroup
	}
	return err
}

// built returns a bridge and the writes that build it. The first one is the bridge itself.
func (s *Bridges) built(n New, c communitymodel.Community, chat communitymodel.Chat) (
	b communitymodel.Bridge, writes []dynamo.Write, err error) {
	key, once := keys.BridgeOf(n.Phone, n.Group), keys.BridgedChat(n.Phone, n.Chat)
	b = communitymodel.Bridge{
		PK: key.Partition, SK: key.Sort, TenantID: n.Tenant, CommunityID: n.Community, ChatID: n.Chat, Phone: n.Phone,
		Group: n.Group, CreatedAt: s.now(), SentTo: cmp.Or(chat.LastAt, "0"), // later than all that was written before
	}
	item, err := dynamo.Marshal(b)
	if err != nil {
		return b, nil, err
	}
	remembered, err := dynamo.Marshal(communitymodel.Once{PK: once.Partition, SK: once.Sort, ChatID: n.Chat})
	if err != nil {
		return b, nil, err
	}
	c.BridgedChat = n.Chat
	community, err := dynamo.PutVersion(tables.Communities, &c)
	mark := dynamo.Update{
		Table: tables.GroupChats, Key: b.Chat().Key(), Do: "SET BridgePhone = :phone, BridgeGroup = :group",
		Values: dynamo.Item{":phone": dynamo.S(n.Phone), ":group": dynamo.S(n.Group)},
	}
	mark.If = dynamo.And("attribute_exists(pk) AND attribute_not_exists(BridgeGroup)",
		dynamo.SameText("LastAt", chat.LastAt, mark.Values))
	return b, []dynamo.Write{
		dynamo.Put{Table: tables.Communities, Item: item, If: dynamo.IfAbsent},
		dynamo.Put{Table: tables.Communities, Item: remembered, If: dynamo.Unconditional},
		community, mark,
	}, err
}

// Of returns the bridge of a WhatsApp group, or dynamo.ErrNotFound.
func (s *Bridges) Of(ctx context.Context, phone model.PhoneNumberID, group model.Name) (
	b communitymodel.Bridge, err error) {
	return b, s.DB.Get(ctx, tables.Communities, keys.BridgeOf(phone, group), &b)
}

// OfCommunity returns the bridge of a community of a tenant, or dynamo.ErrNotFound.
func (s *Bridges) OfCommunity(ctx context.Context, tenant model.TenantID, community model.Name) (
	communitymodel.Bridge, error) {
	c, err := s.Communities.Get(ctx, community)
	if err != nil {
		return communitymodel.Bridge{}, err
	}
	if c.TenantID != tenant || c.BridgedChat == "" {
		return communitymodel.Bridge{}, dynamo.ErrNotFound
	}
	return s.ofChat(ctx, c.BridgedChat)
}

// ofChat returns the bridge of a group chat.
func (s *Bridges) ofChat(ctx context.Context, id model.Name) (communitymodel.Bridge, error) {
	chat, err := s.chat(ctx, id)
	if err != nil {
		return communitymodel.Bridge{}, err
	}
	if !chat.Bridged() {
		return communitymodel.Bridge{}, dynamo.ErrNotFound
	}
	return s.Of(ctx, chat.BridgePhone, chat.BridgeGroup)
}

func (s *Bridges) chat(ctx context.Context, id model.Name) (chat communitymodel.Chat, err error) {
	return chat, s.DB.Get(ctx, tables.GroupChats, keys.GroupChat(id), &chat)
}

// Remove takes a community's bridge down: nothing is mirrored any more, and what was mirrored stays. A community
// without a bridge stays so. It returns dynamo.ErrNotFound for another tenant's. The conditions are that the bridge and
// the community are as they were read.
func (s *Bridges) Remove(ctx context.Context, tenant model.TenantID, community model.Name) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		c, err := s.Communities.Get(ctx, community)
		if err == nil && c.TenantID != tenant {
			err = dynamo.ErrNotFound
		}
		if err != nil || c.BridgedChat == "" {
			return err
		}
		chat, err := s.chat(ctx, c.BridgedChat)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !chat.Bridged() {
			return fmt.Errorf("remove a bridge: %w", dynamo.ErrConflict) // it is being removed
		}
		if err != nil {
			return err
		}
		c.BridgedChat = ""
		put, err := dynamo.PutVersion(tables.Communities, &c)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{put, Down(chat), Unmark(chat)}))
	})
}

// Down returns the write that deletes the bridge of a chat. Its condition is that the bridge stands.
func Down(chat communitymodel.Chat) dynamo.Write {
	return dynamo.Delete{
		Table: tables.Communities, Key: keys.BridgeOf(chat.BridgePhone, chat.BridgeGroup), If: "ChatId = :chat",
		Values: dynamo.Item{":chat": dynamo.S(chat.ID)},
	}
}

// Unmark returns the write by which a chat has no bridge. Its condition is that it has this one.
func Unmark(chat communitymodel.Chat) dynamo.Write {
	return dynamo.Update{
		Table: tables.GroupChats, Key: chat.Ref().Key(), Do: "REMOVE BridgePhone, BridgeGroup",
		If: "BridgeGroup = :group", Values: dynamo.Item{":group": dynamo.S(chat.BridgeGroup)},
	}
}

// Chats returns a tenant's group chats that are bridged to groups of a number, or were; none of no number. Those of the
// tenant who has had the number before are not theirs, and a chat that is deleted holds nothing.
func (s *Bridges) Chats(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID) (
	all []communitymodel.ChatRef, err error) {
	if phone == "" {
		return nil, nil
	}
	rows, err := s.DB.Rows(ctx, dynamo.Query{
		Table: tables.Communities, Where: "pk = :bridges AND begins_with(sk, :chats)",
		Values: dynamo.Item{
			":bridges": dynamo.S(keys.BridgedChat(phone, "chat").Partition),
			":chats":   dynamo.S(keys.CommunityGroupChats)},
	})
	if err != nil || len(rows) == 0 {
		return nil, bridgedChats(err)
	}
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{Table: tables.GroupChats, Key: keys.GroupChat(model.Name(dynamo.Text(row, "ChatId")))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, bridgedChats(err)
	}
	for i, row := range rows {
		if model.TenantID(dynamo.Text(refs[i].Found(found), "TenantId")) == tenant {
			all = append(all, communitymodel.ChatRef{
				Kind: communitymodel.Group, ID: model.Name(dynamo.Text(row, "ChatId"))})
		}
	}
	return all, nil
}

// bridgedChats says what could not be read; nil for no error.
func bridgedChats(err error) error {
	if err != nil {
		err = fmt.Errorf("bridged chats: %w", err)
	}
	return err
}

// CloseTo keeps out of a chat what a guest has written up to now, for their erasure.
func (s *Bridges) CloseTo(ctx context.Context, chat communitymodel.ChatRef, guest model.Name) error {
	return s.setGuest(ctx, chat, guest, "SET Id = :id, ErasedAt = :now", dynamo.Item{":now": dynamo.S(s.now())})
}

// SetBanned keeps a guest out of a chat, or lets them in again. by moderates the chat.
func (s *Bridges) SetBanned(ctx context.Context, chat model.Name, by communitymodel.User, guest model.Name,
	banned bool) error {
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: chat}
	seen, err := s.Messages.Chats.See(ctx, ref, by)
	switch {
	case err != nil:
		return err
	case !seen.Moderates(by):
		return communitymodel.ErrNoModerator
	case !keys.IsGuestID(guest):
		return dynamo.ErrNotFound
	case !banned:
		return s.setGuest(ctx, ref, guest, "SET Id = :id REMOVE BannedAt", dynamo.Item{})
	}
	return s.setGuest(ctx, ref, guest, "SET Id = :id, BannedAt = :now", dynamo.Item{":now": dynamo.S(s.now())})
}

// setGuest changes the item of a guest. It needs no condition: the last change counts.
func (s *Bridges) setGuest(ctx context.Context, chat communitymodel.ChatRef, guest model.Name, do string,
	values dynamo.Item) error {
	values[":id"] = dynamo.S(guest)
	err := s.DB.Update(ctx, dynamo.Update{
		Table: chat.Table(), Key: keys.ChatGuest(chat.Key(), guest), Do: do, If: dynamo.Unconditional, Values: values,
	})
	return err
}
