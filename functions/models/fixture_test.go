package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant/callback"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/assistant/prompt"
	"github.com/haatline/haatline/shared/assistant/spending"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/questions"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/wake"
)

const (
	phone   = model.PhoneNumberID("106540352242922")
	shop    = model.PhoneNumberID("206540352242933")
	asha    = model.CustomerID("919876543210")
	aSecret = "a secret that only the two of us know"
	aKey    = "sk-very-secret"
)

var (
	noon     = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	together = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences, tables.Conversations,
		tables.Stores, tables.CustomerBalances}
)

const aTalk = `{"assistant":"openai","model":"gpt-4o-mini","temperature":0.2,"maxTokens":300,` +
	`"instructions":"Be short.","lookups":["khata_balance"],"topics":["salary slip"]%s}`

// service is a server of the Responses API, and the company's own server. It says what its scripts say, in turn, and
// the last of each again.
type service struct {
	url, hook string
	hosts     []string
	runner    *callback.Runner
	env       func(name string) string

	mu     sync.Mutex
	says   []reply
	asked  []string // what it was asked
	counts int64    // how many of its answers say how many tokens they have taken
	hooks  []reply
	called []callback.Call
	during func()        // happens while it is asked
	takes  time.Duration // how long an answer is said to take; 0 for how long it takes
	wrong  []string
}

// reply is what a server says: a call of a tool, a body, or a status.
type reply struct {
	call, arguments string
	body            string
	status          int
	after           string // Retry-After
	hangsUp         bool   // it closes the connection
}

// answers is a call of the tool to answer.
func answers(action, text string, sources ...string) reply {
	arguments, _ := json.Marshal(map[string]any{
		"action": action, "reply": text, "sources": append([]string{}, sources...), "asks": nil,
		"values": map[string]any{}})
	return reply{call: "answer", arguments: string(arguments)}
}

func newService(t *testing.T, says ...reply) *service {
	t.Helper()
	s := &service{says: says, hooks: []reply{{body: `{"text":"You are booked for Monday at nine."}`}}}
	s.env = s.getenv
	service := httptest.NewServer(http.HandlerFunc(s.model))
	t.Cleanup(service.Close)
	hook := httptest.NewTLSServer(http.HandlerFunc(s.calls))
	t.Cleanup(hook.Close)
	_, port, _ := net.SplitHostPort(hook.Listener.Addr().String())
	s.url, s.hook, s.hosts = service.URL, "https://localhost:"+port+"/hook", []string{"localhost:" + port}
	transport := hook.Client().Transport.(*http.Transport).Clone()
	transport.TLSClientConfig.ServerName = "example.com" // whom the test's certificate is for
	s.runner = callback.New(netip.Addr.IsLoopback, transport)
	t.Cleanup(func() {
		if len(s.wrong) > 0 {
			t.Errorf("wrong at the wire: %q", s.wrong)
		}
	})
	return s
}

func next(all *[]reply) reply {
	r := (*all)[0]
	if len(*all) > 1 {
		*all = (*all)[1:]
	}
	return r
}

func (s *service) model(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	if r.URL.Path != "/responses" || r.Header.Get("Authorization") != "Bearer "+aKey {
		s.wrong = append(s.wrong, r.URL.Path)
	}
	s.asked = append(s.asked, string(body))
	says, during := next(&s.says), s.during
	s.mu.Unlock()
	if during != nil {
		during()
	}
	if says.hangsUp {
		panic(http.ErrAbortHandler)
	}
	if says.status != 0 {
		w.Header().Set("Retry-After", says.after)
		w.WriteHeader(says.status)
		return
	}
	if says.call == "" {
		_, _ = io.WriteString(w, says.body)
		return
	}
	s.mu.Lock()
	s.counts++
	s.mu.Unlock()
	_ = json.NewEncoder(w).Encode(map[string]any{
		"status": "completed", "usage": map[string]any{"input_tokens": 11, "output_tokens": 7},
		"output": []any{map[string]any{"type": "function_call", "name": says.call, "arguments": says.arguments}}})
}

// questions returns what the model was asked.
func (s *service) questions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// answer sets what the model says from now on.
func (s *service) answer(says ...reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.says = says
}

// counted returns how many answers have said what they have taken.
func (s *service) counted() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

