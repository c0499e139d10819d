package conversationsapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/expiring"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// ends returns what ends conversations, as the slow lane does.
func (w *world) ends(owner string) *outbox.Relay {
	return &outbox.Relay{
		Outbox: *w.rooms.Outbox(), Lane: keys.LaneSlow, Handlers: expiring.Handlers(w.domain.Talks), Owner: owner,
		Log: slog.New(slog.DiscardHandler), Sleep: func(context.Context, time.Duration) error { return nil },
	}
}

// later lets time pass, and has the slow lane do what is due.
func (w *world) later(d time.Duration) {
	w.t.Helper()
	w.now = w.now.Add(d)
	w.must(w.ends("test").Sweep(w.t.Context()))
}

// ending returns the event by which a conversation ends.
func (w *world) ending(number, id string) model.OutboxEvent {
	w.t.Helper()
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		var event model.OutboxEvent
		w.must(dynamo.Unmarshal(item, &event))
		if event.EventType == talks.ExpiryType && strings.Contains(string(event.Payload), "#"+id+"#"+number) {
			return event
		}
	}
	return model.OutboxEvent{}
}

const (
	day  = 24 * time.Hour
	week = 7 * day
)

func TestAConversationExpiresIfThePersonDoesNotWrite(t *testing.T) {
	w := firm(t)
	w.begins(asha, "r1", "")
	if event := w.ending(asha, "r1"); event.EventID != "" {
		t.Errorf("nothing waits for the person before the message is sent, and yet %+v", event)
	}
	w.deliver(w.stored(asha, "r1").OutboxEventID)
	c := w.talk(asha, "r1")
	if event := w.ending(asha, "r1"); event.Status != model.OutboxWaiting || string(event.NotBefore) != c.ExpiresAt ||
		c.ExpiresAt != string(model.At(w.now.Add(week))) {
		t.Fatalf("%+v, and the conversation %+v", event, c)
	}
	w.later(week - time.Second)
	if c := w.talk(asha, "r1"); c.Status != "initial_message_sent" {
		t.Errorf("%+v", c)
	}
	w.later(time.Second)
	if c := w.talk(asha, "r1"); c.Status != "expired" || c.ExpiresAt != "" || c.Entries != 1 {
		t.Errorf("%+v", c)
	}
	if event := w.ending(asha, "r1"); event.Status != model.OutboxSent {
		t.Errorf("%+v", event)
	}
}

func TestAProjectSaysWhenItsConversationsExpire(t *testing.T) {
	w := firm(t)
	for _, wrong := range []string{"0", "2161", "1.5", `"1"`} {
		w.do(http.MethodPut, project, "", `{"name":"Clarify CV","allowedChannels":["whatsapp"],"opening":{"text":"x"},`+
			`"expiresAfterHours":`+wrong+`,"version":1}`).WantProblem(t, http.StatusUnprocessableEntity)
	}
	w.projectIs(1, `"expiresAfterHours":1,`)
	w.begins(asha, "r1", "")
	w.projectIs(2, "") // holds for those that begin from now on
	w.begins("919811111111", "r1", "")
	for _, number := range []string{asha, "919811111111"} {
		w.deliver(w.stored(number, "r1").OutboxEventID)
	}
	w.later(time.Hour)
	if one, two := w.talk(asha, "r1"), w.talk("919811111111", "r1"); one.Status != "expired" ||
		two.Status != "initial_message_sent" {
		t.Errorf("%s and %s", one.Status, two.Status)
	}
	var p projectShown
	w.do(http.MethodGet, project, "", "").Want(t, http.StatusOK, &p)
	if p.ExpiresAfterHours != conversationsmodel.DefaultExpiry {
		t.Errorf("%+v", p)
	}
}

