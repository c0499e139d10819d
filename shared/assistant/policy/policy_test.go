package policy

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/faq"
)

// never is an assistant that must not be asked.
type never struct{ t *testing.T }

func (n never) Answer(context.Context, assistant.Turn) (assistant.Answer, error) {
	n.t.Error("the assistant was asked")
	return assistant.Answer{}, nil
}

// answering always gives one answer.
type answering assistant.Answer

func (a answering) Answer(context.Context, assistant.Turn) (assistant.Answer, error) {
	return assistant.Answer(a), nil
}

var monday = time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)

func turn(text string) assistant.Turn {
	return assistant.Turn{
		Business: "Haat Kirana", Language: "en", Now: monday,
		Said: []assistant.Said{{Role: assistant.User, Text: text}},
		Found: []faq.Found{
			{Entry: faq.Entry{ID: "hours", Question: "When?", Answer: "From 9 to 6."}, Score: 1, Sure: true}},
	}
}

func TestAPersonIsCalledInEveryLanguage(t *testing.T) {
	for text, want := range map[string]bool{
		"i want to talk to a human": true, "agent": true, "Human please!": true, "connect me to your manager": true,
		"can someone call me": true, "please call me back": true, "i don't want to talk to a bot": true,
		"I don't understand, connect me to an agent": true, "let me speak to somebody": true,
		"kisi insaan se baat karni hai": true, "agent se baat karao": true, "mujhe manager chahiye": true,
		"mujhe call karo": true, "customer care se baat karni hai": true, "samajh nahi aaya agent se baat karao": true,
		"इंसान से बात करनी है": true, "मुझे किसी से बात करनी है": true, "एजेंट चाहिए": true, "मुझे कॉल कीजिए": true,
		"machine se baat nahi karni": true, "agent ne jawab nahi diya, manager se baat karao": true,

		"customer care number please": false, "what is the agent commission?": false, "2 kg rice": false,
		"I don't need an agent": false, "agent nahi chahiye": false, "washing machine is not working": false,
		"which doctor do you have": false, "kya aap washing machine repair karte ho": false, "": false,
		"doctor se video pe baat ho sakti hai": false, "human resources job available?": false,
	} {
		if have := WantsPerson(text); have != want {
			t.Errorf("%q: %t", text, have)
		}
	}
}

func TestTheOwnersRulesRunBeforeAnyAssistant(t *testing.T) {
	open := Policy{
		Topics: []string{"legal notice", "fraud", "शिकायत"}, Languages: []string{"en", "hi"},
		Hours: []Hours{{Days: []time.Weekday{time.Monday}, From: "09:00", To: "18:00"},
			{Days: []time.Weekday{time.Sunday}, From: "22:00", To: "02:00"}},
		Zone: time.UTC,
	}
	for name, c := range map[string]struct {
		text string
		at   time.Time
		want assistant.Reason
	}{
		"a topic":                  {"I will send a Legal  Notices to you", monday, assistant.Topic},
		"a topic in Hindi":         {"मुझे शिकायत करनी है", monday, assistant.Topic},
		"a topic in Latin letters": {"mujhe shikayat karni hai", monday, assistant.Topic},
		"no more messages":         {"mujhe message mat karo", monday, assistant.Stops},
		"perhaps no more messages": {"how do i stop these messages", monday.Add(8 * time.Hour), assistant.Stops},
		"a person":                 {"talk to an agent", monday, assistant.Requested},
		"a person out of hours":    {"talk to an agent", monday.Add(12 * time.Hour), assistant.Requested},
		"out of hours":             {"when are you open", monday.Add(8 * time.Hour), assistant.Closed},
		"past midnight":            {"when are you open", monday.Add(-8 * time.Hour), assistant.Closed},
		"another script":           {"உங்கள் கடை எப்போது திறக்கும்", monday, assistant.Foreign},
	} {
		asked := turn(c.text)
		asked.Now = c.at
		answer, err := Held{open, never{t}}.Answer(t.Context(), asked)
		if err != nil || answer.Action != assistant.HandOver || answer.Reason != c.want {
			t.Errorf("%s: %+v %v", name, answer, err)
		}
	}
	asked := turn("when are you open")
	asked.Now = monday.Add(-9 * time.Hour) // 01:00, by Sunday's hours
	if answer, _ := (Held{open, answering{Action: assistant.Reply, Reply: "From 9 to 6.", Sources: []string{
		"hours"}}}).Answer(t.Context(), asked); answer.Action != assistant.Reply {
		t.Errorf("within Sunday's hours: %+v", answer)
	}
}

