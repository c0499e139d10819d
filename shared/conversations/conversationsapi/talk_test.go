package conversationsapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	turndesk "github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// The company of the tests writes from the number of package whatsapptest.
const (
	asha    = "919876543210"
	company = "/v1/companies/ci-1"
	project = company + "/projects/pi-1"

	ownSender = "+447700900444"
)

// firm is a world with a company and a project.
func firm(t testing.TB) *world { return firmIn(newWorld(t)) }

// firmIn puts a company and a project into a world.
func firmIn(w *world) *world {
	t := w.t
	t.Helper()
	w.db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone,
		TenantID: model.TenantID(apitest.TenantOf("1")), DisplayPhoneNumber: wt.Display, WABAMetaID: wt.WABA},
		model.Sender{PK: keys.Sender(ownSender).Partition, ItemType: model.ItemSender,
			TenantID: model.TenantID(apitest.TenantOf("1"))})
	w.do(http.MethodPost, "/v1/companies", "", `{"id":"ci-1","name":"Cucumber","channelConfig":`+
		`{"company_whatsapp_number":"+`+wt.Display+`","company_sms_number":"`+ownSender+`"}}`).
		Want(t, http.StatusCreated)
	w.projectIs(0, "")
	return w
}

// projectIs sets the project. more are settings beside the usual ones.
func (w *world) projectIs(version int, more string) {
	w.t.Helper()
	w.do(http.MethodPut, project, "", fmt.Sprintf(`{"name":"Clarify CV","allowedChannels":["whatsapp","sms"],`+
		`"opening":{"template":"hello_world","language":"en_US","text":"Is your CV up to date?"},%s"version":%d}`, more,
		version)).Want(w.t, http.StatusOK)
}

// begins begins a conversation with a person.
func (w *world) begins(number, id, more string) answer {
	w.t.Helper()
	return w.do(http.MethodPost, project+"/conversations", "begin "+number+id, `{"requestId":"`+id+
		`","channel":"whatsapp","recipient":{"tel":"+`+number+`"},"consent":true`+more+`}`)
}

func talkAt(number, id string) string {
	return project + "/recipients/+" + number + "/conversations/" + id
}

// talk returns a conversation with its history.
func (w *world) talk(number, id string) (whole wholeTalk) {
	w.t.Helper()
	w.do(http.MethodGet, talkAt(number, id), "", "").Want(w.t, http.StatusOK, &whole)
	return whole
}

// stored returns a conversation as it is stored.
func (w *world) stored(number, id string) conversationsmodel.Conversation {
	w.t.Helper()
	c, err := w.domain.Talks.Get(w.t.Context(), keys.Talk("ci-1", "pi-1", model.Name(id), model.Name("+"+number)))
	w.must(err)
	return c
}

// says has people write, each message twice.
func (w *world) says(messages ...wt.Object) {
	w.t.Helper()
	w.now = w.now.Add(time.Second)
	reactions := w.rooms.Subscriptions()
	if _, own := w.domain.Replies.Turns.(*turndesk.Desk); !own { // the rooms have joined a domain with its own desk
		reactions = []inbound.Subscription{w.domain.Replies.Subscription()}
	}
	for _, m := range messages {
		from, _ := m["from"].(string)
		body := wt.Body(wt.Messages(wt.List{wt.Contact(from, "Somebody")}, m))
		for _, image := range messagingtest.Logged(w.t, w.db, func() time.Time { return w.now }, body) {
			var event model.WebhookEvent
			w.must(dynamo.Unmarshal(image, &event))
			for range 2 {
				w.must(w.rooms.MessageReader(reactions...).Apply(w.t.Context(), event))
			}
		}
	}
}

// texts are what the messages of a conversation say.
func said(whole wholeTalk) string {
	var all []string
	for _, m := range whole.Messages {
		all = append(all, m.Role+": "+m.Text)
	}
	return strings.Join(all, "; ")
}

func (w *world) text(from, id, says string) wt.Object { return wt.Text(from, id, says, w.now) }

