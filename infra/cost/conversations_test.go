package cost

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant/callback"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/calling"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/expiring"
	"github.com/haatline/haatline/shared/conversations/opening"
	"github.com/haatline/haatline/shared/conversations/questions"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/mail/ses"
	"github.com/haatline/haatline/shared/messaging/mailing/posting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var conversationsTables = []tables.Table{tables.Conversations}

var talkKey = keys.Talk("ci-aaa-001", "pi-aaa-001", "req123", "+"+customer)

func (s *system) conversations() *conversations.Domain {
	d := registry.Conversations(s.rooms())
	d.Companies.Vault = aVault
	return d
}

// aVault seals the secrets of functions.
var aVault = secrets.OpenVault("",
	func(name string) string { return map[string]string{"CURSOR_KEYS": "keys of the tests"}[name] })

// recruiter gives the tenant a company with a number, and a project, and has the person write before.
func (s *system) recruiter() {
	s.t.Helper()
	s.db.Seed(s.t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA, DisplayPhoneNumber: wt.Display},
		model.Sender{PK: keys.Sender("+447700900444").Partition, ItemType: model.ItemSender, TenantID: "demo"})
	s.known()
	_, err := s.conversations().Companies.Create(s.flow(), conversationsmodel.Company{
		Company: "ci-aaa-001", TenantID: "demo", CompanyName: "Cucumber Recruitment", Active: true,
		CompanyRep: model.Document(`{"name":"Ann","title":"Consultant"}`),
		ChannelConfig: model.Document(`{"company_whatsapp_number":"+` + wt.Display +
			`","company_sms_number":"+447700900444"}`),
	})
	s.must(err)
	_, err = s.conversations().Companies.SetProject(s.flow(), conversationsmodel.Project{
		Company: "ci-aaa-001", Project: "pi-aaa-001", ProjectName: "Clarify CV",
		ProjectStatus:   conversationsmodel.ProjectActive,
		AllowedChannels: []model.Channel{model.ChannelWhatsApp, model.ChannelSMS},
		Opening:         conversationsmodel.Opening{Text: "Hello {first_name}, we have a question about your CV."},
	}, 0)
	s.must(err)
}

// mails gives the company an email address.
func (s *system) mails() {
	s.t.Helper()
	s.recruiter()
	d := s.conversations()
	c, err := d.Companies.Get(s.flow(), "ci-aaa-001")
	s.must(err)
	_, err = d.Companies.Update(s.flow(), c.Company, c.Version, func(c *conversationsmodel.Company) {
		c.ChannelConfig = model.Document(`{"company_email":"replies@cucumber.example"}`)
	})
	s.must(err)
	p, err := d.Companies.Project(s.flow(), "ci-aaa-001", "pi-aaa-001")
	s.must(err)
	p.AllowedChannels = []model.Channel{model.ChannelEmail}
	_, err = d.Companies.SetProject(s.flow(), p, p.Version)
	s.must(err)
}

// taking takes every email.
type taking struct{}

func (taking) Send(context.Context, ses.Email) (string, error) {
	return "0109018f3c5a7b2d-4e6f8a1b-0000-0000-0000-000000000000-000000@ap-south-1.amazonses.com", nil
}

// posts sends an event by email.
func (s *system) posts(id string) {
	s.t.Helper()
	relay := s.relay()
	relay.Lane, relay.Handlers = keys.LaneSlow, posting.Handlers(s.rooms().Mailing, taking{})
	event, err := relay.Get(s.flow(), id)
	s.must(err)
	s.must(relay.Deliver(s.flow(), event))
}

// begins begins a conversation.
func (s *system) begins(channel model.Channel) conversationsmodel.Conversation {
	s.t.Helper()
	request, err := idempotency.NewRequest(idempotency.API, "demo", "caller", "begin", "k1", nil)
	s.must(err)
	tel := model.Name("+" + customer)
	if channel == model.ChannelSMS { // a text to India needs a registration
		tel = "+447123456789"
	}
	email := model.Name("")
	if channel == model.ChannelEmail {
		tel, email = "", "asha.rao@example.com"
	}
	c, err := s.conversations().Opening.Open(s.flow(), opening.Request{
		Tenant: "demo", Company: "ci-aaa-001", Project: "pi-aaa-001", ID: "req123", Channel: channel,
		Tel: tel, Email: email, FirstName: "Asha", LastName: "Rao", Consent: true,
		Data: model.Document(`{"job_ref":"JR123"}`),
	}, request)
	s.must(err)
	return c
}

