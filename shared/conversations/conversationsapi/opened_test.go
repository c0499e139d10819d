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
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// all returns the conversations of the world.
func (w *world) all() (all []conversationsmodel.Conversation) {
	w.t.Helper()
	for _, item := range w.db.Items(w.t, tables.Conversations) {
		if item["conversation_status"] == nil {
			continue
		}
		var c conversationsmodel.Conversation
		w.must(dynamo.Unmarshal(item, &c))
		all = append(all, c)
	}
	return all
}

// opens sets the rules of the project.
func (w *world) opens(version int, rules string) {
	w.t.Helper()
	w.do(http.MethodPut, project, "", fmt.Sprintf(`{"name":"Clarify CV","allowedChannels":["whatsapp","sms","email"],`+
		`"opening":{"text":"Hello"},"aiConfig":{"assistant":"rules"},"rules":%s,"version":%d}`, rules, version)).
		Want(w.t, http.StatusOK)
	w.now = w.now.Add(time.Second)
}

// The routing rules say whose text or email opens a conversation that belongs to none. The second message joins it.
func TestATextOrAnEmailOpensAConversation(t *testing.T) {
	own := strings.TrimPrefix(ownSender, "+")
	for name, c := range map[string]struct {
		rules       string
		text, email bool // whether it opens one
		turns       int
	}{
		"no rule":           {`{}`, false, false, 0},
		"everybody":         {`{"initialMessage":true}`, true, true, 0},
		"with an assistant": {`{"initialMessage":true,"replyMessage":true}`, true, true, 2},
		"who is named": {`{"initialMessage":true,"initialMessageFromNumbers":["+` + john +
			`"],"initialMessageFromEmails":["` + ashaMail + `"],"replyMessage":true,"replyMessageFromNumbers":["+` +
			asha + `"],"replyMessageFromEmails":["` + ashaMail + `"]}`, true, true, 1},
		"somebody else is named": {`{"initialMessage":true,"initialMessageFromNumbers":["+` + asha +
			`"],"initialMessageFromEmails":["ravi@example.com"]}`, false, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := mailFirm(t)
			w.opens(2, c.rules)
			said := map[bool]string{false: arrivals.Unclaimed, true: arrivals.Claimed}
			if outcome := w.replies(john, own, "1", "Any jobs?"); outcome != said[c.text] {
				t.Errorf("the text is %s", outcome)
			}
			if outcome := w.writes(letter{name: "1", from: ashaMail, to: ownMail, says: "Any jobs?"}); outcome !=
				said[c.email] {
				t.Errorf("the email is %s", outcome)
			}
			for _, talk := range w.all() {
				if talk.Entries != 1 || talk.Messages[0].Content != "Any jobs?" || talk.CommsConsent ||
					talk.TaskComplete != 1 {
					t.Errorf("%+v", talk)
				}
			}
			if turns := w.turns(); turns != c.turns {
				t.Errorf("%d turns", turns)
			}
			if begun := len(w.all()); begun != 2 && c.text || begun != 0 && !c.text {
				t.Fatalf("%d conversations", begun)
			}
			if !c.text {
				return
			}
			w.replies(john, own, "2", "In Pune")
			w.writes(letter{name: "2", from: ashaMail, to: ownMail, says: "In Pune"})
			for _, talk := range w.all() {
				if talk.Entries != 2 || len(w.all()) != 2 {
					t.Errorf("%+v", talk)
				}
			}
		})
	}
}

// A conversation that an email has begun goes on in its thread, under its subject.
func TestAnAnswerIsInTheThreadOfTheEmailThatBeganIt(t *testing.T) {
	w, p := mailFirm(t), &poster{}
	w.opens(2, `{"initialMessage":true}`)
	w.writes(letter{name: "1", from: ashaMail, to: ownMail, says: "Any jobs?"}) // its subject is "Re: Your CV, Asha"
	c := w.all()[0]
	w.do(http.MethodPost, project+"/recipients/"+ashaMail+"/conversations/"+string(c.RequestID)+"/messages", "a1",
		`{"text":"Yes, two."}`).Want(t, http.StatusAccepted)
	c = w.all()[0]
	w.posts(p, c.Messages[1].EntryID)
	for _, want := range []string{"Subject: Re: Your CV, Asha\r\n", "In-Reply-To: <1@example.com>\r\n", "Yes, two."} {
		if !strings.Contains(p.took[0], want) {
			t.Errorf("no %q in %s", want, p.took[0])
		}
	}
	w.mailsAsha(p, "r1") // a newer one
	w.writes(letter{name: "2", from: ashaMail, to: ownMail, says: "In Pune?",
		fields: "In-Reply-To: <2@ses>\r\nReferences: <1@example.com> <2@ses>\r\n"})
	if c, err := w.domain.Talks.Get(t.Context(), c.Key()); err != nil || c.Entries != 3 {
		t.Errorf("%+v %v", c, err)
	}
}

