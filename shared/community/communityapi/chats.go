package communityapi

import (
	"context"
	"net/http"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const chatsTag = "Chats"

func (o *service) chats() {
	change(o, creates(op(http.MethodPost, "/communities/{communityId}/group-chats", "create-group-chat", chatsTag,
		"Create a group chat in a community", "You are its first member.", missing)),
		o.createGroupChat)
	read(o, op(http.MethodGet, "/communities/{communityId}/group-chats", "list-group-chats", chatsTag,
		"List the group chats of a community", "For its members. A private one is listed too: ask to join it.",
		missing),
		o.listGroupChats)
	change(o, op(http.MethodPatch, "/group-chats/{chatId}", "change-group-chat", chatsTag, "Change a group chat",
		"For its creator and the community's moderators. What is left out stays.", missing, conflict),
		o.changeGroupChat)
	change(o, quiet(op(http.MethodDelete, "/group-chats/{chatId}", "delete-group-chat", chatsTag, "Delete a group chat",
		"For its creator and the community's moderators. It is gone at once, and all that was written in it goes a "+
			"moment later. An audit record is kept.", missing, conflict)), o.deleteGroupChat)
	change(o, op(http.MethodPost, "/group-chats/{chatId}/join", "join-group-chat", chatsTag, "Join a group chat",
		"For members of its community. A private one is asked by a request.", missing, conflict), o.joinGroupChat)
	change(o, quiet(op(http.MethodPost, "/group-chats/{chatId}/leave", "leave-group-chat", chatsTag,
		"Leave a group chat",
		"", missing)), o.leaveGroupChat)
	change(o, quiet(op(http.MethodDelete, "/group-chats/{chatId}/members/{userId}", "remove-group-chat-member",
		chatsTag,
		"Remove a member from a group chat", "For the community's moderators. The person may ask to join again.",
		missing)), o.removeMember)
	change(o, op(http.MethodPost, "/private-chats", "open-private-chat", chatsTag,
		"Open the private chat with somebody",
		"There is one for the two of you. You are both members of a community.", missing, conflict),
		o.openPrivateChat)
	change(o, quiet(op(http.MethodPut, "/private-chats/{chatId}/blocked", "block-private-chat", chatsTag,
		"Block or unblock the other one of a private chat", "Nobody writes in a blocked chat.", missing)),
		o.blockPrivateChat)
	read(o, op(http.MethodGet, "/me/chats", "list-my-chats", chatsTag, "List your chats, the newest activity first",
		"With how many messages you have not read."), o.listMyChats)
	read(o, op(http.MethodGet, "/group-chats/{chatId}/community", "get-community-of-group-chat", chatsTag,
		"Get the community that a group chat belongs to", "It may take a moment until a new chat is found.", missing),
		o.communityOfChat)
	read(o, op(http.MethodGet, "/chats/{kind}/{chatId}", "get-chat", chatsTag, "Get a chat", "", missing), o.getChat)
	read(o, op(http.MethodGet, "/chats/{kind}/{chatId}/members", "list-chat-members", chatsTag,
		"List the members of a chat", "A page may be short.", missing), o.listChatMembers)
	change(o, quiet(op(http.MethodPut, "/chats/{kind}/{chatId}/read", "read-chat", chatsTag,
		"Say up to which message you have read", "It never goes back.", missing)), o.readChat)
	change(o, quiet(op(http.MethodPut, "/chats/{kind}/{chatId}/notify", "set-chat-notify", chatsTag,
		"Say of which messages you want to be told", "", missing)), o.setNotify)
	change(o, op(http.MethodPut, "/chats/{kind}/{chatId}/presence", setPresence, chatsTag,
		"Say that you are there, are typing, or have gone",
		"The chat's members are told on its live channel, and nothing is stored. Repeat it as often as the "+
			"answer says while it goes on; say that you are away, or say nothing more. Nobody is told if you do "+
			"not show your presence, and in a private chat in which one of you blocks the other.", missing),
		o.setPresence)
}

// ChatInput names a chat of a kind.
type ChatInput struct {
	Kind   string `path:"kind" enum:"group,private" doc:"Which kind of chat."`
	ChatID string `path:"chatId" maxLength:"200" doc:"The chat's id."`
}

func (in ChatInput) ref() communitymodel.ChatRef {
	return communitymodel.ChatRef{Kind: communitymodel.Kind(in.Kind), ID: model.Name(in.ChatID)}
}

// ChatIDInput names a chat whose kind is known.
type ChatIDInput struct {
	ChatID string `path:"chatId" maxLength:"200" doc:"The chat's id."`
}

func (in ChatIDInput) id() model.Name { return model.Name(in.ChatID) }

type communityChat struct {
	Kind        string   `json:"kind" enum:"group,private" doc:"Which kind of chat."`
	ID          string   `json:"id" doc:"The chat's id."`
	CommunityID string   `json:"communityId" doc:"The community of a group chat, or where the two of a private chat have met."`
	Name        string   `json:"name,omitempty" doc:"What a group chat is called."`
	Description string   `json:"description,omitempty" doc:"What it is for."`
	Capacity    int64    `json:"capacity,omitempty" doc:"How many members it may have."`
	Private     bool     `json:"private,omitempty" doc:"Whether one asks to join it."`
	NumMembers  int64    `json:"numMembers,omitempty" doc:"How many members it has."`
	Mirrored    bool     `json:"mirrored,omitempty" doc:"Whether its messages go to a WhatsApp group as well, and come from there."`
	UserIDs     []string `json:"userIds,omitempty" doc:"The two of a private chat."`
	CreatedAt   string   `json:"createdAt" doc:"When it was made."`
	LastAt      string   `json:"lastAt,omitempty" doc:"When something was written or changed last."`
	LastSeq     int64    `json:"lastSeq" doc:"The number of the newest message."`
	State       string   `json:"state,omitempty" enum:"joined,left,removed,asking" doc:"Whether you are a member; absent if you never were."`
	ReadSeq     int64    `json:"readSeq,omitempty" doc:"The number of the newest message that you have read."`
	Unread      int64    `json:"unread,omitempty" doc:"How many messages you have not read."`
	Notify      string   `json:"notify,omitempty" enum:"all,mentions,none" doc:"Of which messages you are told."`
	Blocked     bool     `json:"blocked,omitempty" doc:"Whether you block the other one of a private chat."`
	LiveChannel string   `json:"liveChannel,omitempty" doc:"The live channel on which its members are told that something has changed. Read the chat again when a hint says that it has moved, and now and then."`
}

func showChat(c communitymodel.Chat) communityChat {
	shown := communityChat{
		Kind: string(c.Ref().Kind), ID: string(c.ID), CommunityID: string(c.CommunityID), Name: c.Name,
		Description: c.Description, Capacity: c.Capacity, Private: c.Private, NumMembers: c.NumMembers,
		Mirrored:  c.Bridged(),
		CreatedAt: string(c.CreatedAt), LastAt: string(c.LastAt), LastSeq: c.LastSeq,
	}
	for _, user := range c.Users {
		shown.UserIDs = append(shown.UserIDs, string(user))
	}
	return shown
}

func showSeenChat(s chats.Seen) communityChat {
	shown := showChat(s.Chat)
	shown.State = string(s.Membership.State)
	if s.Membership.State == communitymodel.Joined {
		shown.ReadSeq, shown.Unread = s.Membership.ReadSeq, max(0, s.LastSeq-s.Membership.ReadSeq)
		shown.Notify, shown.Blocked = string(s.Membership.Notify), s.Membership.Blocks
	}
	if s.May() {
		shown.LiveChannel = string(community.ChannelOf(s.Chat))
	}
	return shown
}

type chatOutput struct{ Body communityChat }

type groupChatAbout struct {
	Name        string `json:"name" minLength:"1" maxLength:"80" pattern:"\\S" example:"Rice traders" doc:"What it is called."`
	Description string `json:"description,omitempty" maxLength:"500" doc:"What it is for."`
	Capacity    int64  `json:"capacity,omitempty" minimum:"2" maximum:"1000" default:"256" doc:"How many members it may have."`
	Private     bool   `json:"private,omitempty" doc:"Whether one asks to join it."`
}

type createGroupChatInput struct {
	CommunityInput
	operations.Keyed
	Body groupChatAbout
}

func (o *service) createGroupChat(ctx context.Context, in *createGroupChatInput, by communitymodel.User) (
	*chatOutput, error) {
	if _, err := o.Domain.Communities.SeeAsMember(ctx, in.id(), by); err != nil {
		return nil, err
	}
	request, err := in.Request(ctx, by.TenantID, "create-group-chat "+in.CommunityID, in.Body)
	if err != nil {
		return nil, err
	}
	chat, err := o.Domain.Chats.Create(ctx, by, chats.New{
		Community: in.id(), Name: in.Body.Name, Description: in.Body.Description, Capacity: in.Body.Capacity,
		Private: in.Body.Private,
	}, request)
	return &chatOutput{showChat(chat)}, err
}

type listGroupChatsInput struct {
	CommunityInput
	httpapi.Page
}

type chatListOutput struct{ Body httpapi.List[communityChat] }

func (o *service) listGroupChats(ctx context.Context, in *listGroupChatsInput, by communitymodel.User) (
	*chatListOutput, error) {
	if _, err := o.Domain.Communities.SeeAsMember(ctx, in.id(), by); err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "group chats", in.CommunityID)
	if err != nil {
		return nil, err
	}
	rows, next, err := o.Domain.Chats.OfCommunity(ctx, in.id(), in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &chatListOutput{operations.ListOf(rows, showChat, l.Position(next))}, nil
}

type changeGroupChatInput struct {
	ChatIDInput
	Body struct {
		Name        *string `json:"name,omitempty" minLength:"1" maxLength:"80" pattern:"\\S" doc:"What it is called."`
		Description *string `json:"description,omitempty" maxLength:"500" doc:"What it is for."`
		Capacity    *int64  `json:"capacity,omitempty" minimum:"2" maximum:"1000" doc:"How many members it may have."`
		Private     *bool   `json:"private,omitempty" doc:"Whether one asks to join it."`
	}
}

func (o *service) changeGroupChat(ctx context.Context, in *changeGroupChatInput, by communitymodel.User) (
	*chatOutput, error) {
	chat, err := o.Domain.Chats.Edit(ctx, in.id(), by, func(n *chats.New) {
		set(&n.Name, in.Body.Name)
		set(&n.Description, in.Body.Description)
		set(&n.Capacity, in.Body.Capacity)
		set(&n.Private, in.Body.Private)
	})
	return &chatOutput{showChat(chat)}, err
}

func (o *service) joinGroupChat(ctx context.Context, in *ChatIDInput, by communitymodel.User) (*chatOutput, error) {
	seen, err := o.Domain.Chats.Join(ctx, in.id(), by)
	return &chatOutput{showSeenChat(seen)}, err
}

func (o *service) leaveGroupChat(ctx context.Context, in *ChatIDInput, by communitymodel.User) (*done, error) {
	return nil, o.Domain.Chats.Leave(ctx, in.id(), by)
}

type chatMemberInput struct {
	ChatIDInput
	UserID string `path:"userId" maxLength:"128" doc:"The person's id."`
}

func (o *service) removeMember(ctx context.Context, in *chatMemberInput, by communitymodel.User) (*done, error) {
	return nil, o.Domain.Chats.Remove(ctx, in.id(), by, model.Name(in.UserID))
}

type openPrivateChatInput struct {
	Body struct {
		UserID      string `json:"userId" minLength:"1" maxLength:"128" pattern:"^[^#]+$" doc:"The other one."`
		CommunityID string `json:"communityId" minLength:"1" maxLength:"128" pattern:"^[^#]+$" doc:"A community of you both."`
	}
}

func (o *service) openPrivateChat(ctx context.Context, in *openPrivateChatInput, by communitymodel.User) (
	*chatOutput, error) {
	seen, err := o.Domain.Chats.Open(ctx, by, model.Name(in.Body.UserID), model.Name(in.Body.CommunityID))
	return &chatOutput{showSeenChat(seen)}, err
}

type blockInput struct {
	ChatIDInput
	Body struct {
		Blocked bool `json:"blocked" doc:"Whether you want nothing from the other one."`
	}
}

func (o *service) blockPrivateChat(ctx context.Context, in *blockInput, by communitymodel.User) (*done, error) {
	return nil, o.Domain.Chats.Block(ctx, in.id(), by, in.Body.Blocked)
}

type myChatsOutput struct {
	Body struct {
		Items []communityChat `json:"items" doc:"All your chats, 500 at most."`
	}
}

func (o *service) listMyChats(ctx context.Context, _ *struct{}, by communitymodel.User) (*myChatsOutput, error) {
	all, err := o.Domain.Chats.Of(ctx, by)
	out := &myChatsOutput{}
	out.Body.Items = make([]communityChat, len(all))
	for i, seen := range all {
		out.Body.Items[i] = showSeenChat(seen)
	}
	return out, err
}

func (o *service) getChat(ctx context.Context, in *ChatInput, by communitymodel.User) (*chatOutput, error) {
	seen, err := o.Domain.Chats.See(ctx, in.ref(), by)
	return &chatOutput{showSeenChat(seen)}, err
}

type communityChatMember struct {
	UserID   string `json:"userId" doc:"The person's id."`
	JoinedAt string `json:"joinedAt" doc:"Since when."`
	ReadSeq  int64  `json:"readSeq" doc:"The number of the newest message that they have read."`
}

func showChatMember(m communitymodel.ChatMember) communityChatMember {
	return communityChatMember{string(m.UserID), string(m.JoinedAt), m.ReadSeq}
}

type listChatMembersInput struct {
	ChatInput
	httpapi.Page
}

type chatMemberListOutput struct {
	Body httpapi.List[communityChatMember]
}

func (o *service) listChatMembers(ctx context.Context, in *listChatMembersInput, by communitymodel.User) (
	*chatMemberListOutput, error) {
	if _, err := o.Domain.Chats.SeeAsMember(ctx, in.ref(), by); err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "chat members", in.Kind, in.ChatID)
	if err != nil {
		return nil, err
	}
	rows, next, err := o.Domain.Chats.Members(ctx, in.ref(), in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &chatMemberListOutput{operations.ListOf(rows, showChatMember, l.Position(next))}, nil
}

type readChatInput struct {
	ChatInput
	Body struct {
		Seq int64 `json:"seq" minimum:"1" doc:"The number of the newest message that you have read."`
	}
}

func (o *service) readChat(ctx context.Context, in *readChatInput, by communitymodel.User) (*done, error) {
	return nil, o.Domain.Chats.Read(ctx, in.ref(), by, in.Body.Seq)
}

type setNotifyInput struct {
	ChatInput
	Body struct {
		Notify string `json:"notify" enum:"all,mentions,none" doc:"Of which messages you are told."`
	}
}

func (o *service) setNotify(ctx context.Context, in *setNotifyInput, by communitymodel.User) (*done, error) {
	return nil, o.Domain.Chats.SetNotify(ctx, in.ref(), by, communitymodel.Notify(in.Body.Notify))
}

func (o *service) communityOfChat(ctx context.Context, in *ChatIDInput, by communitymodel.User) (
	*communityOutput, error) {
	id, err := o.Chats.CommunityOf(ctx, in.id())
	if err != nil {
		return nil, err
	}
	seen, err := o.Communities.See(ctx, id, by)
	return &communityOutput{showSeen(seen)}, err
}

func (o *service) deleteGroupChat(ctx context.Context, in *ChatIDInput, by communitymodel.User) (*done, error) {
	return nil, o.Closing.Chat(ctx, in.id(), by, actorOf(ctx, by))
}
