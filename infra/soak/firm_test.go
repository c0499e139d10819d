package soak

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/questions"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mail/ses"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/mailing/posting"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// The addresses of the firm.
const (
	firmID, firmProject = model.Name("ci-1"), model.Name("pi-1")
	firmSMS, firmMail   = "+447700900444", "jobs@haat.example"
)

// firm is a running history of a company that has conversations with people over three channels. One thing happens
// after the other, each as often as it takes while calls fail, so that what the tables hold before a message says where
// it belongs.
type firm struct {
	t       testing.TB
	rng     *rand.Rand
	db      *dynamotest.DB
	faults  *faults
	client  *dynamo.Client
	now     atomic.Int64 // nanoseconds
	ids     atomic.Int64
	bucket  *messagingtest.Bucket
	people  []*applicant
	sayings []*wording
	answers map[string]int // how often an assistant has answered, by conversation and the message that waited
	// handedBack are the conversations that a person of the company has handed back, who may have left a message to
	// nobody.
	handedBack map[string]bool
	story      []string // what has happened
	// ruleSince is since when the routing rules open conversations; "" for never.
	ruleSince model.Time
}

// applicant is a person to whom the company writes.
type applicant struct {
	tel, userID, mail string
	linked            bool      // a message has shown both of their identifiers on WhatsApp
	erasedAt          time.Time // by a number; what they wrote on WhatsApp before that does not come back
}

// wording is a message of a person.
type wording struct {
	id         string // in the conversation
	by         *applicant
	channel    model.Channel
	text       string
	at         time.Time
	again      func() // brings it once more
	in         string // the conversation that it is in; "" for none
	known      bool   // what it shows of its writer leads to their number
	numberless bool   // it shows no number
	erased     bool
}

func newFirm(t testing.TB, seed uint64) *firm {
	t.Helper()
	f := &firm{
		t: t, rng: rand.New(rand.NewPCG(seed, 31)), db: dynamotest.Start(t, allTables...),
		bucket: &messagingtest.Bucket{}, answers: map[string]int{}, handedBack: map[string]bool{}}
	f.now.Store(began.UnixNano())
	f.faults = &faults{rng: rand.New(rand.NewPCG(seed, 32)), now: f.clock}
	f.client = f.db.Through(f.faults)
	for i := range 3 {
		f.people = append(f.people, &applicant{
			tel: fmt.Sprintf("91987650000%d", i), userID: fmt.Sprintf("IN.990%d", i),
			mail: fmt.Sprintf("person%d@example.com", i)})
	}
	f.opens()
	return f
}

func (f *firm) clock() time.Time { return time.Unix(0, f.now.Add(int64(time.Millisecond))).UTC() }

func (f *firm) advance(d time.Duration) { f.now.Add(int64(d)) }

// log notes what happens, for a history that has a finding.
func (f *firm) log(format string, values ...any) {
	f.story = append(f.story, fmt.Sprintf(format, values...))
}

func (f *firm) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// opens gives the tenant its addresses, the company, and a project with or without an assistant.
func (f *firm) opens() {
	f.t.Helper()
	f.db.Seed(f.t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: tenant,
		DisplayPhoneNumber: wt.Display, WABAMetaID: wt.WABA},
		model.Sender{PK: keys.Sender(firmSMS).Partition, ItemType: model.ItemSender, TenantID: tenant})
	ctx, domain := f.t.Context(), registry.Conversations(f.rooms())
	_, err := domain.Companies.Create(ctx, conversationsmodel.Company{
		Company: firmID, TenantID: tenant, CompanyName: "Cucumber", Active: true,
		ChannelConfig: model.Document(`{"company_whatsapp_number":"+` + wt.Display + `","company_sms_number":"` + firmSMS +
			`","company_email":"` + firmMail + `"}`)})
	f.must(err)
	project := conversationsmodel.Project{
		Company: firmID, Project: firmProject, ProjectName: "Clarify CV",
		ProjectStatus:   conversationsmodel.ProjectActive,
		AllowedChannels: []model.Channel{model.ChannelWhatsApp, model.ChannelSMS, model.ChannelEmail},
		Opening: conversationsmodel.Opening{Template: "hello_world", Language: "en_US", Text: "Is your CV up to date?",
			Subject: "Your CV"},
		ExpiresAfterHours: 24 * (1 + f.rng.IntN(5))}
	project.Rules.QueueInitial = f.rng.IntN(2) == 0
	if f.rng.IntN(4) > 0 {
		project.AIConfig = model.Document(`{"assistant":"rules"}`)
		project.Rules.QueueReply = true
	}
	project, err = domain.Companies.SetProject(ctx, project, 0)
	f.must(err)
	if project.Rules.QueueInitial {
		f.ruleSince = project.UpdatedAt
	}
	f.must((&questions.Lists{DB: f.db.Client, Now: f.clock}).Set(ctx, tenant, firmID, firmProject, []faq.Entry{
		{ID: "salary", Question: "What is the salary?", Answer: "30,000 a month.", Language: "en"},
		{ID: "place", Question: "Where is the office?", Answer: "In Pune.", Language: "en"}}))
	f.advance(time.Second)
}

