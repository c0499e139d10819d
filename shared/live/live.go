// Package live tells open programs that something has changed, so that they read it. A hint has no content: whoever
// gets it asks the API, which checks what they may see. Hints go out after the commit, by AWS AppSync Events. One that
// is lost costs nothing, because a program also asks now and then, and whenever it connects.
//
// It is a minimal client at the wire: one operation does not justify another SDK module.
package live

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/awsenv"
	"github.com/haatline/haatline/shared/telemetry"
)

// Hint says what has changed, by ids alone.
type Hint struct {
	Kind     string `json:"kind"`               // a word of the domain: message
	Of       string `json:"of"`                 // the id of what has changed
	Sequence string `json:"sequence,omitempty"` // where it stands among others, by which a gap is noticed
	By       string `json:"by,omitempty"`       // whose state it is
	Until    string `json:"until,omitempty"`    // when it ends by itself, if nothing else is told
}

// Publisher tells hints.
type Publisher struct {
	// URL is the address of the API of AppSync Events, without a path. Without it nobody is told.
	URL    string
	Getenv func(string) string // has the credentials of Lambda, and AWS_REGION
	HTTP   *http.Client
	Log    *slog.Logger
}

// Variable is the variable with the address of the live channel.
const Variable = "LIVE_URL"

const (
	service = "appsync"
	// timeout bounds all of one Publish: whoever has committed waits for it.
	timeout = 300 * time.Millisecond
	// most is how many events AppSync takes at once.
	most = 5
)

// Open returns a publisher for the environment. Its connections are used again.
func Open(getenv func(string) string, logger *slog.Logger) *Publisher {
	return &Publisher{
		URL: getenv(Variable), Getenv: getenv, Log: logger,
		HTTP: &http.Client{Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute}},
	}
}

// Publish tells hints on a channel, in their order, after the caller has committed. It waits for a short time at most,
// and returns nothing: what fails is logged and counted.
func (p *Publisher) Publish(ctx context.Context, channel Channel, hints ...Hint) {
	if p.URL == "" || len(hints) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	told := 0
	for batch := range slices.Chunk(hints, most) {
		if err := p.post(ctx, channel, batch); err != nil {
			// the channel names a person or a chat
			p.Log.WarnContext(ctx, "hints not told", "kind", channel.Kind(), "hints", len(hints)-told,
				"error", err.Error())
			break
		}
		told += len(batch)
	}
	for i := range hints {
		value := 0.0
		if i < told {
			value = 1
		}
		telemetry.Observe(ctx, telemetry.LiveTold, value)
	}
}

// post sends a batch of hints. Its errors name no channel and no id.
func (p *Publisher) post(ctx context.Context, channel Channel, hints []Hint) error {
	body, err := bodyOf(channel, hints)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(p.URL, "/")+"/event",
		bytes.NewReader(body))
	if err != nil {
		return errors.New("no address")
	}
	request.Header.Set("Content-Type", "application/json")
	// A connection may have died while the process was frozen. This, which is not sent, makes net/http use another one:
	// a hint that comes twice does no harm.
	request.Header["Idempotency-Key"] = nil
	if err := awsenv.Sign(request, body, service, p.Getenv); err != nil {
		return errors.New("not signed")
	}
	response, err := p.HTTP.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errors.New("no answer")
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, 64<<10)) // all of it, so that the connection is used again
	if err != nil {
		return errors.New("no whole answer")
	}
	return refusal(response.StatusCode, answer)
}

// bodyOf returns the body of a request: each event is a text of JSON.
func bodyOf(channel Channel, hints []Hint) ([]byte, error) {
	out := struct {
		Channel Channel  `json:"channel"`
		Events  []string `json:"events"`
	}{Channel: channel}
	for _, hint := range hints {
		text, err := json.Marshal(hint)
		if err != nil {
			return nil, err
		}
		out.Events = append(out.Events, string(text))
	}
	return json.Marshal(out)
}

// refusal returns why hints have not been taken, or nil.
func refusal(status int, answer []byte) error {
	if status != http.StatusOK {
		return fmt.Errorf("HTTP %d", status)
	}
	var out struct {
		Failed []struct{ Code, ErrorCode int } // clients of AWS know both names
	}
	if json.Unmarshal(answer, &out) == nil && len(out.Failed) > 0 {
		first := out.Failed[0]
		return fmt.Errorf("%d refused, the first with %d", len(out.Failed), cmp.Or(first.Code, first.ErrorCode))
	}
	return nil
}
