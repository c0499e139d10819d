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
	{ID: "form", Question: "How do I get the joining form?", Answer: "At the gate.", Language: "en"},
	{ID: "form", Question: "जॉइनिंग फ़ॉर्म कैसे मिलेगा?", Answer: "गेट पर।", Language: "hi"},
	{ID: "form-late", Question: "What if the joining form is late?", Answer: "Call us.", Language: "en"},
}

// scripted is a conversation that remembers what a domain remembers.
type scripted struct {
	t     testing.TB
	index *faq.Index
	turn  assistant.Turn
	held  policy.Held
	// offered are the entries that the last answer has offered
	offered []string
}

func script(t testing.TB) *scripted {
	index, err := faq.New(list)
	if err != nil {
		t.Fatal(err)
	}
	return &scripted{t: t, index: index, held: policy.Held{Next: rules.Assistant{}}, turn: assistant.Turn{
		Business: "Haat Jobs", Country: "IN", Language: "en",
		Now:    time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC),
		Values: map[string]string{}, Lookups: []assistant.Lookup{assistant.OrderState, assistant.KhataBalance},
		Slots: []assistant.Slot{
			{Name: "born", Kind: assistant.Date, Question: map[string]string{"en": "When were you born?"}},
			{Name: "shift", Kind: assistant.Choice, Options: []string{"Day", "Night"},
				Question: map[string]string{"en": "Which shift?", "hi": "कौन सी शिफ़्ट?"}},
			{Name: "cv", Kind: assistant.File, Question: map[string]string{"en": "Please send your CV."}},
		},
	}}
}

// says plays a message and returns the answer.
func (s *scripted) says(text, file string) assistant.Answer {
	s.t.Helper()
	said := assistant.Said{Role: assistant.User, Text: text, File: file}
	if pick, tapped := strings.CutPrefix(text, "tap "); tapped {
		said.Text, said.Pick = "1", pick
	}
	s.turn.Said = append(s.turn.Said, said)
	lang := policy.Policy{}.Language(s.turn)
	s.turn.Found, s.turn.Results = s.index.Search(said.Text, lang, 3), nil
	if id, tapped := assistant.EntryOf(said.Pick); tapped {
		s.offered = []string{id}
	}
	s.turn.Offered = s.entries(s.offered, lang)
	answer := s.asked()
	s.offered = answer.Offers()
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

// entries returns the entries with some ids as a domain does.
func (s *scripted) entries(ids []string, lang string) (all []faq.Entry) {
	for _, id := range ids {
		entry, is := s.index.Entry(id, lang)
		if !is {
			entry.ID = id
		}
		all = append(all, entry)
	}
	return all
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

// What may be meant is asked, once, and the answer is understood however it is given.
func TestThePersonSaysWhichEntryIsMeant(t *testing.T) {
	const asks = "joining form status"
	const which, orNone = "Do you mean one of these?", "write 0"
	for answer, want := range map[string]line{
		"1": {"", "", assistant.Reply, "At the gate."}, "2": {"", "", assistant.Reply, "Call us."},
		"2.": {"", "", assistant.Reply, "Call us."}, "1️⃣": {"", "", assistant.Reply, "At the gate."},
		"२": {"", "", assistant.Reply, "Call us."}, "option 2 please": {"", "", assistant.Reply, "Call us."},
		"no. 1": {"", "", assistant.Reply, "At the gate."}, "the second one": {"", "", assistant.Reply, "Call us."},
		"dusra wala": {"", "", assistant.Reply, "Call us."}, "पहला": {"", "", assistant.Reply, "गेट पर।"},
		"tap entry:form-late": {"", "", assistant.Reply, "Call us."},
		"tap entry:office":    {"", "", assistant.Reply, "Near the bus stand."}, // of an older question
		"if it is late":       {"", "", assistant.Reply, "Call us."},
		"what is the salary?": {"", "", assistant.Reply, "₹18,000"},
		"where is my order":   {"", "", assistant.Reply, "Result of order_state."},

		"0": {"", "", assistant.HandOver, ""}, "none": {"", "", assistant.HandOver, ""},
		"kuch aur": {"", "", assistant.HandOver, ""}, "इनमें से कोई नहीं": {"", "", assistant.HandOver, ""},
		"no": {"", "", assistant.HandOver, ""}, "tap none": {"", "", assistant.HandOver, ""},
		"tap entry:gone": {"", "", assistant.HandOver, ""}, "3": {"", "", assistant.HandOver, ""},
		"1 or 2": {"", "", assistant.HandOver, ""}, "1 2": {"", "", assistant.HandOver, ""},
		"not 2": {"", "", assistant.HandOver, ""}, "yes": {"", "", assistant.HandOver, ""},
		"2 days ago": {"", "", assistant.HandOver, ""}, "joining form status": {"", "", assistant.HandOver, ""},
		"agent please": {"", "", assistant.HandOver, ""}, "my uncle has horses": {"", "", assistant.HandOver, ""},
	} {
		s := script(t)
		s.turn.Slots = nil
		asked := s.says(asks, "")
		if asked.Action != assistant.Offer || !strings.Contains(asked.Reply, which) ||
			!strings.Contains(asked.Reply, "\n1. How do I get the joining form?\n2. What if the") ||
			!strings.Contains(asked.Reply, orNone) || len(asked.Offers()) != 2 {
			t.Fatalf("%s %q", asked.Action, asked.Reply)
		}
		if have := s.says(answer, ""); have.Action != want.action || !strings.Contains(have.Reply, want.reply) ||
			have.Action == assistant.HandOver && len(have.Buttons) > 0 {
			t.Errorf("%q: %s %s %q", answer, have.Action, have.Reason, have.Reply)
		}
	}
}

// A number that was not asked for is none of an entry.
func TestANumberThatWasNotAskedForPicksNothing(t *testing.T) {
	s := script(t)
	s.turn.Slots = nil
	s.says("joining form status", "")
	s.says("what is the salary?", "")
	if answer := s.says("2", ""); answer.Action != assistant.HandOver {
		t.Errorf("%+v", answer)
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