func (s *service) calls(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	var call callback.Call
	if err := json.Unmarshal(body, &call); err != nil || r.Header.Get("Idempotency-Key") != call.ID ||
		!callback.Verify([]byte(aSecret), r.Header.Get(callback.Header), body, time.Now()) {
		s.wrong = append(s.wrong, string(body))
	}
	s.called = append(s.called, call)
	says := next(&s.hooks)
	if says.status != 0 {
		w.WriteHeader(says.status)
		return
	}
	_, _ = io.WriteString(w, says.body)
}

// getenv is the function's usual environment.
func (s *service) getenv(name string) string {
	return map[string]string{"MODELS": "openai:gpt-4o-mini", "MODEL_URL": s.url, "MODEL_API_KEY": aKey,
		"MODEL_DAY_LIMIT": "5", "CURSOR_KEYS": aKey}[name]
}

func roomsAt(client *dynamo.Client) *messaging.Domain {
	return messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return noon }, NewToken: func() string { return "token" }})
}

// process is one process of the function at a time. Its rooms have the time of noon.
func (s *service) process(client *dynamo.Client, later time.Duration) handler {
	logger := slog.New(slog.DiscardHandler)
	by := openWorld(s.env, logger)
	by.functions, by.hosts = s.runner, s.hosts
	if s.takes > 0 {
		client := by.clients[models.OpenAI]
		by.clients[models.OpenAI] = func(q models.Question) prompt.Model { return timed{client(q), s.takes} }
	}
	relay := newRelay(roomsAt(client), by, logger)
	relay.Sleep = func(context.Context, time.Duration) error { return nil }
	relay.Now = func() time.Time { return noon.Add(later) }
	return handler{relay, logger}
}

// timed is a model whose answers take the same time, always.
type timed struct {
	prompt.Model
	takes time.Duration
}

func (m timed) Ask(ctx context.Context, p prompt.Prompt) (prompt.Decision, error) {
	decided, err := m.Model.Ask(ctx, p)
	decided.Usage.Took = m.takes
	return decided, err
}

// wakes wakes the function for all questions there are, at a time.
func (s *service) wakes(t testing.TB, db *dynamotest.DB, later time.Duration) {
	t.Helper()
	for _, event := range asks(t, db) {
		if err := woken(t.Context(), s.process(db.Client, later), event.EventID); err != nil {
			t.Fatal(err)
		}
	}
}

func woken(ctx context.Context, by handler, id string) error {
	raw, _ := json.Marshal(wake.Event{ID: id, Lane: keys.LaneModel})
	_, err := by.Handle(ctx, raw)
	return err
}

// asks returns the events by which models are asked.
func asks(t testing.TB, db *dynamotest.DB) (all []model.OutboxEvent) {
	t.Helper()
	for _, item := range db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			t.Fatal(err)
		}
		if event.EventType == turns.AskType {
			all = append(all, event)
		}
	}
	return all
}

// setting is what differs in a test.
type setting struct {
	config string // more members of ai_config
	talk   func(*conversationsmodel.Conversation)
	hook   *conversationsmodel.Function
	person model.CustomerID
}

