package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
)

const salary = "It is ₹18,000 a month."

// booking is a function that a model may call.
func booking(s *service) *conversationsmodel.Function {
	sealed, err := secrets.OpenVault("", s.getenv).Seal(context.Background(), aSecret, "",
		map[string]string{"tenant": "demo", "company": "ci-1", "project": "pi-1"})
	if err != nil {
		panic(err)
	}
	return &conversationsmodel.Function{
		Name: "book_visit", URL: s.hook, Secret: sealed, When: conversationsmodel.WhenAsked,
		Description: "Books a visit on a day.",
		Parameters:  model.Document(`{"type":"object","properties":{"day":{"enum":["monday"]}},"required":["day"]}`)}
}

func TestAModelAnswersATurnOnce(t *testing.T) {
	good := answers("answer", salary, "pay")
	limit := func(text string) setting { return setting{config: `,"limits":` + text} }
	for name, c := range map[string]struct {
		says   string
		model  []reply
		of     setting
		day    string // what the tenant may take in a day; "" for enough
		books  bool   // the project has a function
		hook   int    // the status of the company\'s server; 0 if it does what it is called for
		sent   string
		status conversationsmodel.Status
		reason string
		asked  int   // how often the model is asked
		spent  int64 // tokens that count
		tokens int   // of the answer's entry
	}{
		"from the list": {says: "what salary do you pay", model: []reply{good}, sent: salary, asked: 1, spent: 18,
			tokens: 18, status: conversationsmodel.AwaitingReply},
		"the owner's rules decide": {says: "my salary slip is wrong", model: []reply{good}, sent: "A person",
			status: conversationsmodel.WithPerson, reason: "topic"},
		"without a source": {says: "what salary do you pay", model: []reply{answers("answer", "It is a lot.")},
			sent: "A person", status: conversationsmodel.WithPerson, reason: "ungrounded", asked: 1, spent: 18,
			tokens: 18},
		"more than the source says": {says: "what salary do you pay",
			model: []reply{answers("answer", "It is ₹99,000.", "pay")}, sent: "A person",
			status: conversationsmodel.WithPerson, reason: "ungrounded", asked: 1, spent: 18, tokens: 18},
		"what she owes": {says: "what is open at the shop", sent: "You owe ₹250.", asked: 2, spent: 36, tokens: 36,
			model:  []reply{{call: "khata_balance"}, answers("answer", "You owe ₹250.", "khata_balance")},
			status: conversationsmodel.AwaitingReply},
		"two lookups": {says: "what is open at the shop", sent: "A person", asked: 2, spent: 36, tokens: 36,
			model: []reply{{call: "khata_balance"}}, status: conversationsmodel.WithPerson, reason: "not_allowed"},
		"a lookup that is not allowed": {says: "where is my order", sent: "A person", asked: 1, spent: 18, tokens: 18,
			model: []reply{{call: "order_state"}}, status: conversationsmodel.WithPerson, reason: "not_allowed"},
		"a function": {says: "can I come on monday", books: true, sent: "Booked", asked: 2, spent: 36, tokens: 36,
			model: []reply{{call: "book_visit", arguments: `{"day":"monday"}`},
				answers("answer", "Booked for Monday.", "book_visit")}, status: conversationsmodel.AwaitingReply},
		"a function with other arguments": {says: "can I come on sunday", books: true, sent: "A person", asked: 1,
			spent: 18, tokens: 18, model: []reply{{call: "book_visit", arguments: `{"day":"sunday"}`}},
			status: conversationsmodel.WithPerson, reason: "not_allowed"},
		"a function that nobody has declared": {says: "can I come on monday", sent: "A person", asked: 1, spent: 18,
			tokens: 18, model: []reply{{call: "book_visit", arguments: `{"day":"monday"}`}},
			status: conversationsmodel.WithPerson, reason: "not_allowed"},
		"a function that its server refuses": {says: "can I come on monday", books: true, hook: 422, sent: "A person",
			model: []reply{{call: "book_visit", arguments: `{"day":"monday"}`}}, asked: 1, spent: 18, tokens: 18,
			status: conversationsmodel.WithPerson, reason: "unreached"},
		"it hands over": {says: "hmm", model: []reply{answers("hand_over", "")}, sent: "A person", asked: 1, spent: 18,
			tokens: 18, status: conversationsmodel.WithPerson, reason: "unsure"},
		"no form, and then an answer": {says: "what salary do you pay", asked: 2, sent: salary, tokens: 18,
			model: []reply{{call: "answer", arguments: `{"action":"pay"}`}, good}, spent: 36,
			status: conversationsmodel.AwaitingReply},
		"never a form": {says: "what salary do you pay", asked: 2, sent: "A person", tokens: 18, spent: 36,
			model:  []reply{{call: "answer", arguments: `[]`}},
			status: conversationsmodel.WithPerson, reason: "unreadable"},
		"a form only in the third answer": {says: "what salary do you pay", asked: 2, sent: "A person", spent: 36,
			model: []reply{{call: "answer", arguments: `[]`}, {call: "khata_balance"}, good}, tokens: 18,
			status: conversationsmodel.WithPerson, reason: "at_limit"},
		"far too long": {says: "what salary do you pay", asked: 2, sent: "A person", tokens: 18, spent: 36,
			model:  []reply{answers("answer", strings.Repeat("word ", 700), "pay")},
			status: conversationsmodel.WithPerson, reason: "unreadable"},
		"too many requests, and then an answer": {says: "what salary do you pay", asked: 2, sent: salary, tokens: 18,
			model: []reply{{status: 429, after: "7"}, good}, spent: 18, status: conversationsmodel.AwaitingReply},
		"always broken": {says: "what salary do you pay", asked: 6, sent: "A person", model: []reply{{status: 503}},
			status: conversationsmodel.WithPerson, reason: "unreached"},
		"a wrong key": {says: "what salary do you pay", asked: 1, sent: "A person", model: []reply{{status: 401}},
			status: conversationsmodel.WithPerson, reason: "unreached"},
		"a question that is refused": {says: "what salary do you pay", asked: 1, sent: "A person",
			model: []reply{{status: 400}}, status: conversationsmodel.WithPerson, reason: "unreached"},
		"a conversation at its limit": {says: "what salary do you pay", of: limit(`{"conversation":{"tokens":500}}`),
			model: []reply{good}, sent: "A person", status: conversationsmodel.WithPerson, reason: "at_limit"},
		"a company at its day's limit": {says: "what salary do you pay", of: limit(`{"day":{"usd":0.00001}}`),
			model: []reply{good}, sent: "A person", status: conversationsmodel.WithPerson, reason: "at_limit"},
		"a tenant at the limit of its day": {says: "what salary do you pay", day: "0.00001", model: []reply{good},
			sent: "A person", status: conversationsmodel.WithPerson, reason: "at_limit"},
		"a company at its month's limit": {says: "what salary do you pay", of: limit(`{"month":{"usd":"0.0001"}}`),
			model: []reply{good}, sent: "A person", status: conversationsmodel.WithPerson, reason: "at_limit"},
		"a model that is allowed no more": {says: "what salary do you pay", model: []reply{good}, sent: "A person",
			of: setting{talk: func(c *conversationsmodel.Conversation) {
				c.AIConfig = model.Document(`{"assistant":"openai","model":"gpt-9"}`)
			}}, status: conversationsmodel.WithPerson, reason: "unreached"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, db := newService(t, c.model...), dynamotest.Start(t, together...)
			if c.books {
				c.of.hook = booking(s)
			}
			if c.hook != 0 {
				s.hooks = []reply{{status: c.hook}}
			}
			if c.day != "" {
				s.env = func(name string) string {
					if name == "MODEL_DAY_LIMIT" {
						return c.day
					}
					return s.getenv(name)
				}
			}
			key := says(t, db, c.says, c.of)
			for later := 2 * time.Minute; later < 40*time.Minute; later += 6 * time.Minute {
				s.wakes(t, db, later) // what has been answered is not asked again
			}
			sent, talk := heard(t, db, key)
			reason := ""
			if talk.HandOffReason != nil {
				reason = *talk.HandOffReason
			}
			last := talk.Messages[len(talk.Messages)-1]
			if !strings.Contains(sent, c.sent) || strings.Count(sent, "|") != 1 || talk.Status != c.status ||
				reason != c.reason || last.AITotalTokens != c.tokens {
				t.Errorf("sent %q, %s %q: %+v", sent, talk.Status, reason, last)
			}
			if len(s.questions()) != c.asked {
				t.Errorf("the model was asked %d times", len(s.questions()))
			}
			spent(t, db, c.spent)
			for _, event := range asks(t, db) {
				if event.Status != model.OutboxSent || strings.Contains(string(event.Payload), c.says) ||
					strings.Contains(event.LastError, c.says) {
					t.Errorf("%+v", event)
				}
			}
			if c.books && c.status == conversationsmodel.AwaitingReply && (len(s.called) != 1 || !talk.FunctionCall ||
				*talk.FunctionCallType != "book_visit" || string(s.called[0].Arguments) != `{"day":"monday"}`) {
				t.Errorf("called %+v: %+v", s.called, talk)
			}
		})
	}
}

