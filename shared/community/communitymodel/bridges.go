package communitymodel

import (
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// Bridge mirrors a group chat of a community to a WhatsApp group of a number, both ways.
type Bridge struct {
	PK          string              `dynamodbav:"pk"`
	SK          string              `dynamodbav:"sk"`
	TenantID    model.TenantID      `dynamodbav:"TenantId"`
	CommunityID model.Name          `dynamodbav:"CommunityId"`
	ChatID      model.Name          `dynamodbav:"ChatId"`
	Phone       model.PhoneNumberID `dynamodbav:"PhoneNumberId"`
	Group       model.Name          `dynamodbav:"WhatsAppGroupId"`
	CreatedAt   model.Time          `dynamodbav:"CreatedAt"`
	// SentTo is the instant of the newest message that was sent to the WhatsApp group, or left out.
	SentTo model.Time `dynamodbav:"SentTo"`
	// WaitsSince is since when messages wait until somebody writes in the WhatsApp group: before that, WhatsApp takes
	// nothing for it.
	WaitsSince model.Time `dynamodbav:"WaitsSince,omitempty"`
	// LeftOut counts the messages that were not sent, and FailureCode and FailedAt say why the last one was not.
	LeftOut     int64      `dynamodbav:"LeftOut,omitempty"`
	FailureCode string     `dynamodbav:"FailureCode,omitempty"`
	FailedAt    model.Time `dynamodbav:"FailedAt,omitempty"`
}

// Key returns the key of a bridge.
func (b Bridge) Key() keys.Key { return keys.BridgeOf(b.Phone, b.Group) }

// Chat names the group chat of a bridge.
func (b Bridge) Chat() ChatRef { return ChatRef{Group, b.ChatID} }

// Once says that a group chat was bridged to a group of a number once. It stays, so that an erasure finds what guests
// wrote there.
type Once struct {
	PK     string     `dynamodbav:"pk"`
	SK     string     `dynamodbav:"sk"`
	ChatID model.Name `dynamodbav:"ChatId"`
}

// Guest is somebody who writes in a chat from outside: a participant of its WhatsApp group. They have no account, and
// their item is there only if something keeps their messages out.
type Guest struct {
	PK       string     `dynamodbav:"pk"`
	SK       string     `dynamodbav:"sk"`
	ID       model.Name `dynamodbav:"Id"`
	BannedAt model.Time `dynamodbav:"BannedAt,omitempty"`
	// ErasedAt is when they were erased: what they wrote before that does not come back.
	ErasedAt model.Time `dynamodbav:"ErasedAt,omitempty"`
}

// Mirrored says that a message of a WhatsApp group was heard, and leads to its copy in a chat.
type Mirrored struct {
	PK        string     `dynamodbav:"pk"`
	SK        string     `dynamodbav:"sk"`
	MessageID model.Name `dynamodbav:"MessageId,omitempty"` // "" while there is no copy
	ExpiresAt int64      `dynamodbav:"ExpiresAt"`           // epoch seconds
}
