// Package eventbus puts events on an event bus of Amazon EventBridge, where a deployment has one. It is a minimal
// client at the wire: one operation does not justify another SDK module.
package eventbus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/haatline/haatline/shared/awsenv"
)

const (
	// Variable is the variable with the name of the event bus.
	Variable = "EVENT_BUS"
	// Source is the source of all events on the bus.
	Source = "haatline"

	service = "events"
	target  = "AWSEvents.PutEvents"
	timeout = 5 * time.Second
)

// Bus is an event bus, in AWS_REGION, with Lambda's credentials. AWS_ENDPOINT_URL_EVENTBRIDGE, AWS's own variable, is
// the address of another server.
type Bus struct {
	name   string
	getenv func(string) string
	http   *http.Client
}

// Open returns the event bus of the environment; nil for none.
func Open(getenv func(string) string, client *http.Client) *Bus {
	if getenv(Variable) == "" {
		return nil
	}
	return &Bus{getenv(Variable), getenv, client}
}

// Event is an event as a rule of the bus sees it.
type Event struct {
	Kind   string // the detail type
	At     time.Time
	Detail []byte // JSON
}

// entry is an event in AWS's words.
type entry struct {
	EventBusName, Source, DetailType, Detail string
	Time                                     int64 // in seconds
}

// errRefused means that the bus has not taken an event.
var errRefused = errors.New("event bus: not taken")

// Put puts an event on the bus. The bus may get it twice if an answer is lost.
func (b *Bus) Put(ctx context.Context, e Event) error {
	body, err := json.Marshal(struct{ Entries []entry }{
		[]entry{{b.name, Source, e.Kind, string(e.Detail), e.At.Unix()}}})
	if err != nil {
		return fmt.Errorf("event bus: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.address(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("event bus: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.1")
	request.Header.Set("X-Amz-Target", target)
	if err := awsenv.Sign(request, body, service, b.getenv); err != nil {
		return fmt.Errorf("event bus: sign: %w", err)
	}
	response, err := b.http.Do(request)
	if err != nil {
		return fmt.Errorf("event bus: %w", err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil {
		return fmt.Errorf("event bus: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: HTTP %d", errRefused, response.StatusCode)
	}
	var out struct{ FailedEntryCount *int }
	if json.Unmarshal(answer, &out) != nil || out.FailedEntryCount == nil || *out.FailedEntryCount > 0 {
		return errRefused // a bus that answers 200 may have refused the entry all the same
	}
	return nil
}

func (b *Bus) address() string {
	if base := b.getenv("AWS_ENDPOINT_URL_EVENTBRIDGE"); base != "" {
		return base
	}
	return "https://" + service + "." + b.getenv("AWS_REGION") + ".amazonaws.com/"
}