// Nobody knows what a question has taken that got no answer. It counts with what it may have taken, also for the limit.
func TestAQuestionWithoutAnAnswerCountsWithWhatItMayHaveTaken(t *testing.T) {
	s, db := newService(t, reply{hangsUp: true}, answers("answer", salary, "pay")), dynamotest.Start(t, together...)
	key := says(t, db, "what salary do you pay", setting{})
	s.wakes(t, db, 2*time.Minute)
	first := taken(t, db)
	s.wakes(t, db, 9*time.Minute)
	if sent, _ := heard(t, db, key); first < 1000 || taken(t, db) != first+18 || !strings.Contains(sent, salary) {
		t.Errorf("sent %q; %d tokens count, and then %d", sent, first, taken(t, db))
	}
	db = dynamotest.Start(t, together...)
	s.answer(reply{hangsUp: true})
	key = says(t, db, "what salary do you pay", setting{config: fmt.Sprintf(`,"limits":{"conversation":{"tokens":%d}}`,
		2*first+1)})
	asked := len(s.questions())
	for later := 2 * time.Minute; later < 40*time.Minute; later += 6 * time.Minute {
		s.wakes(t, db, later)
	}
	if _, c := heard(t, db, key); len(s.questions()) != asked+2 || *c.HandOffReason != "at_limit" {
		t.Errorf("asked %d times, handed over: %s", len(s.questions())-asked, *c.HandOffReason)
	}
}

