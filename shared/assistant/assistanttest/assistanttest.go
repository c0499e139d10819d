// Package assistanttest holds what every model's client has to do, whichever service it asks. The client's tests bring
// a stand-in that says at the wire what a case says.
package assistanttest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/faq"
)

// Secret is the key of the stand-ins. Personal is what the person has written. Neither is ever in an error.
const (
	Secret   = "sk-very-secret"
	Personal = "my number is 9876543210"
)

// Case is what a service says, and what a client has to make of it.
type Case struct {
	Name string

	Calls      []assistant.Call // the calls of the model
	Text       string           // what the model says beside them
	Refuses    bool             // the model refuses to answer
	Filtered   bool             // the service has filtered the answer
	Truncated  bool             // the answer ends early
	Raw        string           // the body, instead of all these
	Status     int              // of HTTP; 0 for 200
	Code       string           // the service's name of the error
	RetryAfter string
	Breaks     bool // the connection breaks

	Action  assistant.Action // of the answer; "" for a failure
	Meaning assistant.Meaning
	Reason  assistant.Reason
	After   time.Duration
}

func call(name, arguments string) []assistant.Call {
	return []assistant.Call{{Name: name, Arguments: json.RawMessage(arguments)}}
}

// Good is how a model answers.
const Good = `{"action":"answer","reply":"From 9 to 6.","sources":["hours"],"asks":null,"values":{"name":null}}`

// tooLong is more than a client reads.
var tooLong = strings.Repeat("x", 3<<20)

// cases are what the services of models do.
var cases = []Case{
	{Name: "an answer", Calls: call("answer", Good), Action: assistant.Reply},
	{Name: "a lookup", Calls: call("order_state", ""), Action: assistant.CallTool},
	{Name: "a function", Calls: call("book", `{"day":1}`), Action: assistant.CallTool},
	{Name: "a hand-over", Action: assistant.HandOver, Reason: assistant.Unsure, Calls: call("answer",
		`{"action":"hand_over","reply":"","sources":[],"asks":null,"values":{}}`)},
	{Name: "a question", Action: assistant.Ask, Calls: call("answer",
		`{"action":"ask","reply":"Your name?","sources":[],"asks":"name","values":{}}`)},
	{Name: "a text decides nothing", Text: `{"action":"complete"} I complete the task.`,
		Meaning: assistant.ToPerson, Reason: assistant.Unreadable},
	{Name: "a text beside an answer", Text: "Let me see.", Calls: call("answer", Good), Action: assistant.Reply},
	{Name: "two calls", Calls: append(call("answer", Good), call("order_state", "{}")...),
		Meaning: assistant.ToPerson, Reason: assistant.Unreadable},
	{Name: "an unknown action", Calls: call("answer", strings.Replace(Good, `"answer"`, `"pay"`, 1)),
		Meaning: assistant.ToPerson, Reason: assistant.Unreadable},
	{Name: "a field that nobody knows", Calls: call("answer", `{"action":"answer","admin":true}`),
		Meaning: assistant.ToPerson, Reason: assistant.Unreadable},
	{Name: "arguments that are a list", Calls: call("answer", `[]`),
		Meaning: assistant.ToPerson, Reason: assistant.Unreadable},
	{Name: "nothing", Meaning: assistant.ToPerson, Reason: assistant.Unreadable},
	{Name: "a refusal", Refuses: true, Meaning: assistant.ToPerson, Reason: assistant.Refused},
	{Name: "a filtered answer", Filtered: true, Meaning: assistant.ToPerson, Reason: assistant.Refused},
	{Name: "a truncated answer", Truncated: true, Calls: call("answer", Good), Meaning: assistant.ToPerson,
		Reason: assistant.Unreadable},
	{Name: "too many requests", Status: 429, Code: "rate_limit_exceeded", RetryAfter: "7",
		Meaning: assistant.Later, After: 7 * time.Second},
	{Name: "a wait of a week", Status: 429, RetryAfter: "604800", Meaning: assistant.Later, After: time.Hour},
	{Name: "too many requests without a time", Status: 429, Meaning: assistant.Later},
	{Name: "a broken service", Status: 503, Meaning: assistant.Later},
	{Name: "a broken connection", Breaks: true, Meaning: assistant.Later},
	{Name: "a wrong key", Status: 403, Meaning: assistant.Never},
	{Name: "no such model", Status: 404, Meaning: assistant.Never},
	{Name: "a question that is refused", Status: 400, Meaning: assistant.ToPerson, Reason: assistant.Unreached},
}

// Turn is the turn of all cases.
func Turn() assistant.Turn {
	return assistant.Turn{
		Business: "Haat", Language: "en", Now: time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC), Person: "Asha",
		Said:    []assistant.Said{{Role: assistant.Clerk, Text: "Hello!"}, {Role: assistant.User, Text: Personal}},
		Slots:   []assistant.Slot{{Name: "name", Kind: assistant.Text}},
		Found:   []faq.Found{{Entry: faq.Entry{ID: "hours", Question: "When?", Answer: "From 9 to 6."}}},
		Lookups: []assistant.Lookup{assistant.OrderState, assistant.KhataBalance},
		Functions: []assistant.Function{{Name: "book", Description: "Books a day.", Parameters: json.RawMessage(
			`{"type":"object","properties":{"day":{"type":"integer"}}}`)}},
		Results: []assistant.Result{{Call: assistant.Call{Name: "khata_balance"}, Text: "You owe ₹500."}},
	}
}

// Conform plays all cases. ask returns the client of a stand-in that says what the case says, and counts its tokens as
// 11 of the prompt and 7 of the answer.
func Conform(t *testing.T, ask func(*testing.T, Case) assistant.Assistant) {
	t.Helper()
	for _, c := range append(cases,
		Case{Name: "no JSON", Raw: "<html>", Meaning: assistant.ToPerson, Reason: assistant.Unreadable},
		Case{Name: "an endless answer", Raw: `{"x":"` + tooLong + `"}`, Meaning: assistant.ToPerson,
			Reason: assistant.Unreadable}) {
		t.Run(c.Name, func(t *testing.T) { check(t, c, ask(t, c)) })
	}
	t.Run("nobody waits for ever", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := ask(t, Case{Calls: call("answer", Good)}).Answer(ctx, Turn())
		var failed *assistant.Failure
		if !errors.As(err, &failed) || failed.Meaning != assistant.Later {
			t.Errorf("%v", err)
		}
	})
}

func check(t *testing.T, c Case, client assistant.Assistant) {
	answer, err := client.Answer(t.Context(), Turn())
	if c.Action != "" {
		if err != nil || answer.Action != c.Action || answer.Reason != c.Reason || answer.Usage.PromptTokens != 11 ||
			answer.Usage.CompletionTokens != 7 || answer.Usage.Took <= 0 {
			t.Errorf("%+v %v", answer, err)
		}
		return
	}
	var failed *assistant.Failure
	if !errors.As(err, &failed) || failed.Meaning != c.Meaning || failed.Reason != c.Reason || failed.After != c.After {
		t.Errorf("%+v %+v", answer, err)
	}
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		if text := cause.Error(); strings.Contains(text, Secret) || strings.Contains(text, "9876543210") {
			t.Errorf("the error holds what it must not: %s", text)
		}
	}
}
