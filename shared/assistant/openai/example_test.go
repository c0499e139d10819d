package openai_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/assistanttest"
	"github.com/haatline/haatline/shared/assistant/openai"
)

// Any server that speaks the Responses API can answer, a local one without a key included.
func ExampleClient() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"status": "completed", "output": [{"type": "function_call", "name": "answer",
			"arguments": "{\"action\":\"answer\",\"reply\":\"From 9 to 6.\",\"sources\":[\"hours\"]}"}]}`)
	}))
	defer server.Close()
	client := &openai.Client{
		URL: server.URL + "/v1", Model: "small-1", HTTP: server.Client(),
		Key: func(context.Context) (string, error) { return "", nil },
	}
	turn := assistanttest.Turn()
	answer, err := client.Answer(context.Background(), turn)
	answer = assistant.Check(turn, answer)
	fmt.Println(answer.Action, answer.Sources, answer.Reply, err)
	// Output: answer [hours] From 9 to 6. <nil>
}
