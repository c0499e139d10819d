package cost

import (
	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/questions"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/arrivals/collecting"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

const companyMail = "replies@cucumber.example"

// mailedAssisted has an assistant answer emails, and begins a conversation by email.
func (s *system) mailedAssisted() {
	s.t.Helper()
	s.mails()
	d := s.conversations()
	p, err := d.Companies.Project(s.flow(), "ci-aaa-001", "pi-aaa-001")
	s.must(err)
	p.AIConfig, p.Rules.QueueReply = model.Document(`{"assistant":"rules"}`), true
	_, err = d.Companies.SetProject(s.flow(), p, p.Version)
	s.must(err)
	s.must((&questions.Lists{DB: s.client, Now: s.rooms().Now}).Set(s.flow(), "demo", "ci-aaa-001", "pi-aaa-001",
		[]faq.Entry{{ID: "salary", Question: forty, Answer: "The salary is ₹18000 a month.", Language: "en"}}))
	s.begins(model.ChannelEmail)
	s.posts(s.emailed().OutboxEventID)
}

// repliesByEmail has the person answer the company's email. SES tells of it, and the log brings it to the conversation.
func (s *system) repliesByEmail() {
	s.t.Helper()
	rooms, bucket := s.rooms(), &messagingtest.Bucket{}
	bucket.Lay("mail/m1", "From: Asha Rao <asha.rao@example.com>\r\nTo: "+companyMail+"\r\nSubject: Re: Clarify CV\r\n"+
		"Message-ID: <CAF1b2c3d4e5f6-7a8b9c0d@mail.example.com>\r\nIn-Reply-To: <"+*s.emailed().EmailID+">\r\n"+
		"References: <"+*s.emailed().EmailID+">\r\n\r\n"+forty+"\r\n")
	in := collecting.Collecting{
		Arrivals: rooms.Arrivals, Mailboxes: s.conversations().Companies, Bucket: bucket,
		Log: webhooklog.Appender{DB: rooms.DB, Now: rooms.Now}}
	s.must(in.Email(s.flow(), notices.Notice{
		Kind: notices.Received, ID: "m1", At: s.now, To: []string{companyMail}, Bucket: bucket.Name(), Key: "mail/m1"}))
	entry, err := rooms.Log.Entry(s.flow(), arrivals.ID(model.ChannelEmail, companyMail, "m1"))
	s.must(err)
	s.must(rooms.Arrivals.Reader(rooms.Subscriptions).Apply(s.flow(), entry))
	if c := s.emailed(); c.Entries != 2 || c.Status != conversationsmodel.AwaitingReply {
		s.t.Errorf("the reply leaves %+v", c)
	}
}

// answersByEmail has the assistant answer, and the answer go out.
func (s *system) answersByEmail() {
	s.t.Helper()
	d := s.conversations()
	relay := s.relay()
	relay.Lane = keys.LaneSlow
	relay.Handlers = answering.New(conversations.Name, d.Talks, d.Replies, registry.Lookups(s.rooms()),
		d.Outbox).Handlers()
	done := 0
	for _, kind := range []string{turns.EventType, mailing.EventType} {
		for _, item := range s.db.Items(s.t, tables.Outbox) {
			id := dynamo.Text(item, "eventId")
			if dynamo.Text(item, "eventType") != kind || dynamo.Text(item, "status") != string(model.OutboxPending) {
				continue
			}
			if done++; kind == mailing.EventType {
				s.posts(id)
				continue
			}
			event, err := relay.Get(s.flow(), id)
			s.must(err)
			s.must(relay.Deliver(s.flow(), event))
		}
	}
	if c := s.emailed(); c.Entries != 3 || c.HandOffToHuman || done != 2 {
		s.t.Errorf("the turn leaves %+v after %d events", c, done)
	}
}

// emailFlows returns what emails that come in cost.
func emailFlows() []flow {
	return []flow{
		{name: "a reply by email for an assistant, from the notice on", max: 80, tables: conversationsTables,
			before: func(s *system) { s.mailedAssisted() }, run: func(s *system) { s.repliesByEmail() }},
		{name: "a turn by email that an assistant answers, and the answer sent", max: 90, tables: conversationsTables,
			before: func(s *system) {
				s.mailedAssisted()
				s.repliesByEmail()
			}, run: func(s *system) { s.answersByEmail() }},
	}
}
