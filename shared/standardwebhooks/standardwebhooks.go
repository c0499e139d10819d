// Package standardwebhooks signs webhooks as the Standard Webhooks specification has it, version v1: HMAC-SHA256 of
// "{id}.{timestamp}.{body}", where the timestamp is in seconds. A receiver verifies with any library of the
// specification.
package standardwebhooks

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/outward"
)

// The headers of a webhook.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

const (
	// Prefix begins a secret; base64 of its bytes follows.
	Prefix = "whsec_"
	// leastBytes and mostBytes bound a secret, as the specification does.
	leastBytes, mostBytes = 24, 64
	madeBytes             = 32
	// version begins a signature.
	version = "v1,"
	// tolerance is how far a timestamp may be from now.
	tolerance = 5 * time.Minute
)

// ErrSecret means that a text is no secret.
var ErrSecret = errors.New("not whsec_ and base64 of 24 to 64 bytes")

// ErrNotVerified means that a webhook is not signed with the secret, or was signed at another time.
var ErrNotVerified = errors.New("the webhook is not verified")

// Secret signs webhooks.
type Secret []byte

// NewSecret returns a new random secret.
func NewSecret() Secret {
	made := make(Secret, madeBytes)
	_, _ = rand.Read(made) // it never fails
	return made
}

// ParseSecret returns the secret of a text, or ErrSecret.
func ParseSecret(text string) (Secret, error) {
	encoded, is := strings.CutPrefix(text, Prefix)
	secret, err := base64.StdEncoding.DecodeString(encoded)
	if !is || err != nil || len(secret) < leastBytes || len(secret) > mostBytes {
		return nil, ErrSecret
	}
	return secret, nil
}

// String returns the text of a secret.
func (s Secret) String() string { return Prefix + base64.StdEncoding.EncodeToString(s) }

func (s Secret) signature(id, timestamp string, body []byte) string {
	return version + base64.StdEncoding.EncodeToString(outward.MAC(s, []byte(id), []byte(timestamp), body))
}

// Sign sets the headers of a webhook. While a secret is replaced, the former one signs as well, so that a receiver may
// have either. The id has no dot.
func Sign(header http.Header, id string, body []byte, at time.Time, secrets ...Secret) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		signatures[i] = secret.signature(id, timestamp, body)
	}
	header.Set(HeaderID, id)
	header.Set(HeaderTimestamp, timestamp)
	header.Set(HeaderSignature, strings.Join(signatures, " "))
}

// Verify returns ErrNotVerified unless one of the signatures of a webhook is the secret's, and its timestamp is within
// five minutes of now. A receiver does the same.
func Verify(header http.Header, body []byte, secret Secret, now time.Time) error {
	timestamp := header.Get(HeaderTimestamp)
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return ErrNotVerified
	}
	want := []byte(secret.signature(header.Get(HeaderID), timestamp, body))
	for _, signature := range strings.Fields(header.Get(HeaderSignature)) {
		if hmac.Equal([]byte(signature), want) {
			return nil
		}
	}
	return ErrNotVerified
}
