package registry_test

import (
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// gathers has Asha and Ravi take part in a community of the tenant, known by their addresses.
func (c *credit) gathers() {
	c.t.Helper()
	asha, ravi := c.resident("asha", "Asha", ashaMail), c.resident("ravi", raviSecret, raviMail)
	d, ctx := registry.Community(c.rooms), c.t.Context()
	circle, err := d.Communities.Found(ctx, ravi, communities.About{
		Name: "Kothrud Traders", Location: communitymodel.Place{Country: "India"}}, idempotency.Request{})
	c.must(err)
	_, err = d.Communities.Join(ctx, circle.ID, asha)
	c.must(err)
	open, err := d.Chats.Create(ctx, ravi, chats.New{Community: circle.ID, Name: "Rice", Capacity: 10},
		idempotency.Request{})
	c.must(err)
	closed, err := d.Chats.Create(ctx, ravi, chats.New{Community: circle.ID, Name: "Dal", Capacity: 10, Private: true},
		idempotency.Request{})
	c.must(err)
	_, err = d.Chats.Join(ctx, open.ID, asha)
	c.must(err)
	private, err := d.Chats.Open(ctx, ravi, asha.ID, circle.ID)
	c.must(err)
	for _, chat := range []communitymodel.ChatRef{open.Ref(), private.Ref()} {
		for _, by := range []communitymodel.User{asha, ravi} {
			m, err := d.Messages.Post(ctx, chat, by, messages.Draft{Content: by.Name}, idempotency.Request{})
			c.must(err)
			_, err = d.Messages.Edit(ctx, chat, by, m.ID, by.Name+" again")
			c.must(err)
			c.must(d.Messages.React(ctx, chat, asha, m.ID, "👍", true))
		}
	}
	_, err = d.Requests.Ask(ctx, closed.ID, asha)
	c.must(err)
	told, err := d.Notifications.To(asha.ID, d.Notifications.New(communitymodel.NoticeRole,
		communitymodel.Target{Community: circle.ID}))
	c.must(err)
	c.must(c.db.Put(ctx, told))
	c.must(d.Digests.Set(ctx, asha, communitymodel.DigestEmail))
}

// resident stores a person of the tenant's communities with the claims of their name and address.
func (c *credit) resident(username, name string, mail model.CustomerID) communitymodel.User {
	c.t.Helper()
	user := communitymodel.User{
		ID: model.Name("user-" + username), Username: username, Name: name, Email: string(mail), TenantID: "demo",
		PasswordHash: "$argon2id$", Bio: name, Role: communitymodel.RoleUser, CreatedAt: model.At(c.now), Version: 1,
	}
	user.SetKey()
	c.db.Seed(c.t, tables.CommunityUsers, user,
		communitymodel.Claim{PK: users.UsernameRef("demo", username).Key.Partition, UserID: user.ID},
		communitymodel.Claim{PK: users.EmailRef("demo", string(mail)).Key.Partition, UserID: user.ID})
	return user
}
