package model

import (
	"strings"
	"unicode"
)

// Shown returns a text of somebody else's, such as a caption, as it may be shown: without control characters but for line ends and tabs, and
// without the characters that turn the direction of a text around, by which what is read is not what is there.
func Shown(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || turnsAround(r) {
			return -1
		}
		return r
	}, text)
}

// ShownLine returns a name of somebody's or of a file as Shown does, on one line.
func ShownLine(text string) string {
	return Shown(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text))
}

// turnsAround reports whether a character embeds, overrides or isolates a direction of text, or ends that. Marks of a direction stay: they
// belong to words of some languages.
func turnsAround(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