// grows adds entries of 150 characters to the conversation.
func (s *system) grows(to int) {
	s.t.Helper()
	d := s.conversations()
	for n := range to {
		c, err := d.Talks.Get(s.flow(), talkKey)
		s.must(err)
		writes, err := d.Talks.Write(&c, conversationsmodel.Entry{
			EntryID: wamid(n), MessageTimestamp: model.At(s.now), Role: conversationsmodel.User,
			Content: fmt.Sprintf("%0110d", n) + forty})
		s.must(err)
		s.must(s.db.Transact(s.flow(), writes))
	}
}

func (s *system) talk() conversationsmodel.Conversation {
	s.t.Helper()
	c, err := s.conversations().Talks.Get(s.flow(), talkKey)
	s.must(err)
	return c
}

// emailed returns the conversation by email.
func (s *system) emailed() conversationsmodel.Conversation {
	s.t.Helper()
	c, err := s.conversations().Talks.Get(s.flow(),
		keys.Talk("ci-aaa-001", "pi-aaa-001", "req123", "asha.rao@example.com"))
	s.must(err)
	return c
}

// replied has the person write, and checks that the conversation has it.
func (s *system) replied(n int) {
	s.t.Helper()
	before := s.talk().Entries
	s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, n))))
	s.consume()
	if after := s.talk().Entries; after != before+1 {
		s.t.Errorf("%d entries, and then %d", before, after)
	}
}

// answers sends an answer of a person of the company.
func (s *system) answers(text string) {
	s.t.Helper()
	request, err := idempotency.NewRequest(idempotency.API, "demo", "caller", "answer", text, nil)
	s.must(err)
	_, err = s.conversations().Replies.Answer(s.flow(), talkKey, "0192-user", text, request)
	s.must(err)
}

// assisted gives the project an assistant and a list of questions.
func (s *system) assisted() {
	s.t.Helper()
	s.assistedBy(`{"assistant":"rules","lookups":["khata_balance"]}`)
}

// assistedBy does so with the settings of an assistant.
func (s *system) assistedBy(config string) {
	s.t.Helper()
	s.recruiter()
	d := s.conversations()
	p, err := d.Companies.Project(s.flow(), "ci-aaa-001", "pi-aaa-001")
	s.must(err)
	p.AIConfig, p.Rules.QueueReply = model.Document(config), true
	_, err = d.Companies.SetProject(s.flow(), p, p.Version)
	s.must(err)
	s.must((&questions.Lists{DB: s.client, Now: s.rooms().Now}).Set(s.flow(), "demo", "ci-aaa-001", "pi-aaa-001",
		[]faq.Entry{{ID: "salary", Question: forty, Answer: "The salary is ₹18000 a month.", Language: "en"}}))
	s.begins(model.ChannelWhatsApp)
}

// asksWhatTheyOwe gives the person an account in a store of the business, and has them ask for it.
func (s *system) asksWhatTheyOwe() {
	s.t.Helper()
	const shop, store = model.PhoneNumberID("206540352242933"), model.Name("STORE-1")
	at, account := model.At(s.now), keys.KhataBalance(store, "+"+customer)
	s.db.Seed(s.t, tables.Messages, model.Phone{
		PK: keys.Phone(shop).Partition, ItemType: model.ItemPhone, PhoneNumberID: shop, TenantID: "demo",
		StoreID: store})
	s.db.Seed(s.t, tables.Stores, commercemodel.Store{
		PK: store, ID: store, StoreID: store, TenantID: "demo", Name: "Rao Kirana", CreatedAt: at,
		PhoneNumberIDs: []model.PhoneNumberID{shop}, GSI1PK: keys.StoresOf("OWNER-1"), GSI1SK: at})
	s.db.Seed(s.t, tables.CustomerBalances, khatamodel.Balance{
		PK: account.Partition, SK: account.Sort, StoreID: store, TenantID: "demo", CustomerPhone: "+" + customer,
		GSI1PK: "PHONE#1", GSI1SK: "STORE#1", OutstandingBalance: model.Amount{Decimal: decimal.NewFromInt(250)}})
	s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")},
		wt.Text(customer, wamid(601), "how much do I owe", s.now))))
	s.consume()
}