// What the model is asked has the list's words, the owner's instructions and the project's settings.
func TestWhatAModelIsAsked(t *testing.T) {
	s, db := newService(t, answers("answer", salary, "pay")), dynamotest.Start(t, together...)
	says(t, db, "what salary do you pay", setting{hook: booking(s)})
	s.wakes(t, db, 2*time.Minute)
	if len(s.questions()) != 1 {
		t.Fatalf("asked %d times", len(s.questions()))
	}
	var question struct {
		Model       string  `json:"model"`
		Temperature float64 `json:"temperature"`
		Most        int     `json:"max_output_tokens"`
		Store       bool    `json:"store"`
		Tools       []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(s.questions()[0]), &question); err != nil {
		t.Fatal(err)
	}
	var tools []string
	for _, tool := range question.Tools {
		tools = append(tools, tool.Name)
	}
	if question.Model != "gpt-4o-mini" || question.Temperature != 0.2 || question.Most != 300 || question.Store ||
		!slices.Equal(tools, []string{"answer", "khata_balance", "book_visit"}) {
		t.Errorf("%+v", question)
	}
	for _, part := range []string{"Be short.", "18,000", "what salary do you pay"} {
		if !strings.Contains(s.questions()[0], part) {
			t.Errorf("no %q in %s", part, s.questions()[0])
		}
	}
	for _, private := range []string{string(asha), aSecret, aKey} {
		if strings.Contains(s.questions()[0], private) {
			t.Errorf("the model is told %q", private)
		}
	}
}

