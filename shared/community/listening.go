package community

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/presence"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/model"
)

// Listens reports whether a person may listen to a channel of their tenant: to their own, and to those of their chats,
// with the audience that each has now.
func (d *Domain) Listens(ctx context.Context, tenant model.TenantID, user model.Name, channel live.Channel) (
	bool, error) {
	if channel.Kind() != live.KindChat {
		return channel == live.OfPerson(tenant, user), nil
	}
	all, err := d.Chats.Of(ctx, communitymodel.User{ID: user, TenantID: tenant})
	return err == nil && slices.ContainsFunc(all, func(seen chats.Seen) bool {
		return ChannelOf(seen.Chat) == channel
	}), err
}

// ChannelOf returns the channel of a chat with the audience that it has now.
func ChannelOf(chat communitymodel.Chat) live.Channel {
	return live.OfChat(chat.TenantID, chat.ID, chat.Audience)
}

// Live tells hints on a channel.
type Live interface {
	Publish(ctx context.Context, channel live.Channel, hints ...live.Hint)
}

// The kinds of hints on the channel of a chat, beside the states of presence.
const (
	hintChat  = "chat"  // something was written or has changed
	hintMoved = "moved" // the chat has another channel now
)

// hints tells open programs that something in a chat has changed, by the chat's id and the instant.
func (d *Domain) hints(ctx context.Context, chat communitymodel.Chat, at model.Time) {
	d.tell(ctx, chat, live.Hint{Kind: hintChat, Of: string(chat.ID), Sequence: string(at)})
}

// moved tells all who have listened to a chat until now that it has another channel. Its members find it with the chat.
func (d *Domain) moved(ctx context.Context, was communitymodel.Chat) {
	d.tell(ctx, was, live.Hint{Kind: hintMoved, Of: string(was.ID)})
}

// present tells who is in a chat, and what they do there.
func (d *Domain) present(ctx context.Context, chat communitymodel.Chat, told presence.Told) {
	d.tell(ctx, chat, live.Hint{
		Kind: string(told.State), Of: string(chat.ID), By: string(told.By), Until: string(told.Until)})
}

func (d *Domain) tell(ctx context.Context, chat communitymodel.Chat, hint live.Hint) {
	if d.Live != nil {
		d.Live.Publish(ctx, ChannelOf(chat), hint)
	}
}
