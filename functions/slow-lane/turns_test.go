package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/questions"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// withTalks are the tables of a turn: those of what may be looked up are among them.
var withTalks = append([]tables.Table{tables.Conversations, tables.Stores, tables.CustomerBalances}, together...)

const aTalk = `{"assistant":"rules","lookups":["khata_balance"],"topics":["salary slip"],"slots":[` +
	`{"name":"city","kind":"text","question":{"en":"Which city do you live in?"}},` +
	`{"name":"shift","kind":"choice","options":["Day","Night"],"question":{"en":"Which shift?"}}]}`

// talkOf returns a conversation of a company with Asha in which she has said something.
func talkOf(entries ...conversationsmodel.Entry) conversationsmodel.Conversation {
	return conversationsmodel.Conversation{
		RecipientTel: "+919876543210", CompanyID: "ci-1", ProjectID: "pi-1", RequestID: "r1",
		ChannelMethod: model.ChannelWhatsApp, Status: conversationsmodel.AwaitingReply, CompanyName: "Haat Jobs",
		CreatedAt: model.At(noon), CommsConsent: true, AIConfig: model.Document(aTalk), TenantID: "demo",
		Customer: asha, PhoneNumberID: phone, Messages: entries, Rules: conversationsmodel.Rules{QueueReply: true},
		ChannelConfig: model.Document(`{"company_whatsapp_number":"+447588713814"}`),
	}
}

// says fills the tables with a company, a list of questions and a conversation, and has Asha say something. It returns
// the conversation's key.
func says(t testing.TB, db *dynamotest.DB, text string, before ...func(*conversationsmodel.Conversation)) keys.Key {
	t.Helper()
	rooms := registry.Conversations(roomsAt(db.Client, noon))
	db.Seed(t, tables.Messages,
		model.Phone{
			PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo",
			CompanyID: "ci-1"},
		model.Conversation{PK: keys.Conversation(phone, asha).Partition, ItemType: model.ItemConversation,
			WindowExpiresAt: model.At(noon.Add(24 * time.Hour))})
	lists := &questions.Lists{DB: db.Client, Now: func() time.Time { return noon }}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(lists.Set(t.Context(), "demo", "ci-1", "pi-1", []faq.Entry{
		{ID: "pay", Question: "What is the salary?", Answer: "The salary is ₹18,000 a month.", Language: "en"},
		{ID: "form", Question: "How do I get the joining form?", Answer: "At the gate.", Language: "en"},
		{ID: "late", Question: "What if the joining form is late?", Answer: "Call us.", Language: "en"}}))
	owes(t, db)
	company := conversationsmodel.Company{Company: "ci-1", TenantID: "demo", CompanyName: "Haat Jobs", Active: true}
	company.SetKey()
	project := conversationsmodel.Project{Company: "ci-1", Project: "pi-1",
		ProjectStatus: conversationsmodel.ProjectActive, AIConfig: model.Document(aTalk)}
	project.SetKey()
	db.Seed(t, tables.Conversations, company, project)
	c := talkOf()
	for _, change := range before {
		change(&c)
	}
	said := conversationsmodel.Entry{
		EntryID: "wamid.said", MessageTimestamp: model.At(noon), Role: conversationsmodel.User, Content: text}
	c.SetKeys()
	c.Pending = said.EntryID
	turn, err := rooms.Turns.Queue(t.Context(), c, said)
	must(err)
	own, err := rooms.Talks.Write(&c, said)
	must(err)
	must(db.Transact(t.Context(), append(own, turn...)))
	return c.Key()
}

// owes gives Asha an account of 250 rupees in a store of the business, at another number.
func owes(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	const shop = model.PhoneNumberID("206540352242933")
	at := model.At(noon)
	balance := khatamodel.Balance{
		PK:      keys.KhataBalance("STORE-1", "+919876543210").Partition,
		SK:      keys.KhataBalance("STORE-1", "+919876543210").Sort,
		StoreID: "STORE-1", TenantID: "demo", CustomerPhone: "+919876543210", GSI1PK: "PHONE#1", GSI1SK: "STORE#1",
		OutstandingBalance: model.Amount{Decimal: decimal.NewFromInt(250)}}
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(shop).Partition, ItemType: model.ItemPhone, PhoneNumberID: shop, TenantID: "demo",
		StoreID: "STORE-1"})
	db.Seed(t, tables.Stores, commercemodel.Store{
		PK: "STORE-1", ID: "STORE-1", StoreID: "STORE-1", TenantID: "demo", Name: "Rao Kirana", CreatedAt: at,
		PhoneNumberIDs: []model.PhoneNumberID{shop}, GSI1PK: keys.StoresOf("OWNER-1"), GSI1SK: at})
	db.Seed(t, tables.CustomerBalances, balance)
}

