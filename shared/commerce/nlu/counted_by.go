package nlu

import "slices"

// countedBy takes a word of a good's name that stands after the number for what is counted, and gives it to the thing
// before the number: safed dhage ki 4 reel, kale ki 3 reel.
func (x *Index) countedBy(elements []element) {
	last := -1 // the thing before the number
	for i, e := range elements {
		switch {
		case e.kind == goodsElement && i > 0 && isBareCount(elements[i-1]) && last >= 0 && len(e.words) == 1 &&
			x.countsFor(elements[last].words, e.words[0]) && !isCountedOrNamed(elements[i+1:], elements[last].words):
			if both := slices.Concat(elements[last].words, e.words); x.sells(both) {
				elements[last].words = both
			}
			elements[i] = element{kind: pauseElement, from: e.from, to: e.to}
			last = -1
		case e.kind == goodsElement:
			last = i
		case e.kind == pauseElement, e.kind == breakElement, e.kind == markerElement && e.marker == joiner:
			last = -1
		}
	}
}

// eitherWords are never spelt for aur.
var eitherWords = &wordSet{of: "ya yaa either या अथवा"}

func isBareCount(e element) bool { return e.kind == quantityElement && e.quantity.counts() }

// countsFor reports whether a word is among the keywords of products that some words mean and in none of their names.
func (x *Index) countsFor(words []string, w string) bool {
	counts := false
	for _, at := range x.byWord[w] {
		p := x.products[at]
		if slices.Contains(p.nameWords, w) || slices.Contains(p.written, w) || slices.Contains(p.writtenLocal, w) {
			return false
		}
		counts = counts || p.shares(words) > 0
	}
	return counts
}

// isCountedOrNamed reports whether what stands right before some elements is a thing: a count follows, or a word of the
// thing before it, as in meethi lassi 2 namkeen lassi 1.
func isCountedOrNamed(rest []element, before []string) bool {
	return len(rest) > 0 && (isQuantity(rest[0]) || rest[0].kind == goodsElement &&
		slices.ContainsFunc(rest[0].words, func(w string) bool { return slices.Contains(before, w) }))
}

// joinCounted takes an or between two things that are counted for an and: holder 5 or switch 2. It is aur, as many
// spell it.
func joinCounted(tokens []token, elements []element) {
	counted := func(part []element) bool {
		return slices.ContainsFunc(part, isQuantity) &&
			slices.ContainsFunc(part,
				func(e element) bool { return e.kind == goodsElement || e.kind == unknownElement })
	}
	for i, e := range elements {
		if e.kind != markerElement || e.marker != either || eitherWords.Has(tokens[e.from].text) {
			continue
		}
		from, to := i, i+1
		for from > 0 && elements[from-1].kind != breakElement && elements[from-1].kind != pauseElement &&
			elements[from-1].kind != markerElement {
			from--
		}
		for to < len(elements) && elements[to].kind != breakElement && elements[to].kind != pauseElement &&
			elements[to].kind != markerElement {
			to++
		}
		if counted(elements[from:i]) && counted(elements[i+1:to]) {
			elements[i].marker = joiner
		}
	}
}