// An answer is dropped if the person writes while the model is asked. It counts all the same, and the turn of the newer
// message is answered.
func TestAnAnswerThatIsOvertakenIsDropped(t *testing.T) {
	s, db := newService(t, answers("answer", salary, "pay")), dynamotest.Start(t, together...)
	key := says(t, db, "what salary do you pay", setting{})
	s.during = func() {
		s.during = nil
		c, err := registry.Conversations(roomsAt(db.Client)).Talks.Get(t.Context(), key)
		if err == nil {
			err = writes(t, db, &c, "wamid.later", "is the salary monthly", time.Second)
		}
		if err != nil {
			t.Error(err)
		}
	}
	s.wakes(t, db, 2*time.Minute)
	if sent, c := heard(t, db, key); sent != "" || c.Pending != "wamid.later" {
		t.Errorf("sent %q, pending %q", sent, c.Pending)
	}
	spent(t, db, 18)
	if err := begins(t.Context(), db.Client, 3*time.Minute); err != nil {
		t.Fatal(err)
	}
	s.wakes(t, db, 3*time.Minute)
	if sent, c := heard(t, db, key); strings.Count(sent, "|") != 1 || c.Pending != "" || len(s.questions()) != 2 {
		t.Errorf("sent %q, asked %d times", sent, len(s.questions()))
	}
	spent(t, db, 36)
}

// An answer to a text that the person changes while the model is asked is dropped, and the model is asked for the new
// one. Another change of the conversation drops nothing.
func TestAnAnswerToATextThatHasChangedIsDropped(t *testing.T) {
	for _, edited := range []bool{true, false} {
		s, db := newService(t, answers("answer", salary, "pay")), dynamotest.Start(t, together...)
		key := says(t, db, "what salary do you pay", setting{})
		s.during = func() {
			s.during = nil
			talks := registry.Conversations(roomsAt(db.Client)).Talks
			_, err := talks.Change(t.Context(), key, func(c *conversationsmodel.Conversation) (bool, error) {
				if edited {
					c.Messages[0].Content = "what salary do you pay a month"
				}
				return true, nil
			})
			if err != nil {
				t.Error(err)
			}
		}
		s.wakes(t, db, 2*time.Minute)
		s.wakes(t, db, 8*time.Minute)
		sent, _ := heard(t, db, key)
		want := map[bool]int{true: 2, false: 1}[edited]
		if strings.Count(sent, "|") != 1 || len(s.questions()) != want {
			t.Errorf("edited: %t, sent %q, asked %d times", edited, sent, len(s.questions()))
		}
		spent(t, db, int64(18*len(s.questions())))
	}
}

// An erasure waits while a model is asked. Then nothing of the person is left, and what the model has taken counts.
func TestAnErasureWaitsForAQuestion(t *testing.T) {
	s, db := newService(t, answers("answer", salary, "pay")), dynamotest.Start(t, together...)
	key := says(t, db, "what salary do you pay", setting{})
	erases := func() error {
		_, err := registry.Conversations(roomsAt(db.Client)).Part().Eraser.Erase(t.Context(), erasure.Subject{
			Tenant: "demo", Phone: phone, Accounts: []model.CustomerID{asha}, Identifiers: []model.CustomerID{asha},
		}, func(string, int) []dynamo.Write { return nil })
		return err
	}
	s.during = func() {
		s.during = nil
		if err := erases(); !errors.Is(err, outbox.ErrLeased) {
			t.Errorf("erased while a model is asked: %v", err)
		}
	}
	s.wakes(t, db, 2*time.Minute)
	if sent, _ := heard(t, db, key); !strings.Contains(sent, salary) {
		t.Errorf("sent %q", sent)
	}
	if err := erases(); err != nil {
		t.Fatal(err)
	}
	for _, item := range db.Items(t, tables.Conversations) {
		if dynamo.Text(item, "primary_channel") == key.Partition {
			t.Errorf("%v is left", item)
		}
	}
	if left := asks(t, db); len(left) > 0 {
		t.Errorf("%+v is left", left)
	}
	spent(t, db, 18)
}

