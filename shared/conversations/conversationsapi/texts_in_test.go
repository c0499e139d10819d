package conversationsapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/talks"
	turndesk "github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/arrivals/taking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sms/texted"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const john = "447123456789"

// texts begins a conversation by SMS with somebody.
func (w *world) texts(number, id string) {
	w.t.Helper()
	w.do(http.MethodPost, project+"/conversations", "text "+number+id, `{"requestId":"`+id+
		`","channel":"sms","recipient":{"tel":"+`+number+`"},"consent":true}`).Want(w.t, http.StatusAccepted)
	w.now = w.now.Add(time.Second)
}

// expires has the opening message of a conversation sent, and nobody write.
func (w *world) expires(number, id string) {
	w.t.Helper()
	_, err := w.domain.Talks.Change(w.t.Context(), w.stored(number, id).Key(),
		func(c *conversationsmodel.Conversation) (bool, error) {
			return talks.Move(c, conversationsmodel.InitialMessageSent)
		})
	w.must(err)
	w.later(week)
}

// taking takes what AWS tells.
func (w *world) taking() *taking.Taking {
	return &taking.Taking{
		Arrivals: w.rooms.Arrivals, Contacts: w.rooms.Contacts, Lines: w.domain.Companies,
		Log: webhooklog.Appender{DB: w.rooms.DB, Now: w.rooms.Now}}
}

// reads has the domains react to a text that is logged.
func (w *world) reads(ctx context.Context, id model.EventID) error {
	entry, err := w.rooms.Log.Entry(ctx, id)
	if err != nil {
		return err
	}
	return w.rooms.Arrivals.Reader(w.rooms.Subscriptions).Apply(ctx, entry)
}

// replies has a text come in, of which AWS tells twice, and which is read twice. It returns what has become of it.
func (w *world) replies(from, to, name, says string) string {
	w.t.Helper()
	at := model.At(w.now)
	id := arrivals.ID(model.ChannelSMS, "+"+to, name)
	for range 2 {
		w.must(w.taking().Text(w.t.Context(), texted.Text{ID: name, From: from, To: to, Body: says}, at))
		w.now = w.now.Add(time.Second)
		w.must(w.reads(w.t.Context(), id))
	}
	m, err := w.rooms.Arrivals.Get(w.t.Context(), id)
	w.must(err)
	return m.Outcome
}

// A text reaches the newest open conversation by the number that it came to, once. What is nobody's stays in the log.
func TestATextReachesItsConversation(t *testing.T) {
	own := strings.TrimPrefix(ownSender, "+")
	for name, c := range map[string]struct {
		from, outcome, says string
		prepare             func(w *world)
		status              conversationsmodel.Status
	}{
		"a reply": {john, arrivals.Claimed, "user: Yes, it is", func(*world) {}, conversationsmodel.WithPerson},
		"of somebody else": {
			"447123456780", arrivals.Unclaimed, "", func(*world) {}, conversationsmodel.Processing},
		"to a conversation that is over": {john, arrivals.Unclaimed, "", func(w *world) {
			w.do(http.MethodPost, talkAt(john, "r1")+"/complete", "", "").Want(t, http.StatusOK)
		}, conversationsmodel.Completed},
		"to one that has expired": {john, arrivals.Claimed, "user: Yes, it is", func(w *world) {
			w.expires(john, "r1")
		}, conversationsmodel.WithPerson},
		"to one that expired long ago": {john, arrivals.Unclaimed, "", func(w *world) {
			w.expires(john, "r1")
			w.now = w.now.Add(31 * day)
		}, conversationsmodel.Expired},
		"a conversation on WhatsApp is newer": {john, arrivals.Claimed, "user: Yes, it is", func(w *world) {
			w.begins(john, "r2", "")
		}, conversationsmodel.WithPerson},
		"to a number that the company has given up": {john, arrivals.Unclaimed, "", func(w *world) {
			err := w.db.Update(t.Context(), dynamo.Update{
				Table: tables.Messages, Key: keys.Sender(ownSender), Do: "REMOVE companyId", If: dynamo.IfPresent})
			w.must(err)
		}, conversationsmodel.Processing},
	} {
		t.Run(name, func(t *testing.T) {
			w := firm(t)
			w.texts(john, "r1")
			c.prepare(w)
			w.now = w.now.Add(time.Second)
			outcome := w.replies(c.from, own, "1", "Yes, it is")
			got := said(w.talk(john, "r1"))
			_, got, _ = strings.Cut(got+"; ", "; ")
			if is := w.stored(john, "r1"); outcome != c.outcome || strings.Trim(got, "; ") != c.says ||
				is.Status != c.status {
				t.Errorf("%s, %q, %s", outcome, got, is.Status)
			}
		})
	}
}