// A rule holds for what comes after it was set, for channels that the project allows, and only as long as company and
// project are active.
func TestARuleThatDoesNotHold(t *testing.T) {
	own := strings.TrimPrefix(ownSender, "+")
	for name, change := range map[string]func(w *world){
		"it was set later": func(w *world) {
			w.now = w.now.Add(time.Hour)
			w.opens(3, `{"initialMessage":true,"replyMessage":true}`)
			w.now = w.now.Add(-2 * time.Hour)
		},
		"the channel is not allowed": func(w *world) {
			w.do(http.MethodPut, project, "", `{"name":"Clarify CV","allowedChannels":["whatsapp"],"opening":`+
				`{"text":"Hello"},"rules":{"initialMessage":true},"version":3}`).Want(t, http.StatusOK)
		},
		"the project is over": func(w *world) {
			w.do(http.MethodPut, project, "", `{"name":"Clarify CV","status":"inactive","allowedChannels":["sms"],`+
				`"opening":{"text":"Hello"},"rules":{"initialMessage":true},"version":3}`).Want(t, http.StatusOK)
		},
	} {
		w := mailFirm(t)
		w.opens(2, `{"initialMessage":true}`)
		change(w)
		if outcome := w.replies(john, own, "1", "Any jobs?"); outcome != arrivals.Unclaimed || len(w.all()) > 0 {
			t.Errorf("%s: the text is %s", name, outcome)
		}
	}
}

// An email begins one conversation, with its turn, wherever taking or reading it dies.
func TestAnEmailThatBeginsAConversationSurvivesEveryCrashPoint(t *testing.T) {
	at := noon.Add(time.Minute)
	l := letter{name: "1", from: ashaMail, to: ownMail, says: "Any jobs?"}
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: tables.All(), Ignore: tried,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			mailing(firmOn(t, db)).opens(2, `{"initialMessage":true,"replyMessage":true}`)
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			bucket := &messagingtest.Bucket{}
			bucket.Lay("mail/1", l.raw())
			w := worldWith(nil, nil, client, nil)
			w.now = at
			if err := w.collecting(bucket).Email(ctx, l.notice(at)); err != nil {
				return err
			}
			return w.reads(ctx, l.id())
		},
	})
	t.Logf("%d crash points", points)
}

func TestASubjectIsFreeOfMarks(t *testing.T) {
	for subject, want := range map[string]string{
		"Re: RE : Fwd: Jobs": "Jobs", "Jobs: Pune": "Jobs: Pune", "re:": "Clarify CV", "": "Clarify CV"} {
		w := mailFirm(t)
		w.opens(2, `{"initialMessage":true}`)
		m := model.Received{
			TenantID: model.TenantID(of("1").tenant), Channel: model.ChannelEmail, Business: ownMail, Person: ashaMail,
			CustomerID: ashaMail, ReceivedAt: model.At(w.now), Subject: subject, Text: "Any jobs?", EmailID: "1@a"}
		w.must(w.rooms.Arrivals.Keep(t.Context(), "email.1", m))
		w.must(w.rooms.Arrivals.Append(t.Context(), w.taking().Log, "email.1", m))
		w.must(w.reads(t.Context(), "email.1"))
		if all := w.all(); len(all) != 1 || all[0].EmailSubject != want {
			t.Errorf("%q: %+v", subject, all)
		}
	}
}

// What a person has sent since they were erased is erased by the next erasure. As long as it has to wait for an event
// that is being sent, it does not say that it is complete.
func TestASecondErasureIsNotCompleteWhileItHasToWait(t *testing.T) {
	w, p := mailFirm(t), &poster{}
	w.mailsAsha(p, "r1")
	erases := func() erasure.Progress {
		done, err := w.rooms.Erase(t.Context(), erasure.Request{
			Tenant: model.TenantID(of("1").tenant), Phone: model.ByEmail, Customer: ashaMail, Unwritten: true,
			By: audit.Actor{Subject: "operator"}, Reason: "asked"})
		w.must(err)
		return done
	}
	if done := erases(); done.CompletedAt == "" || len(w.all()) != 0 {
		t.Fatalf("%+v, %d left", done, len(w.all()))
	}
	w.now = w.now.Add(time.Minute)
	w.mails("r2", `{"email":"`+ashaMail+`","firstName":"Asha"}`).Want(t, http.StatusAccepted)
	email := w.mailed("r2").OutboxEventID
	leased := func(until time.Time) {
		w.must(w.db.Write(t.Context(), []dynamo.Write{dynamo.Update{
			Table: tables.Outbox, Key: keys.OutboxEvent(email), If: dynamo.Unconditional,
			Do: "SET leaseExpiresAt = :until", Values: dynamo.Item{":until": dynamo.S(model.At(until))}}}))
	}
	leased(w.now.Add(time.Hour))
	if done := erases(); done.CompletedAt != "" {
		t.Errorf("while it waits: %+v", done)
	}
	w.now = w.now.Add(2 * time.Hour)
	if done := erases(); done.CompletedAt == "" || len(w.all()) != 0 {
		t.Errorf("in the end: %+v, %d left", done, len(w.all()))
	}
}