// heard returns what was sent to Asha, and the conversation.
func heard(t testing.TB, db *dynamotest.DB, key keys.Key) (string, conversationsmodel.Conversation) {
	t.Helper()
	sent := ""
	for _, item := range db.Items(t, tables.Messages) {
		var m model.Message
		if messagingtest.IsOurs(item) && dynamo.Unmarshal(item, &m) == nil {
			sent += m.Preview + "|"
		}
	}
	c, err := registry.Conversations(roomsAt(db.Client, noon)).Talks.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return sent, c
}

// answered gives a conversation some answers of a time ago, in a row.
func answered(many int, ago time.Duration, by string) func(*conversationsmodel.Conversation) {
	return func(c *conversationsmodel.Conversation) {
		for n := range many {
			c.Messages = append(c.Messages, conversationsmodel.Entry{
				EntryID: fmt.Sprint("answer", n), Role: conversationsmodel.Assistant, Content: "Yes.", SentBy: by,
				MessageTimestamp: model.At(noon.Add(-ago))})
		}
		c.Assisted = &conversationsmodel.Assisted{Introduced: true}
	}
}

func TestATurnIsAnsweredOnce(t *testing.T) {
	asksCity := func(c *conversationsmodel.Conversation) {
		c.Assisted = &conversationsmodel.Assisted{Asked: "city", Times: 1, Introduced: true}
	}
	lastSlot := func(c *conversationsmodel.Conversation) {
		c.Assisted = &conversationsmodel.Assisted{
			Asked: "shift", Times: 1, Introduced: true, Values: map[string]string{"city": "Pune"}}
	}
	offered := func(c *conversationsmodel.Conversation) {
		c.Assisted = &conversationsmodel.Assisted{Offered: []string{"form", "late"}, Introduced: true}
	}
	for name, c := range map[string]struct {
		says   string
		before func(*conversationsmodel.Conversation)
		sent   string // a part of what is sent; "" for nothing
		status conversationsmodel.Status
		reason string
		values string
	}{
		"from the list": {says: "what is the salary?", sent: "₹18,000", status: conversationsmodel.AwaitingReply},
		"what she owes": {says: "how much do I owe", sent: "You owe Rao Kirana ₹250.",
			status: conversationsmodel.AwaitingReply},
		"what another number owes": {says: "i am +919999999999 how much do I owe", sent: "You owe Rao Kirana ₹250.",
			status: conversationsmodel.AwaitingReply},
		"what she owes, if nobody is to be told": {says: "do I owe you anything", sent: "A person",
			status: conversationsmodel.WithPerson, reason: "unsure",
			before: func(c *conversationsmodel.Conversation) { c.AIConfig = model.Document(`{"assistant":"rules"}`) }},
		"a slot": {says: "Pune", before: asksCity, sent: "shift", status: conversationsmodel.AwaitingReply,
			values: "Pune"},
		"the last slot": {says: "2", before: lastSlot, sent: "Thank", status: conversationsmodel.Completed,
			values: "Night"},
		"two that may be meant": {says: "joining form status", sent: "Do you mean",
			status: conversationsmodel.AwaitingReply},
		"the one that is meant": {says: "2", sent: "Call us.", before: offered,
			status: conversationsmodel.AwaitingReply},
		"neither of them": {says: "kuch aur", sent: "yahin jawab", before: offered,
			status: conversationsmodel.WithPerson, reason: "unsure"},
		"asked by the assistant, and answered by a person meanwhile": {says: "2", sent: "A person",
			status: conversationsmodel.WithPerson, reason: "unsure",
			before: func(c *conversationsmodel.Conversation) {
				offered(c)
				c.Messages = []conversationsmodel.Entry{{EntryID: "m1", Role: conversationsmodel.Assistant,
					MessageTimestamp: model.At(noon.Add(-time.Minute)), Content: "Which of my two?", SentBy: "ravi"}}
			}},
		"a person, please": {says: "let me talk to a person", sent: "A person", status: conversationsmodel.WithPerson,
			reason: "requested"},
		"the last of many answers in an hour": {says: "what is the salary?", sent: "A person",
			before: answered(20, time.Minute, ""), status: conversationsmodel.WithPerson, reason: "at_limit"},
		"not so many answers": {says: "what is the salary?", sent: "₹18,000", before: answered(19, time.Minute, ""),
			status: conversationsmodel.AwaitingReply},
		"many answers, an hour ago": {says: "what is the salary?", sent: "₹18,000",
			before: answered(20, 2*time.Hour, ""), status: conversationsmodel.AwaitingReply},
		"many answers of a person": {says: "what is the salary?", sent: "₹18,000",
			before: answered(20, time.Minute, "ravi"), status: conversationsmodel.AwaitingReply},
		"perhaps no more messages": {says: "how do i stop these messages", sent: "A person", before: asksCity,
			status: conversationsmodel.WithPerson, reason: "stop"},
		"the owner's topic": {says: "my salary slip is wrong", sent: "A person", status: conversationsmodel.WithPerson,
			reason: "topic"},
		"nothing that answers": {says: "my uncle sells blue horses in winter", sent: "A person",
			status: conversationsmodel.WithPerson, reason: "unsure"},
		"an assistant that is gone": {says: "hello", sent: "A person", status: conversationsmodel.WithPerson,
			reason: "unreached",
			before: func(c *conversationsmodel.Conversation) { c.AIConfig = model.Document(`{"assistant":"oracle"}`) }},
		"a person goes on": {says: "what is the salary?", status: conversationsmodel.WithPerson,
			before: func(c *conversationsmodel.Conversation) {
				c.Status, c.HandOffToHuman = conversationsmodel.WithPerson, true
			}},
		"it is over": {says: "what is the salary?", status: conversationsmodel.Completed,
			before: func(c *conversationsmodel.Conversation) { c.Status = conversationsmodel.Completed }},
	} {
		t.Run(name, func(t *testing.T) {
			w, db := newWorld(t), dynamotest.Start(t, withTalks...)
			before := c.before
			if before == nil {
				before = func(*conversationsmodel.Conversation) {}
			}
			key := says(t, db, c.says, before)
			w.sweep(t, db, noon.Add(2*time.Minute))
			w.sweep(t, db, noon.Add(time.Hour))
			sent, talk := heard(t, db, key)
			if !strings.Contains(sent, c.sent) || (c.sent == "") != (sent == "") || strings.Count(sent, "|") > 1 {
				t.Errorf("sent %q", sent)
			}
			reason, values := "", ""
			if talk.HandOffReason != nil {
				reason = *talk.HandOffReason
			}
			if talk.Assisted != nil {
				values = talk.Assisted.Values["city"]
				if shift := talk.Assisted.Values["shift"]; shift != "" {
					values = shift
				}
			}
			if talk.Status != c.status || reason != c.reason || values != c.values {
				t.Errorf("%s %q %q", talk.Status, reason, values)
			}
		})
	}
}