// A conversation from the request to its end, as both sides see it.
func TestAConversationFromTheRequestToItsEnd(t *testing.T) {
	w := firm(t)
	var begun talkShown
	w.begins(asha, "r1", "").Want(t, http.StatusAccepted, &begun)
	if again := w.begins(asha, "r1", ""); again.Status != http.StatusAccepted || begun.Status != "processing" {
		t.Fatalf("%+v, and again %+v", begun, again)
	}
	if p := w.do(http.MethodPost, project+"/conversations", "another key", `{"requestId":"r1","channel":"whatsapp",`+
		`"recipient":{"tel":"+`+asha+`"},"consent":true}`).WantProblem(t, http.StatusConflict); p.Title != "Conversation exists" {
		t.Errorf("%+v", p)
	}
	w.now = w.now.Add(1500 * time.Millisecond)
	if event := w.deliver(w.stored(asha, "r1").OutboxEventID); event.Status != model.OutboxSent {
		t.Fatalf("%+v", event)
	}
	c := w.talk(asha, "r1")
	if c.Status != "initial_message_sent" || !c.TaskComplete || c.ProcessingTime != 1500 {
		t.Errorf("sent: %+v", c)
	}
	w.says(w.text(asha, "wamid.1", "Yes, it is"))
	c = w.talk(asha, "r1")
	if c.Status != "with_person" || !c.HandedOver || said(c) != "assistant: Is your CV up to date?; user: Yes, it is" {
		t.Errorf("replied: %+v", c)
	}
	current, err := w.rooms.CurrentConversation(t.Context(), wt.Phone, asha)
	if err != nil || current.NeedsPersonSince == "" {
		t.Errorf("the inbox: %+v %v", current, err)
	}
	for range 2 {
		w.do(http.MethodPost, talkAt(asha, "r1")+"/messages", "k", `{"text":"Thank you."}`).Want(t, http.StatusAccepted)
	}
	for range 2 {
		w.do(http.MethodPost, talkAt(asha, "r1")+"/hand-back", "", "").Want(t, http.StatusOK)
	}
	if c = w.talk(asha, "r1"); c.Status != "awaiting_reply" || c.HandedOver || len(c.Messages) != 3 {
		t.Errorf("answered: %+v", c)
	}
	if current, err = w.rooms.CurrentConversation(t.Context(), wt.Phone, asha); err != nil ||
		current.NeedsPersonSince != "" {
		t.Errorf("the inbox: %+v %v", current, err)
	}
	w.do(http.MethodPost, talkAt(asha, "r1")+"/complete", "", "").Want(t, http.StatusOK)
	w.do(http.MethodPost, talkAt(asha, "r1")+"/messages", "k2", `{"text":"More."}`).
		WantProblem(t, http.StatusConflict)
	w.says(w.text(asha, "wamid.2", "thanks"))
	if c = w.talk(asha, "r1"); c.Status != "completed" || len(c.Messages) != 3 {
		t.Errorf("completed: %+v", c)
	}
}

// What is refused is refused by name, and stores nothing.
func TestWhatIsRefusedStoresNothing(t *testing.T) {
	w := firm(t)
	w.says(w.text("919811111111", "wamid.stop", "STOP"))
	before := len(w.db.Items(t, tables.Outbox))
	begin := func(body string) string {
		t.Helper()
		return w.do(http.MethodPost, project+"/conversations", "k"+body, body).WantProblem(t, http.StatusConflict).Type
	}
	for code, body := range map[string]string{
		"no-consent":           `{"requestId":"r1","channel":"whatsapp","recipient":{"tel":"+` + asha + `"}}`,
		"channel-not-allowed":  `{"requestId":"r1","channel":"email","recipient":{"email":"a@example.com"},"consent":true}`,
		"no-recipient-address": `{"requestId":"r1","channel":"sms","recipient":{"email":"a@example.com"},"consent":true}`,
		"opted-out":            `{"requestId":"r1","channel":"whatsapp","recipient":{"tel":"+919811111111"},"consent":true}`,
	} {
		if got := begin(body); !strings.HasSuffix(got, code) {
			t.Errorf("%s is refused as %s", body, got)
		}
	}
	for _, body := range []string{
		`{"requestId":"r#1","channel":"whatsapp","recipient":{"tel":"+` + asha + `"},"consent":true}`,
		`{"requestId":"r1","channel":"whatsapp","recipient":{"tel":"12\n34"},"consent":true}`,
		`{"requestId":"r1","channel":"whatsapp","recipient":{"tel":"+` + asha + `"},"consent":true,"projectData":{"a":"` +
			strings.Repeat("x", 1020) + `"}}`,
	} {
		w.do(http.MethodPost, project+"/conversations", "k", body).WantProblem(t, http.StatusUnprocessableEntity)
	}
	w.projectIs(1, `"status":"inactive",`)
	if got := begin(`{"requestId":"r1","channel":"whatsapp","recipient":{"tel":"+` + asha +
		`"},"consent":true}`); !strings.HasSuffix(got, "project-inactive") {
		t.Errorf("an inactive project: %s", got)
	}
	if after := len(w.db.Items(t, tables.Outbox)); after != before {
		t.Errorf("%d events of the outbox, and then %d", before, after)
	}
	for _, item := range w.db.Items(t, tables.Conversations) {
		if dynamo.Text(item, "company_id") != "" {
			t.Errorf("stored: %v", item)
		}
	}
}

