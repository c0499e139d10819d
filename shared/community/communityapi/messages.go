package communityapi

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const messagesTag = "Chat messages"

func (o *service) messages() {
	const path = "/chats/{kind}/{chatId}"
	change(o, queues(creates(op(http.MethodPost, path+"/messages", "post-chat-message", messagesTag,
		"Write a message",
		"For members of the chat. If too many write at once, the message is queued, and the answer is 202: it is "+
			"posted in its turn, without another request, and changes tell it. One that cannot be posted then is "+
			"told by a notification.", missing, conflict))),
		o.postMessage)
	read(o, op(http.MethodGet, path+"/messages", "list-chat-messages", messagesTag, "List the messages of a chat",
		"The newest ones, those before an instant, or those after one; each page in the order in which they were "+
			"written.", missing),
		o.listMessages)
	read(o, op(http.MethodGet, path+"/changes", "list-chat-changes", messagesTag,
		"List what was written or has changed since an instant",
		"Each message as it is now. Go on from the instant of the last entry: nothing is missed. Changes are told for "+
			"seven days; "+
			"older instants are answered 410.", missing, http.StatusGone), o.listChanges)
	read(o, op(http.MethodGet, path+"/search", "search-chat-messages", messagesTag,
		"Search the newest messages of a chat",
		"All words, in any script and spelling, among the newest thousand.", missing), o.searchMessages)
	read(o, op(http.MethodGet, path+"/messages/{messageId}", "get-chat-message", messagesTag, "Get a message", "",
		missing),
		o.getMessage)
	change(o, op(http.MethodPatch, path+"/messages/{messageId}", "edit-chat-message", messagesTag,
		"Edit your message",
		"What it said before is kept.", missing, conflict), o.editMessage)
	change(o, quiet(op(http.MethodDelete, path+"/messages/{messageId}", "delete-chat-message", messagesTag,
		"Delete your message", "Its place stays, and nothing of what it said.", missing, conflict)), o.deleteMessage)
	read(o, op(http.MethodGet, path+"/messages/{messageId}/versions", "list-chat-message-versions", messagesTag,
		"List what a message said before it was edited", "", missing), o.listVersions)
	change(o, quiet(op(http.MethodPut, path+"/messages/{messageId}/reactions/{emoji}", "add-chat-reaction", messagesTag,
		"React to a message", "", missing, conflict)), o.react(true))
	change(o, quiet(op(http.MethodDelete, path+"/messages/{messageId}/reactions/{emoji}", "remove-chat-reaction",
		messagesTag, "Take a reaction back", "", missing, conflict)), o.react(false))
}

type chatMessage struct {
	ID          string           `json:"id" doc:"The message's id."`
	Seq         int64            `json:"seq" doc:"Its number in the chat."`
	AuthorID    string           `json:"authorId" doc:"Who has written it."`
	AuthorName  string           `json:"authorName,omitempty" doc:"The name of a guest, who writes from the WhatsApp group that the chat is mirrored to."`
	Content     string           `json:"content,omitempty" doc:"What it says; absent if it is gone."`
	CreatedAt   string           `json:"createdAt" doc:"When it was written."`
	Edited      bool             `json:"edited,omitempty" doc:"Whether it was edited."`
	Reactions   map[string]int64 `json:"reactions,omitempty" doc:"How many people have reacted, by emoji."`
	ReplyTo     string           `json:"replyTo,omitempty" doc:"The message that it answers."`
	Mentions    []string         `json:"mentions,omitempty" doc:"Whom it mentions."`
	Attachments []chatAttachment `json:"attachments,omitempty" doc:"Its files and links."`
	Deleted     bool             `json:"deleted,omitempty" doc:"Whether its author has deleted it."`
	Hidden      bool             `json:"hidden,omitempty" doc:"Whether a moderator has removed it."`
}

func showMessage(m communitymodel.Message) chatMessage {
	shown := chatMessage{
		ID: string(m.ID), Seq: m.Seq, AuthorID: string(m.Author), AuthorName: m.AuthorName, Content: m.Content,
		CreatedAt: string(m.CreatedAt),
		Edited:    m.Editted, Reactions: m.Reactions, ReplyTo: string(m.ReplyTo),
		Deleted: m.DeletedAt != "", Hidden: m.HiddenAt != "",
	}
	for _, user := range m.Mentions {
		shown.Mentions = append(shown.Mentions, string(user))
	}
	for _, a := range m.Attachments {
		shown.Attachments = append(shown.Attachments, showAttachment(a))
	}
	return shown
}

