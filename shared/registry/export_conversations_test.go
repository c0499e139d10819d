package registry_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// ashaMail and raviMail are email addresses, which nothing connects with a number.
const ashaMail, raviMail = model.CustomerID("asha@example.com"), model.CustomerID("ravi@example.com")

// converses has a company write to Asha and Ravi, so much that a part is in a continuation.
func (c *credit) converses() {
	c.t.Helper()
	d := registry.Conversations(c.rooms)
	people := map[model.CustomerID]string{asha: "Asha", ravis: raviSecret, ashaMail: "Asha", raviMail: raviSecret}
	for person, text := range people {
		talk := conversationsmodel.Conversation{
			TenantID: "demo", CompanyID: "ci-1", ProjectID: "pi-1", RequestID: "r1",
			ChannelMethod: model.ChannelWhatsApp, RecipientTel: model.PhoneOf(person),
			Customer: person, PhoneNumberID: wt.Phone,
			Status: conversationsmodel.WithPerson, RecipientFirstName: text, CreatedAt: model.At(c.now),
		}
		if mailing.IsAddress(person) {
			talk.ChannelMethod, talk.PhoneNumberID = model.ChannelEmail, ""
			talk.RecipientEmail, talk.RecipientTel = model.Name(person), ""
			c.isMailed(person, text)
			c.writesMail(person, text)
		}
		talk.SetKeys()
		id := "wamid.talk." + string(person)
		writes, err := d.Talks.Write(&talk,
			conversationsmodel.Entry{
				EntryID: id, MessageTimestamp: model.At(c.now), Role: conversationsmodel.User,
				Content: strings.Repeat(text+" ", 800)},
			conversationsmodel.Entry{
				EntryID: id + ".answer", MessageTimestamp: model.At(c.now), Role: conversationsmodel.Assistant,
				Content: text})
		c.must(err)
		c.must(c.db.Transact(c.t.Context(), writes))
		spent := dynamo.Item{
			"primary_channel": dynamo.S(talk.PrimaryChannel), "tokens": dynamo.N(7),
			"tenant_id":       dynamo.S(talk.TenantID),
			"conversation_id": dynamo.S(keys.TalkSpent(talk.Key()).Sort), "customer": dynamo.S(talk.Customer)}
		c.must(c.db.Put(c.t.Context(),
			dynamo.Put{Table: tables.Conversations, If: dynamo.Unconditional, Item: spent}))
		key := keys.Reply(model.MessageID(id))
		item, err := dynamo.Marshal(conversationsmodel.Reply{
			PrimaryChannel: key.Partition, ConversationID: key.Sort, Talk: talk.Reference(), TTL: 1})
		c.must(err)
		c.must(c.db.Put(c.t.Context(), dynamo.Put{Table: tables.Conversations, Item: item, If: dynamo.Unconditional}))
	}
}

// writesMail has somebody send an email that no domain takes.
func (c *credit) writesMail(person model.CustomerID, text string) {
	c.t.Helper()
	m := model.Received{
		TenantID: "demo", Channel: model.ChannelEmail, Business: "jobs@haat.example", Person: string(person),
		CustomerID: person, ReceivedAt: model.At(c.now), Text: text}
	id := arrivals.ID(m.Channel, m.Business, string(person))
	c.must(c.rooms.Arrivals.Keep(c.t.Context(), id, m))
	c.must(c.rooms.Arrivals.Append(c.t.Context(), webhooklog.Appender{DB: c.rooms.DB, Now: c.rooms.Now}, id, m))
}

// isMailed has somebody get an email.
func (c *credit) isMailed(person model.CustomerID, text string) {
	c.t.Helper()
	found, err := c.db.BatchGet(c.t.Context(), mailing.Refs("demo", string(person)))
	c.must(err)
	_, writes, err := c.rooms.Mailing.Prepare(c.t.Context(), mailing.Email{
		Tenant: "demo", From: "jobs@haat.example", To: string(person), Subject: text, Text: text}, found)
	c.must(err)
	c.must(c.db.Transact(c.t.Context(), writes))
}

// Somebody of whom a business knows only an email address is exported and erased by it, and nobody else is.
func TestAPersonOfWhomOnlyAnEmailAddressIsKnown(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.converses()
	kinds := map[string]int{}
	for _, r := range exports(t, c.rooms, 100, export.Named{Phone: model.ByEmail, Customer: ashaMail}) {
		if kinds[r.Kind]++; strings.Contains(string(r.Data), raviSecret) || strings.Contains(string(r.Data), asha) {
			t.Errorf("%s is another's: %s", r.Kind, r.Data)
		}
	}
	if diff := cmp.Diff(map[string]int{"companyConversation": 3, "email": 1, "arrival": 1}, kinds); diff != "" {
		t.Error(diff)
	}
	before, at := stored(t, db), export.Named{Phone: model.ByEmail, Customer: ashaMail}
	for range 2 { // the second finds nothing left
		done, err := c.rooms.Erase(t.Context(), erasure.Request{
			Tenant: "demo", Phone: model.ByEmail, Customer: ashaMail, Reason: "asked", Unwritten: true,
			By: audit.Actor{Subject: "somebody"}})
		if err != nil || done.CompletedAt == "" || done.Counts["companyConversations"] != 1 ||
			done.Counts["emails"] != 1 || done.Counts["arrivals"] != 1 {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	gone, after := 0, stored(t, db)
	for id, items := range before {
		for key := range items {
			if _, is := after[id][key]; !is {
				gone++
				if strings.Contains(key, string(raviMail)) || strings.Contains(key, asha) {
					t.Errorf("%s %s is gone", id, key)
				}
			}
		}
	}
	if left := len(exports(t, c.rooms, 100, at)); left > 0 || gone != 6 {
		t.Errorf("%d records are left, %d items are gone", left, gone)
	}
}
