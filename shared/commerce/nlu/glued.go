package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// Bounds of a word that may be several words without a space between them.
const (
	leastGlued, mostGlued = 8, 40 // letters
	leastPiece            = 3
)

// apart takes the words apart that a customer has written without a space between them: paneerbuttermasala. Each piece
// is a word of the catalogue; the first may be a unit whose number stands before it: 1kgkeema.
func (x *Index) apart(tokens []token) []token {
	tokens = x.spelled(tokens)
	for i := 0; i < len(tokens) && len(tokens) < maxTokens; i++ {
		t := tokens[i]
		if (t.text == "*" || t.text == "×") && i > 0 && t.glued && tokens[i-1].kind == number &&
			i+1 < len(tokens) && tokens[i+1].kind == number && tokens[i+1].glued { // 25*47*7
			tokens[i] = finished(token{kind: word, text: "x", from: t.from, to: t.to, glued: true})
			continue
		}
		if t.text == "sqmm" { // 35 sqmm
			tokens = slices.Insert(tokens, i+1, part(t, 2, len(t.text)))
			tokens[i] = part(t, 0, 2)
			continue
		}
		if at := x.numeralEnd(t); at > 0 {
			tokens = slices.Insert(tokens, i+1, part(t, at, len(t.text)))
			tokens[i] = part(t, 0, at)
			i++
			continue
		}
		if at := x.letterEnd(t); at > 0 {
			count := token{kind: number, text: t.text[at:], from: t.from + at, to: t.to, glued: true}
			tokens = slices.Insert(tokens, i+1, finished(count))
			tokens[i] = part(t, 0, at)
			i++
			continue
		}
		if at := x.measureEnd(tokens, i); at > 0 {
			count := token{kind: number, text: t.text[at:], from: t.from + at, to: t.to}
			tokens = slices.Insert(tokens, i+1, finished(count))
			tokens[i] = part(t, 0, at)
			i++
			continue
		}
		if at := x.unitEnd(tokens, i); at > 0 {
			tokens = slices.Insert(tokens, i+1, part(t, at, len(t.text)))
			tokens[i] = part(t, 0, at)
			i++
			continue
		}
		if t.kind != word || t.devanagari || len(t.text) < leastGlued || len(t.text) > mostGlued ||
			len(t.text) != t.to-t.from || x.vocab[t.key] || known.Get().keys[t.key] || x.isPlural(t.key) {
			continue
		}
		ends := x.pieces(t.text, i > 0 && t.glued && tokens[i-1].kind == number)
		if len(ends) < 2 || x.nearest(t.key) != "" {
			continue
		}
		var all []token
		from := 0
		for _, to := range ends {
			all = append(all, part(t, from, to))
			from = to
		}
		tokens = append(append(append([]token{}, tokens[:i]...), all...), tokens[i+1:]...)
		i += len(all) - 1
	}
	return tokens
}

// part returns a part of a word as a word of its own.
func part(t token, from, to int) token {
	return finished(token{
		kind: word, text: t.text[from:to], from: t.from + from, to: t.from + to, glued: from > 0 || t.glued})
}

// numeralEnd returns where the number ends that a word begins with, if it goes on with what is counted: adhakilo,
// ekdibba; 0 for none.
func (x *Index) numeralEnd(t token) int {
	if t.kind != word || t.devanagari || len(t.text) != t.to-t.from || x.vocab[t.key] || known.Get().keys[t.key] {
		return 0
	}
	for at := len(t.text) - leastPiece; at > 1; at-- {
		_, numeral := numerals.Get()[t.text[:at]]
		unit := units.Get()[t.text[at:]]
		if numeral && (unit.kind == measureUnit || unit.kind == packUnit) ||
			units.Get()[t.text[:at]].alone && unit.alone && unit.kind == measureUnit { // pavkilo
			return at
		}
	}
	return 0
}

// letterEnd returns where the letters of a size end that a count follows without a blank, as in m1. It returns 0 if the
// shop has no such size.
func (x *Index) letterEnd(t token) int {
	size := strings.TrimRight(t.text, "0123456789")
	if t.kind != word || size == t.text || len(t.text) != t.to-t.from || x.vocab[t.key] || !x.sizeLetters[size] {
		return 0
	}
	return len(size)
}

// measureEnd returns where the measure ends behind a number to which a count is written: 2mm3; 0 for none.
func (x *Index) measureEnd(tokens []token, i int) int {
	t := tokens[i]
	unit := strings.TrimRight(t.text, "0123456789")
	if i == 0 || t.kind != word || !t.glued || tokens[i-1].kind != number || unit == t.text || unit == "" ||
		len(t.text) != t.to-t.from || x.vocab[t.key] || units.Get()[unit].kind != measureUnit && !labels.Has(unit) {
		return 0
	}
	return len(unit)
}

// unitEnd returns where the unit ends that a word begins with behind a number, if a good follows it: 2kgchini; 0 for
// none.
func (x *Index) unitEnd(tokens []token, i int) int {
	t := tokens[i]
	if i == 0 || t.kind != word || !t.glued || t.devanagari || tokens[i-1].kind != number ||
		len(t.text) != t.to-t.from || x.vocab[t.key] || known.Get().keys[t.key] || unitOf(t).kind != 0 {
		return 0
	}
	for at := min(4, len(t.text)-leastPiece); at > 0; at-- {
		rest := part(t, at, len(t.text))
		kind := units.Get()[t.text[:at]].kind
		if (kind == measureUnit || kind == packUnit) && (x.vocab[rest.key] || known.Get().named[rest.key]) {
			return at
		}
	}
	return 0
}

// pieces returns where the words end of which a text consists, the longest first; nil if it consists of none.
func (x *Index) pieces(text string, counted bool) []int {
	reached := make([]int, len(text)+1) // where the piece begins that ends there, and 1; 0 for none
	reached[0] = 1
	for from := range len(text) {
		if reached[from] == 0 {
			continue
		}
		for to := from + 1; to <= len(text); to++ {
			piece := text[from:to]
			is := to-from >= leastPiece && x.vocab[language.Fold(piece)] ||
				from == 0 && counted && units.Get()[piece].kind != 0
			if is && reached[to] == 0 {
				reached[to] = from + 1
			}
		}
	}
	var ends []int
	for to := len(text); to > 0; to = reached[to] - 1 {
		if reached[to] == 0 {
			return nil
		}
		ends = append([]int{to}, ends...)
	}
	return ends
}