// rooms returns the rooms of a new process with all domains. While there are faults, some processes die in mid-work.
func (f *firm) rooms() *messaging.Domain {
	client := f.client
	if f.faults.every.Load() > 0 && f.rng.IntN(6) == 0 {
		d := &dying{next: f.faults}
		d.left.Store(1 + f.rng.Int64N(25))
		client = f.db.Through(d)
	}
	return registry.Reacting(registry.Open(messaging.Config{
		DB: client, Now: f.clock, DefaultTenant: tenant, IndexLag: indexLag,
		NewID:    func() string { return fmt.Sprintf("01a1fbae-3de3-707d-9ea6-%012d", f.ids.Add(1)) },
		NewToken: func() string { return fmt.Sprintf("TOKEN%021d", f.ids.Add(1)) },
	}))
}

// tries repeats work until it succeeds, with a new process each time.
func (f *firm) tries(what string, work func(rooms *messaging.Domain) error) {
	f.t.Helper()
	var err error
	for range 200 {
		if err = work(f.rooms()); err == nil {
			return
		}
		f.advance(time.Second)
	}
	f.t.Fatalf("%s never ends: %v", what, err)
}

// The providers take everything.
type takes struct{ f *firm }

func (p takes) Send(context.Context, whatsapp.Request) (whatsapp.Taken, error) {
	return whatsapp.Taken{ID: fmt.Sprintf("wamid.own-%d", p.f.ids.Add(1))}, nil
}

type takesTexts struct{ f *firm }

func (p takesTexts) Send(context.Context, sms.Text) (string, error) {
	return fmt.Sprintf("sms-%d", p.f.ids.Add(1)), nil
}

func (takesTexts) Sender() string { return "" }

type takesEmails struct{ f *firm }

func (p takesEmails) Send(context.Context, ses.Email) (string, error) {
	return fmt.Sprintf("%d@ap-south-1.amazonses.com", p.f.ids.Add(1)), nil
}

// relays returns the relays of both lanes.
func (f *firm) relays() []*outbox.Relay {
	rooms := f.rooms()
	talks := registry.Conversations(rooms)
	slow := rooms.Texting.Handlers(takesTexts{f})
	maps.Copy(slow, posting.Handlers(rooms.Mailing, takesEmails{f}))
	maps.Copy(slow, answering.New(
		conversations.Name, talks.Talks, talks.Replies, registry.Lookups(rooms), talks.Outbox).Handlers())
	maps.Copy(slow, talks.SlowHandlers())
	maps.Copy(slow, arrivals.Handlers(f.bucket))
	relay := func(lane string, handlers map[string]outbox.Handler) *outbox.Relay {
		return &outbox.Relay{
			Outbox: *rooms.Outbox(), Lane: lane, Handlers: handlers, Owner: fmt.Sprint("relay-", f.ids.Add(1)),
			Log:   silent,
			Sleep: func(_ context.Context, d time.Duration) error { f.advance(d); return nil }}
	}
	return []*outbox.Relay{relay("", rooms.Handlers(takes{f})), relay(keys.LaneSlow, slow)}
}

// talks returns the conversations, as the tables hold them.
func (f *firm) talks() map[string]conversationsmodel.Conversation {
	f.t.Helper()
	all := map[string]conversationsmodel.Conversation{}
	for _, item := range f.db.Items(f.t, tables.Conversations) {
		if item["conversation_status"] == nil {
			continue
		}
		var c conversationsmodel.Conversation
		unmarshal(f.t, item, &c)
		all[c.ConversationID] = c
	}
	return all
}

// history returns all entries of a conversation.
func (f *firm) history(c conversationsmodel.Conversation) []conversationsmodel.Entry {
	f.t.Helper()
	all := slices.Clone(c.Messages)
	for _, item := range f.db.Items(f.t, tables.Conversations) {
		var part conversationsmodel.Continuation
		if item["conversation_status"] == nil && item["messages"] != nil {
			unmarshal(f.t, item, &part)
			if key := keys.TalkHistoryPrefix(c.ConversationID); len(part.ConversationID) > len(key) &&
				part.ConversationID[:len(key)] == key && part.PrimaryChannel == c.PrimaryChannel {
				all = append(all, part.Messages...)
			}
		}
	}
	return all
}

// of returns whom a conversation is with.
func (f *firm) of(c conversationsmodel.Conversation) *applicant {
	at := slices.IndexFunc(f.people, func(p *applicant) bool {
		return c.RecipientTel == model.Name("+"+p.tel) && c.ChannelMethod != model.ChannelEmail ||
			c.RecipientEmail == model.Name(p.mail) && c.ChannelMethod == model.ChannelEmail
	})
	if at < 0 {
		f.t.Fatalf("a conversation with nobody: %+v", c)
	}
	return f.people[at]
}
