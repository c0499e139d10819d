package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// categoryNouns are words for all goods of a category. Behind a good of the category they say nothing more: lotus
// flower, NCERT maths class 9 ki ek kitab.
var categoryNouns = lazy.Of[map[string]string]{Make: func() map[string]string {
	nouns := map[string]string{}
	for _, row := range []string{
		"book books kitab kitaab kitabe copy copies किताब किताबें पुस्तक", "flower flowers phool phul ful फूल",
		"fish machli machhli machchi maach मछली", "plant plants paudha podha पौधा पौधे",
		"fruit fruits phal फल", "toy toys khilona khilaune खिलौना", "medicine medicines dawa dawai दवा दवाई",
		"vegetable vegetables sabzi sabji सब्जी सब्ज़ी", "sweet sweets mithai मिठाई",
	} {
		words := strings.Fields(normalise(row))
		for _, w := range words {
			nouns[language.Fold(w)] = words[0]
		}
	}
	return nouns
}}

// isOfCategory reports whether a word only calls the good before it by its category. A count may stand between them.
func (x *Index) isOfCategory(t token, before []element) bool {
	noun := categoryNouns.Get()[t.key]
	last := len(before) - 1
	if noun == "" {
		return last >= 0 && before[last].kind == goodsElement && x.callsByCategory(t, before[last].words)
	}
	for last >= 0 && (isBareCount(before[last]) || before[last].kind == pauseElement ||
		before[last].kind == markerElement && before[last].marker == possessive ||
		before[last].kind == fillerElement && before[last].to-before[last].from == 1) {
		last--
	}
	if last < 0 || before[last].kind != goodsElement ||
		x.sells(slices.Concat(before[last].words, meaningOf(t.key))) {
		return false
	}
	named := x.having(before[last].words)
	if noun == "book" && len(named) > 0 && known.Get().headOf(before[last].words) == "" &&
		x.isTitle(before[last].words) {
		return true
	}
	return len(named) > 0 && !slices.ContainsFunc(named, func(p *product) bool {
		return !slices.ContainsFunc(tokenise(normalise(p.Category)),
			func(of token) bool { return categoryNouns.Get()[of.key] == noun })
	})
}

// callsByCategory reports whether a word that names no thing is the category of all that some words name: jowar grain.
func (x *Index) callsByCategory(t token, words []string) bool {
	if t.kind != word || len(t.key) < 4 || x.vocab[t.key] || isKnownAlone(t) {
		return false
	}
	named := x.named(words)
	return len(named) > 0 && !slices.ContainsFunc(named, func(p *product) bool {
		return p.category != t.key && p.category != strings.TrimSuffix(t.key, "s")
	})
}

// isTitle reports whether some words are of what a book is called: they are of one good, which is no known thing.
func (x *Index) isTitle(words []string) bool {
	return x.sellsAlone(words) && len(x.named(words)[0].heads) == 0
}
