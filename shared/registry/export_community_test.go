package registry_test

import (
	"crypto/sha256"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/community/bridges"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/objects/objectstest"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// gathers has Asha and Ravi take part in a community of the tenant, known by their addresses.
func (c *credit) gathers() {
	c.t.Helper()
	asha, ravi := c.resident("asha", "Asha", ashaMail), c.resident("ravi", raviSecret, raviMail)
	d, ctx := registry.Community(c.rooms), c.t.Context()
	bucket := objectstest.Bucket(func() time.Time { return c.now })
	d.Files.Bucket = bucket
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
			f, _, err := d.Files.Begin(ctx, chat, by, files.New{Name: by.Name, Type: "text/plain", Size: 4},
				idempotency.Request{})
			c.must(err)
			c.must(bucket.Put(ctx, objects.Object{
				Key: files.ObjectKey("demo", chat.ID, f.ID), ContentType: f.Type, Body: strings.NewReader("rice"),
				Size: f.Size, SHA256: sha256.Sum256([]byte("rice"))}))
			m, err := d.Messages.Post(ctx, chat, by, messages.Draft{Content: by.Name,
				Attachments: []communitymodel.Attachment{{File: f.ID}}}, idempotency.Request{})
			c.must(err)
			_, err = d.Messages.Edit(ctx, chat, by, m.ID, by.Name+" again")
			c.must(err)
			c.must(d.Messages.React(ctx, chat, asha, m.ID, "👍", true))
		}
	}
	c.bridges(open.Ref())
	_, err = d.Requests.Ask(ctx, closed.ID, asha)
	c.must(err)
	told, err := d.Notifications.To(asha.ID, d.Notifications.New(communitymodel.NoticeRole,
		communitymodel.Target{Community: circle.ID}))
	c.must(err)
	c.must(c.db.Put(ctx, told))
	c.must(d.Digests.Set(ctx, asha, communitymodel.DigestEmail))
}

// bridges mirrors a chat to a WhatsApp group, in which people write.
func (c *credit) bridges(chat communitymodel.ChatRef) {
	c.t.Helper()
	d, ctx := registry.Community(c.rooms), c.t.Context()
	c.db.Seed(c.t, tables.Messages, model.Group{
		PK: keys.Group("group-2").Partition, ItemType: model.ItemGroup, GroupID: "group-2", PhoneNumberID: wt.Phone,
		Version: 1})
	_, err := d.Bridges.Build(ctx, bridges.New{
		Tenant: "demo", Community: communitymodel.CommunityOf(chat.ID), Chat: chat.ID, Phone: wt.Phone,
		Group: "group-2"})
	c.must(err)
	for number, text := range map[model.CustomerID]string{asha: "Asha", ravis: raviSecret} {
		guest := messages.Guest{ID: keys.GuestID(wt.Phone, number), Name: text, Tenant: "demo"}
		copied := model.Name("")
		c.must(d.Messages.PostFor(ctx, chat, guest, messages.Copy{
			Draft: messages.Draft{Content: text}, Of: model.MessageID("wamid.of" + number),
		}, func(id model.Name) []dynamo.Write {
			copied = id
			return nil
		}))
		c.must(d.Messages.EditFor(ctx, chat, guest, copied, text+" again"))
	}
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