// What may be meant is shown as buttons that pick an entry.
func TestWhatMayBeMeantIsShownAsButtons(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, withTalks...)
	says(t, db, "joining form status")
	w.sweep(t, db, noon.Add(2*time.Minute))
	shown := ""
	for _, item := range db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			t.Fatal(err)
		}
		shown += string(event.Payload)
	}
	for _, want := range []string{`"conversations:entry:form"`, `"conversations:entry:late"`, `"conversations:none"`} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %s in %s", want, shown)
		}
	}
}

// An attempt dies after it has left the message to a person, who hands the conversation back before the next attempt.
func TestATurnThatWasGivenAwayIsNotAnsweredAfterAHandBack(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, withTalks...)
	key := says(t, db, "agent please")
	w.sweep(t, db, noon.Add(2*time.Minute))
	said, c := heard(t, db, key)
	if said == "" || !c.HandOffToHuman {
		t.Fatalf("sent %q: %+v", said, c)
	}
	talking := registry.Conversations(roomsAt(db.Client, noon)).Talks
	if _, err := talking.Change(t.Context(), key, talks.HandBack); err != nil {
		t.Fatal(err)
	}
	relay, tried := w.fixed(db.Client, time.Hour).Relay, 0
	for _, item := range db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil || event.EventType != turns.EventType {
			continue
		}
		tried++
		if _, err := relay.Handlers[turns.EventType].Send(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	again, c := heard(t, db, key)
	if tried != 1 || again != said || c.HandOffToHuman || c.Status != conversationsmodel.AwaitingReply {
		t.Errorf("after %d attempts sent %q: %+v", tried, again, c)
	}
}

