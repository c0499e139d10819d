// Package command reads what an admin answers to a card request: the payload of a button, or words such as
//
//	APPROVE 7KQ2-M9XD
//	reject 7kq2m9xd score too low
//
// It does no I/O.
package command

import (
	"crypto/sha256"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"github.com/haatline/haatline/shared/model"
)

// Action is what an answer asks for.
type Action string

const (
	Approve Action = "approve"
	Reject  Action = "reject"
)

// Command is an answer to a card request.
type Command struct {
	Action  Action
	Request string // the request's id, or its code; "" if the answer names none
	Reason  string // what follows, up to 500 bytes
}

// Words are those that approve and those that reject, folded.
type Words struct{ Approve, Reject []string }

// DefaultWords returns the words of English, Hindi and Spanish. Nobody changes them.
func DefaultWords() Words { return defaultWords }

var defaultWords = Words{
	Approve: []string{
		"approve", "approved", "accept", "aprobar", "apruebo", "aprobado", "aceptar", "acepto", "autorizar",
		"manjoor", "manzoor", "manjur", "swikar", "sweekar", "मंजूर", "स्वीकार", "स्वीकृत", "अनुमोदित",
	},
	Reject: []string{
		"reject", "rejected", "decline", "deny", "rechazar", "rechazo", "rechazado", "denegar", "negar",
		"namanjoor", "namanzoor", "namanjur", "aswikar", "asweekar", "नामंजूर", "अस्वीकार", "अस्वीकृत",
	},
}

// With returns the words with a tenant's own.
func (w Words) With(approve, reject []string) Words {
	return Words{append(slices.Clip(w.Approve), folded(approve)...), append(slices.Clip(w.Reject), folded(reject)...)}
}

func folded(words []string) []string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = Fold(word)
	}
	return all
}

// letters are the characters that people leave out or write in several ways, and what they become: accents, and the dot
// below a Devanagari letter, which keyboards write as one character or two.
var letters = strings.NewReplacer(
	"á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "\u093c", "",
	"\u0958", "क", "\u0959", "ख", "\u095a", "ग", "\u095b", "ज", "\u095c", "ड", "\u095d", "ढ", "\u095e", "फ", "\u095f",
	"य",
)

// Fold returns one spelling of a word: in lower case, without accents and dots.
func Fold(word string) string { return letters.Replace(strings.ToLower(word)) }

// MaxWords and MaxWordBytes bound a tenant's own words.
const (
	MaxWords     = 20
	MaxWordBytes = 40
)

// IsWord reports whether a text can be one of a tenant's words.
func IsWord(text string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
	return len(parts) == 1 && parts[0] == text && len(text) <= MaxWordBytes && !IsReference(text)
}

// PayloadPrefix begins what the buttons of card requests bring back.
const PayloadPrefix = "cards:"

// Payload returns what a button brings back.
func Payload(action Action, request model.Name) string {
	return PayloadPrefix + string(action) + ":" + string(request)
}

// FromPayload reads what a button has brought back. It reports false for the payload of any other button.
func FromPayload(payload string) (Command, bool) {
	rest, ours := strings.CutPrefix(payload, PayloadPrefix)
	action, request, _ := strings.Cut(rest, ":")
	if !ours || !IsReference(request) || Action(action) != Approve && Action(action) != Reject {
		return Command{}, false
	}
	return Command{Action: Action(action), Request: request}, true
}

// maxTextBytes bounds the texts that may be commands.
const maxTextBytes = 1000

// MayBe reports whether a text may be a command in the words of some tenant: it begins with one of the default words,
// or its second word is the code or the id of a request. It is cheap, because it looks at every text that comes in.
func MayBe(text string) bool {
	first, rest, ok := split(text)
	if !ok {
		return false
	}
	words := DefaultWords()
	return slices.Contains(words.Approve, first) || slices.Contains(words.Reject, first) || IsReference(reference(rest))
}