type messageOutput struct{ Body chatMessage }

type postMessageInput struct {
	ChatInput
	operations.Keyed
	Body struct {
		Content     string          `json:"content,omitempty" maxLength:"4096" doc:"What it says."`
		ReplyTo     string          `json:"replyTo,omitempty" maxLength:"200" doc:"The message that it answers."`
		Mentions    []string        `json:"mentions,omitempty" maxItems:"20" doc:"Members to be told of it."`
		Attachments []newAttachment `json:"attachments,omitempty" maxItems:"10" doc:"Its files and links."`
	}
}

// postedMessage is a message that was posted, or that is queued.
type postedMessage struct {
	chatMessage
	Queued bool `json:"queued,omitempty" doc:"Whether it waits to be posted. It has no number yet, and its id will be another one that ends in this one."`
}

type postedOutput struct {
	Status int
	Body   postedMessage
}

// queues adds the answer for a message that is queued to an operation.
func queues(op huma.Operation) huma.Operation {
	return httpapi.WithSchemas(op, func(op *huma.Operation, schemas huma.Registry) {
		op.Responses = map[string]*huma.Response{strconv.Itoa(http.StatusAccepted): {
			Description: "The message is queued.",
			Content: map[string]*huma.MediaType{"application/json": {
				Schema: schemas.Schema(reflect.TypeFor[postedMessage](), true, "PostedMessage")}},
		}}
	})
}

func (o *service) postMessage(ctx context.Context, in *postMessageInput, by communitymodel.User) (
	*postedOutput, error) {
	request, err := in.Request(ctx, by.TenantID, "post-chat-message "+in.Kind+" "+in.ChatID, in.Body)
	if err != nil {
		return nil, err
	}
	draft := messages.Draft{Content: in.Body.Content, ReplyTo: model.Name(in.Body.ReplyTo)}
	if draft.Mentions, err = names(in.Body.Mentions); err != nil {
		return nil, err
	}
	if draft.Attachments, err = attachments(in.Body.Attachments); err != nil {
		return nil, err
	}
	m, err := o.Domain.Messages.Post(ctx, in.ref(), by, draft, request)
	out := &postedOutput{Status: http.StatusCreated, Body: postedMessage{showMessage(m), m.Queued()}}
	if m.Queued() {
		out.Status = http.StatusAccepted
	}
	return out, err
}

type listMessagesInput struct {
	ChatInput
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"How many at most."`
	Before string `query:"before" maxLength:"24" pattern:"^[0-9TZ:.-]*$" doc:"Those before this instant."`
	After  string `query:"after" maxLength:"24" pattern:"^[0-9TZ:.-]*$" doc:"Those after this instant."`
}

type messageListOutput struct {
	Body struct {
		Items []chatMessage `json:"items" doc:"The messages, in the order in which they were written."`
		More  bool          `json:"more" doc:"Whether there are more in the direction of reading."`
	}
}

func messageList(all []communitymodel.Message, more bool) *messageListOutput {
	out := &messageListOutput{}
	out.Body.Items, out.Body.More = make([]chatMessage, len(all)), more
	for i, m := range all {
		out.Body.Items[i] = showMessage(m)
	}
	return out
}

func (o *service) listMessages(ctx context.Context, in *listMessagesInput, by communitymodel.User) (
	*messageListOutput, error) {
	if in.Before != "" && in.After != "" {
		return nil, httpapi.Invalid("query.after", "give one of before and after")
	}
	if _, err := o.Domain.Chats.SeeAsMember(ctx, in.ref(), by); err != nil {
		return nil, err
	}
	all, more, err := o.Domain.Messages.List(ctx, in.ref(), messages.Page{
		After: model.Time(in.After), Before: model.Time(in.Before), Limit: in.Limit})
	return messageList(all, more), err
}

type listChangesInput struct {
	ChatInput
	Limit int    `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"How many at most."`
	After string `query:"after" maxLength:"24" pattern:"^[0-9TZ:.-]*$" doc:"The instant of the last entry that you have; leave it out for all."`
}

type chatChange struct {
	At      string      `json:"at" doc:"When it was written or has changed."`
	Message chatMessage `json:"message" doc:"The message as it is now."`
}

type changeListOutput struct {
	Body struct {
		Items []chatChange `json:"items" doc:"The entries, in the order of their instants."`
		More  bool         `json:"more" doc:"Whether there are more now."`
	}
}

func (o *service) listChanges(ctx context.Context, in *listChangesInput, by communitymodel.User) (
	*changeListOutput, error) {
	seen, err := o.Domain.Chats.SeeAsMember(ctx, in.ref(), by)
	if err != nil {
		return nil, err
	}
	all, more, err := o.Domain.Messages.Changes(ctx, seen.Chat, model.Time(in.After), in.Limit)
	out := &changeListOutput{}
	out.Body.Items, out.Body.More = make([]chatChange, len(all)), more
	for i, c := range all {
		out.Body.Items[i] = chatChange{string(c.At), showMessage(c.Message)}
	}
	return out, err
}

type searchMessagesInput struct {
	ChatInput
	Text  string `query:"text" required:"true" minLength:"1" maxLength:"200" doc:"The words."`
	Limit int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"How many at most."`
}

