package registry_test

import (
	"strings"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// converses has a company write to Asha and Ravi, so much that a part is in a continuation.
func (c *credit) converses() {
	c.t.Helper()
	d := registry.Conversations(c.rooms)
	for number, text := range map[model.CustomerID]string{asha: "Asha", ravis: raviSecret} {
		talk := conversationsmodel.Conversation{
			TenantID: "demo", CompanyID: "ci-1", ProjectID: "pi-1", RequestID: "r1",
			ChannelMethod: model.ChannelWhatsApp, RecipientTel: model.PhoneOf(number),
			Customer: number, PhoneNumberID: wt.Phone,
			Status: conversationsmodel.WithPerson, RecipientFirstName: text, CreatedAt: model.At(c.now),
		}
		talk.SetKeys()
		id := "wamid.talk." + string(number)
		writes, err := d.Talks.Write(&talk,
			conversationsmodel.Entry{
				EntryID: id, MessageTimestamp: model.At(c.now), Role: conversationsmodel.User,
				Content: strings.Repeat(text+" ", 800)},
			conversationsmodel.Entry{
				EntryID: id + ".answer", MessageTimestamp: model.At(c.now), Role: conversationsmodel.Assistant,
				Content: text})
		c.must(err)
		c.must(c.db.Transact(c.t.Context(), writes))
		key := keys.Reply(model.MessageID(id))
		item, err := dynamo.Marshal(conversationsmodel.Reply{
			PrimaryChannel: key.Partition, ConversationID: key.Sort, Talk: talk.Reference(), TTL: 1})
		c.must(err)
		c.must(c.db.Put(c.t.Context(), dynamo.Put{Table: tables.Conversations, Item: item, If: dynamo.Unconditional}))
	}
}