// A company's server that fails is called again with the same id.
func TestAFunctionIsCalledWithOneIDInATurn(t *testing.T) {
	s, db := newService(t, reply{call: "book_visit", arguments: `{"day":"monday"}`},
		reply{call: "book_visit", arguments: `{"day":"monday"}`},
		answers("answer", "Booked for Monday.", "book_visit")), dynamotest.Start(t, together...)
	s.hooks = append([]reply{{status: 503}}, s.hooks...)
	key := says(t, db, "can I come on monday", setting{hook: booking(s)})
	s.wakes(t, db, 2*time.Minute)
	s.wakes(t, db, 9*time.Minute)
	sent, _ := heard(t, db, key)
	if len(s.called) != 2 || s.called[0].ID != s.called[1].ID || !strings.Contains(sent, "Booked") ||
		strings.Count(sent, "|") != 1 {
		t.Errorf("sent %q, called %+v", sent, s.called)
	}
}

// tried are the attributes of an event that say how often it was tried, and the counters: a question of a process that
// has died counts with what it may have taken.
var tried = []string{
	"retryCount", "lastError", "possibleDuplicate", "sentAt", "expiresAtEpochSeconds", "unordered", "failureCode",
	"failuresByClass", "tokens", "money",
}

func TestAQuestionSurvivesEveryCrashPoint(t *testing.T) {
	for name, c := range map[string]struct {
		says  string
		model []reply
		books bool
	}{
		"an answer":  {says: "what salary do you pay", model: []reply{answers("answer", salary, "pay")}},
		"no source":  {says: "what salary do you pay", model: []reply{answers("answer", "A lot.")}},
		"the limit":  {says: "what salary do you pay", model: []reply{answers("answer", "A lot.")}},
		"a function": {says: "can I come on monday", books: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, append(c.model, reply{})...)
			s.takes = 5 * time.Millisecond
			of, id := setting{}, ""
			if c.books {
				of.hook = booking(s)
			}
			if name == "the limit" {
				of.config = `,"limits":{"day":{"tokens":10}}`
			}
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: together, Ignore: tried,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					says(t, db, c.says, of)
					id = asks(t, db)[0].EventID
				},
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					s.says = c.model
					if c.books {
						s.says = []reply{{call: "book_visit", arguments: `{"day":"monday"}`},
							answers("answer", "Booked for Monday.", "book_visit")}
					}
					return woken(ctx, s.process(client, 2*time.Minute+time.Duration(run)*time.Hour), id)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}

// The slow lane queues a question once, wherever it dies.
func TestATurnThatAsksAModelSurvivesEveryCrashPoint(t *testing.T) {
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: together, Ignore: tried,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			key := says(t, db, "thanks", setting{}) // the owner's rules answer
			c, err := registry.Conversations(roomsAt(db.Client)).Talks.Get(t.Context(), key)
			if err == nil {
				err = writes(t, db, &c, "wamid.later", "what salary do you pay", time.Second)
			}
			if err != nil {
				t.Fatal(err)
			}
		},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			return begins(ctx, client, 2*time.Minute+time.Duration(run)*time.Hour)
		},
	})
}

