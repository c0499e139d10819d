package community

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/model"
)

// Listens reports whether a person may listen to a channel of their tenant: to their own, and to those of their chats.
func (d *Domain) Listens(ctx context.Context, tenant model.TenantID, user model.Name, channel live.Channel) (
	bool, error) {
	if channel.Kind() != live.KindChat {
		return channel == live.OfPerson(tenant, user), nil
	}
	all, err := d.Chats.Of(ctx, communitymodel.User{ID: user, TenantID: tenant})
	return err == nil && slices.ContainsFunc(all, func(seen chats.Seen) bool {
		return live.OfChat(tenant, seen.ID) == channel
	}), err
}

// Hinting returns what tells open programs that something in a chat has changed, by the chat's id and the instant.
func Hinting(to *live.Publisher) func(ctx context.Context, chat communitymodel.Chat, at model.Time) {
	return func(ctx context.Context, chat communitymodel.Chat, at model.Time) {
		to.Publish(ctx, live.OfChat(chat.TenantID, chat.ID),
			live.Hint{Kind: "chat", Of: string(chat.ID), Sequence: string(at)})
	}
}
