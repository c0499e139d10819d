package prompt

import (
	"encoding/json"

	"github.com/haatline/haatline/shared/assistant"
)

// actions are what a model may decide by the tool to answer. To call something else is an action by itself.
var actions = []assistant.Action{assistant.Reply, assistant.Ask, assistant.Complete, assistant.HandOver}

// lookups say what may be looked up.
var lookups = map[assistant.Lookup]string{
	assistant.OrderState:   "Looks up the state of this person's last order.",
	assistant.KhataBalance: "Looks up what this person owes the store.",
	assistant.CardRequest:  "Looks up the state of this person's card request.",
}

// nothing is the schema of a tool without arguments.
const nothing = `{"type":"object","properties":{},"required":[],"additionalProperties":false}`

// tools returns what a model may call in a turn: what it has called already is not offered again.
func tools(turn assistant.Turn) []Tool {
	all := []Tool{{AnswerTool, "Answers the person, asks them for a slot, completes the task, or hands over to " +
		"a human.",
		answerSchema(turn), true}}
	called := map[string]bool{}
	for _, result := range turn.Results {
		called[result.Name] = true
	}
	for _, lookup := range turn.Lookups {
		if !called[string(lookup)] {
			all = append(all, Tool{string(lookup), lookups[lookup], json.RawMessage(nothing), true})
		}
	}
	for _, f := range turn.Functions {
		if !called[f.Name] {
			all = append(all, Tool{f.Name, f.Description, f.Parameters, false})
		}
	}
	return all
}

// schema is the part of JSON Schema that all services enforce.
type schema map[string]any

// answerSchema returns the schema of an answer. It names everything, because services enforce nothing else.
func answerSchema(turn assistant.Turn) json.RawMessage {
	values, names := schema{}, []string{}
	for _, slot := range turn.Slots {
		values[slot.Name] = schema{"type": []string{"string", "null"}}
		names = append(names, slot.Name)
	}
	text, _ := json.Marshal(schema{
		"type": "object", "additionalProperties": false,
		"required": []string{"action", "reply", "sources", "asks", "values"},
		"properties": schema{
			"action":  schema{"type": "string", "enum": actions},
			"reply":   schema{"type": "string", "description": "What the person reads; empty to hand over."},
			"sources": schema{"type": "array", "items": schema{"type": "string"}},
			"asks":    schema{"type": []string{"string", "null"}, "description": "The slot that the reply asks for."},
			"values": schema{
				"type": "object", "additionalProperties": false, "properties": values, "required": names},
		},
	})
	return text
}
