package nlu

import "slices"

// like keeps, of what may be meant by words that only say which, those most like the thing that was named before: two
// black leggings and a white one.
func (x *Index) like(found []chosen, it *item) []chosen {
	if len(found) < 2 || !x.bare(it.words) {
		return found
	}
	best := 1
	for _, c := range found {
		best = max(best, c.product.shares(it.previous))
	}
	return keep(found, func(c chosen) bool { return c.product.shares(it.previous) == best })
}

// shares returns how many of some words are true of a product.
func (p *product) shares(words []string) int {
	n := 0
	for _, w := range words {
		if p.words[w] {
			n++
		}
	}
	return n
}

// hasSizes reports whether some words name goods that are told apart by letters for sizes.
func (x *Index) hasSizes(words []string) bool {
	return slices.ContainsFunc(x.having(words), func(p *product) bool {
		return p.fitsWords(words) && slices.ContainsFunc(p.nameWords, func(w string) bool { return sizeLetters()[w] })
	})
}

// isOfSize reports whether a product's name says that it is the small or the large one.
func (p *product) isOfSize(large bool) bool {
	return slices.ContainsFunc(p.nameWords, func(w string) bool {
		return large && (w == "large" || w == "big" || w == "jumbo") || !large && (w == "small" || w == "mini")
	})
}

// inName reports whether a word stands beside another word of the name of a good: the night of night suit.
func (x *Index) inName(tokens []token, at int) bool {
	for from := max(0, at-1); from <= at && from+2 <= len(tokens); from++ {
		pair := tokens[from : from+2]
		if x.vocab[pair[0].key] && x.vocab[pair[1].key] && x.sells(known().meaning(pair)) {
			return true
		}
	}
	return false
}
