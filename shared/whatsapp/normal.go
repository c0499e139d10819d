package whatsapp

import (
	"io"
	"strconv"

	"github.com/tidwall/gjson"
)

// writeNormal writes valid JSON without spaces, and each text in it with the same escapes however it was escaped
// before. The order of members stays. w is a hash, which takes everything.
func writeNormal(w io.Writer, text []byte) {
	written := 0 // up to here, text is written
	for i := 0; i < len(text); {
		end := i + 1
		switch text[i] {
		case ' ', '\t', '\r', '\n':
			_, _ = w.Write(text[written:i])
			written = end
		case '"':
			var plain bool
			if end, plain = endOfText(text, i); !plain {
				_, _ = w.Write(text[written:i])
				_, _ = w.Write(strconv.AppendQuote(nil, gjson.ParseBytes(text[i:end]).Str))
				written = end
			}
		}
		i = end
	}
	_, _ = w.Write(text[written:])
}

// endOfText returns where the text that starts with the quote at start ends, and whether it can be written in one way
// only: it is ASCII without escapes.
func endOfText(text []byte, start int) (end int, plain bool) {
	plain = true
	for i := start + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return i + 1, plain
		case c == '\\':
			plain = false
			i++ // what is escaped ends nothing
		case c >= 0x7f:
			plain = false
		}
	}
	return len(text), plain
}
