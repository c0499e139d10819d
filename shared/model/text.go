package model

import "unicode/utf8"

// Truncate returns at most the first bytes bytes of a text, without splitting a character.
func Truncate(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	for bytes > 0 && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return text[:bytes]
}