// A message or an answer moves the end of a conversation without another planned event. A conversation that a person
// goes on with, or that is completed, does not expire.
func TestWhatHappensToAConversationMovesItsEnd(t *testing.T) {
	w := firm(t)
	w.domain.Replies.Turns = turns{}
	w.projectIs(1, `"rules":{"replyMessage":true},`)
	w.begins(asha, "r1", "")
	w.deliver(w.stored(asha, "r1").OutboxEventID)
	first := w.ending(asha, "r1")

	w.later(6 * day)
	w.says(w.text(asha, "wamid.1", "what do you mean?"))
	if event := w.ending(asha, "r1"); event.NotBefore != first.NotBefore {
		t.Errorf("the reply has changed the plan: %+v", event)
	}
	w.later(2 * day) // the time has come that was planned first; nobody has answered yet
	// an answer would bring the end forward, but not before that
	look, end := model.At(w.now.Add(week)), model.At(w.stored(asha, "r1").UpdatedAt.Go().Add(2*week))
	if event := w.ending(asha, "r1"); event.Status != model.OutboxWaiting || event.NotBefore != look ||
		w.talk(asha, "r1").ExpiresAt != string(end) {
		t.Errorf("it is to end at %s, and is looked at %s: %+v", end, look, event)
	}
	w.do(http.MethodPost, talkAt(asha, "r1")+"/hand-over", "", `{"reason":"asked for a person"}`).Want(t, http.StatusOK)
	w.later(3 * week)
	if c, event := w.talk(asha, "r1"), w.ending(asha, "r1"); c.Status != "with_person" ||
		event.Status != model.OutboxSent {
		t.Errorf("%s, %+v", c.Status, event)
	}
	w.do(http.MethodPost, talkAt(asha, "r1")+"/messages", "k1", `{"text":"Your CV of May."}`)
	w.do(http.MethodPost, talkAt(asha, "r1")+"/hand-back", "", "").Want(t, http.StatusOK)
	back := w.now
	w.later(3 * day)
	w.do(http.MethodPost, talkAt(asha, "r1")+"/hand-over", "", `{"reason":"again"}`).Want(t, http.StatusOK)
	w.do(http.MethodPost, talkAt(asha, "r1")+"/hand-back", "", "").Want(t, http.StatusOK)
	if event := w.ending(asha, "r1"); event.NotBefore != model.At(back.Add(3*day+week)) {
		t.Errorf("handed back once more, it is to end %+v", event)
	}
	w.do(http.MethodPost, talkAt(asha, "r1")+"/complete", "", "").Want(t, http.StatusOK)
	w.later(3 * week)
	if c := w.talk(asha, "r1"); c.Status != "completed" {
		t.Errorf("%s", c.Status)
	}
}

// An attempt has read a conversation that waits. Meanwhile the person writes: the conversation goes on.
func TestAReplyWhileAConversationIsEndingKeepsIt(t *testing.T) {
	w := firm(t)
	w.domain.Replies.Turns = turns{}
	w.projectIs(1, `"rules":{"replyMessage":true},`)
	w.begins(asha, "r1", "")
	w.deliver(w.stored(asha, "r1").OutboxEventID)
	w.now = w.now.Add(week)
	plan, read := w.domain.Talks.Plan, false
	handler := expiring.Handlers(&talks.Talks{DB: w.db.Client, Plan: plan, Now: func() time.Time {
		if !read { // it is asked for the time when it has read the conversation
			read = true
			w.says(w.text(asha, "wamid.1", "yes"))
		}
		return w.now
	}})
	relay := w.ends("test")
	relay.Handlers = handler
	w.must(relay.Sweep(t.Context()))
	if c := w.talk(asha, "r1"); !read || c.Status != "awaiting_reply" || c.Entries != 2 {
		t.Errorf("%+v", c)
	}
	if event := w.ending(asha, "r1"); event.Status != model.OutboxWaiting ||
		event.NotBefore != w.stored(asha, "r1").LookAt(w.now) {
		t.Errorf("%+v", event)
	}
}

func TestAReplyToAnExpiredConversationBeginsItAgain(t *testing.T) {
	for name, c := range map[string]struct {
		after  time.Duration // its end
		quotes bool
		second bool // another conversation is open
		taken  bool
	}{
		"the next day":                      {after: day, taken: true},
		"long after":                        {after: 31 * day},
		"long after, as an answer to it":    {after: 31 * day, quotes: true, taken: true},
		"while another one is open":         {after: day, second: true},
		"an answer to it, with another one": {after: day, second: true, quotes: true, taken: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := firm(t)
			w.begins(asha, "r1", "")
			sent := w.deliver(w.stored(asha, "r1").OutboxEventID)
			w.later(week)
			if c.second {
				w.now = w.now.Add(time.Hour)
				w.begins(asha, "r2", "")
			}
			w.now = w.now.Add(c.after)
			m := w.text(asha, "wamid.late", "sorry, here it is")
			if c.quotes {
				m["context"] = wt.Object{"from": wt.Display, "id": sent.ExternalID}
			}
			w.says(m)
			one := w.talk(asha, "r1")
			if taken := one.Entries == 2; taken != c.taken || (one.Status == "with_person") != c.taken {
				t.Errorf("%+v", one)
			}
			if c.second && w.talk(asha, "r2").Entries != map[bool]int{true: 1, false: 2}[c.taken] {
				t.Error("the open conversation has it, or has it not")
			}
			if current, err := w.rooms.CurrentConversation(t.Context(), wt.Phone, asha); err != nil ||
				(current.NeedsPersonSince != "") != (c.taken || c.second) {
				t.Errorf("the inbox: %+v %v", current, err)
			}
		})
	}
}