// A number serves a store or a company, whichever is first.
func TestANumberOfAStoreIsRefusedByName(t *testing.T) {
	w := newWorld(t)
	for phone, store := range map[model.PhoneNumberID]model.Name{"106540352242921": "STR-1", "106540352242922": ""} {
		w.db.Seed(t, tables.Messages, model.Phone{
			PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, StoreID: store,
			TenantID: model.TenantID(apitest.TenantOf("1")), DisplayPhoneNumber: "+44 7588 71381" + string(phone[14])})
	}
	create := func(id, number string) answer {
		return w.do(http.MethodPost, "/v1/companies", "",
			`{"id":"`+id+`","name":"Cucumber","channelConfig":{"company_whatsapp_number":"`+number+`"}}`)
	}
	for number, why := range map[string]string{"+447588713811": "it serves a store", "+447588713819": "no number"} {
		p := create("ci-1", number).WantProblem(t, http.StatusUnprocessableEntity)
		if !strings.Contains(fmt.Sprint(p.Errors[0]), why) {
			t.Errorf("%s: %v", number, p.Errors[0])
		}
	}
	create("ci-1", "+447588713812").Want(t, http.StatusCreated)
	create("ci-1", "+447588713812").Want(t, http.StatusCreated) // the same request again
	if p := create("ci-2", "+447588713812").WantProblem(t, http.StatusUnprocessableEntity); !strings.Contains(
		fmt.Sprint(p.Errors[0]), "another company") {
		t.Errorf("%v", p.Errors[0])
	}
	create("ci-1", "").WantProblem(t, http.StatusConflict)
	// nothing is shown of a number that has got no message yet
	w.db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone("106540352242923").Partition, ItemType: model.ItemPhone, PhoneNumberID: "106540352242923",
		TenantID: model.TenantID(apitest.TenantOf("1"))})
	for phone, status := range map[string]int{
		"106540352242923": http.StatusCreated, "106540352242922": http.StatusUnprocessableEntity,
		"106540352242929": http.StatusUnprocessableEntity} {
		w.do(http.MethodPost, "/v1/companies", "", `{"id":"ci-new-`+phone+`","name":"Cucumber","phoneNumberId":"`+phone+
			`","channelConfig":{"company_whatsapp_number":"+447588713823"}}`).Want(t, status)
	}
	// the same phone is shown by another number, and the company follows
	w.db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone("106540352242922").Partition, ItemType: model.ItemPhone, PhoneNumberID: "106540352242922",
		TenantID: model.TenantID(apitest.TenantOf("1")), DisplayPhoneNumber: "+44 7588 713899", CompanyID: "ci-1"})
	var c companyShown
	w.do(http.MethodPut, "/v1/companies/ci-1", "", `{"name":"Cucumber","channelConfig":`+
		`{"company_whatsapp_number":"+447588713899"},"version":1}`).Want(t, http.StatusOK, &c)
	if c.PhoneNumberID != "106540352242922" || !slices.Equal(c.FormerNumbers, []string{"+447588713812"}) {
		t.Errorf("%+v", c)
	}
}