// turn has the assistant answer.
func (s *system) turn() {
	s.t.Helper()
	d := s.conversations()
	before := s.talk().Entries
	relay := s.relay()
	relay.Lane = keys.LaneSlow
	relay.Handlers = answering.New(conversations.Name, d.Talks, d.Replies, registry.Lookups(s.rooms()),
		d.Outbox).Handlers()
	for _, item := range s.db.Items(s.t, tables.Outbox) {
		if dynamo.Text(item, "eventType") == turns.EventType {
			event, err := relay.Get(s.flow(), dynamo.Text(item, "eventId"))
			s.must(err)
			s.must(relay.Deliver(s.flow(), event))
		}
	}
	if c := s.talk(); c.Entries != before+1 || c.HandOffToHuman {
		s.t.Errorf("the turn leaves %+v", c)
	}
}

// hooked gives the project something to ask for and a function, and has the person tell the last of it.
func (s *system) hooked() {
	s.t.Helper()
	s.assisted()
	d := s.conversations()
	p, err := d.Companies.Project(s.flow(), "ci-aaa-001", "pi-aaa-001")
	s.must(err)
	p.Function = &conversationsmodel.Function{
		Name: "submit_application", URL: "https://api.cucumber.example/hook", Secret: forty}
	_, err = d.Companies.SetProject(s.flow(), p, p.Version)
	s.must(err)
	_, err = d.Talks.Change(s.flow(), talkKey, func(c *conversationsmodel.Conversation) (bool, error) {
		c.AIConfig = model.Document(`{"assistant":"rules","slots":[{"name":"city","kind":"text"}]}`)
		c.Assisted = &conversationsmodel.Assisted{Asked: "city", Times: 1, Introduced: true, Language: "en"}
		return true, nil
	})
	s.must(err)
	s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")},
		wt.Text(customer, wamid(600), "Pune", s.now))))
	s.consume()
}

// hook is a company's own server.
type hook struct{}

func (hook) Run(context.Context, string, []string, []byte, callback.Call) (string, error) {
	return "Come on Monday at nine.", nil
}

// calls has the slow lane do the next step of what completes the conversation: the turn, or the call.
func (s *system) calls() {
	s.t.Helper()
	d := s.conversations()
	relay := s.relay()
	relay.Lane = keys.LaneSlow
	answers := answering.New(conversations.Name, d.Talks, d.Replies, registry.Lookups(s.rooms()), d.Outbox)
	calls := &calling.Calling{Domain: conversations.Name, Talks: d.Talks, Companies: d.Companies, Outbox: d.Outbox,
		Desk: d.Replies, Runner: hook{}}
	answers.Calls = calls
	relay.Handlers = answers.Handlers()
	maps.Copy(relay.Handlers, calls.Handlers())
	for _, item := range s.db.Items(s.t, tables.Outbox) {
		kind := dynamo.Text(item, "entityType")
		if dynamo.Text(item, "status") == "pending" && (kind == keys.EntityTurn || kind == keys.EntityCall) {
			event, err := relay.Get(s.flow(), dynamo.Text(item, "eventId"))
			s.must(err)
			s.must(relay.Deliver(s.flow(), event))
			return
		}
	}
	s.t.Fatal("nothing waits")
}

// ends has the slow lane do what is due, and checks what becomes of the conversation.
func (s *system) ends(want conversationsmodel.Status) {
	s.t.Helper()
	relay := s.relay()
	relay.Lane, relay.Handlers = keys.LaneSlow, expiring.Handlers(s.conversations().Talks)
	s.must(relay.Sweep(s.flow()))
	if c := s.talk(); c.Status != want {
		s.t.Errorf("the conversation is %s", c.Status)
	}
}