// says fills the tables with a company, a list of questions and a conversation, has the person say something, and has
// the slow lane begin the turn. It returns the conversation's key.
func says(t testing.TB, db *dynamotest.DB, text string, of setting) keys.Key {
	t.Helper()
	if of.person == "" {
		of.person = asha
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	config := model.Document(fmt.Sprintf(aTalk, of.config))
	db.Seed(t, tables.Messages,
		model.Phone{PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo",
			CompanyID: "ci-1"},
		model.Conversation{PK: keys.Conversation(phone, of.person).Partition, ItemType: model.ItemConversation,
			WindowExpiresAt: model.At(noon.Add(24 * time.Hour))})
	lists := &questions.Lists{DB: db.Client, Now: func() time.Time { return noon }}
	must(lists.Set(t.Context(), "demo", "ci-1", "pi-1", []faq.Entry{
		{ID: "pay", Question: "What is the salary?", Answer: "The salary is ₹18,000 a month.", Language: "en"}}))
	company := conversationsmodel.Company{Company: "ci-1", TenantID: "demo", CompanyName: "Haat Jobs", Active: true}
	company.SetKey()
	project := conversationsmodel.Project{Company: "ci-1", Project: "pi-1", AIConfig: config, Function: of.hook,
		ProjectStatus: conversationsmodel.ProjectActive}
	project.SetKey()
	db.Seed(t, tables.Conversations, company, project)
	owes(t, db)
	c := conversationsmodel.Conversation{
		RecipientTel: model.PhoneOf(of.person), CompanyID: "ci-1", ProjectID: "pi-1", RequestID: "r1",
		ChannelMethod: model.ChannelWhatsApp, Status: conversationsmodel.AwaitingReply, CompanyName: "Haat Jobs",
		CreatedAt: model.At(noon), CommsConsent: true, AIConfig: config, TenantID: "demo",
		Customer: of.person, PhoneNumberID: phone, Rules: conversationsmodel.Rules{QueueReply: true},
		ChannelConfig: model.Document(`{"company_whatsapp_number":"+447588713814"}`),
	}
	if of.talk != nil {
		of.talk(&c)
	}
	c.SetKeys()
	must(writes(t, db, &c, "wamid.said", text, 0))
	must(begins(t.Context(), db.Client, time.Minute))
	return c.Key()
}

// writes has the person of a conversation write.
func writes(t testing.TB, db *dynamotest.DB, c *conversationsmodel.Conversation, id, text string,
	later time.Duration) error {
	rooms := registry.Conversations(roomsAt(db.Client))
	said := conversationsmodel.Entry{EntryID: id, MessageTimestamp: model.At(noon.Add(later)),
		Role: conversationsmodel.User, Content: text}
	c.Pending = id
	turn, err := rooms.Turns.Queue(t.Context(), *c, said)
	if err != nil {
		return err
	}
	own, err := rooms.Talks.Write(c, said)
	if err != nil {
		return err
	}
	return db.Transact(t.Context(), append(own, turn...))
}

// begins has the slow lane do what is due: the turns.
func begins(ctx context.Context, client *dynamo.Client, later time.Duration) error {
	rooms := roomsAt(client)
	talks := registry.Conversations(rooms)
	slow := &outbox.Relay{
		Outbox: *rooms.Outbox(), Lane: keys.LaneSlow, Log: slog.New(slog.DiscardHandler),
		Handlers: answering.New(conversations.Name, talks.Talks, talks.Replies, registry.Lookups(rooms),
			talks.Outbox).Handlers(),
		Sleep: func(context.Context, time.Duration) error { return nil },
	}
	slow.Now = func() time.Time { return noon.Add(later) }
	return slow.Sweep(ctx)
}

// owes gives Asha an account of 250 rupees in a store of the business, at another number.
func owes(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	at, key := model.At(noon), keys.KhataBalance("STORE-1", "+919876543210")
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(shop).Partition, ItemType: model.ItemPhone, PhoneNumberID: shop, TenantID: "demo",
		StoreID: "STORE-1"})
	db.Seed(t, tables.Stores, commercemodel.Store{
		PK: "STORE-1", ID: "STORE-1", StoreID: "STORE-1", TenantID: "demo", Name: "Rao Kirana", CreatedAt: at,
		PhoneNumberIDs: []model.PhoneNumberID{shop}, GSI1PK: keys.StoresOf("OWNER-1"), GSI1SK: at})
	db.Seed(t, tables.CustomerBalances, khatamodel.Balance{
		PK: key.Partition, SK: key.Sort, StoreID: "STORE-1", TenantID: "demo", CustomerPhone: "+919876543210",
		GSI1PK: "PHONE#1", GSI1SK: "STORE#1",
		OutstandingBalance: model.Amount{Decimal: decimal.NewFromInt(250)}})
}

// heard returns what was sent, and the conversation.
func heard(t testing.TB, db *dynamotest.DB, key keys.Key) (string, conversationsmodel.Conversation) {
	t.Helper()
	var sent []string
	for _, item := range db.Items(t, tables.Messages) {
		var m model.Message
		if messagingtest.IsOurs(item) && dynamo.Unmarshal(item, &m) == nil {
			sent = append(sent, m.Preview+"|")
		}
	}
	c, err := registry.Conversations(roomsAt(db.Client)).Talks.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(sent, ""), c
}

// spent compares what models have taken for the company on the day, in tokens.
func spent(t testing.TB, db *dynamotest.DB, want int64) {
	t.Helper()
	if have := taken(t, db); have != want {
		t.Errorf("%d tokens are counted, want %d", have, want)
	}
}

// taken returns what models have taken for the company on the day, in tokens.
func taken(t testing.TB, db *dynamotest.DB) int64 {
	t.Helper()
	s := &spending.Spending{DB: db.Client}
	have, err := s.Taken(t.Context(), keys.Spent("ci-1", "2026-11-21"))
	if err != nil {
		t.Fatal(err)
	}
	return have.Tokens
}