// Of several conversations the quoted one gets the reply, else the newest that waits for one.
func TestAReplyFindsItsConversation(t *testing.T) {
	w := firm(t)
	for _, id := range []string{"r1", "r2", "r3"} {
		w.begins(asha, id, "").Want(t, http.StatusAccepted)
		w.deliver(w.stored(asha, id).OutboxEventID)
		w.now = w.now.Add(time.Minute)
	}
	w.do(http.MethodPost, talkAt(asha, "r3")+"/complete", "", "").Want(t, http.StatusOK)
	quoting := w.text(asha, "wamid.q", "to the first")
	quoting["context"] = wt.Object{"from": wt.Display, "id": string(w.stored(asha, "r1").OpeningID)}
	w.says(quoting, w.text(asha, "wamid.n", "to the newest open one"), w.text(asha, "wamid.m", "and more"))
	marked := func() bool {
		current, err := w.rooms.CurrentConversation(t.Context(), wt.Phone, asha)
		w.must(err)
		return current.NeedsPersonSince != ""
	}
	w.do(http.MethodPost, talkAt(asha, "r1")+"/hand-back", "", "").Want(t, http.StatusOK)
	if !marked() {
		t.Error("the inbox does not show that the other conversation waits")
	}
	w.do(http.MethodPost, talkAt(asha, "r2")+"/hand-back", "", "").Want(t, http.StatusOK)
	if marked() {
		t.Error("the inbox shows that somebody waits")
	}
	over := w.text(asha, "wamid.o", "to the completed one")
	over["context"] = wt.Object{"from": wt.Display, "id": string(w.stored(asha, "r3").OpeningID)}
	w.says(over)
	for id, want := range map[string]string{
		"r1": "assistant: Is your CV up to date?; user: to the first",
		"r2": "assistant: Is your CV up to date?; user: to the newest open one; user: and more",
		"r3": "assistant: Is your CV up to date?",
	} {
		if got := said(w.talk(asha, id)); got != want {
			t.Errorf("%s: %s", id, got)
		}
	}
}

// The next person on a number does not come into the conversation of the one before. That one does, by a new number.
func TestANumberThatPassedOnReachesNoOldConversation(t *testing.T) {
	w := firm(t)
	w.says(w.text(asha, "wamid.0", "hello"))
	w.begins(asha, "r1", "").Want(t, http.StatusAccepted)
	w.deliver(w.stored(asha, "r1").OutboxEventID)
	w.now = w.now.Add(time.Minute)
	const next = "919833333333"
	w.says(wt.Message(asha, "wamid.changed", "system", w.now, wt.Object{"system": wt.Object{
		"type": "user_changed_number", "body": "changed", "wa_id": next, "new_wa_id": next}}))
	w.now = w.now.Add(time.Minute)
	w.says(w.text(asha, "wamid.stranger", "who is this?"))
	if got := said(w.talk(asha, "r1")); strings.Contains(got, "who is this") {
		t.Errorf("the stranger is in it: %s", got)
	}
	w.says(w.text(next, "wamid.new", "it is me"))
	if got := said(w.talk(asha, "r1")); !strings.HasSuffix(got, "user: it is me") {
		t.Errorf("the person is not in it: %s", got)
	}
}

// Somebody who opts out between the request and the send gets nothing, and the conversation says why.
func TestAnOptOutBeforeTheSendEndsTheOpening(t *testing.T) {
	w := firm(t)
	w.begins(asha, "r1", "").Want(t, http.StatusAccepted)
	w.says(w.text(asha, "wamid.stop", "STOP"))
	w.now = w.now.Add(time.Minute)
	event := w.deliver(w.stored(asha, "r1").OutboxEventID)
	c := w.stored(asha, "r1")
	if event.Status != model.OutboxCancelled || w.sent != 0 || c.TaskComplete != 0 || c.FailureReason != "opted_out" {
		t.Errorf("%+v: %+v", event, c)
	}
}

// A message that belongs to no conversation opens one where the routing rules say so.
func TestTheRoutingRulesOpenAConversation(t *testing.T) {
	w := firm(t)
	w.says(w.text(asha, "wamid.1", "any jobs?"))
	w.projectIs(1, `"rules":{"initialMessage":true,"initialMessageFromNumbers":["+`+asha+`"]},`)
	w.says(w.text("919811111111", "wamid.2", "any jobs?"), w.text(asha, "wamid.3", "any jobs now?"),
		w.text(asha, "wamid.4", "hello?"))
	var list talkListOutput
	w.do(http.MethodGet, company+"/conversations", "", "").Want(t, http.StatusOK, &list.Body)
	if len(list.Body.Items) != 1 || list.Body.Items[0].Status != "with_person" || list.Body.Items[0].Entries != 2 ||
		list.Body.Items[0].Recipient.Tel != "+"+asha {
		t.Errorf("%+v: %s", list.Body.Items, said(w.talk(asha, list.Body.Items[0].RequestID)))
	}
}
