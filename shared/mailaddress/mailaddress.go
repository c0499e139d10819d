// Package mailaddress knows the one form of an email address.
package mailaddress

import (
	"errors"
	"net/mail"
	"strings"
)

// ErrInvalid means that a text is no address of email that can be written to.
var ErrInvalid = errors.New("not an address of email")

// maxAddress and maxLocal bound an address, in bytes, by RFC 5321.
const maxAddress, maxLocal = 254, 64

// Parse returns an address in its one form: trimmed, in small letters, without a name. Two people whose addresses
// differ only in capital letters do not exist in practice. It returns ErrInvalid for anything else than one address in
// ASCII, and for one with a line break.
func Parse(text string) (string, error) {
	text = strings.Trim(text, " \t")
	for _, r := range text {
		if r <= ' ' || r >= 0x7f {
			return "", ErrInvalid
		}
	}
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text {
		return "", ErrInvalid
	}
	at := strings.LastIndexByte(text, '@')
	host := text[at+1:]
	if len(text) > maxAddress || at > maxLocal || !isHost(host) || strings.ContainsAny(text[:at], `"\(),:;<>[]@`) {
		return "", ErrInvalid
	}
	return strings.ToLower(text), nil
}

// isHost reports whether a text is the name of a host with a domain, and no number of one.
func isHost(name string) bool {
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.Trim(strings.ToLower(label), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return len(labels) > 1 && strings.Trim(labels[len(labels)-1], "0123456789") != ""
}
