package model

import "unicode/utf8"

// Truncate returns the beginning of a text, of at most so many bytes, without cutting a character in two.
func Truncate(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	for bytes > 0 && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return text[:bytes]
}
