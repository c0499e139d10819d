package nlu

import (
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// joinForms gives the products that have a word in one form the other form, where names of this catalogue have both:
// parda, and parde of parde ke chhalle; magnifying glass, and reading glasses.
func (x *Index) joinForms() {
	for _, one := range slices.Sorted(maps.Keys(x.vocab)) {
		others := []string{one + "s", one + "es"}
		if base, oblique := strings.CutSuffix(one, "a"); oblique {
			others = append(others, base+"e")
		}
		for _, other := range others {
			if len(one) < 4 || !x.vocab[other] {
				continue
			}
			byOne, byOther := slices.Clone(x.byWord[one]), slices.Clone(x.byWord[other])
			x.giveWord(byOne, other)
			x.giveWord(byOther, one)
			for _, at := range slices.Concat(byOne, byOther) { // of parde ki rod is parda
				if owners := x.products[at].owners; owners[one] || owners[other] {
					owners[one], owners[other] = true, true
				}
			}
		}
	}
}

// joinScripts gives the products that have a word of Latin letters the word for it in the other script: they stand at
// the same place of a name, and have the same consonants. School bag is skul beg, whatever else its name says.
func (x *Index) joinScripts() {
	seen := map[string]bool{}
	for _, p := range x.products {
		names, locals := tokenise(normalise(p.Name)), tokenise(normalise(p.LocalName))
		if len(names) != len(locals) {
			continue
		}
		for i, t := range names {
			other := locals[i]
			if t.kind != word || !other.devanagari || isKnownAlone(other) || t.key == other.key ||
				seen[t.key+" "+other.key] || len(consonants(t.key)) < 2 || consonants(t.key) != consonants(other.key) {
				continue
			}
			seen[t.key+" "+other.key] = true
			x.giveWord(slices.Clone(x.byWord[t.key]), other.key)
		}
	}
}

// isKnownAlone reports whether a word by itself is known for something.
func isKnownAlone(t token) bool {
	l := known.Get()
	_, goods := l.goods.find([]token{t})
	_, marked := l.markers.find([]token{t})
	return goods > 0 || marked > 0 || l.fillers[t.text] || unitOf(t).kind != 0 || numeralsOf(t) ||
		l.keys[t.key] && !l.named[t.key]
}

// isKnownSpelt reports whether a word is spelt as one that is known for something.
func isKnownSpelt(t token) bool {
	l := known.Get()
	m, marked := l.markers.find([]token{t})
	return l.isGoodSpelt(t.text) || marked > 0 && m.text == t.text || unitOf(t).kind != 0
}

// giveWord makes a word true of some products.
func (x *Index) giveWord(of []int, word string) {
	for _, at := range of {
		if p := x.products[at]; !p.words[word] {
			p.words[word] = true
			x.byWord[word] = append(x.byWord[word], at)
		}
	}
}

// learnBases lets words of names that say how a thing is made be called by the verbs that they are of: fry is fried,
// steam is steamed. A word that is known otherwise stays what it is.
func (x *Index) learnBases() {
	for _, w := range slices.Sorted(maps.Keys(x.written)) {
		base, is := strings.CutSuffix(w, "ed")
		if !is || len(base) < 3 || strings.IndexFunc(w, language.IsDevanagari) >= 0 {
			continue
		}
		full := language.Fold(w)
		if !x.vocab[full] {
			continue
		}
		for _, verb := range []string{
			base, base + "e", strings.TrimSuffix(base, "i") + "y", strings.TrimSuffix(base, "i") + "ai",
			base[:len(base)-1]} {
			key := language.Fold(verb)
			if s := language.Stem(key); len(key) > 2 && !x.vocab[key] && len(verb) > 2 {
				if x.stems[key] == "" {
					x.stems[key] = full
				}
				if x.stems[s] == "" {
					x.stems[s] = full
				}
				x.bases[key] = full
			}
		}
	}
}
