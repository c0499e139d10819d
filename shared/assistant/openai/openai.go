// Package openai asks a model behind the Responses API: OpenAI's, or that of any server that speaks it, a local one
// included. It is a client of our own, because the official library would make a function five times as large.
package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/prompt"
)

// Client asks one model. It makes one attempt: whoever asks decides when to ask again.
type Client struct {
	URL         string // with the version, such as https://api.openai.com/v1
	Key         func(context.Context) (string, error)
	Model       string
	Temperature *float64 // nil for the model's own
	MaxTokens   int      // of an answer, with what the model thinks; 0 for the model's own
	HTTP        *http.Client
}

// Timeout bounds one question. The lease of its event is longer.
const Timeout = 50 * time.Second

// maxAnswer bounds how many bytes of an answer are read.
const maxAnswer = 1 << 20

// CheckURL returns an error unless a text is the address of a server with nothing behind it. The error does not hold
// the text, because somebody may have put a key into it.
func CheckURL(text string) error {
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "https" && address.Scheme != "http" || address.Host == "" ||
		address.User != nil || address.RawQuery != "" || address.Fragment != "" {
		return errors.New("it is not an address such as https://api.openai.com/v1")
	}
	return nil
}

// Answer asks the model for an answer to a turn. Every error is a *assistant.Failure.
func (c *Client) Answer(ctx context.Context, turn assistant.Turn) (assistant.Answer, error) {
	return prompt.Answer(ctx, c, turn)
}

// Ask asks the model for a decision. Every error is a *assistant.Failure.
func (c *Client) Ask(ctx context.Context, p prompt.Prompt) (prompt.Decision, error) {
	began := time.Now()
	body, err := json.Marshal(c.request(p))
	if err != nil {
		return prompt.Decision{}, &assistant.Failure{Meaning: assistant.Never, Code: "request"}
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	status, header, answer, err := c.post(ctx, body)
	used := assistant.Usage{Took: time.Since(began)}
	if err != nil {
		var failed *assistant.Failure
		if errors.As(err, &failed) {
			return prompt.Decision{}, failed
		}
		return prompt.Decision{}, &assistant.Failure{Meaning: assistant.Later, Code: "transport", Usage: used}
	}
	if len(answer) > maxAnswer {
		return prompt.Decision{}, prompt.Unreadable("too_long", used)
	}
	if status != http.StatusOK {
		return prompt.Decision{}, refusal(status, header, answer)
	}
	return read(answer, used)
}

// post sends a question and returns at most one byte more of the answer than may be.
func (c *Client) post(ctx context.Context, body []byte) (int, http.Header, []byte, error) {
	key, err := c.Key(ctx)
	if err != nil {
		return 0, nil, nil, &assistant.Failure{Meaning: assistant.Later, Code: "key"}
	}
	address := strings.TrimSuffix(c.URL, "/") + "/responses"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, &assistant.Failure{Meaning: assistant.Never, Code: "address"}
	}
	if key = strings.TrimSpace(key); key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	request.Header.Set("Content-Type", "application/json")
	client := *c.HTTP
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	return response.StatusCode, response.Header, answer, err
}

// refused returns the failure of a question that the model does not want to answer.
func refused(code string, used assistant.Usage) *assistant.Failure {
	return &assistant.Failure{
		Meaning: assistant.ToPerson, Reason: assistant.Refused, HTTP: http.StatusOK, Code: code, Usage: used}
}

// refusal returns what follows from an answer that is an error. The service's own message is left out: it may hold what
// was sent.
func refusal(status int, header http.Header, answer []byte) *assistant.Failure {
	var said struct {
		Error struct {
			Code json.RawMessage `json:"code"`
			Type string          `json:"type"`
		} `json:"error"`
	}
	_ = json.Unmarshal(answer, &said) // an answer that is no JSON has no code
	var code string
	if json.Unmarshal(said.Error.Code, &code) != nil || code == "" {
		code = said.Error.Type
	}
	failed := &assistant.Failure{HTTP: status, Code: assistant.CodeOf(code)}
	switch {
	case code == "insufficient_quota" || code == "billing_hard_limit_reached":
		failed.Meaning = assistant.Never
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status == http.StatusConflict,
		status >= http.StatusInternalServerError:
		failed.Meaning, failed.After = assistant.Later, assistant.Wait(header.Get("Retry-After"), time.Now())
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusNotFound,
		status < http.StatusBadRequest, status == http.StatusMethodNotAllowed:
		failed.Meaning = assistant.Never
	default:
		failed.Meaning, failed.Reason = assistant.ToPerson, assistant.Unreached
	}
	return failed
}

// String returns which model is asked, and where, without the key.
func (c *Client) String() string { return fmt.Sprintf("%s at %s", c.Model, c.URL) }
