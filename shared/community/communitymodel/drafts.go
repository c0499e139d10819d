package communitymodel

import (
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// DraftLife is for how long a draft waits to be posted. Its item is kept an hour longer, as is the record of its
// request.
const (
	DraftLife  = 23 * time.Hour
	draftStays = 24 * time.Hour
)

// Draft is what somebody has written in a chat, and that waits to be posted. It is with its author, and not in the
// chat, which has no room for it.
type Draft struct {
	PK          string         `dynamodbav:"pk"`
	SK          string         `dynamodbav:"sk"`
	ID          model.Name     `dynamodbav:"Id"` // the id of the message ends in it
	TenantID    model.TenantID `dynamodbav:"TenantId"`
	ChatKind    Kind           `dynamodbav:"ChatKind"`
	ChatID      model.Name     `dynamodbav:"ChatId"`
	Author      model.Name     `dynamodbav:"Author"`
	Content     string         `dynamodbav:"Content,omitempty"`
	ReplyTo     model.Name     `dynamodbav:"ReplyTo,omitempty"`
	Mentions    []model.Name   `dynamodbav:"Mentions,omitempty"`
	Attachments []Attachment   `dynamodbav:"Attachments,omitempty"` // of a file, the id alone
	QueuedAt    model.Time     `dynamodbav:"QueuedAt"`
	Request     model.Name     `dynamodbav:"Request,omitempty"` // the id of its request's record; "" for none
	ExpiresAt   int64          `dynamodbav:"ExpiresAt"`         // epoch seconds
}

// Key returns the key of a draft.
func (d Draft) Key() keys.Key {
	return keys.Key{PartitionName: keys.PK, Partition: d.PK, SortName: keys.SK, Sort: d.SK}
}

// Chat names the chat of a draft.
func (d Draft) Chat() ChatRef { return ChatRef{d.ChatKind, d.ChatID} }

// Over reports whether a draft has waited for too long.
func (d Draft) Over(now time.Time) bool { return now.Sub(d.QueuedAt.Go()) >= DraftLife }

// Keep gives a draft its key, by the number of its event, and says until when its item is kept.
func (d *Draft) Keep(number int64) {
	key := keys.QueuedDraft(d.Author, d.ChatID, number)
	d.PK, d.SK, d.ExpiresAt = key.Partition, key.Sort, d.Until().Go().Unix()
}

// Until returns until when the item of a draft is kept.
func (d Draft) Until() model.Time { return model.At(d.QueuedAt.Go().Add(draftStays)) }
