package nlu

import (
	"slices"
	"strings"
)

// besideWords say that what stands before them comes with the order and is no good of its own: pyaz alag se dena.
var besideWords = &wordSet{of: "alag extra side अलग साइड"}

// onTheSide reports whether an item that the shop does not sell only says how another is served, as the one before it
// that it is joined to may: pyaz alag se dena aur mirchi bhi.
func onTheSide(tokens []token, it *item, before *item) bool {
	if it.said {
		return false
	}
	if it.to < len(tokens) && (besideWords.Has(tokens[it.to].text) || isPacking(tokens[it.to:])) {
		return true
	}
	if inWords.Has(at(tokens, it.to)) && !it.verb {
		return true
	}
	if withoutWords.Has(tokens[it.from].text) || comesWith(tokens, it.to) || isDegreeOf(tokens, it) {
		return true
	}
	if before != nil && !it.known && !it.joined && before.said && before.clause == it.clause && !asksFor(tokens, it) {
		return true
	}
	return before != nil && before.aside && it.joined && it.to < len(tokens) && moreWords.Has(tokens[it.to].text)
}

// isContext reports whether an item only says of what something is told, beside what is ordered: pizza me pyaz mat
// dalna, 1 margherita.
func isContext(tokens []token, it *item, items []*item) bool {
	return !it.said && (inWords.Has(at(tokens, it.to)) || isLessOrMore(tokens, it)) &&
		slices.ContainsFunc(items, func(other *item) bool {
			return other != it && other.said && other.state == ordered
		})
}

// onWords stand after what a question is about: pizza pe kya offer hai.
var onWords = &wordSet{of: "pe par पर on"}

// at returns the text of a token; "" beyond the last.
func at(tokens []token, i int) string {
	if i >= len(tokens) {
		return ""
	}
	return tokens[i].text
}

// comesWith reports whether some tokens say that what stands before them comes with something: cell ke sath.
func comesWith(tokens []token, at int) bool {
	return at+1 < len(tokens) && joins.Has(tokens[at].text) && withWords.Has(tokens[at+1].text)
}

var withWords = &wordSet{of: "saath sath साथ"}

// isDegreeOf reports whether a word beside an item says that there is to be more or less of it: chutney zyada.
func isDegreeOf(tokens []token, it *item) bool {
	return it.to < len(tokens) && degrees.Has(tokens[it.to].text) || it.from > 0 && degrees.Has(tokens[it.from-1].text)
}

// isLessOrMore reports whether a word right behind a thing without a quantity says that there is to be less or more of
// it beside what is ordered: chutney zyada dena.
func isLessOrMore(tokens []token, it *item) bool {
	return !it.said && lessOrMore.Has(at(tokens, it.to))
}

var lessOrMore = &wordSet{of: "zyada jyada ज्यादा ज़्यादा kam कम less free muft mufat फ्री मुफ्त"}

// plainWords ask for the kind without anything special: sadi wali, plain one.
var plainWords = &wordSet{of: "sada sadi sade saada saadi saade plain simple normal regular dhuli dhooli washed धुली " +
	"सादा सादी " +
	"सादे प्लेन नॉर्मल"}

// plainOne gives an item that only asks for the plain kind the words of the plain kind of the thing before it: one
// pav bhaji with cheese, one plain.
func (x *Index) plainOne(tokens []token, it, before *item) {
	if it.to-it.from > 3 || !it.kind && !x.bare(it.words) && len(it.words) > 1 ||
		x.sells(it.words) || len(it.parts) != 1 ||
		!plainWords.Has(tokens[it.parts[0].from].text) {
		return
	}
	named := x.named(before.words)
	if len(named) == 0 {
		return
	}
	plain, several := x.calledPlain(it.words, named[0]), false
	if plain == nil {
		plain, several = x.shorterNamed(named[0])
	}
	if several {
		return
	}
	if plain == nil {
		plain = x.plainestOf(named[0])
	}
	if plain != nil {
		it.words = slices.Clone(plain.nameWords)
	}
}

// calledPlain returns the one product that is the same thing as another and has some words; nil for none or several.
func (x *Index) calledPlain(words []string, other *product) *product {
	var found *product
	for _, p := range x.having(words) {
		if !p.fitsWords(words) || p.nameEnd != other.nameEnd && p.Category != other.Category {
			continue
		}
		if found != nil {
			return nil
		}
		found = p
	}
	return found
}

// shorterNamed returns the product whose name is a part of the name of another, and whether there are several.
func (x *Index) shorterNamed(other *product) (found *product, several bool) {
	for _, p := range x.products {
		if p == other || len(p.nameWords) >= len(other.nameWords) || !subset(p.nameWords, other.nameWords) {
			continue
		}
		if found != nil {
			return nil, true
		}
		found = p
	}
	return found, false
}

// wantsInstead orders what is wanted where there is none of what is asked about, if there is none: maggi hai kya, nahi
// to noodles 1.
func (x *Index) wantsInstead(items []*item) {
	for i := 1; i < len(items); i++ {
		before := items[i-1]
		if items[i].state == dropped && before.state == stockAsked &&
			(before.lacks || !before.lacks && len(x.meant(before)) == 0) {
			items[i].state = ordered
		}
	}
}

// toldOf reports whether a message only tells of what a thing was like: kal wali kulfi pighli hui thi.
func toldOf(tokens []token, it *item) bool {
	end := it.to
	if len(it.parts) > 0 {
		end = it.parts[len(it.parts)-1].to
	}
	for at := end; at < len(tokens) && at < end+3; at++ {
		t := tokens[at]
		if t.kind != word || isNumber(t) || plainVerbs.Has(t.text) {
			return false
		}
		if pastWords.Has(t.text) && t.text != "the" {
			return true
		}
	}
	return false
}

// asksFor reports whether a word that asks for something stands right beside an item.
func asksFor(tokens []token, it *item) bool {
	verbs := known.Get().verbs
	return it.to < len(tokens) && verbs[tokens[it.to].text] || it.from > 0 && verbs[tokens[it.from-1].text]
}

// plainestOf returns the product that is the same thing as another by the fewest words; nil where several are.
func (x *Index) plainestOf(other *product) *product {
	var plainest *product
	several := false
	for _, p := range x.products {
		if p.nameEnd != other.nameEnd || p.Category != other.Category {
			continue
		}
		switch {
		case plainest == nil || len(p.nameWords) < len(plainest.nameWords):
			plainest, several = p, false
		case len(p.nameWords) == len(plainest.nameWords) && p.group != plainest.group:
			several = true
		}
	}
	if several || plainest == other {
		return nil
	}
	return plainest
}

// served are units of dishes.
var served = &wordSet{of: "plate portion cup glass bowl thali"}

// isKitchen reports whether a good part of some products are dishes.
func isKitchen(products []Product) bool {
	n := 0
	for _, p := range products {
		if served.Has(strings.ToLower(p.Unit)) {
			n++
		}
	}
	return n > 0 && 4*n >= len(products)
}

// isServedBeside reports whether an item without a quantity only says what is to be served beside the dishes that are
// ordered: leg piece dalna, pyaz bhi dena. What is a dish of its own is ordered.
func (x *Index) isServedBeside(it *item, found []chosen, items []*item) bool {
	if !x.kitchen || it.said || !it.verb ||
		!slices.ContainsFunc(items, func(other *item) bool { return other.said && other.state == ordered }) {
		return false
	}
	return !slices.ContainsFunc(found, func(c chosen) bool { return slices.Contains(it.words, c.product.nameEnd) })
}
