package callback

import (
	"crypto/hmac"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/outward"
)

// Header carries the signature of a call.
const Header = "Haatline-Signature"

// oldest is how old a signature may be.
const oldest = 5 * time.Minute

// Sign returns the signature of a body at a time.
func Sign(secret, body []byte, at time.Time) string {
	t := strconv.FormatInt(at.Unix(), 10)
	return "t=" + t + ",v1=" + hex.EncodeToString(outward.MAC(secret, []byte(t), body))
}

// Verify reports whether a signature is that of a body, and not older than five minutes. A server does the same.
func Verify(secret []byte, signature string, body []byte, now time.Time) bool {
	t, rest, _ := strings.Cut(strings.TrimPrefix(signature, "t="), ",v1=")
	given, err := hex.DecodeString(rest)
	seconds, notANumber := strconv.ParseInt(t, 10, 64)
	if err != nil || notANumber != nil || now.Sub(time.Unix(seconds, 0)).Abs() > oldest {
		return false
	}
	return hmac.Equal(given, outward.MAC(secret, []byte(t), body))
}