// conversationsFlows returns what conversations of companies cost. A message costs what any message costs, on top: its
// log, its send and its statuses.
func conversationsFlows() []flow {
	long := func(s *system) {
		s.recruiter()
		s.begins(model.ChannelWhatsApp)
		s.grows(500)
		s.replied(700) // a person goes on with it
	}
	return append([]flow{
		{name: "a conversation begun on WhatsApp", max: 60, tables: conversationsTables,
			before: func(s *system) { s.recruiter() }, run: func(s *system) { s.begins(model.ChannelWhatsApp) }},
		{name: "a conversation begun by SMS", max: 60, tables: conversationsTables,
			before: func(s *system) { s.recruiter() }, run: func(s *system) { s.begins(model.ChannelSMS) }},
		{name: "a conversation begun by email", max: 60, tables: conversationsTables,
			before: func(s *system) { s.mails() }, run: func(s *system) { s.begins(model.ChannelEmail) }},
		{name: "the opening email of a conversation sent", max: 60, tables: conversationsTables,
			before: func(s *system) {
				s.mails()
				s.begins(model.ChannelEmail)
			}, run: func(s *system) { s.posts(s.emailed().OutboxEventID) }},
		{name: "the opening message of a conversation sent", max: 60, tables: conversationsTables,
			before: func(s *system) {
				s.recruiter()
				s.begins(model.ChannelWhatsApp)
			}, run: func(s *system) { s.deliver(s.talk().OutboxEventID) }},
		{name: "a reply in a conversation", max: 60, tables: conversationsTables, before: func(s *system) {
			s.recruiter()
			s.begins(model.ChannelWhatsApp)
		}, run: func(s *system) { s.replied(600) }},
		{name: "a reply for an assistant", max: 60, tables: conversationsTables, // it costs nothing to move the end
			before: func(s *system) {
				s.assisted()
				s.deliver(s.talk().OutboxEventID)
			}, run: func(s *system) { s.replied(600) }},
		{name: "the end of a conversation that comes too early", max: 12, tables: conversationsTables,
			before: func(s *system) {
				s.assisted()
				s.deliver(s.talk().OutboxEventID)
				s.now = s.now.Add(time.Hour)
				s.replied(600)
				s.now = s.now.Add(7*24*time.Hour - time.Minute)
			}, run: func(s *system) { s.ends(conversationsmodel.AwaitingReply) }},
		{name: "the end of a conversation that has expired", max: 40, tables: conversationsTables,
			before: func(s *system) {
				s.recruiter()
				s.begins(model.ChannelWhatsApp)
				s.deliver(s.talk().OutboxEventID)
				s.now = s.now.Add(7 * 24 * time.Hour)
			}, run: func(s *system) { s.ends(conversationsmodel.Expired) }},
		{name: "a turn that an assistant answers", max: 70, tables: conversationsTables, before: func(s *system) {
			s.assisted()
			s.replied(600)
		}, run: func(s *system) { s.turn() }},
		{name: "a turn that a model answers", max: 110, tables: conversationsTables,
			before: func(s *system) { s.modelled() }, run: func(s *system) { s.asksModel() }},
		{name: "a turn in which an assistant looks something up", max: 90,
			tables: append([]tables.Table{tables.Stores, tables.CustomerBalances}, conversationsTables...),
			before: func(s *system) {
				s.assisted()
				s.asksWhatTheyOwe()
			}, run: func(s *system) { s.turn() }},
		{name: "a turn after which everything is known", max: 70, tables: conversationsTables,
			before: func(s *system) { s.hooked() }, run: func(s *system) {
				s.calls()
				if c := s.talk(); c.Status != conversationsmodel.Completed || !c.FunctionCall {
					s.t.Errorf("the turn leaves %+v", c)
				}
			}},
		{name: "a call of a company's own server", max: 70, tables: conversationsTables,
			before: func(s *system) {
				s.hooked()
				s.calls()
			}, run: func(s *system) {
				s.calls()
				if c := s.talk(); c.FunctionCalledAt == "" {
					s.t.Errorf("the call leaves %+v", c)
				}
			}},
		{name: "an answer in a conversation of 500 messages", max: 48, tables: conversationsTables, before: long,
			run: func(s *system) { s.answers(forty) }},
		{name: "an answer in a conversation of 500 messages that moves older ones", max: 48,
			tables: conversationsTables, before: func(s *system) {
				long(s)
				s.fills()
			}, run: func(s *system) {
				before := s.talk().Continuations
				s.answers(forty)
				if s.talk().Continuations != before+1 {
					s.t.Error("nothing has moved")
				}
			}},
	}, emailFlows()...)
}

// fills adds entries until the next one moves older ones.
func (s *system) fills() {
	s.t.Helper()
	for {
		c := s.talk()
		next, continuations := c, c.Continuations
		next.Pending = "" // an answer clears it
		_, err := s.conversations().Talks.Write(&next, conversationsmodel.Entry{
			EntryID: "01a1fbae-3de3-707d-9ea6-5db5e19f0001", MessageTimestamp: model.At(s.now),
			Role: conversationsmodel.Assistant, Content: forty, SentBy: "0192-user"})
		s.must(err)
		if next.Continuations > continuations {
			return
		}
		writes, err := s.conversations().Talks.Write(&c, conversationsmodel.Entry{
			EntryID: "x", MessageTimestamp: model.At(s.now), Role: conversationsmodel.User, Content: "yes"})
		s.must(err)
		s.must(s.db.Transact(s.flow(), writes))
	}
}
