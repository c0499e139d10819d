package mail

import "strings"

// ID returns a Message-ID in its one form, without its brackets; "" for a text that is none.
func ID(text string) string {
	text = strings.TrimSpace(text)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<"), ">")
	local, host, has := strings.Cut(text, "@")
	if !has || local == "" || host == "" || len(text) > maxID || strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || r == '<' || r == '>'
	}) {
		return ""
	}
	return text
}

// maxID bounds a Message-ID, in bytes: a line of a header has at most 998.
const maxID = 900