// The newest conversation that waits for a reply gets it, and then the one that waits still.
func TestATextGoesToTheConversationThatWaits(t *testing.T) {
	w, own := firm(t), strings.TrimPrefix(ownSender, "+")
	w.texts(john, "r1")
	w.texts(john, "r2")
	for n, wants := range []string{"r2", "r1"} {
		w.replies(john, own, fmt.Sprint(n), "to "+wants)
		if c := w.stored(john, wants); c.Entries != 2 || c.Messages[1].Content != "to "+wants {
			t.Errorf("%s: %+v", wants, c.Messages)
		}
	}
}

// The assistant's turn is queued once, and a person who has asked to stop is not asked anything more.
func TestATextIsATurnOfTheAssistant(t *testing.T) {
	w, own := firm(t), strings.TrimPrefix(ownSender, "+")
	w.projectIs(1, `"aiConfig":{"assistant":"rules"},"rules":{"replyMessage":true},`)
	w.texts(john, "r1")
	w.replies(john, own, "1", "What is the salary?")
	if turns := w.turns(); turns != 1 || w.stored(john, "r1").Status != conversationsmodel.AwaitingReply {
		t.Errorf("%d turns, %s", turns, w.stored(john, "r1").Status)
	}
	if outcome := w.replies(john, own, "2", "STOP"); outcome != arrivals.OptedOut || w.turns() != 1 ||
		w.stored(john, "r1").Entries != 2 {
		t.Errorf("%s, %d turns", outcome, w.turns())
	}
	w.do(http.MethodPost, talkAt(john, "r1")+"/messages", "k", `{"text":"Are you there?"}`).
		WantProblem(t, http.StatusConflict)
}

// A conversation by SMS is handed over also if the person has never written on WhatsApp, where the inbox shows them.
func TestAConversationBySMSIsHandedOver(t *testing.T) {
	w := firm(t)
	w.texts(john, "r1")
	for range 2 {
		w.do(http.MethodPost, talkAt(john, "r1")+"/hand-over", "", `{"reason":"asked"}`).Want(t, http.StatusOK)
	}
	w.do(http.MethodPost, talkAt(john, "r1")+"/hand-back", "", "").Want(t, http.StatusOK)
}

// turns returns how many turns wait.
func (w *world) turns() (n int) {
	w.t.Helper()
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		if dynamo.Text(item, "eventType") == turndesk.EventType {
			n++
		}
	}
	return n
}

// A text is in its conversation once, with its turn, wherever taking or reading it dies.
func TestATextSurvivesEveryCrashPoint(t *testing.T) {
	at := noon.Add(time.Minute)
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: tables.All(), Ignore: tried,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			w := firmOn(t, db)
			w.projectIs(1, `"aiConfig":{"assistant":"rules"},"rules":{"replyMessage":true},`)
			w.texts(john, "r1")
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			w := worldWith(nil, nil, client, nil)
			w.now = at
			text := texted.Text{
				ID: "1", From: john, To: strings.TrimPrefix(ownSender, "+"), Body: "What is the salary?"}
			if err := w.taking().Text(ctx, text, model.At(at)); err != nil {
				return err
			}
			return w.reads(ctx, arrivals.ID(model.ChannelSMS, ownSender, "1"))
		},
	})
	t.Logf("%d crash points", points)
}

