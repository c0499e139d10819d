package communitymodel

import (
	"strings"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Kind is a kind of chats. Each has a table of its own.
type Kind string

// The kinds of chats.
const (
	Group   Kind = "group"
	Private Kind = "private"
)

// ChatRef names a chat.
type ChatRef struct {
	Kind Kind
	ID   model.Name
}

// Table returns the table of the chat.
func (c ChatRef) Table() tables.Table {
	if c.Kind == Private {
		return tables.PrivateChats
	}
	return tables.GroupChats
}

// ChatOf names the chat of a partition.
func ChatOf(partition string) ChatRef {
	if id, is := strings.CutPrefix(partition, keys.PrivateChat("").Partition); is {
		return ChatRef{Private, model.Name(id)}
	}
	return ChatRef{Group, model.Name(strings.TrimPrefix(partition, keys.GroupChat("").Partition))}
}

// Key returns the key of the chat.
func (c ChatRef) Key() keys.Key {
	if c.Kind == Private {
		return keys.PrivateChat(c.ID)
	}
	return keys.GroupChat(c.ID)
}

// Member returns the key of somebody's membership.
func (c ChatRef) Member(user model.Name) keys.Key { return keys.ChatMember(c.Key(), user) }

// Chat is a group chat or a private chat. Capacity, Private and NumMembers are a group chat's.
type Chat struct {
	PK          string     `dynamodbav:"pk"`
	SK          string     `dynamodbav:"sk"`
	ID          model.Name `dynamodbav:"Id"`
	Name        string     `dynamodbav:"Name,omitempty"`
	Description string     `dynamodbav:"Description,omitempty"`
	Capacity    int64      `dynamodbav:"Capacity,omitempty"`
	Private     bool       `dynamodbav:"Private,omitempty"`
	NumMembers  int64      `dynamodbav:"NumMembers,omitempty"`

	// Additions.
	TenantID    model.TenantID `dynamodbav:"TenantId"`
	CommunityID model.Name     `dynamodbav:"CommunityId"`
	CreatedAt   model.Time     `dynamodbav:"CreatedAt"`
	CreatedBy   model.Name     `dynamodbav:"CreatedBy"`
	Users       []model.Name   `dynamodbav:"Users,omitempty"` // the two of a private chat
	// LastSeq is the number of the newest message, and LastAt the instant of the newest message or change. Both only
	// grow, and no two messages or changes of a chat have the same instant.
	LastSeq int64      `dynamodbav:"LastSeq"`
	LastAt  model.Time `dynamodbav:"LastAt,omitempty"`
	// ToldAt is when all members were told of messages last.
	ToldAt model.Time `dynamodbav:"ToldAt,omitempty"`
	// DeletedAt is when a group chat was closed. What is kept of it goes a moment later.
	DeletedAt model.Time `dynamodbav:"DeletedAt,omitempty"`
	// BridgePhone and BridgeGroup are the WhatsApp group that a group chat is mirrored to; "" for none.
	BridgePhone model.PhoneNumberID `dynamodbav:"BridgePhone,omitempty"`
	BridgeGroup model.Name          `dynamodbav:"BridgeGroup,omitempty"`
	// Audience counts how many memberships of a group chat have ended. The live channel of the chat has it in its name:
	// who has gone, and still listens to the one before, hears nothing any more.
	Audience int64 `dynamodbav:"Audience,omitempty"`
}

// Bridged reports whether a group chat is mirrored to a WhatsApp group.
func (c Chat) Bridged() bool { return c.BridgeGroup != "" }

// Ref names the chat.
func (c Chat) Ref() ChatRef {
	if c.Users != nil {
		return ChatRef{Private, c.ID}
	}
	return ChatRef{Group, c.ID}
}

// Other returns the other one of the two of a private chat.
func (c Chat) Other(user model.Name) model.Name {
	if c.Users[0] == user {
		return c.Users[1]
	}
	return c.Users[0]
}

// Notify says of which messages of a chat a member is told.
type Notify string

// What members are told of.
const (
	NotifyAll      Notify = "all"
	NotifyMentions Notify = "mentions"
	NotifyNone     Notify = "none"
)

// ChatMember is somebody's membership of a chat.
type ChatMember struct {
	PK       string      `dynamodbav:"pk"`
	SK       string      `dynamodbav:"sk"`
	MemberPK string      `dynamodbav:"memberPk"`
	UserID   model.Name  `dynamodbav:"UserId"`
	State    MemberState `dynamodbav:"State"`
	JoinedAt model.Time  `dynamodbav:"JoinedAt,omitempty"`
	LeftAt   model.Time  `dynamodbav:"LeftAt,omitempty"`
	// ReadSeq is the number of the newest message that they have read.
	ReadSeq int64  `dynamodbav:"ReadSeq"`
	Notify  Notify `dynamodbav:"Notify"`
	// Blocks says that they want nothing from the other one of a private chat.
	Blocks bool `dynamodbav:"Blocks,omitempty"`
	// Request is the request that waits, of somebody who is asking.
	Request model.Name `dynamodbav:"Request,omitempty"`
	// RequestAt is the time in the key of the request.
	RequestAt model.Time `dynamodbav:"RequestAt,omitempty"`
}

// NewChatMember returns the membership of somebody in a chat.
func NewChatMember(chat ChatRef, user model.Name) ChatMember {
	key := chat.Member(user)
	return ChatMember{
		PK: key.Partition, SK: key.Sort, MemberPK: keys.CommunityUser(user).Partition, UserID: user,
		Notify: NotifyAll,
	}
}

// Attachment is a file of a message that was uploaded for the chat, or a link to something elsewhere.
type Attachment struct {
	File model.Name `dynamodbav:"FileId,omitempty"`
	URL  string     `dynamodbav:"Url,omitempty"` // of a link
	Name string     `dynamodbav:"Name,omitempty"`
	Type string     `dynamodbav:"Type"`
	Size int64      `dynamodbav:"Size,omitempty"` // of a file
}

// File is the record of a file that a member has uploaded for a chat, or is about to upload.
type File struct {
	PK        string     `dynamodbav:"pk"`
	SK        string     `dynamodbav:"sk"`
	ID        model.Name `dynamodbav:"Id"`
	Author    model.Name `dynamodbav:"Author"`
	Name      string     `dynamodbav:"Name"`
	Type      string     `dynamodbav:"Type"`
	Size      int64      `dynamodbav:"Size"`
	CreatedAt model.Time `dynamodbav:"CreatedAt"`
	MessageID model.Name `dynamodbav:"MessageId,omitempty"` // the message that has it, once one has
}

// Attachment returns the file as a message has it.
func (f File) Attachment() Attachment {
	return Attachment{File: f.ID, Name: f.Name, Type: f.Type, Size: f.Size}
}

// Message is a message of a chat. A deleted one keeps its place, and nothing of what it said.
type Message struct {
	PK        string           `dynamodbav:"pk"`
	SK        string           `dynamodbav:"sk"`
	ID        model.Name       `dynamodbav:"Id"`
	Content   string           `dynamodbav:"Content,omitempty"`
	CreatedAt model.Time       `dynamodbav:"CreatedAt"`
	Reactions map[string]int64 `dynamodbav:"Reactions,omitempty"` // how many, by emoji
	Editted   bool             `dynamodbav:"Editted,omitempty"`

	// Additions.
	Author     model.Name `dynamodbav:"Author"`
	AuthorName string     `dynamodbav:"AuthorName,omitempty"` // of a guest, who has no account
	// Origin is the message of the WhatsApp group that a guest's message copies.
	Origin      model.MessageID `dynamodbav:"Origin,omitempty"`
	Seq         int64           `dynamodbav:"Seq"`
	ReplyTo     model.Name      `dynamodbav:"ReplyTo,omitempty"`
	Mentions    []model.Name    `dynamodbav:"Mentions,omitempty"`
	Attachments []Attachment    `dynamodbav:"Attachments,omitempty"`
	Versions    int64           `dynamodbav:"Versions,omitempty"` // how many former ones are kept
	ChangedAt   model.Time      `dynamodbav:"ChangedAt,omitempty"`
	DeletedAt   model.Time      `dynamodbav:"DeletedAt,omitempty"`
	HiddenAt    model.Time      `dynamodbav:"HiddenAt,omitempty"` // by a moderator
}

// Queued reports whether the message waits to be posted: it has no number yet. The id that it gets then ends in its
// own.
func (m Message) Queued() bool { return m.Seq == 0 && m.ID != "" }

// FromOutside reports whether a guest has written the message: it came over a bridge.
func (m Message) FromOutside() bool { return m.Origin != "" }

// Files returns the ids of the message's files.
func (m Message) Files() (all []model.Name) {
	for _, a := range m.Attachments {
		if a.File != "" {
			all = append(all, a.File)
		}
	}
	return all
}

// Gone reports whether a message shows nothing any more.
func (m Message) Gone() bool { return m.DeletedAt != "" || m.HiddenAt != "" }

// Version is what a message said before it was edited.
type Version struct {
	PK      string     `dynamodbav:"pk"`
	SK      string     `dynamodbav:"sk"`
	Author  model.Name `dynamodbav:"Author"`
	Content string     `dynamodbav:"Content"`
	At      model.Time `dynamodbav:"At"` // until when
}

// Reaction is somebody's reaction to a message.
type Reaction struct {
	PK        string     `dynamodbav:"pk"`
	SK        string     `dynamodbav:"sk"`
	UserID    model.Name `dynamodbav:"UserId"`
	MessageID model.Name `dynamodbav:"MessageId"`
	Emoji     string     `dynamodbav:"Emoji"`
}

// Change says that a message has changed. It expires: who asks for changes after a longer time reads the chat anew.
type Change struct {
	PK        string     `dynamodbav:"pk"`
	SK        string     `dynamodbav:"sk"`
	MessageID model.Name `dynamodbav:"MessageId"`
	ExpiresAt int64      `dynamodbav:"ExpiresAt"` // epoch seconds
}

// RequestStatus is the state of a chat request.
type RequestStatus string

// The states of chat requests. Pending leads to each of the others, and none of these leads on.
const (
	Pending   RequestStatus = "pending"
	Accepted  RequestStatus = "accepted"
	Refused   RequestStatus = "refused"
	Withdrawn RequestStatus = "withdrawn"
)

// ChatRequest is one side of somebody's request to join a private group chat. Both sides are written together.
type ChatRequest struct {
	PK        string        `dynamodbav:"pk"`
	SK        string        `dynamodbav:"sk"`
	ID        model.Name    `dynamodbav:"Id"`
	UserID    model.Name    `dynamodbav:"UserId"`
	ChatID    model.Name    `dynamodbav:"ChatId"`
	CreatedAt model.Time    `dynamodbav:"CreatedAt"`
	Status    RequestStatus `dynamodbav:"Status"`
	Seen      bool          `dynamodbav:"Seen"`
	PendingID string        `dynamodbav:"PendingId,omitempty"` // random; it is there while the request is pending
	// Removed is an addition. It says that a moderator had removed the person from the chat: they are removed again if
	// they are not accepted.
	Removed bool `dynamodbav:"Removed,omitempty"`
}

// NotificationType is what a notification tells of.
type NotificationType string

// The types of notifications.
const (
	NoticeMessage  NotificationType = "message"
	NoticeMention  NotificationType = "mention"
	NoticeReply    NotificationType = "reply"
	NoticeRequest  NotificationType = "chat_request"
	NoticeAccepted NotificationType = "chat_request_accepted"
	NoticeRefused  NotificationType = "chat_request_refused"
	NoticeRole     NotificationType = "role"
	NoticeBan      NotificationType = "ban"
	NoticeReport   NotificationType = "report"
	NoticeUnposted NotificationType = "message_not_posted"
)

// Target is what a notification leads to: ids, and nothing that anybody said.
type Target struct {
	Community model.Name `dynamodbav:"Community,omitempty" json:"communityId,omitempty"`
	ChatKind  Kind       `dynamodbav:"ChatKind,omitempty" json:"chatKind,omitempty"`
	Chat      model.Name `dynamodbav:"Chat,omitempty" json:"chatId,omitempty"`
	Message   model.Name `dynamodbav:"Message,omitempty" json:"messageId,omitempty"`
	Request   model.Name `dynamodbav:"Request,omitempty" json:"requestId,omitempty"`
	User      model.Name `dynamodbav:"User,omitempty" json:"userId,omitempty"`
	Report    model.Name `dynamodbav:"Report,omitempty" json:"reportId,omitempty"`
}

// Notification tells a person of something.
type Notification struct {
	PK               string           `dynamodbav:"pk"`
	SK               string           `dynamodbav:"sk"`
	ID               model.Name       `dynamodbav:"Id"`
	NotificationType NotificationType `dynamodbav:"NotificationType"`
	Message          string           `dynamodbav:"Message"`
	Target           Target           `dynamodbav:"Target"`
	Read             bool             `dynamodbav:"Read"`
	Seen             bool             `dynamodbav:"Seen"`

	// Additions.
	CreatedAt model.Time `dynamodbav:"CreatedAt"`
	ExpiresAt int64      `dynamodbav:"ExpiresAt"` // epoch seconds
}

// Report says that somebody has reported a message.
type Report struct {
	PK          string     `dynamodbav:"pk"`
	SK          string     `dynamodbav:"sk"`
	ID          model.Name `dynamodbav:"Id"`
	CommunityID model.Name `dynamodbav:"CommunityId"`
	ChatKind    Kind       `dynamodbav:"ChatKind"`
	ChatID      model.Name `dynamodbav:"ChatId"`
	MessageID   model.Name `dynamodbav:"MessageId"`
	By          model.Name `dynamodbav:"By"`
	Reason      string     `dynamodbav:"Reason,omitempty"`
	CreatedAt   model.Time `dynamodbav:"CreatedAt"`
	Handled     model.Time `dynamodbav:"Handled,omitempty"`
	HandledBy   model.Name `dynamodbav:"HandledBy,omitempty"`
}

// Chat names the chat of the message.
func (r Report) Chat() ChatRef { return ChatRef{r.ChatKind, r.ChatID} }
