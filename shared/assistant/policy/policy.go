// Package policy holds an assistant to its owner's rules. They run in code, before any model is asked: what always goes
// to a person, the hours, the languages. It says once that a machine answers, and it lets out only what the turn allows
// (assistant.Check).
package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/optout"
)

// Policy is what an owner says of an assistant.
type Policy struct {
	Topics    []string // words and phrases; a message with one goes to a person
	Languages []string // that the assistant writes, the usual one first
	Hours     []Hours  // when the assistant answers; none: always
	Zone      *time.Location
}

// Hours are times of days. A closing time that is not after the opening is on the next day.
type Hours struct {
	Days     []time.Weekday
	From, To string // 15:04
}

// Bounds of a policy.
const (
	MaxTopics = 200
	MaxTopic  = 100 // characters
	MaxHours  = 50
)

// ErrInvalid means that a policy cannot be used. The error says why.
var ErrInvalid = errors.New("the assistant's rules cannot be used")

// Check returns why a policy cannot be used. The error wraps ErrInvalid.
func (p Policy) Check() error {
	if len(p.Topics) > MaxTopics || len(p.Hours) > MaxHours {
		return fmt.Errorf("%w: %d topics and %d hours are the most", ErrInvalid, MaxTopics, MaxHours)
	}
	for i, topic := range p.Topics {
		if len(language.Words(topic)) == 0 || utf8.RuneCountInString(topic) > MaxTopic {
			return fmt.Errorf("%w: topic %d: one or more words of at most %d characters", ErrInvalid, i+1, MaxTopic)
		}
	}
	for i, hours := range p.Hours {
		for _, clock := range []string{hours.From, hours.To} {
			if _, err := time.Parse("15:04", clock); err != nil {
				return fmt.Errorf("%w: hours %d: from and to are times such as 09:30", ErrInvalid, i+1)
			}
		}
		if len(hours.Days) == 0 {
			return fmt.Errorf("%w: hours %d: they have no days", ErrInvalid, i+1)
		}
	}
	for _, lang := range p.Languages {
		if _, known := texts[lang]; !known {
			return fmt.Errorf("%w: the assistant writes en, hi and hi-Latn, and not %q", ErrInvalid, lang)
		}
	}
	return nil
}

// Held is an assistant that is held to a policy. It is an assistant itself.
type Held struct {
	Policy Policy
	Next   assistant.Assistant
}

// Answer answers a turn if the policy lets the assistant answer it. An error is that of the assistant.
func (h Held) Answer(ctx context.Context, turn assistant.Turn) (assistant.Answer, error) {
	if answer, decided := h.Policy.Decide(turn); decided {
		return answer, nil
	}
	turn.Language = h.Policy.Language(turn)
	given, err := h.Next.Answer(ctx, turn)
	if err != nil {
		return assistant.Answer{}, err
	}
	return introduced(turn, assistant.Check(turn, given)), nil
}

// Decide returns the answer that the rules give without the assistant. It reports false if they leave it to the
// assistant.
func (p Policy) Decide(turn assistant.Turn) (assistant.Answer, bool) {
	turn.Language = p.Language(turn)
	answer, decided := p.before(turn)
	return introduced(turn, answer), decided
}

// before returns the answer that the rules give without the assistant.
func (p Policy) before(turn assistant.Turn) (assistant.Answer, bool) {
	text := turn.Last().Text
	switch {
	case optout.Suggests(text): // what is certain is heard before a turn begins
		return assistant.HandsOver(assistant.Stops, assistant.Usage{}), true
	case WantsPerson(text):
		return assistant.HandsOver(assistant.Requested, assistant.Usage{}), true
	case p.touches(text):
		return assistant.HandsOver(assistant.Topic, assistant.Usage{}), true
	case !p.open(turn.Now):
		return assistant.HandsOver(assistant.Closed, assistant.Usage{}), true
	case foreign(text):
		return assistant.HandsOver(assistant.Foreign, assistant.Usage{}), true
	case asksForMachine(text):
		return assistant.Answer{
			Action: assistant.Reply, Reply: fmt.Sprintf(texts[turn.Language].machine, turn.Business), Introduces: true,
		}, true
	}
	return courtesy(turn)
}

// courtesy answers a message that only greets or thanks, unless something is still to be asked.
func courtesy(turn assistant.Turn) (assistant.Answer, bool) {
	said := language.Words(turn.Last().Text)
	polite := language.All(said, greetings, thanks, fillers)
	if _, missing := turn.Missing(nil); missing || !polite || turn.Last().File != "" {
		return assistant.Answer{}, false
	}
	reply := texts[turn.Language].greeting
	if thanks.Any(said) {
		reply = texts[turn.Language].welcome
	}
	return assistant.Answer{Action: assistant.Reply, Reply: reply}, true
}

// introduced returns an answer that says that a machine answers, unless the person knows.
func introduced(turn assistant.Turn, answer assistant.Answer) assistant.Answer {
	if turn.Introduced || answer.Introduces || answer.Reply == "" {
		return answer
	}
	answer.Reply = fmt.Sprintf(texts[turn.Language].introduction, turn.Business) + "\n\n" + answer.Reply
	answer.Introduces = true
	return answer
}

// Language returns the language to answer in: the one that the person writes, if the assistant writes it, else the one
// of the turn, else the usual one.
func (p Policy) Language(turn assistant.Turn) string {
	if told := language.Tell(turn.Last().Text); p.writes(told) {
		return told
	}
	if p.writes(turn.Language) {
		return turn.Language
	}
	if len(p.Languages) > 0 {
		return p.Languages[0]
	}
	return language.English
}

func (p Policy) writes(lang string) bool {
	_, known := texts[lang]
	return known && (len(p.Languages) == 0 || slices.Contains(p.Languages, lang))
}

// touches reports whether a text has one of the owner's words or phrases, in any form and spelling.
func (p Policy) touches(text string) bool {
	said := language.Words(text)
	return slices.ContainsFunc(p.Topics, func(topic string) bool { return has(said, language.Words(topic)) })
}

// open reports whether the assistant answers at a time.
func (p Policy) open(now time.Time) bool {
	if p.Zone != nil {
		now = now.In(p.Zone)
	}
	clock, today, yesterday := now.Format("15:04"), now.Weekday(), now.AddDate(0, 0, -1).Weekday()
	return len(p.Hours) == 0 || slices.ContainsFunc(p.Hours, func(h Hours) bool {
		if h.From < h.To {
			return slices.Contains(h.Days, today) && clock >= h.From && clock < h.To
		}
		return slices.Contains(h.Days, today) && clock >= h.From || slices.Contains(h.Days, yesterday) && clock < h.To
	})
}

// foreign reports whether most letters of a text are of a script that no rule and no list is written in.
func foreign(text string) bool {
	known, other := 0, 0
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r) || language.IsDevanagari(r):
			known++
		default:
			other++
		}
	}
	return other > known
}

// has reports whether some words stand one after the other in others.
func has(said, phrase []string) bool {
	for i := range said {
		if len(phrase) > 0 && i+len(phrase) <= len(said) && slices.Equal(said[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}
