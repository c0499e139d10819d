package nlu

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// The bounds of a message that is read. A longer one is cut: no order is that long.
const (
	maxBytes  = 16 << 10
	maxTokens = 600
)

// tokenKind says what a token is made of.
type tokenKind int

const (
	word   tokenKind = iota
	number           // digits, with a point, a comma or a stroke between them
	mark             // a punctuation mark that means something: , . ? ! newline - x & + ₹ …
)

// token is a word, a number or a mark of a message.
type token struct {
	kind       tokenKind
	text       string // in lower case
	key        string // the folded word
	from, to   int    // bytes of the normalised message
	glued      bool   // no space before it
	devanagari bool
	guessed    bool   // the key was corrected
	spelt      string // the key before that
}

// normalise returns a text in one form of Unicode, digits of Devanagari as 0 to 9, without signs that are not seen.
func normalise(text string) string {
	if len(text) > maxBytes {
		text = strings.ToValidUTF8(text[:maxBytes], "")
	}
	if isNormal(text) {
		return text
	}
	text = inches.Get().ReplaceAllString(fractions.Get().Replace(text), "$1 inch ")
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '०' && r <= '९':
			return '0' + r - '०'
		case r == '\n', r == '\t':
			return '\n'
		case r == '’', r == '‘', r == '`':
			return '\''
		case r == '–', r == '—', r == '−', r == '‑':
			return '-'
		case r == '।', r == '॥':
			return '.'
		case r == emojiStyle, unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r):
			return -1
		}
		return r
	}, norm.NFKC.String(text))
}

// isNormal reports whether a text has nothing that its normal form writes differently. Most texts have not.
func isNormal(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' || c > '~' || c == '"' || c == '`' ||
			c == '\'' && i > 0 && text[i-1] == '\'' {
			return false
		}
	}
	return true
}

// emojiStyle stands behind a sign that is to be drawn as an emoji, and is not seen.
const emojiStyle = 0xFE0F

// inches is the sign for inches after a number: 1" pipe.
var inches = lazy.Regexp(`(\d)\s?"`)

// fractions are written out before Unicode's normal form makes digits of them: 1½ is not 11/2.
var fractions = lazy.Of[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("″", " inch ", "''", " inch ", "½", " 1/2 ", "¼", " 1/4 ", "¾", " 3/4 ", "⅓",
		" 1/3 ", "₹", " ₹ ")
}}

// tokenise returns the tokens of a normalised text.
func tokenise(text string) []token {
	tokens := make([]token, 0, min(len(text)/4+1, maxTokens))
	for at := 0; at < len(text) && len(tokens) < maxTokens; {
		r, size := utf8.DecodeRuneInString(text[at:])
		to := at + size
		t := token{from: at, glued: len(tokens) > 0 && tokens[len(tokens)-1].to == at}
		switch {
		case r == '.' && !t.glued && to < len(text) && isDigit(rune(text[to])): // .8 mm
			to = numberEnd(text, to)
			t.kind = number
		case isDigit(r):
			to = numberEnd(text, at)
			t.kind = number
		case isLetter(r):
			to = wordEnd(text, at)
			if to-at == 1 && strings.ContainsRune(shapes, r|0x20) && to+3 < len(text) &&
				text[to] == '-' && isLetter(rune(text[to+1])) {
				to = wordEnd(text, to+1) // t-shirt
			}
		case r == ' ' || !isMark(r):
			at = to
			continue
		default:
			t.kind = mark
		}
		t.to, t.text = to, strings.ToLower(text[at:to])
		at = to
		tokens = append(tokens, finished(t))
	}
	return tokens
}

// shapes are letters that stand before a hyphen as a part of a word: t-shirt, v-neck, o-ring, u-bolt, x-ray.
const shapes = "tvoux"

// finished fills in what follows from the text of a token.
func finished(t token) token {
	if t.kind == word {
		t.text = strings.ReplaceAll(strings.ReplaceAll(t.text, "'", ""), "-", "")
		t.devanagari = strings.IndexFunc(t.text, language.IsDevanagari) >= 0
		t.key = language.Fold(language.Plain(t.text))
		if len(t.text) == 2 && len(t.key) == 1 && t.text[0] == t.text[1] && t.text != "mm" { // PP, SS
			t.key = t.text
		}
		if key, ok := respelt.Get()[t.text]; ok {
			t.key = key
		}
		return t
	}
	t.key = t.text
	return t
}

// numberEnd returns where a number ends: 1.5, 1,5, 1/2, 10:30 and 1e9 are one token each.
func numberEnd(text string, at int) int {
	for at < len(text) {
		switch {
		case isDigit(rune(text[at])):
		case strings.IndexByte(".,/:eE", text[at]) >= 0 && at+1 < len(text) && isDigit(rune(text[at+1])):
		default:
			return at
		}
		at++
	}
	return at
}

// wordEnd returns where a word ends. An apostrophe within it belongs to it; Latin letters followed by digits are one
// word (B12, A4),
// unless the letters are a sign such as x or rs.
func wordEnd(text string, at int) int {
	from := at
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == '\'' && at+1 < len(text) && isLetter(rune(text[at+1])) ||
			isLetter(r) && language.IsDevanagari(r) == isDevanagariAt(text, from) {
			at += size
			continue
		}
		break
	}
	if letters := at - from; letters > 2 || at >= len(text) || !isDigit(rune(text[at])) ||
		prefixSigns.Has(strings.ToLower(text[from:at])) {
		return at
	}
	for at < len(text) && isDigit(rune(text[at])) {
		at++
	}
	return at
}

// prefixSigns are short words that stand before a number without a space and do not belong to it.
var prefixSigns = lazy.Words("x rs no kg re gm g l ml")

func isDevanagariAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return language.IsDevanagari(r)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

func isMark(r rune) bool { return strings.ContainsRune("\n,.;:?!-+&/*×x()₹@#%|•…👍🙏", r) }
