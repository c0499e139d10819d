package messages

import (
	"context"
	"encoding/json"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// TellingType is the type of the event that tells members of a message.
const TellingType = "community.telling"

// quiet is how long after members were told of messages they are not told again of further ones. Their list of chats
// counts these all the same.
const quiet = 10 * time.Minute

// Telling is the payload of the event that tells members of a message. It holds ids alone.
type Telling struct {
	Kind    communitymodel.Kind `json:"kind"`
	Chat    model.Name          `json:"chatId"`
	Message model.Name          `json:"messageId"`
	At      model.Time          `json:"at"`
	Author  model.Name          `json:"author"`
	Replied model.Name          `json:"replied,omitempty"`
	Mention []model.Name        `json:"mentions,omitempty"`
	All     bool                `json:"all,omitempty"` // every member who wants to be told of all messages
}

// telling returns the writes of the event that tells members of a message: none if nobody has to be told.
func (s *Messages) telling(ctx context.Context, p post, found dynamo.Found) ([]dynamo.Write, Telling, error) {
	t := Telling{
		Kind: p.ref.Kind, Chat: p.ref.ID, Message: p.message.ID, At: p.message.CreatedAt, Author: p.by.ID,
		Mention: p.message.Mentions, All: p.seen.ToldAt.Go().Add(quiet).Before(p.message.CreatedAt.Go()),
	}
	if p.replied != p.by.ID {
		t.Replied = p.replied
	}
	if !t.All && t.Replied == "" && len(t.Mention) == 0 {
		return nil, t, nil
	}
	payload, err := json.Marshal(t)
	if err != nil {
		return nil, t, err
	}
	sequence := outbox.SequenceRef(p.by.TenantID, keys.EntityChat, string(p.ref.ID))
	_, writes, err := s.Outbox.Append(ctx, sequence.Found(found), outbox.Draft{
		Type: TellingType, Tenant: p.by.TenantID, EntityType: keys.EntityChat, EntityID: string(p.ref.ID),
		Payload: payload,
	})
	return writes, t, err
}
