package nlu

import (
	"slices"

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
	text := string(initials)
	l := known.Get()
	if len(text) < 2 || len(text) > 3 || seen["= "+text] {
		return
	}
	seen["= "+text] = true
	t := tokenise(text)[0]
	_, marked := l.markers.find([]token{t})
	if x.vocab[t.key] || l.keys[t.key] || l.fillers[t.text] || unitOf(t).kind != 0 || marked > 0 || numeralsOf(t) {
		return
	}
	x.names.add(entry{keys: []string{t.key}, goods: keysOf(brand)})
}

// isGoodSpelt reports whether goods are spelt as a word is, and do not only sound like it.
func (l *lexicon) isGoodSpelt(text string) bool {
	return slices.ContainsFunc(l.goods[language.Fold(text)],
		func(e entry) bool { return len(e.keys) == 1 && e.text == text })
}
