// Package whatsapp owns what is the platform's: the webhook's signature and shapes, what a message of each kind shows a
// person, the bodies it is sent, the Graph client and what each error code asks for. It stores nothing and knows no
// table.
package whatsapp

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// VerifySignature says whether the header X-Hub-Signature-256 was made over the raw body with one of the app secrets.
// Every secret is tried, in constant time, whichever matches: an app has two while its secret is being changed.
func VerifySignature(secrets []string, header string, body []byte) bool {
	given, err := hex.DecodeString(strings.TrimPrefix(header, "sha256="))
	if err != nil || !strings.HasPrefix(header, "sha256=") {
		return false
	}
	match := false
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		if hmac.Equal(mac.Sum(nil), given) {
			match = true
		}
	}
	return match
}

// Sign is the header value for a body: what the platform would send. The simulated platform and the tests use it.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}