// The answer to a message that another one has overtaken is dropped: the turn of the later one answers.
func TestATurnThatIsOvertakenSaysNothing(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, withTalks...)
	key := says(t, db, "what is the salary?")
	rooms := registry.Conversations(roomsAt(db.Client, noon))
	c, err := rooms.Talks.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	c.Pending = "wamid.later"
	writes, err := rooms.Talks.Write(&c, conversationsmodel.Entry{
		EntryID: "wamid.later", MessageTimestamp: model.At(noon.Add(time.Second)), Role: conversationsmodel.User,
		Content: "hello?"})
	if err == nil {
		err = db.Transact(t.Context(), writes)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.sweep(t, db, noon.Add(2*time.Minute))
	if sent, _ := heard(t, db, key); sent != "" {
		t.Errorf("sent %q", sent)
	}
}

// A message that crosses an answer is older than it by its clock. It is answered all the same.
func TestAMessageThatCrossesAnAnswerIsAnswered(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, withTalks...)
	key := says(t, db, "what is the salary?", func(c *conversationsmodel.Conversation) {
		c.Messages = []conversationsmodel.Entry{{EntryID: "earlier answer", Role: conversationsmodel.Assistant,
			MessageTimestamp: model.At(noon.Add(500 * time.Millisecond)), Content: "Hello!"}}
	})
	w.sweep(t, db, noon.Add(2*time.Minute))
	if sent, c := heard(t, db, key); !strings.Contains(sent, "18,000") || c.Pending != "" {
		t.Errorf("sent %q, pending %q", sent, c.Pending)
	}
}

// The owner stops the assistant of a project: conversations that have begun with it go to a person.
func TestAnAssistantThatIsStoppedAnswersNoMore(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, withTalks...)
	key := says(t, db, "what is the salary?")
	err := db.Update(t.Context(), dynamo.Update{
		Table: tables.Conversations, Key: keys.Project("ci-1", "pi-1"), Do: "REMOVE ai_config",
		If: "attribute_exists(primary_channel)"})
	if err != nil {
		t.Fatal(err)
	}
	w.sweep(t, db, noon.Add(2*time.Minute))
	if sent, c := heard(t, db, key); strings.Contains(sent, "18,000") || !c.HandOffToHuman || c.Pending == "" {
		t.Errorf("sent %q: %+v", sent, c)
	}
}

// An answer that may not be sent counts as not given: a person gets the message.
func TestAnAnswerOutsideTheWindowGoesToAPerson(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, withTalks...)
	key := says(t, db, "what is the salary?")
	err := db.Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.Conversation(phone, asha), Do: "SET windowExpiresAt = :at",
		If: dynamo.IfPresent, Values: dynamo.Item{":at": dynamo.S(model.At(noon.Add(-time.Hour)))}})
	if err != nil {
		t.Fatal(err)
	}
	w.sweep(t, db, noon.Add(2*time.Minute))
	sent, c := heard(t, db, key)
	if sent != "" || !c.HandOffToHuman || *c.HandOffReason != "unsent" || c.Assisted.Introduced ||
		!c.Gave("wamid.said") {
		t.Errorf("sent %q: %+v", sent, c)
	}
}

func TestATurnSurvivesEveryCrashPoint(t *testing.T) {
	for name, text := range map[string]string{
		"an answer": "what is the salary?", "a lookup": "how much do I owe",
		"a hand-over": "agent please", "a question": "joining form status"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: withTalks, Ignore: tried,
				Seed: func(t testing.TB, db *dynamotest.DB) { says(t, db, text) },
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					return w.fixed(client, 2*time.Minute+time.Duration(run)*time.Hour).Relay.Sweep(ctx)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
