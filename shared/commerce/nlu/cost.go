package nlu

import (
	"slices"

	"github.com/haatline/haatline/shared/lazy"
)

// cost says how badly some words make one thing. What is sold costs least; a kind that the shop lacks costs less than
// to take the kind from the thing.
func (x *Index) cost(run []element, length int) int {
	a := joinedThing(run)
	unknowns := 0
	for _, e := range run {
		if e.kind == unknownElement {
			unknowns++
		}
	}
	if unknowns == len(run) {
		if len(run) == length {
			return 10
		}
		return 60 // an unknown word belongs to what stands beside it
	}
	head := known.Get().headOf(a.words)
	if unknowns == 0 && len(run) > 1 && x.wholeEach(run) && !x.sells(a.words) { // fafda jalebi
		return 45
	}
	if unknowns == 0 && len(run) > 1 && isMadeOf(a.words) {
		return 10
	}
	if unknowns == 0 && len(run) < length && head != "" && x.sells(a.words) && x.onlyKinds(a.words) {
		return 28 // "paneer" before pizza is no sandwich
	}
	if unknowns == 0 && x.isRemedy(run) {
		return 10
	}
	if unknowns == 0 && x.sells(a.words) {
		if len(run) < length && (head == "" && !x.stands(a.words) || x.bare(a.words)) {
			return 45 // "brown" before rice is no bread
		}
		return 10
	}
	if unknowns > 0 {
		return 30 + len(run)
	}
	if head != "" {
		things := 0
		for _, w := range a.words {
			if known.Get().things[w] {
				things++
			}
		}
		if last := a.words[len(a.words)-1]; things == 2 && x.kindsOf[last] > 1 && x.sells([]string{last}) {
			return 25 // chicken burger, where there are burgers
		}
		return 20 + 15*max(0, things-1)
	}
	return 40
}

// onlyKinds reports whether words stand only for kinds of other things in the catalogue, as paneer does where there are
// paneer sandwiches beside others and no paneer.
func (x *Index) onlyKinds(words []string) bool {
	return !slices.ContainsFunc(x.named(words), func(p *product) bool {
		return x.kindsOf[p.nameEnd] < 2 || !slices.Contains(words, p.nameWords[0]) || slices.Contains(words, p.nameEnd)
	})
}

// stands reports whether words without a thing may stand for a product beside other things: they hold a name.
func (x *Index) stands(words []string) bool {
	for _, p := range x.named(words) {
		if p.anyProper(words) {
			return true
		}
	}
	return false
}

// isRemedy reports whether some words are a medicine's name with what it is for: dast ki goli norflox.
func (x *Index) isRemedy(run []element) bool {
	if len(run) < 2 {
		return false
	}
	for _, e := range run[:len(run)-1] {
		if len(e.words) != 1 || !remedies.Get()[e.words[0]] {
			return false
		}
	}
	last := run[len(run)-1]
	return known.Get().headOf(last.words) == "" && x.sellsAlone(last.words)
}

// remedies are the things that medicines are.
var remedies = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	all := map[string]bool{}
	for _, g := range rowsOf(medicines) {
		all[g.name] = true
	}
	return all
}}

// wholeEach reports whether each of some words is the whole name of a product.
func (x *Index) wholeEach(run []element) bool {
	return !slices.ContainsFunc(run, func(e element) bool {
		set := sorted(e.words)
		return !slices.ContainsFunc(x.named(e.words), func(p *product) bool {
			return slices.ContainsFunc(p.names, func(name []string) bool { return slices.Equal(name, set) })
		})
	})
}
