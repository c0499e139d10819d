package community

import (
	"context"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/notifications"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// counted are the attributes of chats and of others' messages that count what somebody does, and why an export leaves
// them out.
var counted = []string{"LastAt", "NumMembers", "ChangedAt", "Reactions"}

const countedWhy = "they name nobody; what the person has done themselves is exported"

// exporter reads what the domain keeps of a person.
func (d *Domain) exporter() *export.Exporter {
	return &export.Exporter{
		Domain: Name,
		Lists: []export.List{
			{Kind: "communityUser", Read: d.of(d.exportUser)},
			{Kind: "communityMembership", Read: d.of(d.exportMemberships)},
			{Kind: "communityNotification", Read: d.of(d.exportNotifications)},
			{Kind: "groupChat", Read: d.of(d.exportChats(communitymodel.Group))},
			{Kind: "guestMessage", PerNumber: true, Read: d.exportGuests},
			{Kind: "privateChat", Read: d.of(d.exportChats(communitymodel.Private))},
			{Kind: "chatRequest", Read: d.of(d.exportRequests)},
		},
		LeftOut: []export.LeftOut{
			{What: "the hash of the password", Why: "it would help whoever gets the export to guess it",
				Table: tables.CommunityUsers, Begins: "USER#", Attributes: []string{"PasswordHash"}},
			{What: "sessions, codes and the claims of the name, the address and the number",
				Why:   "they hold hashes, and nothing that the person has not said themselves",
				Table: tables.CommunityUsers},
			{What: "what group chats and the messages of others count", Why: countedWhy,
				Table: tables.GroupChats, Begins: "GROUPCHAT#", Attributes: counted},
			{What: "what private chats and the messages of others count", Why: countedWhy,
				Table: tables.PrivateChats, Begins: "PRIVATECHAT#", Attributes: counted},
			{What: "when a file goes that no message has", Why: "it follows from when the file came, which is exported",
				Table: tables.Outbox, Begins: keys.InLane(keys.LaneSlow, ""),
				Attributes: []string{"createdAt", "notBefore"}},
			{What: "the person's place in the list of who gets a digest",
				Why:   "it says the same as what they have chosen about it",
				Table: tables.CommunityNotifications, Begins: "DIGESTS#"},
			{What: "the chat's side of the person's requests", Why: "it says the same as the person's own side",
				Table: tables.ChatRequests, Begins: "GROUPCHAT#"},
		},
	}
}

// of returns a list that reads the parts of each of the people whom a customer is.
func (d *Domain) of(parts func(ctx context.Context, user model.Name) ([]export.Part, error)) func(
	context.Context, erasure.Subject, string, int) (export.Rows, error) {
	return func(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
		people, err := d.people(ctx, of)
		if err != nil {
			return export.Rows{}, err
		}
		var all []export.Part
		for _, user := range people {
			some, err := parts(ctx, user)
			if err != nil {
				return export.Rows{}, err
			}
			all = append(all, some...)
		}
		return export.Parts(ctx, all, after, limit)
	}
}

func (d *Domain) part(id string, q dynamo.Query) export.Part {
	return export.Query{DB: d.DB, Of: q}.Under(id)
}

func (d *Domain) exportUser(_ context.Context, user model.Name) ([]export.Part, error) {
	return []export.Part{export.Query{
		DB: d.DB, Of: dynamo.Query{
			Table: tables.CommunityUsers, Where: "pk = :user",
			Values: dynamo.Item{":user": dynamo.S(keys.CommunityUser(user).Partition)},
		},
		Show: func(_ context.Context, item dynamo.Item) (dynamo.Item, error) {
			return export.Without(item, "PasswordHash"), nil
		},
	}.Under(string(user))}, nil
}

func (d *Domain) exportMemberships(ctx context.Context, user model.Name) (all []export.Part, err error) {
	members, err := d.Communities.Memberships(ctx, user)
	for _, m := range members {
		all = append(all, d.part(m.PK, dynamo.Query{
			Table: tables.Communities, Where: "pk = :pk AND sk = :sk",
			Values: dynamo.Item{":pk": dynamo.S(m.PK), ":sk": dynamo.S(m.SK)},
		}))
	}
	return all, err
}

func (d *Domain) exportNotifications(_ context.Context, user model.Name) ([]export.Part, error) {
	return []export.Part{d.part(string(user), notifications.Of(user))}, nil
}

// exportChats returns the person's memberships of chats of a kind, what they have written there, before and after it
// was edited, their reactions, and what is recorded of their files.
func (d *Domain) exportChats(kind communitymodel.Kind) func(context.Context, model.Name) ([]export.Part, error) {
	return func(ctx context.Context, user model.Name) (all []export.Part, err error) {
		members, err := d.Chats.Memberships(ctx, user)
		for _, m := range members {
			ref := communitymodel.ChatOf(m.PK)
			if ref.Kind != kind {
				continue
			}
			member := dynamo.Query{
				Table: ref.Table(), Where: "pk = :pk AND sk = :sk",
				Values: dynamo.Item{":pk": dynamo.S(m.PK), ":sk": dynamo.S(m.SK)},
			}
			all = append(all, d.part(m.PK+"#0", member), d.part(m.PK+"#1", messages.By(ref, user)),
				d.part(m.PK+"#2", messages.VersionsBy(ref, user)), d.part(m.PK+"#3", messages.ReactionsBy(ref, user)),
				d.part(m.PK+"#4", files.By(ref, user)))
		}
		return all, err
	}
}

// exportGuests reads what a customer has written as a guest of chats, before and after it was edited.
func (d *Domain) exportGuests(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	bridged, err := d.Bridges.Chats(ctx, of.Tenant, of.Phone)
	if err != nil {
		return export.Rows{}, err
	}
	var all []export.Part
	for _, chat := range bridged {
		for _, guest := range guests(of) {
			id := chat.Key().Partition + "#" + string(guest)
			all = append(all,
				d.part(id+"#0", messages.By(chat, guest)), d.part(id+"#1", messages.VersionsBy(chat, guest)))
		}
	}
	return export.Parts(ctx, all, after, limit)
}

func (d *Domain) exportRequests(_ context.Context, user model.Name) ([]export.Part, error) {
	return []export.Part{d.part(string(user), dynamo.Query{
		Table: tables.ChatRequests, Where: "pk = :user",
		Values: dynamo.Item{":user": dynamo.S(keys.CommunityUser(user).Partition)},
	})}, nil
}
