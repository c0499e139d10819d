package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/sorting"
)

// unitSpellings are the words for units by what they sound like, and by what is left of them without vowels.
type unitSpellings struct {
	sounds, thin map[string][]string
	keys         map[byte][]string // of sounds, by their first letters
}

var spelledUnits = lazy.Of[unitSpellings]{Make: func() unitSpellings {
	known := unitSpellings{sounds: map[string][]string{}, thin: map[string][]string{}, keys: map[byte][]string{}}
	for _, row := range unitWords {
		for _, w := range strings.Fields(row.words) {
			w = normalise(w)
			if key := language.Fold(w); len(key) > 2 {
				if known.sounds[key] == nil && len(key) > 3 {
					known.keys[key[0]] = append(known.keys[key[0]], key)
				}
				known.sounds[key] = append(known.sounds[key], w)
			}
			if strings.IndexFunc(w, language.IsDevanagari) < 0 && len(w) > leastThin && row.kind != rupeeUnit {
				known.thin[thinOf(w)] = append(known.thin[thinOf(w)], w)
			}
		}
	}
	return known
}}

// unitLike returns the word for a unit that an unknown word after a number is likely meant to be: 2 plt, 5 metr,
// दो गिलास. A number makes a unit likelier than anything else.
func (x *Index) unitLike(tokens []token, at int) string {
	t, l := tokens[at], known.Get()
	if at == 0 || t.kind != word || t.text == portion || !isNumber(tokens[at-1]) || unitOf(t).kind != 0 ||
		x.vocab[t.key] || l.named[t.key] || l.fillers[t.text] || numeralsOf(t) {
		return ""
	}
	if unit := oneUnit(spelledUnits.Get().sounds[t.key]); unit != "" {
		return unit
	}
	if l.keys[t.key] || t.devanagari || x.thickened(t.text) != "" {
		return ""
	}
	if len(t.text) >= leastThin {
		unit := oneUnit(slices.DeleteFunc(slices.Clone(spelledUnits.Get().thin[thinOf(t.text)]),
			func(w string) bool { return !lettersIn(t.text, w) }))
		if unit != "" {
			return unit
		}
	}
	if len(t.key) < 4 || x.nearest(t.key) != "" {
		return ""
	}
	var near []string
	for _, key := range spelledUnits.Get().keys[t.key[0]] {
		if language.Edits(t.key, key, 1) == 1 {
			near = append(near, spelledUnits.Get().sounds[key]...)
		}
	}
	return oneUnit(near)
}

// oneUnit returns one of some words for units, if all are of the same unit; "" otherwise.
func oneUnit(words []string) string {
	if len(words) == 0 {
		return ""
	}
	first := units.Get()[words[0]]
	for _, w := range words[1:] {
		if u := units.Get()[w]; u.name != first.name || !u.factor.Equal(first.factor) {
			return ""
		}
	}
	return slices.Min(words)
}

// numeralLike returns the number word that an unknown word before a unit is likely meant to be: haff kg.
func (x *Index) numeralLike(tokens []token, at int) string {
	t, l := tokens[at], known.Get()
	if at+1 >= len(tokens) || t.kind != word || t.devanagari || len(t.text) < 4 || x.vocab[t.key] || l.keys[t.key] ||
		l.fillers[t.text] || unitOf(tokens[at+1]).kind != measureUnit {
		return ""
	}
	for _, w := range spelledNumerals.Get() {
		if len(w) > 3 && w[0] == t.text[0] && language.Edits(t.text, w, 1) == 1 {
			return w
		}
	}
	return ""
}

// spelledNumerals are the number words in Latin letters, in order.
var spelledNumerals = lazy.Of[[]string]{Make: func() []string {
	var all []string
	for w := range numerals.Get() {
		if strings.IndexFunc(w, language.IsDevanagari) < 0 {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return all
}}

// smallWordOf returns the small word of which a word is written without any vowel: cn is can, ppl people. Beside a
// number it is one only of what numbers count that are no quantities.
func (x *Index) smallWordOf(tokens []token, at int) string {
	t, l := tokens[at], known.Get()
	if len(t.text) == 3 && t.kind == word && !x.vocab[t.key] && !l.keys[t.key] {
		for w := range sizeNames.Set() {
			if len(w) > 4 && strings.HasPrefix(w, t.text) && x.vocab[language.Fold(w)] { // med
				return w
			}
		}
	}
	if t.kind != word || t.devanagari || len(t.text) < 2 || strings.ContainsAny(t.text, "aeiouy0123456789") ||
		x.vocab[t.key] || l.keys[t.key] || l.fillers[t.text] || unitOf(t).kind != 0 || x.thickened(t.text) != "" {
		return ""
	}
	counted := at > 0 && isNumber(tokens[at-1])
	counts := at+1 < len(tokens) && isNumber(tokens[at+1])
	for _, w := range thinSmallWords.Get()[thinOf(t.text)] {
		if !lettersIn(t.text, w) || l.isGoodSpelt(w) { // gd is no gud
			continue
		}
		if !counted && !counts && l.fillers[w] {
			return w
		}
		m, took := l.markers.find(tokenise(w))
		if took > 0 && (counted && m.marker == afterNumber || m.marker == smallest || m.marker == largest) {
			return w
		}
	}
	return ""
}

// thinSmallWords are the words that say nothing about goods, by what is left of them without vowels; shorter ones
// first.
var thinSmallWords = lazy.Of[map[string][]string]{Make: func() map[string][]string {
	thin := map[string][]string{}
	add := func(w string) {
		if len(w) > 2 && strings.IndexFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) < 0 {
			thin[thinOf(w)] = append(thin[thinOf(w)], w)
		}
	}
	for _, w := range strings.Fields(fillers) {
		add(w)
	}
	for _, row := range markers {
		for _, w := range strings.Split(row.words, ",") {
			if row.kind == afterNumber || row.kind == smallest || row.kind == largest {
				add(strings.TrimSpace(w))
			}
		}
	}
	for key := range thin {
		sorting.Func(thin[key], func(a, b string) int { return len(a) - len(b) })
	}
	return thin
}}