// FromText reads a text. It reports false for a text that begins with none of the words. Without the code or id of a
// request in the second place the command has no Request.
func FromText(text string, words Words) (Command, bool) {
	first, rest, ok := split(text)
	if !ok {
		return Command{}, false
	}
	var c Command
	switch {
	case slices.Contains(words.Approve, first):
		c.Action = Approve
	case slices.Contains(words.Reject, first):
		c.Action = Reject
	default:
		return Command{}, false
	}
	if second := reference(rest); IsReference(second) {
		c.Request = Canonical(second)
		c.Reason = model.Truncate(strings.TrimSpace(strings.TrimLeft(after(rest), " \t\n,;:.-–—")), 500)
	}
	return c, true
}

// split returns the first word of a text, folded and without punctuation around it, and the rest.
func split(text string) (first, rest string, ok bool) {
	if len(text) > maxTextBytes {
		return "", "", false
	}
	text = strings.TrimFunc(text, isEdge)
	end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ':' || r == ',' })
	if end < 0 {
		return Fold(text), "", text != ""
	}
	return Fold(strings.TrimFunc(text[:end], isEdge)), strings.TrimLeftFunc(text[end:], isEdge), true
}

// isEdge reports whether a character around a word means nothing.
func isEdge(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("*_~`'\"#:,;.!-–—\u200b\u200e\u200f", r)
}

// reference returns the first word of a text, without punctuation around it.
func reference(text string) string {
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		end = len(text)
	}
	return strings.TrimFunc(text[:end], isEdge)
}

// after returns what follows the first word.
func after(text string) string {
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		return ""
	}
	return text[end:]
}

// IsReference reports whether a text has the form of a request's code or id.
func IsReference(text string) bool {
	if _, err := uuid.Parse(text); err == nil && len(text) == 36 {
		return true
	}
	return IsCode(text)
}

// Canonical returns one spelling of a code or an id.
func Canonical(reference string) string {
	if IsCode(reference) {
		return canonicalCode(reference)
	}
	return strings.ToLower(reference)
}

// alphabet is Crockford's base 32: no I, L, O and U, which are misread or make words.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// codeLength is the length of a code with its check character.
const codeLength = 8

// CodeOf returns a code for a request that a person can type: eight characters, of which the last one checks the
// others. A new
// request has the code of one of a million others about once in thirty thousand times: then it is refused, and asked
// for again it gets
// another code.
func CodeOf(request model.Name) model.Name {
	sum := sha256.Sum256([]byte(request))
	code := make([]byte, codeLength-1)
	for i := range code {
		code[i] = alphabet[sum[i]%32]
	}
	return model.Name(string(code) + string(check(string(code))))
}

// weights are odd, so that no change of a single character leaves the sum as it is.
var weights = [codeLength - 1]int{1, 3, 5, 7, 9, 11, 13}

// check returns the check character. It differs whenever one character changes, and nearly always when two neighbours
// change
// places.
func check(code string) byte {
	sum := 0
	for i := range len(code) {
		sum += weights[i] * strings.IndexByte(alphabet, code[i])
	}
	return alphabet[sum%32]
}

// IsCode reports whether a text is a code, in upper or lower case, with or without a hyphen.
func IsCode(text string) bool {
	code := canonicalCode(text)
	if len(text) > codeLength+2 || len(code) != codeLength || strings.Trim(code, alphabet) != "" {
		return false
	}
	return check(code[:codeLength-1]) == code[codeLength-1]
}

// canonicalCode returns a code in upper case and without hyphens, with letters that are misread as what they were meant
// to be.
func canonicalCode(text string) string {
	return strings.Map(func(r rune) rune {
		switch r = unicode.ToUpper(r); r {
		case '-', '–':
			return -1
		case 'O':
			return '0'
		case 'I', 'L':
			return '1'
		}
		return r
	}, text)
}

// Show returns a code as people read it: two groups of four.
func Show(code model.Name) string {
	return string(code[:codeLength/2]) + "-" + string(code[codeLength/2:])
}
