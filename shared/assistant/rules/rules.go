// Package rules answers without a model, a network or a key: with the words of the company's list, with what may be
// looked up, and with the questions of the project. What it is not sure of goes to a person.
package rules

import (
	"context"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/language"
)

// Assistant answers by rules. Its zero value is ready.
type Assistant struct{}

// mostAsked is how often the same is asked before a person takes over.
const mostAsked = 3

// Answer answers a turn. It never fails.
func (Assistant) Answer(_ context.Context, turn assistant.Turn) (assistant.Answer, error) {
	if n := len(turn.Results); n > 0 {
		return goesOn(turn, turn.Results[n-1].Text, turn.Results[n-1].Name), nil
	}
	if answer, is := picks(turn); is {
		return answer, nil
	}
	values := told(turn)
	slot, missing := turn.Missing(values)
	switch {
	case len(values) > 0 && missing:
		return asks(turn, slot, values, ""), nil
	case len(values) > 0:
		return assistant.Answer{Action: assistant.Complete, Reply: in(turn.Language).complete, Values: values}, nil
	}
	if lookup, asked := lookupFor(turn); asked {
		return assistant.Answer{Action: assistant.CallTool, Call: assistant.Call{Name: string(lookup)}}, nil
	}
	if len(turn.Found) > 0 && turn.Found[0].Sure {
		return goesOn(turn, turn.Found[0].Answer, turn.Found[0].ID), nil
	}
	if answer, is := offers(turn); is {
		return answer, nil
	}
	switch {
	case !missing, turn.Times >= mostAsked:
		return assistant.HandsOver(assistant.Unsure, assistant.Usage{}), nil
	case turn.Asked == slot.Name && !agrees(turn.Last().Text):
		return asks(turn, slot, nil, in(turn.Language).again[slot.Kind]), nil
	case turn.Asked == "" && !agrees(turn.Last().Text):
		return assistant.HandsOver(assistant.Unsure, assistant.Usage{}), nil
	}
	return asks(turn, slot, nil, ""), nil
}

// goesOn replies with the words of a source, and repeats what was asked before the person asked.
func goesOn(turn assistant.Turn, text, source string) assistant.Answer {
	answer := assistant.Answer{Action: assistant.Reply, Reply: text, Sources: []string{source}}
	if slot, missing := turn.Missing(nil); missing && turn.Times < mostAsked {
		answer.Reply, answer.Asks = text+"\n\n"+question(turn, slot), slot.Name
	}
	return answer
}

// asks asks for a slot, after a hint if there is one.
func asks(turn assistant.Turn, slot assistant.Slot, values map[string]string, hint string) assistant.Answer {
	reply := strings.TrimSpace(hint + "\n" + question(turn, slot))
	return assistant.Answer{Action: assistant.Ask, Reply: reply, Asks: slot.Name, Values: values}
}

// question returns the project's question for a slot with its options, a row each.
func question(turn assistant.Turn, slot assistant.Slot) string {
	text := slot.Question[turn.Language]
	for _, lang := range []string{language.Latin, language.Hindi, language.English} {
		if text == "" {
			text = slot.Question[lang]
		}
	}
	if text == "" {
		text = fmt.Sprintf(in(turn.Language).ask, slot.Name)
	}
	for i, option := range slot.Options {
		text += fmt.Sprintf("\n%d. %s", i+1, option)
	}
	return text
}

// told returns what the person has told in answer to the last question, or by sending a file that is wanted.
func told(turn assistant.Turn) map[string]string {
	last := turn.Last()
	for _, slot := range turn.Slots {
		_, known := turn.Values[slot.Name]
		answers := slot.Name == turn.Asked && !(slot.Kind == assistant.Text && (isQuestion(turn) || agrees(last.Text)))
		if known || !answers && (slot.Kind != assistant.File || last.File == "") {
			continue
		}
		if value, err := slot.Read(last, turn); err == nil {
			return map[string]string{slot.Name: value}
		}
	}
	return nil
}

// isQuestion reports whether the person asks back instead of telling what was asked.
func isQuestion(turn assistant.Turn) bool {
	text := turn.Last().Text
	_, looksUp := lookupFor(turn)
	sure := len(turn.Found) > 0 && turn.Found[0].Sure
	return looksUp || strings.Contains(text, "?") || sure && asking.Any(language.Words(text))
}

// agrees reports whether a message only says yes, or greets.
func agrees(text string) bool {
	said := language.Words(text)
	return len(said) == 0 || language.All(said, agreeing)
}