func (o *service) searchMessages(ctx context.Context, in *searchMessagesInput, by communitymodel.User) (
	*messageListOutput, error) {
	if _, err := o.Domain.Chats.SeeAsMember(ctx, in.ref(), by); err != nil {
		return nil, err
	}
	all, err := o.Domain.Messages.Search(ctx, in.ref(), in.Text, in.Limit)
	return messageList(all, false), err
}

// ChatMessageInput names a message of a chat.
type ChatMessageInput struct {
	ChatInput
	MessageID string `path:"messageId" maxLength:"200" doc:"The message's id."`
}

func (in ChatMessageInput) id() model.Name { return model.Name(in.MessageID) }

func (o *service) getMessage(ctx context.Context, in *ChatMessageInput, by communitymodel.User) (*messageOutput,
	error) {
	if _, err := o.Domain.Chats.SeeAsMember(ctx, in.ref(), by); err != nil {
		return nil, err
	}
	m, err := o.Domain.Messages.Get(ctx, in.ref(), in.id())
	return &messageOutput{showMessage(m)}, err
}

type editMessageInput struct {
	ChatMessageInput
	Body struct {
		Content string `json:"content" minLength:"1" maxLength:"4096" pattern:"\\S" doc:"What it says now."`
	}
}

func (o *service) editMessage(ctx context.Context, in *editMessageInput, by communitymodel.User) (
	*messageOutput, error) {
	m, err := o.Domain.Messages.Edit(ctx, in.ref(), by, in.id(), in.Body.Content)
	return &messageOutput{showMessage(m)}, err
}

func (o *service) deleteMessage(ctx context.Context, in *ChatMessageInput, by communitymodel.User) (*done, error) {
	return nil, o.Domain.Messages.Delete(ctx, in.ref(), by, in.id())
}

type chatMessageVersion struct {
	Content string `json:"content" doc:"What the message said."`
	Until   string `json:"until" doc:"Until when."`
}

type versionListOutput struct {
	Body struct {
		Items []chatMessageVersion `json:"items" doc:"The former versions, the oldest first."`
	}
}

func (o *service) listVersions(ctx context.Context, in *ChatMessageInput, by communitymodel.User) (
	*versionListOutput, error) {
	if _, err := o.Domain.Chats.SeeAsMember(ctx, in.ref(), by); err != nil {
		return nil, err
	}
	if _, err := o.Domain.Messages.Get(ctx, in.ref(), in.id()); err != nil {
		return nil, err
	}
	all, err := o.Domain.Messages.Versions(ctx, in.ref(), in.id())
	out := &versionListOutput{}
	out.Body.Items = make([]chatMessageVersion, len(all))
	for i, v := range all {
		out.Body.Items[i] = chatMessageVersion{v.Content, string(v.At)}
	}
	return out, err
}

type reactionInput struct {
	ChatMessageInput
	Emoji string `path:"emoji" minLength:"1" maxLength:"64" example:"👍" doc:"The emoji."`
}

func (o *service) react(on bool) func(context.Context, *reactionInput, communitymodel.User) (*done, error) {
	return func(ctx context.Context, in *reactionInput, by communitymodel.User) (*done, error) {
		return nil, o.Domain.Messages.React(ctx, in.ref(), by, in.id(), in.Emoji, on)
	}
}
