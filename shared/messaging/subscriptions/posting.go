package subscriptions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/haatline/haatline/shared/outward"
	"github.com/haatline/haatline/shared/standardwebhooks"
)

const (
	// Timeout is how long an endpoint may take to answer.
	Timeout = 15 * time.Second
	// slowAnswer is how long an answer may take at most without making the endpoint a slow one.
	slowAnswer = 3 * time.Second
	// maxAnswer bounds what is read of an answer. Nobody looks at it: reading ends the request in good order.
	maxAnswer = 4 << 10
	// userAgent names the sender.
	userAgent = "haatline-webhooks/1"
	// longestWait bounds what an endpoint may ask for with Retry-After.
	longestWait = time.Hour
)

// Poster posts webhooks to endpoints.
type Poster struct {
	Now    func() time.Time
	client *http.Client
}

// NewPoster returns a poster that dials the addresses that allowed reports: outward.Public, in everything that is
// deployed. transport is changed: it dials by that rule, and uses no proxy.
func NewPoster(allowed func(netip.Addr) bool, transport *http.Transport) *Poster {
	return &Poster{Now: time.Now, client: outward.Client(allowed, transport, Timeout)}
}

// answer is how an endpoint has answered.
type answer struct {
	status int // 0 for none
	// why says how the attempt failed, without anything of the endpoint's own words; "" if it has not.
	why   string
	after time.Duration // when it wants to be asked again; 0 if it says nothing
	took  time.Duration
}

// post posts a body that all of the secrets sign, and returns the answer.
func (p *Poster) post(ctx context.Context, address, id string, body []byte, secrets []standardwebhooks.Secret) answer {
	began := p.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return answer{why: "the address is no link"}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", userAgent)
	standardwebhooks.Sign(request.Header, id, body, began, secrets...)
	response, err := p.client.Do(request)
	took := p.Now().Sub(began)
	if err != nil {
		return answer{why: whyNot(err), took: took}
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer))
	a := answer{status: response.StatusCode, took: took}
	if a.status < 200 || a.status > 299 {
		a.why = fmt.Sprintf("the endpoint answered HTTP %d", a.status)
		if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
			a.after = min(time.Duration(seconds)*time.Second, longestWait)
		}
	}
	return a
}

// whyNot says why there is no answer. The error itself has the address, which may hold a secret.
func whyNot(err error) string {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, outward.ErrInside):
		return "the host leads to an address inside a network"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "the endpoint did not answer in time"
	}
	return "the endpoint could not be reached"
}
