package openai

import (
	"encoding/json"
	"fmt"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/prompt"
)

// request is a question of the Responses API.
type request struct {
	Model        string   `json:"model"`
	Instructions string   `json:"instructions"`
	Input        []item   `json:"input"`
	Tools        []tool   `json:"tools"`
	ToolChoice   string   `json:"tool_choice"`
	Parallel     bool     `json:"parallel_tool_calls"`
	Store        bool     `json:"store"` // the service keeps nothing of the conversation
	Temperature  *float64 `json:"temperature,omitempty"`
	MaxTokens    int      `json:"max_output_tokens,omitempty"`
}

// item is a message, a call that the model has made, or its result.
type item struct {
	Type      string `json:"type"`
	Role      string `json:"role,omitempty"`
	Content   string `json:"content,omitempty"`
	CallID    string `json:"call_id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Output    string `json:"output,omitempty"`
}

type tool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"`
}

func (c *Client) request(p prompt.Prompt) request {
	r := request{
		Model: c.Model, Instructions: p.System, ToolChoice: "required", Temperature: c.Temperature,
		MaxTokens: c.MaxTokens,
	}
	for _, m := range p.Messages {
		r.Input = append(r.Input, item{Type: "message", Role: string(m.Role), Content: m.Text})
	}
	for i, result := range p.Results {
		id, arguments := fmt.Sprintf("call_%d", i+1), string(result.Arguments)
		if arguments == "" {
			arguments = "{}"
		}
		r.Input = append(r.Input,
			item{Type: "function_call", CallID: id, Name: result.Name, Arguments: arguments},
			item{Type: "function_call_output", CallID: id, Output: result.Text})
	}
	for _, t := range p.Tools {
		r.Tools = append(r.Tools, tool{"function", t.Name, t.Description, t.Parameters, t.Strict})
	}
	return r
}

// response is an answer of the Responses API.
type response struct {
	Status string `json:"status"`
	Error  *struct {
		Code string `json:"code"`
	} `json:"error"`
	Incomplete *struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Output []struct {
		Type      string `json:"type"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
		Content   []struct {
			Type string `json:"type"`
		} `json:"content"`
	} `json:"output"`
	Usage struct {
		Input  int64 `json:"input_tokens"`
		Output int64 `json:"output_tokens"`
	} `json:"usage"`
}

// read returns the decision in an answer of the service. Exactly one call decides; a text does not.
func read(body []byte, used assistant.Usage) (prompt.Decision, error) {
	var r response
	if err := json.Unmarshal(body, &r); err != nil {
		return prompt.Decision{}, prompt.Unreadable("no_json", used)
	}
	used.PromptTokens, used.CompletionTokens = max(0, r.Usage.Input), max(0, r.Usage.Output)
	switch {
	case r.Status == "failed" && r.Error != nil:
		return prompt.Decision{}, &assistant.Failure{
			Meaning: assistant.Later, HTTP: 200, Code: assistant.CodeOf(r.Error.Code), Usage: used}
	case r.Status == "incomplete" && r.Incomplete != nil && r.Incomplete.Reason == "content_filter":
		return prompt.Decision{}, refused("content_filter", used)
	case r.Status != "completed" && r.Status != "":
		return prompt.Decision{}, prompt.Unreadable("incomplete", used)
	}
	calls := 0
	decided := prompt.Decision{Usage: used}
	for _, o := range r.Output {
		for _, c := range o.Content {
			if c.Type == "refusal" {
				return prompt.Decision{}, refused("refusal", used)
			}
		}
		if o.Type != "function_call" {
			continue
		}
		decided.Call, calls = assistant.Call{Name: o.Name, Arguments: json.RawMessage(o.Arguments)}, calls+1
	}
	if calls != 1 {
		return prompt.Decision{}, prompt.Unreadable(fmt.Sprintf("%d_calls", calls), used)
	}
	return decided, nil
}
