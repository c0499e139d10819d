package bedrock_test

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/assistanttest"
	"github.com/haatline/haatline/shared/assistant/bedrock"
)

// object is JSON.
type object = map[string]any

// exceptions are the names of errors by their status.
var exceptions = map[int]string{
	400: "ValidationException", 403: "AccessDeniedException", 404: "ResourceNotFoundException",
	429: "ThrottlingException", 503: "ServiceUnavailableException",
}

// body returns what the service answers in a case.
func body(c assistanttest.Case) any {
	if c.Status != 0 {
		return object{"message": "you sent " + assistanttest.Personal}
	}
	content, stop := []object{}, "end_turn"
	if c.Text != "" {
		content = append(content, object{"text": c.Text})
	}
	for _, call := range c.Calls {
		stop = "tool_use"
		use := object{"toolUseId": "tooluse_1", "name": call.Name, "input": object{}}
		if len(call.Arguments) > 0 {
			use["input"] = call.Arguments
		}
		content = append(content, object{"toolUse": use})
	}
	switch {
	case c.Refuses:
		stop = "refusal"
	case c.Filtered:
		stop = "content_filtered"
	case c.Truncated:
		stop = "max_tokens"
	}
	return object{
		"output": object{"message": object{"role": "assistant", "content": content}}, "stopReason": stop,
		"usage":   object{"inputTokens": 11, "outputTokens": 7, "totalTokens": 18},
		"metrics": object{"latencyMs": 321},
	}
}

// client returns a client of a server that answers as the case says, and checks what it is asked.
func client(t *testing.T, c assistanttest.Case) *bedrock.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isRight(t, r)
		if c.Breaks {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		if c.RetryAfter != "" {
			w.Header().Set("Retry-After", c.RetryAfter)
		}
		if name := exceptions[c.Status]; name != "" {
			w.Header().Set("X-Amzn-Errortype", name+":http://internal.amazon.com/coral/com.amazon.bedrock/")
		}
		w.WriteHeader(cmp.Or(c.Status, http.StatusOK))
		if c.Raw != "" {
			_, _ = io.WriteString(w, c.Raw)
			return
		}
		_ = json.NewEncoder(w).Encode(body(c))
	}))
	t.Cleanup(server.Close)
	half := float32(0.5)
	return &bedrock.Client{
		Model: "amazon.nova-lite-v1:0", Temperature: &half, MaxTokens: 500,
		API: bedrockruntime.New(bedrockruntime.Options{
			BaseEndpoint: aws.String(server.URL), Region: "ap-south-1", Retryer: aws.NopRetryer{},
			Credentials: credentials.NewStaticCredentialsProvider("local", assistanttest.Secret, ""),
			HTTPClient:  server.Client(),
		}),
	}
}

// isRight checks a question against what the service documents.
func isRight(t *testing.T, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/model/amazon.nova-lite-v1:0/converse" {
		t.Errorf("%s %s", r.Method, r.URL.Path)
	}
	var asked struct {
		System   []struct{ Text string }
		Messages []struct {
			Role    string
			Content []map[string]json.RawMessage
		}
		Config struct {
			MaxTokens   int
			Temperature float64
		} `json:"inferenceConfig"`
		Tools struct {
			Tools []struct {
				Spec struct {
					Name   string
					Schema struct{ JSON object } `json:"inputSchema"`
				} `json:"toolSpec"`
			}
			Choice map[string]object `json:"toolChoice"`
		} `json:"toolConfig"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		t.Errorf("the question is no JSON: %v", err)
		return
	}
	var roles, names []string
	for _, m := range asked.Messages {
		for kind := range m.Content[0] {
			roles = append(roles, m.Role+":"+kind)
		}
	}
	want := "user:text assistant:text user:text assistant:toolUse user:toolResult"
	if got := strings.Join(roles, " "); got != want {
		t.Errorf("messages: %s", got)
	}
	for _, tool := range asked.Tools.Tools {
		names = append(names, tool.Spec.Name)
		if tool.Spec.Schema.JSON["type"] != "object" {
			t.Errorf("the schema of %s: %v", tool.Spec.Name, tool.Spec.Schema.JSON)
		}
	}
	_, any := asked.Tools.Choice["any"]
	if got := strings.Join(names, " "); got != "answer order_state book" || !any || len(asked.System) != 1 ||
		asked.Config.MaxTokens != 500 || asked.Config.Temperature != 0.5 {
		t.Errorf("tools %s, choice %v, config %+v", got, asked.Tools.Choice, asked.Config)
	}
}

func TestNumbersStayExact(t *testing.T) {
	const arguments = `{"amount":12345678901234567.89,"days":[1]}`
	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent = string(body)
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	c := client(t, assistanttest.Case{Calls: []assistant.Call{{Name: "book", Arguments: []byte(arguments)}}})
	answer, err := c.Answer(t.Context(), assistanttest.Turn())
	if err != nil || string(answer.Call.Arguments) != arguments {
		t.Errorf("%s %v", answer.Call.Arguments, err)
	}
	c.API = bedrockruntime.New(bedrockruntime.Options{
		BaseEndpoint: aws.String(server.URL), Region: "ap-south-1", Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""), HTTPClient: server.Client(),
	})
	turn := assistanttest.Turn()
	turn.Results = []assistant.Result{{Call: answer.Call, Text: "Booked."}}
	if _, err := c.Answer(t.Context(), turn); err == nil || !strings.Contains(sent, `"amount":12345678901234567.89`) {
		t.Errorf("%v: %s", err, sent)
	}
}

func TestEveryCaseOfAModel(t *testing.T) {
	assistanttest.Conform(t, func(t *testing.T, c assistanttest.Case) assistant.Assistant { return client(t, c) })
}
