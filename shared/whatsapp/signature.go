// Package whatsapp owns everything that WhatsApp defines: the webhook's signature and payloads, the preview of each
// kind of message, the bodies of sends, the Graph API client, and the meaning of error codes. It stores nothing and
// knows no table.
package whatsapp

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// VerifySignature reports whether the header X-Hub-Signature-256 matches the raw body under one of the app secrets. It
// always tries every secret, in constant time. An app has two secrets while its secret is being changed.
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

// Sign returns the header value that Meta would send for a body. Tests and tools that post webhooks use it.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}
