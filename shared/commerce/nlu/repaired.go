package nlu

import (
	"slices"

	"github.com/haatline/haatline/shared/language"
)

// repaired takes unknown words for misspelt ones of the catalogue where they make a thing that is sold together with
// the known words beside them: spak plug. That others stand beside them lets more errors pass than in a word alone.
func (x *Index) repaired(run []element) []element {
	var words []string
	for _, e := range run {
		if e.kind == goodsElement {
			words = append(words, e.words...)
		}
	}
	if len(words) == 0 || len(run) > 8 {
		return run
	}
	run = slices.Clone(run)
	if !x.sells(words) {
		if words = x.guessedAgain(run, words); !x.sells(words) {
			words = x.lengthened(run, words)
		}
	}
	for i, e := range run {
		if e.kind != unknownElement || len(e.words) != 1 || len(e.words[0]) < 3 {
			continue
		}
		if key := x.misspelt(e.words[0], words); key != "" {
			run[i].kind, run[i].words, run[i].guessed = goodsElement, meaningOf(key), true
			words = append(words, run[i].words...)
		}
	}
	return run
}

// guessedAgain looks for another word than was guessed where the known words are not sold together with it, and returns
// the words as they are then: square notebook, not scale notebook.
func (x *Index) guessedAgain(run []element, words []string) []string {
	for i, e := range run {
		if e.spelt == "" || e.to-e.from != 1 {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(e.words, w) })
		if len(others) == 0 || !x.sells(others) {
			continue
		}
		if key := x.misspelt(e.spelt, others); key != "" {
			run[i].words = meaningOf(key)
			words = append(others, run[i].words...)
		}
	}
	return words
}

// misspelt returns the word of the catalogue that is most like a key, and is sold with some words; "" if there is none.
func (x *Index) misspelt(key string, beside []string) string {
	best, least := "", 1+max(1, (len(key)-2)/2)
	for _, candidate := range x.byLetter[key[0]][:x.own[key[0]]] {
		if len(candidate) < 3 {
			continue
		}
		n := language.Edits(key, candidate, min(3, least))
		if least > 1 && n >= least && len(key) > 3 && consonants(key) == consonants(candidate) { // rabar band
			n = least - 1
		}
		if n < least && x.sells(slices.Concat(beside, meaningOf(candidate))) {
			best, least = candidate, n
		}
	}
	return best
}
