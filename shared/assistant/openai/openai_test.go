package openai_test

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/assistanttest"
	"github.com/haatline/haatline/shared/assistant/openai"
)

// object is JSON.
type object = map[string]any

// body returns what the service answers in a case.
func body(c assistanttest.Case) any {
	if c.Status != 0 {
		return object{"error": object{"message": "you sent " + assistanttest.Personal, "type": "invalid_request_error",
			"param": nil, "code": cmp.Or(c.Code, "some_code")}}
	}
	output := []object{{"type": "reasoning", "id": "rs_1", "summary": []object{}}}
	if c.Text != "" {
		output = append(output, object{"type": "message", "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": c.Text, "annotations": []object{}}}})
	}
	if c.Refuses {
		output = append(output, object{"type": "message", "role": "assistant", "status": "completed",
			"content": []object{{"type": "refusal", "refusal": "I cannot help with " + assistanttest.Personal}}})
	}
	for _, call := range c.Calls {
		arguments := string(call.Arguments)
		if c.Truncated {
			arguments = arguments[:len(arguments)/2]
		}
		output = append(output, object{"type": "function_call", "call_id": "call_x", "name": call.Name,
			"arguments": arguments, "status": "completed"})
	}
	answer := object{"id": "resp_1", "object": "response", "status": "completed", "error": nil,
		"incomplete_details": nil, "output": output,
		"usage": object{"input_tokens": 11, "output_tokens": 7, "total_tokens": 18}}
	if c.Filtered || c.Truncated {
		answer["status"], answer["incomplete_details"] = "incomplete", object{"reason": "max_output_tokens"}
	}
	if c.Filtered {
		answer["incomplete_details"] = object{"reason": "content_filter"}
	}
	return answer
}

// client returns a client of a server that answers as the case says, and checks what it is asked.
func client(t *testing.T, c assistanttest.Case) *openai.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked object
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Errorf("the question is no JSON: %v", err)
		}
		isRight(t, r, asked)
		if c.Breaks {
			panic(http.ErrAbortHandler)
		}
		if c.RetryAfter != "" {
			w.Header().Set("Retry-After", c.RetryAfter)
		}
		w.WriteHeader(cmp.Or(c.Status, http.StatusOK))
		if c.Raw != "" {
			_, _ = io.WriteString(w, c.Raw)
			return
		}
		_ = json.NewEncoder(w).Encode(body(c))
	}))
	t.Cleanup(server.Close)
	half := 0.5
	return &openai.Client{
		URL: server.URL + "/v1", HTTP: server.Client(), Model: "small-1", MaxTokens: 500, Temperature: &half,
		Key: func(context.Context) (string, error) { return assistanttest.Secret + "\n", nil },
	}
}

// isRight checks a question against what the service documents.
func isRight(t *testing.T, r *http.Request, asked object) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/responses" ||
		r.Header.Get("Authorization") != "Bearer "+assistanttest.Secret {
		t.Errorf("%s %s %q", r.Method, r.URL.Path, r.Header.Get("Authorization"))
	}
	for name, want := range map[string]any{
		"model": "small-1", "store": false, "tool_choice": "required", "parallel_tool_calls": false,
		"temperature": 0.5, "max_output_tokens": 500.0,
	} {
		if asked[name] != want {
			t.Errorf("%s is %v, want %v", name, asked[name], want)
		}
	}
	tools, input := asked["tools"].([]any), asked["input"].([]any)
	var names []string
	for _, tool := range tools {
		names = append(names, tool.(object)["name"].(string))
	}
	if got := strings.Join(names, " "); got != "answer order_state book" {
		t.Errorf("tools: %s", got) // the balance has been looked up
	}
	var kinds []string
	for _, i := range input {
		kinds = append(kinds, i.(object)["type"].(string))
	}
	if got := strings.Join(kinds, " "); got != "message message message function_call function_call_output" {
		t.Errorf("input: %s", got)
	}
	if input[3].(object)["call_id"] != input[4].(object)["call_id"] || input[2].(object)["role"] != "user" {
		t.Errorf("input: %v", input)
	}
}

func TestEveryCaseOfAModel(t *testing.T) {
	assistanttest.Conform(t, func(t *testing.T, c assistanttest.Case) assistant.Assistant { return client(t, c) })
}

func TestAnAccountWithoutMoneyIsNotAskedAgain(t *testing.T) {
	_, err := client(t, assistanttest.Case{Status: 429, Code: "insufficient_quota"}).Answer(t.Context(),
		assistanttest.Turn())
	if failed, ok := err.(*assistant.Failure); !ok || failed.Meaning != assistant.Never ||
		failed.Code != "insufficient_quota" {
		t.Errorf("%v", err)
	}
}

func TestTheKeyFollowsNoRedirect(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the redirect was followed")
	}))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	c := client(t, assistanttest.Case{})
	c.URL = server.URL
	_, err := c.Answer(t.Context(), assistanttest.Turn())
	if failed, ok := err.(*assistant.Failure); !ok || failed.Meaning != assistant.Never {
		t.Errorf("%v", err)
	}
}

func TestAnAddressIsThatOfAServer(t *testing.T) {
	for text, ok := range map[string]bool{
		"https://api.openai.com/v1": true, "http://127.0.0.1:11434/v1": true, "api.openai.com": false, "": false,
		"https://user:sk-1@host/v1": false, "https://host/v1?key=sk-1": false, "file:///etc/passwd": false,
	} {
		if err := openai.CheckURL(text); (err == nil) != ok || err != nil && strings.Contains(err.Error(), "sk-1") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