func TestSampleEventsAskNothingThatIsGone(t *testing.T) {
	for name, sample := range dynamotest.Samples[json.RawMessage](t, "models", map[string]bool{"question": true}) {
		s, db := newService(t, answers("answer", salary, "pay")), dynamotest.Start(t, together...)
		if _, err := s.process(db.Client, 0).Handle(t.Context(), sample); err != nil || len(s.questions()) > 0 {
			t.Errorf("%s: %v, asked %d times", name, err, len(s.questions()))
		}
		if _, err := s.process(db.Client, 0).Handle(t.Context(), json.RawMessage(`{"Records":[]}`)); err != nil {
			t.Error(err)
		}
	}
}

// A question that hangs holds up no other conversation's, and neither the slow lane nor messages: they do not even run
// in the same function. The person who waits is answered when it ends.
func TestAQuestionThatHangsHoldsUpNobody(t *testing.T) {
	s, db := newService(t, answers("answer", salary, "pay")), dynamotest.Start(t, together...)
	hung := says(t, db, "what salary do you pay", setting{})
	first := asks(t, db)[0].EventID
	reached, goOn, ended := make(chan bool), make(chan bool), make(chan error, 1)
	s.during = func() {
		close(reached)
		<-goOn
	}
	go func() { ended <- woken(t.Context(), s.process(db.Client, 2*time.Minute), first) }()
	<-reached
	s.mu.Lock()
	s.during = nil
	s.mu.Unlock()
	other := says(t, db, "what salary do you pay", setting{person: "919876500000"})
	for _, event := range asks(t, db) {
		if err := woken(t.Context(), s.process(db.Client, 2*time.Minute), event.EventID); err != nil {
			t.Error(err)
		}
	}
	if _, c := heard(t, db, other); c.Pending != "" {
		t.Error("the other conversation waits")
	}
	if _, c := heard(t, db, hung); c.Pending == "" || len(s.questions()) != 2 {
		t.Errorf("it does not hang: asked %d times", len(s.questions()))
	}
	close(goOn)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if sent, c := heard(t, db, hung); c.Pending != "" || strings.Count(sent, "|") != 2 {
		t.Errorf("sent %q", sent)
	}
}

// A model of Bedrock is asked through Converse, with the function's own credentials.
func TestAModelOfBedrockAnswers(t *testing.T) {
	db, asked := dynamotest.Start(t, together...), ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Path + " " + r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/json")
		good := answers("answer", salary, "pay")
		_, _ = fmt.Fprintf(w, `{"stopReason":"tool_use","usage":{"inputTokens":11,"outputTokens":7,"totalTokens":18},`+
			`"metrics":{"latencyMs":3},"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1",`+
			`"name":"answer","input":%s}}]}}}`, good.arguments)
	}))
	t.Cleanup(server.Close)
	s := newService(t, reply{status: 500})
	env := s.env
	s.env = func(name string) string {
		if value := map[string]string{"MODELS": "bedrock:amazon.nova-lite-v1:0", "AWS_REGION": "ap-south-1",
			"AWS_ENDPOINT_URL_BEDROCK_RUNTIME": server.URL, "AWS_ACCESS_KEY_ID": "id",
			"AWS_SECRET_ACCESS_KEY": "secret"}[name]; value != "" {
			return value
		}
		return env(name)
	}
	key := says(t, db, "what salary do you pay", setting{talk: func(c *conversationsmodel.Conversation) {
		c.AIConfig = model.Document(`{"assistant":"bedrock","model":"amazon.nova-lite-v1:0","temperature":0.5}`)
	}})
	s.wakes(t, db, 2*time.Minute)
	if sent, c := heard(t, db, key); !strings.Contains(sent, salary) || c.Pending != "" ||
		!strings.HasPrefix(asked, "/model/amazon.nova-lite-v1:0/converse AWS4-HMAC-SHA256 Credential=id/") {
		t.Errorf("sent %q, asked %q", sent, asked)
	}
	spent(t, db, 18)
}
