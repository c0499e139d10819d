// Package wake starts another function for one event, and does not wait for it. It is a minimal client of AWS Lambda,
// because one operation does not justify another SDK module.
package wake

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

	"github.com/haatline/haatline/shared/awsenv"
)

// Event is what a woken function gets: an event of the outbox, by its id, and the lane that it is in. It holds no
// personal data, because Lambda keeps it while the function is busy.
type Event struct {
	ID   string `json:"event"`
	Lane string `json:"lane"`
}

// Read returns the event that a function is woken for. It reports false for anything else.
func Read(raw json.RawMessage) (e Event, is bool) {
	return e, json.Unmarshal(raw, &e) == nil && e.ID != "" && e.Lane != ""
}

// Waker wakes one function, in AWS_REGION, with Lambda's credentials. AWS_ENDPOINT_URL_LAMBDA, AWS's own variable, is
// the address of another server.
type Waker struct {
	Function string // its name, or its name and alias: haatline-models-prod:live
	Lane     string // whose events it gets
	Getenv   func(string) string
	HTTP     *http.Client
}

const (
	service = "lambda"
	timeout = 5 * time.Second
)

// ErrNobody means that there is no function to wake.
var ErrNobody = errors.New("wake: the deployment has no such function")

// Wake has Lambda start the function for an event. Lambda starts it later if it is as busy as it may be.
func (w *Waker) Wake(ctx context.Context, eventID string) error {
	if w.Function == "" {
		return ErrNobody
	}
	body, err := json.Marshal(Event{eventID, w.Lane})
	if err != nil {
		return fmt.Errorf("wake: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.address(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("wake: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Amz-Invocation-Type", "Event")
	if err := awsenv.Sign(request, body, service, w.Getenv); err != nil {
		return fmt.Errorf("wake: sign: %w", err)
	}
	response, err := w.HTTP.Do(request)
	if err != nil {
		return fmt.Errorf("wake: %w", err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 4<<10)) // so that the connection can be used again
	if response.StatusCode != http.StatusAccepted {
		return fmt.Errorf("wake: HTTP %d %s", response.StatusCode, response.Header.Get("X-Amzn-Errortype"))
	}
	return nil
}

// address returns where the function is started.
func (w *Waker) address() string {
	base := w.Getenv("AWS_ENDPOINT_URL_LAMBDA")
	if base == "" {
		base = "https://" + service + "." + w.Getenv("AWS_REGION") + ".amazonaws.com"
	}
	name, alias, _ := strings.Cut(w.Function, ":")
	address := strings.TrimSuffix(base, "/") + "/2015-03-31/functions/" + url.PathEscape(name) + "/invocations"
	if alias != "" {
		address += "?Qualifier=" + url.QueryEscape(alias)
	}
	return address
}