// A person of the company may go on with an expired conversation, and an assistant answers the reply that begins it.
func TestAnExpiredConversationGoesOn(t *testing.T) {
	w := firm(t)
	w.domain.Replies.Turns = turns{}
	w.projectIs(1, `"rules":{"replyMessage":true},`)
	w.says(w.text(asha, "wamid.0", "hello"))
	w.begins(asha, "r1", "")
	w.deliver(w.stored(asha, "r1").OutboxEventID)
	w.later(week)
	w.says(w.text(asha, "wamid.1", "I was ill"))
	if c := w.talk(asha, "r1"); c.Status != "awaiting_reply" || c.ExpiresAt == "" {
		t.Errorf("%+v", c)
	}
	w.later(2 * week)
	if c := w.talk(asha, "r1"); c.Status != "expired" {
		t.Errorf("its second end: %+v", c)
	}
	w.says(w.text(asha, "wamid.2", "still ill"))
	w.later(2*week + day)
	w.do(http.MethodPost, talkAt(asha, "r1")+"/hand-over", "", `{"reason":"call her"}`).Want(t, http.StatusOK)
	if c := w.talk(asha, "r1"); c.Status != "with_person" {
		t.Errorf("%+v", c)
	}
}

func TestAnErasureTakesTheEndOfAConversation(t *testing.T) {
	w := firm(t)
	w.begins(asha, "r1", "")
	w.deliver(w.stored(asha, "r1").OutboxEventID)
	if w.ending(asha, "r1").EventID == "" {
		t.Fatal("nothing is planned")
	}
	done, err := w.rooms.Erase(t.Context(), erasure.Request{
		Tenant: model.TenantID(apitest.TenantOf("1")), Phone: wt.Phone, Customer: asha,
		By: audit.Actor{Subject: "operator"}, Reason: "asked"})
	if err != nil || done.CompletedAt == "" {
		t.Fatalf("%+v %v", done, err)
	}
	if event := w.ending(asha, "r1"); event.EventID != "" {
		t.Errorf("%+v", event)
	}
	w.later(week)
}

// A conversation ends once, wherever the attempts die: one that is too early, and one that ends it.
func TestAConversationExpiresWhateverFails(t *testing.T) {
	times := []string{"createdAt", "createdAt#eventId", "nextRetryAt#eventId", "notBefore", "version"}
	for name, c := range map[string]struct{ after, passes time.Duration }{
		"too early": {6 * day, day}, "at its end": {0, week}} {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: []tables.Table{tables.Conversations, tables.Outbox, tables.OutboxSequences},
				Ignore: append(times, tried...),
				Seed: func(t testing.TB, db *dynamotest.DB) {
					whole := dynamotest.Start(t, tables.All()...)
					w := firmOn(t, whole)
					w.begins(asha, "r1", "")
					w.deliver(w.stored(asha, "r1").OutboxEventID)
					if c.after > 0 {
						w.domain.Replies.Turns = turns{}
						w.projectIs(1, `"rules":{"replyMessage":true},`)
						w.now = w.now.Add(c.after)
						w.says(w.text(asha, "wamid.1", "yes"))
					}
					for _, table := range []tables.Table{tables.Conversations, tables.Outbox} {
						for _, item := range whole.Items(t, table) {
							w.must(db.Put(t.Context(),
								dynamo.Put{Table: table, Item: item, If: dynamo.Unconditional}))
						}
					}
				},
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					w := worldWith(nil, nil, client, nil)
					w.now = noon.Add(c.after + c.passes + time.Minute + time.Duration(run)*5*time.Minute)
					return w.ends(fmt.Sprint("lane ", run)).Sweep(ctx)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
