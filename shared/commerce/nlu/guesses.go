package nlu

import (
	"cmp"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// inPhrase returns the word with which the one before it makes a phrase for goods of the shop, and which a word is most
// like: french frise.
func (x *Index) inPhrase(tokens []token, at int) string {
	t := tokens[at]
	if at == 0 || t.devanagari || t.kind != word || t.key == "" {
		return ""
	}
	bare := !strings.ContainsAny(t.text, "aeiouy")
	for _, phrases := range []dictionary{x.names, known.Get().goods} {
		for _, e := range phrases[tokens[at-1].key] {
			if len(e.keys) < 2 || e.keys[1] == "" || e.keys[1][0] != t.key[0] || !x.sells(e.goods) {
				continue
			}
			if len(t.key) > 3 && language.Edits(t.key, e.keys[1], 1) == 1 ||
				bare && len(e.keys[1]) > len(t.text) && thinOf(e.keys[1]) == thinOf(t.text) { // moong dl
				return e.keys[1]
			}
		}
	}
	return ""
}

// miswritten returns the folded word of a name of which a word differs by one letter as it is written, or a long one by
// two, where its sound differs more: areil, badthday. "" for none.
func (x *Index) miswritten(text string) string {
	if len(text) < leastLong {
		return ""
	}
	most := 1
	if len(text) >= leastMiswritten {
		most = 2
	}
	for _, w := range x.longWords[text[0]] {
		if (most == 1 || len(w) >= leastMiswritten) && language.Edits(text, w, most) <= most {
			return language.Fold(language.Plain(w))
		}
	}
	return ""
}

// leastMiswritten is how many letters a word has that two of them may be wrong in.
const leastMiswritten = 7

// leastLong is how many letters a word has that one of them may be wrong in.
const leastLong = 5

// isPhrase reports whether two words follow each other in a name: mini meals.
func (x *Index) isPhrase(first, second string) bool {
	_, took := x.names.find([]token{{kind: word, key: first}, {kind: word, key: second}})
	return took > 1
}

// onlyPart returns the word of the catalogue that a word sounds like, which the lexicon knows only as a part of
// phrases; "" for none. Balon is known of baalon ka colour, and is a balloon.
func (x *Index) onlyPart(t token) string {
	l := known.Get()
	if t.kind != word || len(t.key) < 4 || !l.keys[t.key] || x.vocab[t.key] || l.fillers[t.text] ||
		l.fillerKeys[t.key] ||
		unitOf(t).kind != 0 || numeralsOf(t) || sizeWords.Has(t.text) {
		return ""
	}
	_, goods := l.goods.find([]token{t})
	_, marked := l.markers.find([]token{t})
	if goods > 0 || marked > 0 {
		return ""
	}
	return x.sounding(t.key)
}

// cutShort returns the one word of the catalogue of which a word is the beginning, or lacks one letter: calif, staw.
func (x *Index) cutShort(key string) string {
	found := ""
	if len(key) < 4 {
		return ""
	}
	for _, candidate := range x.byLetter[key[0]][:x.own[key[0]]] {
		if len(x.byWord[candidate]) > 0 && strings.HasPrefix(candidate, key) && len(candidate) > len(key)+1 ||
			len(candidate) == len(key)+1 && lettersIn(key, candidate) {
			if found != "" && !slices.Equal(x.byWord[found], x.byWord[candidate]) {
				return ""
			}
			found = cmp.Or(found, candidate)
		}
	}
	return found
}

// ownWithin returns the one word of the catalogue that differs from a word by one letter; "" if there is none, or more
// than one.
func (x *Index) ownWithin(key string) string {
	if language.MaxEdits(len(key)) == 0 {
		return ""
	}
	found := ""
	for _, candidate := range x.byLetter[key[0]][:x.own[key[0]]] {
		if len(candidate) > 4 && language.Edits(key, candidate, 1) == 1 {
			if found != "" && !slices.Equal(x.byWord[found], x.byWord[candidate]) {
				return ""
			}
			found = cmp.Or(found, candidate)
		}
	}
	return found
}

// Letters of a word of a name of which the first are written, perhaps with its last: reg, soln.
const leastAbbreviation, leastAbbreviated = 3, 6

// abbreviated returns the folded word of a name of which a word is an abbreviation; "" if there is none, or more than
// one. Three letters say too little where no number stands beside them.
func (x *Index) abbreviated(text string, counted bool) string {
	if len(text) < leastAbbreviation || len(text) > leastAbbreviated || len(text) == leastAbbreviation && !counted {
		return ""
	}
	return x.onlyLong(text, func(w string) bool {
		last := len(text) == leastAbbreviation || text[len(text)-1] == w[len(w)-1]
		return last && strings.HasPrefix(w, text[:leastAbbreviation])
	})
}

// leftOfLong returns the folded word of a name of which three letters or more without a vowel are left, among them the
// first and the last: rly. "" if there is none, or more than one.
func (x *Index) leftOfLong(text string) string {
	if len(text) < leastAbbreviation || strings.ContainsAny(text, "aeiou") {
		return ""
	}
	return x.onlyLong(text, func(w string) bool { return text[len(text)-1] == w[len(w)-1] })
}

// onlyLong returns the folded long word of a name that begins as a text does, holds its letters in their order, and
// fits; "" if there is none, or more than one.
func (x *Index) onlyLong(text string, fits func(word string) bool) string {
	found := ""
	for _, w := range x.longWords[text[0]] {
		if len(w) < leastAbbreviated || !fits(w) || !lettersIn(text, w) {
			continue
		}
		key := language.Fold(language.Plain(w))
		if found != "" && found != key && !slices.Equal(x.byWord[found], x.byWord[key]) {
			return ""
		}
		found = cmp.Or(found, key)
	}
	return found
}

// cutBeside returns the word of the catalogue of which a word is the beginning and that is sold together with another
// word of the message: the choc of a premix is chocolate, though there are choco chips. "" if there is none, or more
// than one.
func (x *Index) cutBeside(tokens []token, at int) string {
	key, found := tokens[at].key, ""
	if len(key) < leastAbbreviation {
		return ""
	}
	for _, candidate := range x.byLetter[key[0]][:x.own[key[0]]] {
		if !strings.HasPrefix(candidate, key) || !x.soldBeside(tokens, at, candidate) {
			continue
		}
		if found != "" && !slices.Equal(x.byWord[found], x.byWord[candidate]) {
			return ""
		}
		found = cmp.Or(found, candidate)
	}
	return found
}

// soldBeside reports whether a word of the catalogue is sold together with a word that stands near a place.
func (x *Index) soldBeside(tokens []token, at int, candidate string) bool {
	for i := max(0, at-6); i < min(len(tokens), at+5); i++ {
		if t := tokens[i]; i != at && t.kind == word && x.vocab[t.key] && !known.Get().fillers[t.text] &&
			unitOf(t).kind == 0 && t.key != candidate &&
			x.sells(slices.Concat(meaningOf(t.key), meaningOf(candidate))) {
			return true
		}
	}
	return false
}

// thinBeside returns the word of the catalogue that a word is without vowels, and that is sold together with the next
// one: plt knife. "" for none.
func (x *Index) thinBeside(tokens []token, at int) string {
	t := tokens[at]
	if at+1 >= len(tokens) || t.devanagari || strings.ContainsAny(t.text, "aeiouy") || len(t.text) < leastThin {
		return ""
	}
	thin := thinOf(t.text)
	for _, w := range x.longWords[t.text[0]] {
		if thinOf(w) != thin {
			continue
		}
		key := language.Fold(language.Plain(w))
		if x.sells(slices.Concat(meaningOf(key), meaningOf(tokens[at+1].key))) {
			return key
		}
	}
	return ""
}

// cutBehindNumber returns the word of which one that is written to a number is the beginning, where such words stand
// behind numbers in names: 4ch is 4 channel. "" for none, or several.
func (x *Index) cutBehindNumber(tokens []token, at int) string {
	t, found := tokens[at], ""
	if at == 0 || !t.glued || t.kind != word || len(t.text) < 2 || tokens[at-1].kind != number || x.vocab[t.key] ||
		unitOf(t).kind != 0 || known.Get().keys[t.key] {
		return ""
	}
	for w := range x.behindNumbers {
		if !strings.HasPrefix(w, t.text) {
			continue
		}
		if found != "" {
			return ""
		}
		found = language.Fold(w)
	}
	return found
}
