package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// meaningBeside returns the words of goods that the tokens of a name stand for, in which the words of its brand name no
// thing that they only sound like: Good Knight is no gud.
func (l *lexicon) meaningBeside(brand map[string]bool, tokens []token) []string {
	if !slices.ContainsFunc(tokens, func(t token) bool { return t.kind == word && !brand[t.key] }) {
		return l.meaning(tokens)
	}
	var words []string
	from := 0
	for i, t := range tokens {
		if e, took := l.goods.find(tokens[i:]); took == 1 && brand[t.key] && len(e.goods) == 1 &&
			l.things[e.goods[0]] && e.goods[0] != t.key && !l.isGoodSpelt(t.text) {
			words = append(append(words, l.meaning(tokens[from:i])...), t.key)
			from = i + 1
		}
	}
	return append(words, l.meaning(tokens[from:])...)
}

// addInitials lets a brand of several words be called by their first letters: mb for MuscleBlaze. What is a word of its
// own is none.
func (x *Index) addInitials(brand string, seen map[string]bool) {
	var initials []rune
	last := ' '
	for _, r := range brand {
		if r >= 'A' && r <= 'Z' && (last == ' ' || last >= 'a' && last <= 'z') {
			initials = append(initials, r|0x20)
		}
		last = r
	}
	x.addShort(string(initials), keysOf(brand), seen)
}

// addShort lets some words be called by letters that are no word of their own.
func (x *Index) addShort(text string, words []string, seen map[string]bool) {
	l := known.Get()
	if len(text) < 2 || len(text) > 3 || seen["= "+text] {
		return
	}
	seen["= "+text] = true
	t := tokenise(text)[0]
	_, marked := l.markers.find([]token{t})
	soundsLike := l.keys[t.key] && (strings.ContainsAny(text, "aeiouyh") || l.named[t.key])
	if len(t.key) < 2 || x.vocab[t.key] || soundsLike || l.fillers[t.text] || unitOf(t).kind != 0 || marked > 0 ||
		numeralsOf(t) {
		return
	}
	x.names.add(entry{keys: []string{t.key}, goods: words})
}

// addSeries lets several goods be called by the first letters of the two words with which their names begin, where no
// other name begins with such letters: bc 28 for Bio Combination 28.
func (x *Index) addSeries(seen map[string]bool) {
	first := map[string]token{}
	second := map[string]token{}
	counts := map[string]int{}
	for _, p := range x.products {
		tokens := tokenise(normalise(p.Name))
		if len(tokens) < 3 || !spelledOut(tokens[0]) || !spelledOut(tokens[1]) {
			continue
		}
		text := tokens[0].text[:1] + tokens[1].text[:1]
		if counts[text] > 0 && (first[text].key != tokens[0].key || second[text].key != tokens[1].key) {
			counts[text] = len(x.products) + 1 // of several names
		}
		first[text], second[text] = tokens[0], tokens[1]
		counts[text]++
	}
	for text, n := range counts {
		if n > 1 && n <= len(x.products) {
			x.addShort(text, known.Get().meaning([]token{first[text], second[text]}), seen)
		}
	}
}

// spelledOut reports whether a token is a word of some length in Latin letters.
func spelledOut(t token) bool { return t.kind == word && !t.devanagari && len(t.text) > 2 }

// isGoodSpelt reports whether goods are spelt as a word is, and do not only sound like it.
func (l *lexicon) isGoodSpelt(text string) bool {
	return slices.ContainsFunc(l.goods[language.Fold(text)],
		func(e entry) bool { return len(e.keys) == 1 && e.text == text })
}
