package messages

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// MirrorType is the type of the event that has a bridge send what was written in its chat.
const MirrorType = "community.mirror"

// Mirror is the payload of that event.
type Mirror struct {
	Phone model.PhoneNumberID `json:"phoneNumberId"`
	Group model.Name          `json:"whatsAppGroupId"`
}

// mirror returns the writes of the event that has the bridge of a chat send a post; none in a chat without a bridge.
// The event's sequence is read here, so that other chats do not pay for it.
func (s *Messages) mirror(ctx context.Context, p post) ([]dynamo.Write, error) {
	if !p.seen.Bridged() {
		return nil, nil
	}
	sequence := outbox.SequenceRef(p.by.TenantID, keys.EntityBridge, string(p.ref.ID))
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{sequence})
	if err != nil {
		return nil, err
	}
	payload, err := json.Marshal(Mirror{p.seen.BridgePhone, p.seen.BridgeGroup})
	if err != nil {
		return nil, err
	}
	_, writes, err := s.Outbox.Append(ctx, sequence.Found(found), outbox.Draft{
		Type: MirrorType, Tenant: p.by.TenantID, EntityType: keys.EntityBridge, EntityID: string(p.ref.ID),
		Payload: payload,
	})
	return writes, err
}

// Guest writes in a group chat of a tenant from outside, by a bridge.
type Guest struct {
	ID     model.Name
	Name   string
	Tenant model.TenantID
}

// Copy is a message that a guest has written elsewhere.
type Copy struct {
	Draft
	Of model.MessageID
}

// user returns a guest as the author of messages.
func (g Guest) user() communitymodel.User { return communitymodel.User{ID: g.ID, TenantID: g.Tenant} }

// PostFor posts what a guest has written elsewhere. with returns, for the message's id, the writes whose conditions are
// that the guest may write, and that this was not posted before. It returns dynamo.ErrConflict if it has to be decided
// anew, and dynamo.ErrNotFound if there is no such chat.
func (s *Messages) PostFor(ctx context.Context, ref communitymodel.ChatRef, g Guest, d Copy,
	with func(id model.Name) []dynamo.Write) error {
	if err := d.check(); err != nil {
		return err
	}
	found, err := s.DB.BatchGet(ctx, append(s.refs(ref, g.user()), s.reads(ref, d.Draft)...))
	if err != nil {
		return err
	}
	p := post{ref: ref, by: g.user()}
	if p.seen, err = outside(found, ref, p.by); err != nil {
		return err
	}
	if p, err = s.compose(p, found, d.Draft); err != nil {
		return err
	}
	settings, err := settingsIn(found, g.Tenant)
	if err != nil {
		return err
	}
	p.message.AuthorName, p.message.Origin = Masked(g.Name, settings.Words), d.Of
	writes, telling, err := s.written(ctx, p, found)
	if err != nil {
		return err
	}
	if err := s.DB.Transact(ctx, slices.Concat(writes, telling, with(p.message.ID))); err != nil {
		return dynamo.Conflict(err)
	}
	s.hint(ctx, p.seen.Chat, p.message.CreatedAt)
	return nil
}

// EditFor changes what a guest's message says, as Edit does.
func (s *Messages) EditFor(ctx context.Context, ref communitymodel.ChatRef, g Guest, id model.Name,
	content string) error {
	_, err := s.edit(ctx, ref, g.user(), id, content, outside)
	return err
}

// DeleteFor deletes a guest's message, as Delete does.
func (s *Messages) DeleteFor(ctx context.Context, ref communitymodel.ChatRef, g Guest, id model.Name) error {
	return s.delete(ctx, ref, g.user(), id, outside)
}

// outside returns a chat for somebody who is no member: a guest, or who decides a report.
func outside(found dynamo.Found, ref communitymodel.ChatRef, by communitymodel.User) (seen chats.Seen, err error) {
	item := dynamo.Ref{Table: ref.Table(), Key: ref.Key()}.Found(found)
	if item == nil {
		return seen, dynamo.ErrNotFound
	}
	if err := dynamo.Unmarshal(item, &seen.Chat); err != nil {
		return seen, err
	}
	if seen.TenantID != by.TenantID || seen.DeletedAt != "" {
		return chats.Seen{}, dynamo.ErrNotFound
	}
	return seen, nil
}
