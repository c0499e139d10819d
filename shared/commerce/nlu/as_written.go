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
	var written []token
	for _, part := range it.parts {
		for _, t := range tokens[part.from:part.to] {
			if t.kind == word && !joins.Has(t.text) {
				keys, written = append(keys, t.key), append(written, t)
			}
		}
	}
	keys = sorted(keys)
	texts := sortedTexts(written)
	if alias := keep(found, func(c chosen) bool { // bhabhi rakhi sounds like baby rakhi
		return slices.ContainsFunc(c.product.aliasTexts, func(of []string) bool { return slices.Equal(of, texts) })
	}); len(alias) < len(found) {
		return alias
	}
	found = keep(found, func(c chosen) bool {
		return slices.Equal(keys, c.product.written) || slices.Equal(keys, c.product.writtenLocal)
	})
	for _, key := range keys {
		found = toldApart(found, key)
	}
	return found
}

// sortedTexts returns some words as they are written, each once, in order.
func sortedTexts(tokens []token) []string {
	var texts []string
	for _, t := range tokens {
		if t.kind == word && !joins.Has(t.text) {
			texts = append(texts, t.text)
		}
	}
	return sorted(texts)
}

// withSwallowed keeps, of what may be meant, the products of which a word is true that the lexicon takes for a part of
// a phrase: hari elaichi is any cardamom, and the green one where there is another.
func (x *Index) withSwallowed(found []chosen, it *item, tokens []token) []chosen {
	if len(found) < 2 {
		return found
	}
	for _, part := range it.parts {
		for _, t := range tokens[part.from:part.to] {
			own := meaningOf(t.key)
			if t.kind != word || joins.Has(t.text) || len(own) != 1 || slices.Contains(it.words, own[0]) ||
				own[0] == "powder" {
				continue
			}
			found = keep(found, func(c chosen) bool { return c.product.words[own[0]] || c.product.texts[t.key] })
		}
	}
	return keep(found, func(c chosen) bool { return it.unlike == "" || !c.product.words[it.unlike] })
}

// toldApart keeps the products that write a word as the customer does, where the others write another word for it, and
// none writes both: a folder is no file where files and folders are sold.
func toldApart(found []chosen, key string) []chosen {
	if len(found) < 2 {
		return found
	}
	meaning := meaningOf(key)
	if len(meaning) != 1 || meaning[0] == key && !known.Get().things[key] {
		return found
	}
	var own, others []chosen
	ways := map[string]bool{} // the words that the others use for it
	for _, c := range found {
		if c.product.texts[key] {
			own = append(own, c)
			continue
		}
		others = append(others, c)
		uses := false
		for other := range c.product.texts {
			if slices.Equal(meaningOf(other), meaning) {
				ways[other], uses = true, true
			}
		}
		if !uses {
			return found
		}
	}
	if len(own) == 0 || len(others) == 0 || slices.ContainsFunc(own, func(c chosen) bool {
		for other := range ways {
			if c.product.texts[other] {
				return true
			}
		}
		return false
	}) {
		return found
	}
	return own
}
