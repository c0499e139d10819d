package nlu

import (
	"slices"
	"strings"
)

// sizesInRow takes the bare numbers behind a thing for sizes of its packs, where a size with its unit and its count
// stand before them and a count follows: cream 1 ltr 1 250 2.
func (x *Index) sizesInRow(atoms []atom) {
	for at := 3; at+1 < len(atoms); at++ {
		size, count := atoms[at-2].quantity, atoms[at-1].quantity
		number, next := atoms[at].quantity, atoms[at+1].quantity
		if size.Size.IsZero() || !count.counts() || !number.counts() || !next.counts() ||
			number.Count.LessThan(manyUnits) {
			continue
		}
		thing := lastThing(atoms[:at-2])
		if thing < 0 {
			continue
		}
		q := Quantity{Size: number.Count, Base: "g"}
		if size.Base == "ml" {
			q.Base = size.Base
		}
		if slices.ContainsFunc(x.named(atoms[thing].words), func(p *product) bool { return p.isSized(q) }) {
			atoms[at].quantity = q
		}
	}
}

// sizedBetween reports whether the size of a pack stands between the words of one thing, and its count behind them:
// cheese 500 wala block 1.
func (x *Index) sizedBetween(first, middle, last atom, rest []atom) bool {
	q := middle.quantity
	if middle.kind != quantityElement || !q.OnlyDescribes() || len(rest) == 0 || !rest[0].quantity.counts() {
		return false
	}
	return slices.ContainsFunc(x.named(slices.Concat(first.words, last.words)), func(p *product) bool {
		return !p.isLoose && (p.isSized(q) || q.OfPrice && (p.Price.Equal(q.Rupees) || p.pack.value.Equal(q.Rupees)))
	})
}

// lengthened takes known words for the longer words that they begin, where they are not sold together and those are:
// mix veg is mixed vegetables. It returns the words as they are then.
func (x *Index) lengthened(run []element, words []string) []string {
	if len(run) < 2 || len(run) > 3 || slices.ContainsFunc(run, func(e element) bool { return len(e.words) != 1 }) {
		return words
	}
	choices := make([][]string, len(run))
	for i, e := range run {
		choices[i] = append([]string{e.words[0]}, x.longerThan(e.words[0])...)
	}
	found := x.soldOf(choices, nil)
	if found == nil {
		return words
	}
	for i := range run {
		run[i].kind, run[i].words = goodsElement, found[i:i+1]
	}
	return found
}

// longerThan returns some words of the catalogue that begin with a word.
func (x *Index) longerThan(key string) []string {
	var found []string
	if len(key) < 3 {
		return nil
	}
	for _, candidate := range x.byLetter[key[0]][:x.own[key[0]]] {
		if candidate != key && strings.HasPrefix(candidate, key) && len(found) < 4 {
			if meant := meaningOf(candidate); len(meant) == 1 {
				found = append(found, meant[0])
			}
		}
	}
	return found
}

// soldOf returns the first choice of one word for each place that is sold together; nil if there is none.
func (x *Index) soldOf(choices [][]string, before []string) []string {
	if len(before) == len(choices) {
		if x.sells(before) {
			return before
		}
		return nil
	}
	for _, w := range choices[len(before)] {
		if found := x.soldOf(choices, append(slices.Clone(before), w)); found != nil {
			return found
		}
	}
	return nil
}
