package model

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Shown returns a text of somebody else's, such as a caption, as it may be shown: without control characters but for
// line ends and tabs, and without the characters that turn the direction of a text around, by which what is read is not
// what is there.
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

// turnsAround reports whether a character embeds, overrides or isolates a direction of text, or ends that. Marks of a
// direction stay: they belong to words of some languages.
func turnsAround(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// escape is as long as \u202e, which is how JSON may write any character.
const escape = 6

// ShownJSON returns a JSON document whose texts are as Shown returns them, whether they hold the characters or their
// escapes. The rest of the document stays as it is.
func ShownJSON(document []byte) []byte {
	shown := make([]byte, 0, len(document))
	for i := 0; i < len(document); {
		r, size := utf8.DecodeRune(document[i:])
		if r == '\\' {
			r, size = escaped(document[i:])
		}
		if r == utf8.RuneError || r == '\n' || r == '\t' || Shown(string(r)) != "" {
			shown = append(shown, document[i:i+size]...)
		}
		i += size
	}
	return shown
}

// escaped returns the character that an escape stands for, and the escape's length. Of a pair of halves it returns each
// by itself, as no character.
func escaped(text []byte) (rune, int) {
	if len(text) < escape || text[1] != 'u' {
		return utf8.RuneError, min(2, len(text))
	}
	code, err := strconv.ParseUint(string(text[2:escape]), 16, 16)
	if err != nil || utf16.IsSurrogate(rune(code)) {
		return utf8.RuneError, escape
	}
	return rune(code), escape
}
