package nlu

import (
	"maps"
	"slices"
)

// learn adds what is known of a well-known good beside its names.
func (x *Index) learn(p *product) {
	l := known.Get()
	delete(p.heads, "")
	if len(p.localWords) == 1 && len(p.nameWords) > 1 { // the local name of muesli fruit nut is muesli: it is no nut
		for _, w := range p.nameWords {
			if consonants(w) == consonants(p.localWords[0]) && len(consonants(w)) > 2 {
				p.heads[w] = true
			}
		}
	}
	own := maps.Clone(p.heads)
	for range 2 { // what is learnt may let more be known
		for _, k := range l.also {
			if p.isCalled(k.words) {
				for _, w := range k.also {
					p.words[w] = true
					if treats.Has(w) { // good day butter is a biscuit, and cheese slices are no drink
						maps.DeleteFunc(p.heads, func(head string, _ bool) bool {
							return (flavours.Has(head) || tastes.Has(head)) && !p.standsBehind(k.words[0], head)
						})
					}
					if l.things[w] && p.alsoIs(k, l) {
						p.heads[w] = true
					}
				}
			}
		}
	}
	if p.words["atta"] && !slices.ContainsFunc(otherGrains.List(), func(w string) bool { return p.words[w] }) {
		p.words["wheat"] = true
	}
	if len(own) == 0 {
		own = p.heads
	}
	for head := range own { // a cake of detergent is no powder
		for _, w := range l.loosely[head] {
			p.weak[w] = true
		}
	}
	if category := l.meaning(tokenise(normalise(p.Category))); len(category) > 0 && len(p.heads) == 0 {
		for _, w := range category {
			if l.things[w] && len(category) == 1 {
				p.words[w], p.heads[w] = true, true
			}
		}
	}
}

// otherGrains are what flour is of that is not of wheat, as the catalogue's words.
var otherGrains = &wordSet{of: `bajra jowar ragi maize rice multigrain jo barle oats soya kutu singada singara
	buckwheat besan`}

// standsBehind reports whether a word stands behind another one in the name of a product.
func (p *product) standsBehind(w, other string) bool {
	at := slices.IndexFunc(p.nameWords, func(own string) bool { return own == w || own == w+"s" })
	before := slices.Index(p.nameWords, other)
	return before >= 0 && at > before
}

// treats are things whose names end with what they taste of.
var treats = &wordSet{of: "biscuit cookie chips namkeen chocolate noodles colddrink juice toffee " +
	"energydrink healthdrink antacid " +
	"digestive coughlozenge toothpaste"}

// tastes are things that treats taste of, beside the flavours.
var tastes = &wordSet{of: "butter milk cream cheese masala chocolate coffee salt water"}

// alsoIs reports whether a good is the thing that is known of it: a detergent by the name of Surf is not one where it
// is a bar.
func (p *product) alsoIs(k knowledge, known *lexicon) bool {
	for _, w := range k.words {
		if p.heads[w] || p.sounds[w] {
			return true
		}
	}
	for head := range p.heads {
		if slices.Contains(k.also, head) ||
			slices.ContainsFunc(k.also, func(w string) bool { return slices.Contains(known.shortNames[w], head) }) {
			return true // a syrup by the name of Honitus is a cough syrup
		}
	}
	return len(p.heads) == 0
}

// isCalled reports whether all words are of a product, or of the things that its brand sounds like: Pan 40.
func (p *product) isCalled(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !p.words[w] && !p.sounds[w] })
}