func TestItSaysOnceThatItIsAMachine(t *testing.T) {
	held := Held{Policy{}, answering{Action: assistant.Reply, Reply: "From 9 to 6.", Sources: []string{"hours"}}}
	first, _ := held.Answer(t.Context(), turn("when are you open"))
	if !first.Introduces || !strings.HasPrefix(first.Reply, "I am the automatic assistant of Haat Kirana.") {
		t.Errorf("first: %+v", first)
	}
	asked := turn("kab khulta hai")
	asked.Introduced = true
	if next, _ := held.Answer(t.Context(), asked); next.Introduces || next.Reply != "From 9 to 6." {
		t.Errorf("next: %+v", next)
	}
	for _, text := range []string{"are you a bot?", "Am I talking to a machine", "aap insaan ho ya machine",
		"आप मशीन हैं?"} {
		answer, _ := Held{Policy{}, never{t}}.Answer(t.Context(), turn(text))
		if !answer.Introduces || answer.Action != assistant.Reply {
			t.Errorf("%q: %+v", text, answer)
		}
	}
}

func TestAGreetingIsAnsweredWithoutTheAssistant(t *testing.T) {
	for text, want := range map[string]string{
		"hello": "How can I help", "good morning sir": "How can I help", "ok thanks": "welcome", "धन्यवाद": "स्वागत",
		"namaste ji": "madad",
	} {
		answer, _ := Held{Policy{}, never{t}}.Answer(t.Context(), turn(text))
		if answer.Action != assistant.Reply || !strings.Contains(answer.Reply, want) {
			t.Errorf("%q: %+v", text, answer)
		}
	}
	asked := turn("ok")
	asked.Slots = []assistant.Slot{{Name: "name", Kind: assistant.Text}}
	next := answering{Action: assistant.Ask, Reply: "What is your name?", Asks: "name"}
	if answer, _ := (Held{Policy{}, next}).Answer(t.Context(), asked); answer.Asks != "name" {
		t.Errorf("something is still to be asked: %+v", answer)
	}
}

func TestTheLanguageIsThePersonsIfTheAssistantWritesIt(t *testing.T) {
	for _, c := range []struct{ text, was, want string }{
		{"when are you open", "hi", "en"}, {"कब खुलता है", "en", "hi"}, {"dukan kab khulti hai", "en", "en"},
		{"9876543210", "hi", "hi"}, {"", "", "en"},
	} {
		asked := turn(c.text)
		asked.Language = c.was
		if have := (Policy{Languages: []string{"en", "hi"}}).Language(asked); have != c.want {
			t.Errorf("%q after %q: %q, want %q", c.text, c.was, have, c.want)
		}
	}
}

func TestARuleThatCannotBeUsedIsNamed(t *testing.T) {
	for name, p := range map[string]Policy{
		"a topic without words": {Topics: []string{"?!"}},
		"too many topics":       {Topics: make([]string, MaxTopics+1)},
		"no time":               {Hours: []Hours{{Days: []time.Weekday{1}, From: "9", To: "18:00"}}},
		"no day":                {Hours: []Hours{{From: "09:00", To: "18:00"}}},
		"a language":            {Languages: []string{"ta"}},
	} {
		if err := p.Check(); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
