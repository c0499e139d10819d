// Package callback runs a project's functions: it posts the call to the project's own server, signed, and takes back a
// short text. A call never reaches anything but the hosts that the owner has named, and no address inside a network.
//
// # What a server gets
//
// A POST with JSON: id, function, company, project, conversation and arguments. The id names the call, and stays the
// same if the call is made again, so that a server can do it once. The header Idempotency-Key has it, too. The header
// Haatline-Signature is t=<seconds since 1970>,v1=<hex>, where hex is the HMAC-SHA256 of "<t>.<body>" with the
// project's secret. A server refuses a signature that is wrong or older than five minutes (Verify).
//
// # What it answers
//
// 200 with {"text": "…"}: at most 2,000 characters, which the assistant may say. 4xx means that the call is refused,
// and is never made again; 429 and 5xx that it is made again later.
package callback

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/outward"
)

// Bounds of a call.
const (
	Timeout   = 10 * time.Second
	MaxText   = 2000 // characters of the answer
	maxAnswer = 32 << 10
)

// Call is a call of a function.
type Call struct {
	ID           string          `json:"id"`
	Function     string          `json:"function"`
	Company      string          `json:"company"`
	Project      string          `json:"project"`
	Conversation string          `json:"conversation"`
	Arguments    json.RawMessage `json:"arguments"`
}

// Runner makes calls.
type Runner struct {
	Now func() time.Time

	client *http.Client
}

// New returns a runner that dials the addresses that allowed reports: outward.Public, in everything that is deployed.
// transport is changed: it dials by the runner's rule, and uses no proxy.
func New(allowed func(netip.Addr) bool, transport *http.Transport) *Runner {
	return &Runner{Now: time.Now, client: outward.Client(allowed, transport, Timeout)}
}

// ErrAddress means that an address may not be called. The error says why.
var ErrAddress = outward.ErrLink

// CheckAddress returns ErrAddress unless a text is a link with https to one of the hosts. A host is a name, or a name
// with a port; a number of an address is none.
func CheckAddress(text string, hosts []string) error {
	link, err := outward.ParseLink(text)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(hosts, func(host string) bool { return strings.EqualFold(host, link.Host) }) {
		return fmt.Errorf("%w: its host is not in the list", ErrAddress)
	}
	return nil
}

// Run makes a call and returns what the server says. Every error is a *assistant.Failure.
func (r *Runner) Run(ctx context.Context, address string, hosts []string, secret []byte, call Call) (string, error) {
	if err := CheckAddress(address, hosts); err != nil || len(secret) == 0 {
		return "", &assistant.Failure{Meaning: assistant.Never, Code: "address"}
	}
	if len(call.Arguments) == 0 {
		call.Arguments = json.RawMessage("{}")
	}
	body, err := json.Marshal(call)
	if err != nil {
		return "", &assistant.Failure{Meaning: assistant.Never, Code: "arguments"}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return "", &assistant.Failure{Meaning: assistant.Never, Code: "address"}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", call.ID)
	request.Header.Set(Header, Sign(secret, body, r.Now()))
	response, err := r.client.Do(request)
	if errors.Is(err, outward.ErrInside) {
		return "", &assistant.Failure{Meaning: assistant.Never, Code: "inside"}
	}
	if err != nil {
		return "", &assistant.Failure{Meaning: assistant.Later, Code: "transport"}
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return "", &assistant.Failure{Meaning: assistant.Later, Code: "transport", HTTP: response.StatusCode}
	}
	return read(response, answer)
}

// read returns what a server says.
func read(response *http.Response, answer []byte) (string, error) {
	failed := &assistant.Failure{Meaning: assistant.ToPerson, Reason: assistant.Unreached, HTTP: response.StatusCode}
	switch status := response.StatusCode; {
	case status == http.StatusTooManyRequests, status >= http.StatusInternalServerError:
		failed.Meaning, failed.Reason = assistant.Later, ""
		failed.After = assistant.Wait(response.Header.Get("Retry-After"), time.Now())
		return "", failed
	case status != http.StatusOK:
		return "", failed
	}
	var said struct {
		Text string `json:"text"`
	}
	if len(answer) > maxAnswer || json.Unmarshal(answer, &said) != nil || strings.TrimSpace(said.Text) == "" ||
		utf8.RuneCountInString(said.Text) > MaxText {
		failed.Reason = assistant.Unreadable
		return "", failed
	}
	return said.Text, nil
}
