package conversationsapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/arrivals/collecting"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

const (
	ownMail   = "jobs@haat.example"
	firstMail = "0109018f-1@ap-south-1.amazonses.com" // the Message-ID of what poster has sent
)

// letter is an email that comes in.
type letter struct {
	name, from, to, says string
	fields               string // more of its header, each line with its end
	files                string // more of its parts
	forged               bool
}

// raw returns the letter as SES puts it into the bucket.
func (l letter) raw() string {
	return "From: Asha <" + l.from + ">\r\nTo: " + l.to + "\r\nSubject: Re: Your CV, Asha\r\nMessage-ID: <" + l.name +
		"@example.com>\r\n" + l.fields + "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
		"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + l.says +
		"\r\n\r\nOn Tue, 24 Nov 2026 at 10:00, Haat <jobs@haat.example> wrote:\r\n> is your CV up to date?\r\n" +
		l.files + "--b--\r\n"
}

// pdf is a part of a letter.
const pdf = "--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=cv.pdf\r\n" +
	"Content-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjQKJcfsj6IK\r\n"

// notice returns what SES tells of a letter at a time.
func (l letter) notice(at time.Time) notices.Notice {
	return notices.Notice{
		Kind: notices.Received, ID: l.name, At: at, To: []string{l.to}, Bucket: messagingtest.BucketName,
		Key: "mail/" + l.name, Forged: l.forged}
}

func (l letter) id() model.EventID { return arrivals.ID(model.ChannelEmail, l.to, l.name) }

// collecting takes emails from a bucket.
func (w *world) collecting(bucket collecting.Bucket) *collecting.Collecting {
	return &collecting.Collecting{
		Arrivals: w.rooms.Arrivals, Mailboxes: w.domain.Companies, Bucket: bucket,
		Log: webhooklog.Appender{DB: w.rooms.DB, Now: w.rooms.Now}}
}

// writes has an email come in, of which SES tells twice, and which is read twice. It returns what has become of it.
func (w *world) writes(l letter) string {
	w.t.Helper()
	bucket, at := &messagingtest.Bucket{}, w.now
	bucket.Lay("mail/"+l.name, l.raw())
	for range 2 {
		w.must(w.collecting(bucket).Email(w.t.Context(), l.notice(at)))
		w.now = w.now.Add(time.Second)
		w.must(w.reads(w.t.Context(), l.id()))
	}
	m, err := w.rooms.Arrivals.Get(w.t.Context(), l.id())
	w.must(err)
	return m.Outcome
}

// mailsAsha begins a conversation with Asha by email, and sends what opens it.
func (w *world) mailsAsha(p *poster, id string) {
	w.t.Helper()
	w.mails(id, `{"email":"`+ashaMail+`","firstName":"Asha"}`).Want(w.t, http.StatusAccepted)
	w.posts(p, w.mailed(id).OutboxEventID)
	w.now = w.now.Add(time.Second)
}

const answersFirst = "In-Reply-To: <" + firstMail + ">\r\nReferences: <" + firstMail + ">\r\n"

