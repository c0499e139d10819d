package assistant_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/faq"
)

// wanted is a turn that allows a bit of everything.
func wanted() assistant.Turn {
	return assistant.Turn{
		Business:     "Haat Jobs",
		Instructions: "Be kind and never speak of the strike of last May. Write to jobs@haat.example.",
		Now:          now, Country: "IN",
		Said: []assistant.Said{{Role: assistant.User, Text: "how much is the salary, and where do I apply?"}},
		Slots: []assistant.Slot{
			{Name: "name", Kind: assistant.Text, Question: map[string]string{"en": "What is your name?"}},
			{Name: "age", Kind: assistant.Number, Optional: true},
			{Name: "shift", Kind: assistant.Choice, Options: []string{"Day", "Night"}},
		},
		Found: []faq.Found{{Entry: faq.Entry{
			ID: "salary", Question: "What is the salary?", Answer: "₹18,000 a month. See https://haat.example/pay."}}},
		Lookups: []assistant.Lookup{assistant.OrderState},
		Functions: []assistant.Function{{Name: "book", Check: func(arguments json.RawMessage) error {
			if string(arguments) == `{"day":1}` {
				return nil
			}
			return errors.New("no day")
		}}},
	}
}

func TestAnAnswerIsHeldToItsTurn(t *testing.T) {
	says := func(reply string, sources ...string) assistant.Answer {
		return assistant.Answer{Action: assistant.Reply, Reply: reply, Sources: sources}
	}
	calls := func(name, arguments string) assistant.Answer {
		return assistant.Answer{Action: assistant.CallTool,
			Call: assistant.Call{Name: name, Arguments: json.RawMessage(arguments)}}
	}
	done := map[string]string{"name": "Asha", "shift": "night"}
	for name, c := range map[string]struct {
		answer assistant.Answer
		want   assistant.Reason
	}{
		"a reply with its source":    {says("₹18000 a month: https://haat.example/pay", "salary"), ""},
		"the owner's own address":    {says("Write to jobs@haat.example", "salary"), ""},
		"a reply without a source":   {says("We pay well."), assistant.Ungrounded},
		"a source that is not there": {says("We pay well.", "bonus"), assistant.Ungrounded},
		"the same figure":            {says("₹18,000.00 a month, from 00:00", "salary"), ""},
		"another figure":             {says("₹28,000 a month", "salary"), assistant.Ungrounded},
		"a figure in Hindi":          {says("महीने के ₹२८,०००", "salary"), assistant.Ungrounded},
		"another link":               {says("See https://evil.example/pay", "salary"), assistant.Ungrounded},
		"another host":               {says("See evil.example for more", "salary"), assistant.Ungrounded},
		"another address":            {says("Write to me@evil.example", "salary"), assistant.Ungrounded},
		"a promise":                  {says("You get it free.", "salary"), assistant.Ungrounded},
		"a promise in Hindi":         {says("आपको रिफंड मिलेगा।", "salary"), assistant.Ungrounded},
		"what the owner has told it": {
			says("I am told: be kind and never speak of the strike of last May", "salary"), assistant.Ungrounded},
		"no words":              {says(" ", "salary"), assistant.Unreadable},
		"too many words":        {says(strings.Repeat("x", assistant.MaxReply+1), "salary"), assistant.Unreadable},
		"no action":             {assistant.Answer{Reply: "Hello"}, assistant.Unreadable},
		"a question for a slot": {assistant.Answer{Action: assistant.Ask, Reply: "Your name?", Asks: "name"}, ""},
		"a question for nothing": {
			assistant.Answer{Action: assistant.Ask, Reply: "Your card's PIN?", Asks: "pin"}, assistant.Ungrounded},
		"a list of options": {
			assistant.Answer{Action: assistant.Ask, Reply: "Which?\n1. Day\n2. Night", Asks: "shift"}, ""},
		"a lookup":                {calls("order_state", ""), ""},
		"a lookup of an id":       {calls("order_state", `{"id":"ORD-7"}`), assistant.NotAllowed},
		"a lookup not allowed":    {calls("khata_balance", ""), assistant.NotAllowed},
		"a function":              {calls("book", `{"day":1}`), ""},
		"arguments not as agreed": {calls("book", `{"day":"x"}`), assistant.NotAllowed},
		"an unknown function":     {calls("refund", `{}`), assistant.NotAllowed},
		"done":                    {assistant.Answer{Action: assistant.Complete, Reply: "Thanks.", Values: done}, ""},
		"done too early": {
			assistant.Answer{Action: assistant.Complete, Reply: "Thank you."}, assistant.NotAllowed},
		"handed over": {assistant.HandsOver(assistant.Refused, assistant.Usage{}), assistant.Refused},
	} {
		c.answer.Usage = assistant.Usage{PromptTokens: 7}
		checked := assistant.Check(wanted(), c.answer)
		if (checked.Action == assistant.HandOver) != (c.want != "") || checked.Reason != c.want {
			t.Errorf("%s: %s %s, want %q", name, checked.Action, checked.Reason, c.want)
		}
		if checked.Usage.PromptTokens != 7 {
			t.Errorf("%s: the usage is lost", name)
		}
	}
}

func TestACallIsMadeOnceInATurn(t *testing.T) {
	turn := wanted()
	turn.Results = []assistant.Result{{Call: assistant.Call{Name: "order_state"}, Text: "Your order is ready."}}
	again := assistant.Answer{Action: assistant.CallTool, Call: assistant.Call{Name: "order_state"}}
	if checked := assistant.Check(turn, again); checked.Reason != assistant.NotAllowed {
		t.Errorf("again: %+v", checked)
	}
	says := assistant.Answer{Action: assistant.Reply, Reply: "It is ready.", Sources: []string{"order_state"}}
	if checked := assistant.Check(turn, says); checked.Action != assistant.Reply {
		t.Errorf("a result is a source: %+v", checked)
	}
}

func TestOnlyValuesOfWantedSlotsStay(t *testing.T) {
	given := assistant.Answer{Action: assistant.Ask, Reply: "Your name?", Asks: "name",
		Values: map[string]string{"age": "twenty", "shift": "NIGHT", "admin": "true"}}
	want := map[string]string{"shift": "Night"}
	if diff := cmp.Diff(want, assistant.Check(wanted(), given).Values); diff != "" {
		t.Error(diff)
	}
}

func TestAWaitIsSecondsOrATime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"7": 7 * time.Second, "": 0, "-3": 0, "soon": 0, "999999": time.Hour,
		now.Add(time.Minute).Format(http.TimeFormat): time.Minute, now.Add(-time.Minute).Format(http.TimeFormat): 0,
		now.Add(24 * time.Hour).Format(http.TimeFormat): time.Hour,
	} {
		if have := assistant.Wait(text, now); have != want {
			t.Errorf("%q: %s, want %s", text, have, want)
		}
	}
}
