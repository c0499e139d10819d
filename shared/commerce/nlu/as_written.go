package nlu

import "slices"

// onlyParts reports whether some words are only parts of the names that were found: the colour of hair colour names no
// thing by itself in a question.
func onlyParts(found []chosen, words []string) bool {
	return !slices.ContainsFunc(found, func(c chosen) bool { return !all(words, c.product.parts) })
}

// asWritten keeps the products whose whole name is what the customer wrote, where the lexicon takes two names of this
// catalogue for one word: kishmish and munakka are both raisins.
func (x *Index) asWritten(found []chosen, it *item, tokens []token) []chosen {
	if len(found) < 2 {
		return found
	}
	var keys []string
	for _, part := range it.parts {
		for _, t := range tokens[part.from:part.to] {
			if t.kind == word && !joins.Has(t.text) {
				keys = append(keys, t.key)
			}
		}
	}
	keys = sorted(keys)
	return keep(found, func(c chosen) bool {
		return slices.Equal(keys, c.product.written) || slices.Equal(keys, c.product.writtenLocal)
	})
}