// An email reaches the conversation whose first email it names, and else the newest open one between the two addresses,
// once. What is nobody's, what a machine has written, and what may be forged stays in the log.
func TestAnEmailReachesItsConversation(t *testing.T) {
	yes := letter{name: "1", from: ashaMail, to: ownMail, says: "Yes, it is", fields: answersFirst}
	for name, c := range map[string]struct {
		change        func(*letter)
		outcome, says string
		prepare       func(w *world)
		status        conversationsmodel.Status
	}{
		"a reply": {func(*letter) {}, arrivals.Claimed, "user: Yes, it is", nil, conversationsmodel.WithPerson},
		"a new email": {func(l *letter) { l.fields = "" }, arrivals.Claimed, "user: Yes, it is", nil,
			conversationsmodel.WithPerson},
		"a reply to an email of somebody else's": {func(l *letter) { l.from = "ravi@example.com" }, arrivals.Unclaimed,
			"", nil, conversationsmodel.InitialMessageSent},
		"to a conversation that is over": {func(*letter) {}, arrivals.Unclaimed, "", func(w *world) {
			w.do(http.MethodPost, project+"/recipients/"+ashaMail+"/conversations/r1/complete", "", "").
				Want(t, http.StatusOK)
		}, conversationsmodel.Completed},
		"to a conversation that has expired": {func(*letter) {}, arrivals.Claimed, "user: Yes, it is",
			func(w *world) { w.later(week + time.Second) }, conversationsmodel.WithPerson},
		"to an address that the company has given up": {func(*letter) {}, arrivals.Unclaimed, "", func(w *world) {
			w.do(http.MethodPut, company, "", `{"name":"Cucumber","active":true,"version":2,"channelConfig":{}}`).
				Want(t, http.StatusOK)
		}, conversationsmodel.InitialMessageSent},
		"to an address that another tenant has by now": {func(*letter) {}, arrivals.Unclaimed, "", func(w *world) {
			err := w.db.Update(t.Context(), dynamo.Update{
				Table: tables.Conversations, Key: keys.Mailbox(ownMail), If: dynamo.Unconditional,
				Do: "SET tenant_id = :t", Values: dynamo.Item{":t": dynamo.S(apitest.TenantOf("2"))}})
			w.must(err)
		}, conversationsmodel.InitialMessageSent},
		"of a machine": {func(l *letter) { l.fields += "Auto-Submitted: auto-replied\r\n" }, arrivals.Held, "", nil,
			conversationsmodel.InitialMessageSent},
		"in her name": {func(l *letter) { l.forged = true }, arrivals.Held, "", nil,
			conversationsmodel.InitialMessageSent},
		"a loop": {func(l *letter) { l.fields += "X-Loop: " + ownMail + "\r\n" }, arrivals.Held, "", nil,
			conversationsmodel.InitialMessageSent},
		"STOP": {func(l *letter) { l.says = "STOP" }, arrivals.OptedOut, "", nil,
			conversationsmodel.InitialMessageSent},
		"STOP in her name": {func(l *letter) { l.says, l.forged = "STOP", true }, arrivals.Held, "", nil,
			conversationsmodel.InitialMessageSent},
	} {
		t.Run(name, func(t *testing.T) {
			w, l, p := mailFirm(t), yes, &poster{}
			c.change(&l)
			w.mailsAsha(p, "r1")
			at, bucket := w.now, &messagingtest.Bucket{}
			bucket.Lay("mail/1", l.raw())
			w.must(w.collecting(bucket).Email(t.Context(), l.notice(at))) // it has come before what follows
			if c.prepare != nil {
				c.prepare(w)
			}
			w.must(w.reads(t.Context(), l.id()))
			w.must(w.reads(t.Context(), l.id()))
			m, err := w.rooms.Arrivals.Get(t.Context(), l.id())
			w.must(err)
			is := w.mailed("r1")
			history, err := w.domain.Talks.History(t.Context(), is)
			w.must(err)
			got := ""
			for _, entry := range history[1:] {
				got += fmt.Sprint(entry.Role, ": ", entry.Content)
			}
			if m.Outcome != c.outcome || got != c.says || is.Status != c.status {
				t.Errorf("%s, %q, %s", m.Outcome, got, is.Status)
			}
			if left := bucket.Keys(); len(left) > 0 {
				t.Errorf("left in the bucket: %v", left)
			}
		})
	}
}

// Of several conversations with a person the one gets a reply whose email it answers, though another one is newer.
func TestAnEmailGoesToTheConversationThatItAnswers(t *testing.T) {
	w, p := mailFirm(t), &poster{}
	w.mailsAsha(p, "r1")
	w.mailsAsha(p, "r2") // its first email gets the same id from the stand-in
	other := "other@ap-south-1.amazonses.com"
	_, err := w.domain.Talks.Change(t.Context(), w.mailed("r2").Key(),
		func(c *conversationsmodel.Conversation) (bool, error) {
			c.EmailID = &other
			return true, nil
		})
	w.must(err)
	w.writes(letter{name: "1", from: ashaMail, to: ownMail, says: "to r1", fields: answersFirst})
	w.writes(letter{name: "2", from: ashaMail, to: ownMail, says: "to r2", fields: "References: <" + other +
		"> <later@example.com>\r\nIn-Reply-To: <later@example.com>\r\n"})
	for _, id := range []string{"r1", "r2"} {
		if c := w.mailed(id); c.Entries != 2 || c.Messages[1].Content != "to "+id {
			t.Errorf("%s: %+v", id, c.Messages)
		}
	}
}

// The company's email answers the person's latest one, and names the first one of the thread.
func TestAnAnswerByEmailIsInTheThread(t *testing.T) {
	w, p := mailFirm(t), &poster{}
	w.mailsAsha(p, "r1")
	w.writes(letter{name: "1", from: ashaMail, to: ownMail, says: "Yes, it is", fields: answersFirst})
	w.do(http.MethodPost, project+"/recipients/"+ashaMail+"/conversations/r1/messages", "a1", `{"text":"Thank you."}`).
		Want(t, http.StatusAccepted)
	answered := w.mailed("r1").Messages
	w.posts(p, answered[len(answered)-1].EntryID)
	for _, want := range []string{"Subject: Re: Your CV, Asha\r\n", "In-Reply-To: <1@example.com>\r\n",
		"References: <" + firstMail + ">", " <1@example.com>\r\n", "Thank you."} {
		if !strings.Contains(p.took[1], want) {
			t.Errorf("no %q in %s", want, p.took[1])
		}
	}
}