// Nothing of a text is kept that came to a number which nobody has. People see that one came.
func TestATextToANumberOfNobody(t *testing.T) {
	w := firm(t)
	text := texted.Text{ID: "1", From: john, To: "447700900999", Body: "my secret"}
	for range 2 {
		w.must(w.taking().Text(t.Context(), text, model.At(w.now)))
	}
	failed, _, err := w.rooms.Log.FailedEntries(t.Context(), "", 10, nil)
	w.must(err)
	if len(failed) != 1 || strings.Contains(fmt.Sprint(w.db.Items(t, tables.Messages)), "my secret") {
		t.Errorf("%+v", failed)
	}
}

// What WhatsApp knows of a person counts for their texts: they are kept under the person's key, reach the conversation
// with them, and are erased with them. Whoever gets the number afterwards does not get into the conversation.
func TestATextIsOfThePersonWhoHasTheNumber(t *testing.T) {
	w, own := firm(t), strings.TrimPrefix(ownSender, "+")
	first := w.text("", "wamid.1", "hello")
	delete(first, "from")
	first["from_user_id"] = "IN.77"
	w.says(first)
	both := w.text(john, "wamid.2", "this is my number")
	both["from_user_id"] = "IN.77"
	w.says(both)
	w.texts(john, "r1")
	if outcome := w.replies(john, own, "1", "Yes, it is"); outcome != arrivals.Claimed ||
		w.stored(john, "r1").Customer != "IN.77" {
		t.Errorf("%s, of %s", outcome, w.stored(john, "r1").Customer)
	}
	done, err := w.rooms.Erase(t.Context(), erasure.Request{
		Tenant: model.TenantID(apitest.TenantOf("1")), Phone: wt.Phone, Customer: "IN.77",
		By: audit.Actor{Subject: "operator"}, Reason: "asked"})
	if err != nil || done.Counts["arrivals"] != 1 || done.Counts["companyConversations"] != 1 {
		t.Errorf("%+v %v", done, err)
	}
	entry, err := w.rooms.Log.Entry(t.Context(), arrivals.ID(model.ChannelSMS, ownSender, "1"))
	w.must(err)
	w.must(w.taking().Text(t.Context(), texted.Text{ID: "1", From: john, To: own, Body: "Yes, it is"}, model.At(w.now)))
	w.must(w.reads(t.Context(), entry.EventID))
	if len(entry.Payload) > 0 || strings.Contains(fmt.Sprint(w.db.Items(t, tables.Conversations)), "Yes, it is") {
		t.Errorf("it is back: %v", entry.Payload)
	}
}

// A text that is erased while it is read comes into no conversation.
func TestATextThatIsErasedMeanwhile(t *testing.T) {
	w := firm(t)
	w.texts(john, "r1")
	id := arrivals.ID(model.ChannelSMS, ownSender, "1")
	w.must(w.taking().Text(t.Context(), texted.Text{
		ID: "1", From: john, To: strings.TrimPrefix(ownSender, "+"), Body: "my secret"}, model.At(w.now)))
	entry, err := w.rooms.Log.Entry(t.Context(), id)
	w.must(err)
	erases := inbound.Subscription{
		Channels: []model.Channel{model.ChannelSMS}, Wants: func(inbound.Message) bool { return true },
		React: func(ctx context.Context, m inbound.Message) (bool, error) {
			return false, w.rooms.Arrivals.Erase(ctx, model.TenantID(apitest.TenantOf("1")),
				[]model.CustomerID{m.Customer}, func(string, int) []dynamo.Write { return nil })
		},
	}
	reactions := []inbound.Subscription{erases, w.domain.Replies.Subscription()}
	reader := w.rooms.Arrivals.Reader(func() []inbound.Subscription { return reactions })
	if err := reader.Apply(t.Context(), entry); !errors.Is(err, dynamo.ErrConflict) {
		t.Errorf("while it is erased: %v", err)
	}
	w.must(w.reads(t.Context(), id))
	if c := w.stored(john, "r1"); c.Entries != 1 {
		t.Errorf("%+v", c.Messages)
	}
}
