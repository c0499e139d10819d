// Package webpush names what is posted to the push services of browsers (RFC 8030), and checks what a browser says of
// itself. Package posting posts it.
package webpush

import (
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/outward"
)

// ErrBrowser means that a browser cannot be sent anything. The error says why.
var ErrBrowser = errors.New("the browser cannot be notified")

// Browser is what a browser's subscription of the Push API says.
type Browser struct {
	Endpoint     string // where the push service takes messages for it
	P256dh, Auth string // base64url: its public key and its secret, by which messages are encrypted
}

// Message is a message to a browser.
type Message struct {
	Text  []byte
	Topic string        // a later message takes the place of one that waits; 32 letters of base64url at most
	Lasts time.Duration // for how long the push service keeps it for a browser that is closed
	Keys  Keys
	At    time.Time // when it is posted
}

// Keys are the pair of keys by which push services know a sender (RFC 8292), in base64url.
type Keys struct{ Private, Public string }

// Answer is how a push service has answered.
type Answer struct {
	Status int
	After  time.Duration // when it wants to be asked again; 0 if it says nothing
}

// Check returns ErrBrowser unless messages can be encrypted for a browser and posted to its endpoint.
func (b Browser) Check() error {
	if _, err := outward.ParseLink(b.Endpoint); err != nil {
		return fmt.Errorf("%w: %w", ErrBrowser, err)
	}
	point, err := decode(b.P256dh)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(point)
	}
	if err != nil {
		return fmt.Errorf("%w: p256dh is no public key", ErrBrowser)
	}
	if secret, err := decode(b.Auth); err != nil || len(secret) != 16 {
		return fmt.Errorf("%w: auth is not 16 bytes", ErrBrowser)
	}
	return nil
}

func decode(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
}