// The assistant's turn is queued once. Who has asked to stop is not asked anything more, and starts again with a word.
func TestAnEmailIsATurnOfTheAssistant(t *testing.T) {
	w, p := mailFirm(t), &poster{}
	w.answersBy(2)
	w.mailsAsha(p, "r1")
	w.writes(letter{name: "1", from: ashaMail, to: ownMail, says: "What is the salary?", fields: answersFirst})
	if turns := w.turns(); turns != 1 || w.mailed("r1").Status != conversationsmodel.AwaitingReply {
		t.Errorf("%d turns, %s", turns, w.mailed("r1").Status)
	}
	if outcome := w.writes(letter{name: "2", from: ashaMail, to: ownMail, says: "unsubscribe"}); outcome !=
		arrivals.OptedOut || w.turns() != 1 {
		t.Errorf("%s, %d turns", outcome, w.turns())
	}
	again := w.mails("r2", `{"email":"`+ashaMail+`","firstName":"Asha"}`)
	if again.WantProblem(t, http.StatusConflict); !strings.Contains(again.Body, "opted-out") {
		t.Error(again.Body)
	}
}

// answersBy has the rules answer what people write by email.
func (w *world) answersBy(version int) {
	w.t.Helper()
	w.do(http.MethodPut, project, "", fmt.Sprintf(`{"name":"Clarify CV","allowedChannels":["whatsapp","email"],`+
		`"opening":{"text":"Dear {first_name},\n\nis your CV up to date?","subject":"Your CV, {first_name}"},`+
		`"aiConfig":{"assistant":"rules"},"rules":{"replyMessage":true},"version":%d}`, version)).
		Want(w.t, http.StatusOK)
}

// An email is in its conversation once, with its turn and its file, wherever taking or reading it dies.
func TestAnEmailSurvivesEveryCrashPoint(t *testing.T) {
	at := noon.Add(time.Minute)
	l := letter{name: "1", from: ashaMail, to: ownMail, says: "What is the salary?", fields: answersFirst, files: pdf}
	var bucket *messagingtest.Bucket
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: tables.All(), Ignore: tried,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			w := mailing(firmOn(t, db))
			w.answersBy(2)
			w.mailsAsha(&poster{}, "r1")
		},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			if run == 0 {
				bucket = &messagingtest.Bucket{}
				bucket.Lay("mail/1", l.raw())
			}
			w := worldWith(nil, nil, client, nil)
			w.now = at
			if err := w.collecting(bucket).Email(ctx, l.notice(at)); err != nil {
				return err
			}
			left := fmt.Sprint(bucket.Keys())
			if !strings.HasPrefix(left, "[files/") || !strings.HasSuffix(left, "/0]") {
				return fmt.Errorf("in the bucket: %s", left)
			}
			return w.reads(ctx, l.id())
		},
	})
	t.Logf("%d crash points", points)
}

// An erasure by an email address alone removes what the person has sent. A repeated notice restores nothing.
func TestAnErasedEmailDoesNotComeBack(t *testing.T) {
	w, p, bucket := mailFirm(t), &poster{}, &messagingtest.Bucket{}
	w.mailsAsha(p, "r1")
	l := letter{name: "1", from: ashaMail, to: ownMail, says: "my secret", fields: answersFirst, files: pdf}
	tells := func() {
		bucket.Lay("mail/1", l.raw())
		w.must(w.collecting(bucket).Email(t.Context(), l.notice(w.now)))
		w.must(w.reads(t.Context(), l.id()))
	}
	tells()
	if c := w.mailed("r1"); c.Messages[len(c.Messages)-1].Content != "my secret\n[cv.pdf]" {
		t.Errorf("%+v", c.Messages)
	}
	done, err := w.rooms.Erase(t.Context(), erasure.Request{
		Tenant: model.TenantID(apitest.TenantOf("1")), Phone: model.ByEmail, Customer: ashaMail, Unwritten: true,
		By: audit.Actor{Subject: "operator"}, Reason: "asked"})
	if err != nil || done.Counts["arrivals"] != 1 || done.Counts["companyConversations"] != 1 {
		t.Errorf("%+v %v", done, err)
	}
	forgets := arrivals.Handlers(bucket)[arrivals.EventForget]
	for _, item := range w.db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		w.must(dynamo.Unmarshal(item, &event))
		if event.EventType == arrivals.EventForget {
			_, err := forgets.Send(t.Context(), event)
			w.must(err)
		}
	}
	if left := bucket.Keys(); len(left) > 0 {
		t.Errorf("left in the bucket: %v", left)
	}
	tells()
	if left := bucket.Keys(); len(left) > 0 || strings.Contains(fmt.Sprint(w.db.Items(t, tables.Messages),
		w.db.Items(t, tables.Conversations)), "my secret") {
		t.Errorf("it is back, in the bucket %v", left)
	}
}
