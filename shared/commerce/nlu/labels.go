package nlu

import (
	"slices"

	"github.com/shopspring/decimal"
)

// labelled marks the bare numbers that a word beside them makes the size of goods of this shop, and takes that word for
// one that says nothing else: 8 number, size 8, 9 no hai kya. The me between such a number and a kind goes, too: size 8
// me blue.
func (x *Index) labelled(tokens []token, elements []element) {
	isLabel := func(i int) bool {
		return i >= 0 && i < len(elements) && elements[i].to-elements[i].from == 1 &&
			elements[i].kind != goodsElement && sizeWords.Has(tokens[elements[i].from].text)
	}
	drop := func(i int) {
		elements[i] = element{kind: fillerElement, from: elements[i].from, to: elements[i].to}
	}
	for i, e := range elements {
		if e.kind == goodsElement && e.to-e.from > 1 && tokens[e.to-1].kind == number && isLabel(i+1) {
			drop(i + 1) // a name with its number
		}
		if isBareCount(e) && x.isSizeOfMany(elements, i) { // trolley 55 1 75 1
			elements[i].label = true
			continue
		}
		if !isBareCount(e) || !x.sizes[e.quantity.Count.String()] {
			continue
		}
		next := i + 1
		switch {
		case isLabel(i + 1):
			drop(i + 1)
			next++
		case isLabel(i-1) && tokens[elements[i-1].from].text != "no" && !(i > 1 &&
			isNumber(tokens[elements[i-1].from-1])):
			drop(i - 1)
		default:
			continue
		}
		elements[i].label = true
		if next+1 < len(elements) && elements[next].marker == purpose &&
			inWords.Has(tokens[elements[next].from].text) &&
			elements[next+1].kind == goodsElement && x.bare(elements[next+1].words) {
			drop(next)
		}
	}
}

// isSizeOfMany reports whether a bare number and its count stand behind another one and its count, or before it: each
// is a size of the thing before them.
func (x *Index) isSizeOfMany(elements []element, at int) bool {
	pair := func(i int) bool {
		return i >= 0 && i+1 < len(elements) && isBareCount(elements[i]) && isBareCount(elements[i+1]) &&
			x.isSize(elements[i].quantity.Count) && elements[i+1].quantity.Count.LessThan(leastBareSize)
	}
	numbered := at > 1 && elements[at-2].kind == goodsElement && isBareCount(elements[at-1]) &&
		slices.ContainsFunc(elements[at-2].words, isNumeric) // ladi 100 4 5000 1
	return pair(at) && (pair(at-2) || pair(at+2) || numbered)
}

// isSize reports whether a number is in names of goods, with a unit if it is large: beaker 250 6 500 2.
func (x *Index) isSize(n decimal.Decimal) bool {
	return x.sizes[n.String()] || x.measured[n.String()] && n.GreaterThanOrEqual(leastSize)
}
