// Package posting encrypts messages for browsers (RFC 8291), signs them (RFC 8292), and posts them to push services.
package posting

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	library "github.com/SherClockHolmes/webpush-go"

	"github.com/haatline/haatline/shared/outward"
	"github.com/haatline/haatline/shared/webpush"
)

const (
	// timeout is how long a push service may take to answer.
	timeout = 10 * time.Second
	// maxAnswer bounds what is read of an answer. Nobody looks at it: reading ends the request in good order.
	maxAnswer = 4 << 10
	// signed is for how long a signature counts.
	signed = time.Hour
	// contact is whom a push service may ask about what it is sent.
	contact = "https://github.com/haatline/haatline"
)

// ErrUnanswered means that a push service has not answered. It does not name the endpoint, which is a secret.
var ErrUnanswered = errors.New("the push service could not be reached")

// Poster posts messages.
type Poster struct{ client *http.Client }

// New returns a poster that dials the addresses that allowed reports: outward.Public, in everything that is deployed.
// transport is changed: it dials by that rule, and uses no proxy.
func New(allowed func(netip.Addr) bool, transport *http.Transport) *Poster {
	return &Poster{outward.Client(allowed, transport, timeout)}
}

// Post posts a message to a browser's push service. It returns ErrUnanswered.
func (p *Poster) Post(ctx context.Context, to webpush.Browser, m webpush.Message) (webpush.Answer, error) {
	response, err := library.SendNotificationWithContext(ctx, m.Text,
		&library.Subscription{Endpoint: to.Endpoint, Keys: library.Keys{Auth: to.Auth, P256dh: to.P256dh}},
		&library.Options{
			HTTPClient: p.client, Subscriber: contact, TTL: int(m.Lasts / time.Second), Topic: m.Topic,
			Urgency: library.UrgencyHigh, VAPIDPublicKey: m.Keys.Public, VAPIDPrivateKey: m.Keys.Private,
			VapidExpiration: m.At.Add(signed)})
	if err != nil {
		return webpush.Answer{}, ErrUnanswered
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer))
	answer := webpush.Answer{Status: response.StatusCode}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		answer.After = time.Duration(seconds) * time.Second
	}
	return answer, nil
}

// NewKeys makes a pair of keys.
func NewKeys() (webpush.Keys, error) {
	private, public, err := library.GenerateVAPIDKeys()
	return webpush.Keys{Private: private, Public: public}, err
}
