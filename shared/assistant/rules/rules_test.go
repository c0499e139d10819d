package rules_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/policy"
	"github.com/haatline/haatline/shared/assistant/rules"
	"github.com/haatline/haatline/shared/faq"
)

var list = []faq.Entry{
	{ID: "salary", Question: "What is the salary?", Answer: "₹18,000 a month.", Language: "en"},
	{ID: "salary", Question: "सैलरी कितनी है?", Answer: "₹18,000 महीना।", Language: "hi"},
	{ID: "leave", Question: "How many holidays are there?", Answer: "Two a month.", Language: "en"},
	{ID: "office", Question: "Where is the office?", Answer: "Near the bus stand.", Language: "en"},
}

// scripted is a conversation that remembers what a domain remembers.
type scripted struct {
	t     testing.TB
	index *faq.Index
	turn  assistant.Turn
	held  policy.Held
}

func script(t testing.TB) *scripted {
	index, err := faq.New(list)
	if err != nil {
		t.Fatal(err)
	}
	return &scripted{t, index, assistant.Turn{
		Business: "Haat Jobs", Country: "IN", Language: "en",
		Now:    time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC),
		Values: map[string]string{}, Lookups: []assistant.Lookup{assistant.OrderState, assistant.KhataBalance},
		Slots: []assistant.Slot{
			{Name: "born", Kind: assistant.Date, Question: map[string]string{"en": "When were you born?"}},
			{Name: "shift", Kind: assistant.Choice, Options: []string{"Day", "Night"},
				Question: map[string]string{"en": "Which shift?", "hi": "कौन सी शिफ़्ट?"}},
			{Name: "cv", Kind: assistant.File, Question: map[string]string{"en": "Please send your CV."}},
		},
	}, policy.Held{Next: rules.Assistant{}}}
}

// says plays a message and returns the answer.
func (s *scripted) says(text, file string) assistant.Answer {
	s.t.Helper()
	s.turn.Said = append(s.turn.Said, assistant.Said{Role: assistant.User, Text: text, File: file})
	s.turn.Found, s.turn.Results = nil, nil
	if found, any := s.index.Find(text, "en"); any {
		s.turn.Found = []faq.Found{found}
	}
	answer := s.asked()
	if answer.Action == assistant.CallTool {
		s.turn.Results = []assistant.Result{{Call: answer.Call, Text: "Result of " + answer.Call.Name + "."}}
		answer = s.asked()
	}
	for name, value := range answer.Values {
		s.turn.Values[name] = value
	}
	if s.turn.Times++; answer.Asks != s.turn.Asked {
		s.turn.Times = 1
	}
	s.turn.Asked, s.turn.Introduced = answer.Asks, true
	return answer
}

func (s *scripted) asked() assistant.Answer {
	answer, err := s.held.Answer(s.t.Context(), s.turn)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

// line is what a person says, and what comes of it.
type line struct {
	text, file string
	action     assistant.Action
	reply      string
}

func TestScriptedConversations(t *testing.T) {
	for name, lines := range map[string][]line{
		"an application": {
			{"yes", "", assistant.Ask, "When were you born?"},
			{"salary kitni hai?", "", assistant.Reply, "When were you born?"},
			{"long ago", "", assistant.Ask, "day/month/year"},
			{"12/3/1990", "", assistant.Ask, "Which shift?\n1. Day\n2. Night"},
			{"night please", "", assistant.Ask, "send your CV"},
			{"where is the office", "", assistant.Reply, "Near the bus stand."},
			{"", "file-1", assistant.Complete, "We have everything"},
			{"how many holidays", "", assistant.Reply, "Two a month."},
			{"who won the match", "", assistant.HandOver, ""},
		},
		"a lookup comes before the list": {
			{"where is my order", "", assistant.Reply, "Result of order_state."},
			{"mera kitna baaki hai", "", assistant.Reply, "Result of khata_balance."},
			{"cancel my order", "", assistant.Ask, "When were you born?"},
		},
		"a person who never tells": {
			{"ok", "", assistant.Ask, ""}, {"why", "", assistant.Ask, ""}, {"no idea", "", assistant.Ask, ""},
			{"no", "", assistant.HandOver, ""},
		},
		"a person is called": {
			{"hi", "", assistant.Ask, ""}, {"kisi insaan se baat karao", "", assistant.HandOver, ""},
		},
		"another's order is not looked up": {
			{"where is order ORD-20240115-AB12CD34 of Ravi at 9876543210 now please tell", "", assistant.HandOver, ""},
		},
		"something that nobody has written": {{"do you sell shoes", "", assistant.HandOver, ""}},
	} {
		s := script(t)
		for i, l := range lines {
			answer := s.says(l.text, l.file)
			if answer.Action != l.action || !strings.Contains(answer.Reply, l.reply) {
				t.Errorf("%s, line %d %q: %s %s %q", name, i+1, l.text, answer.Action, answer.Reason, answer.Reply)
			}
		}
	}
}

func TestTheWordsOfTheListAreSentAsTheyStand(t *testing.T) {
	s := script(t)
	s.turn.Slots = nil
	if answer := s.says("salary?", ""); !strings.HasSuffix(answer.Reply, "₹18,000 a month.") ||
		len(answer.Sources) != 1 || answer.Sources[0] != "salary" {
		t.Errorf("%+v", answer)
	}
}

func TestWhatIsNotAllowedIsNotLookedUp(t *testing.T) {
	s := script(t)
	s.turn.Slots, s.turn.Lookups = nil, nil
	if answer := s.says("where is my order", ""); answer.Action != assistant.HandOver {
		t.Errorf("%+v", answer)
	}
}

// The company's own words answer, with the id of the entry.
func ExampleAssistant() {
	index, _ := faq.New([]faq.Entry{{ID: "open", Question: "When are you open?", Answer: "From 9 to 6."}})
	found, _ := index.Find("when do you open", "en")
	answer, _ := rules.Assistant{}.Answer(context.Background(), assistant.Turn{
		Said:  []assistant.Said{{Role: assistant.User, Text: "when do you open"}},
		Found: []faq.Found{found},
	})
	fmt.Println(answer.Action, answer.Sources, answer.Reply)
	// Output: answer [open] From 9 to 6.
}
