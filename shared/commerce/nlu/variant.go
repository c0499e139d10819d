package nlu

import (
	"slices"

	"github.com/shopspring/decimal"
)

// Change is another kind of a good instead of the one that was spoken of.
type Change struct{ From, To string }

// Variant returns which of some products a text wants in another size, colour or kind, and the product that it then
// is: make it L, not 35 but 55, the 12 inch one. A word that says anything else makes it no such text.
func (x *Index) Variant(text string, of []string) (Change, bool) {
	x = x.remembering()
	tokens := tokenise(normalise(text))
	if len(tokens) == 0 || len(tokens) > maxReply || len(of) == 0 {
		return Change{}, false
	}
	x.correct(tokens)
	said, ok := x.whichWords(tokens)
	if !ok || addsMore(tokens) || !slices.ContainsFunc(said, func(w whichWord) bool { return !w.bare || w.negated }) {
		return Change{}, false
	}
	var best []Change
	most := 0
	for _, id := range of {
		from := x.byID[id]
		if from == nil {
			continue
		}
		for _, to := range x.products {
			if to == from || !from.becomes(to, said) || !from.isSibling(to) {
				continue
			}
			n := 10*from.shares(wantedIn(said)) + from.shares(sorted(to.nameWords))
			if n > most {
				best, most = nil, n
			}
			if n == most {
				best = append(best, Change{from.ID, to.ID})
			}
		}
	}
	if len(best) != 1 {
		return Change{}, false
	}
	return best[0], true
}

// whichWord is a word or a number of a text that may say which of a thing is meant, or name the thing.
type whichWord struct {
	word    string
	number  *decimal.Decimal
	size    decimal.Decimal // of a number with a unit
	bare    bool            // a number that may as well count
	negated bool
}

// whichWords returns the words and numbers of a text that say something about goods. It fails where another word does
// not belong to them.
func (x *Index) whichWords(tokens []token) ([]whichWord, bool) {
	var all []whichWord
	for _, e := range x.scan(tokens) {
		negated := isNegated(tokens, e)
		switch {
		case tokens[e.from].kind == number && oClock.Has(at(tokens, e.from+1)): // 7 baje ke baad
			return nil, false
		case tokens[e.from].kind == number:
			for _, w := range numbersOf(tokens[e.from:e.to], negated) {
				w.size = e.quantity.Size
				w.bare = e.quantity.counts() && !isLabelled(tokens, e) && w.number.LessThan(manyUnits)
				all = append(all, w)
			}
			if e.kind == goodsElement {
				all = append(all, wordsOf(e.words, negated)...)
			}
		case e.kind == goodsElement:
			all = append(all, wordsOf(e.words, negated)...)
			all = append(all, numbersOf(tokens[e.from:e.to], negated)...) // size 5
		case e.to-e.from == 1 && e.from > 0 && sizeWords.Has(tokens[e.from].text) &&
			isNumber(tokens[e.from-1]): // 9 number
		case x.isLetter(tokens[e.from].text):
			all = append(all, whichWord{word: tokens[e.from].key, negated: negated})
		case e.kind == quantityElement && (e.quantity.Largest || e.quantity.Smallest):
			word := "small"
			if e.quantity.Largest {
				word = "large"
			}
			all = append(all, whichWord{word: word, negated: negated})
		case e.kind == quantityElement && e.quantity.said() && tokens[e.from].text != "one":
			return nil, false
		case e.kind == unknownElement, e.kind == breakElement && e.question:
			return nil, false
		case e.kind == fillerElement && speaks(tokens[e.from:e.to]), e.kind == markerElement &&
			(e.marker == place || e.marker == askPrice || e.marker == askStock || e.marker == refusalAfter ||
				e.marker == refusalBefore && tokens[e.from].text != "not"):
			return nil, false
		}
	}
	return all, true
}

func numbersOf(tokens []token, negated bool) []whichWord {
	var all []whichWord
	for _, t := range tokens {
		if value, ok := digits(t.text); ok && t.kind == number {
			all = append(all, whichWord{word: t.key, number: &value, negated: negated})
		}
	}
	return all
}

func wordsOf(words []string, negated bool) []whichWord {
	var all []whichWord
	for _, w := range words {
		if !isNumeric(w) {
			all = append(all, whichWord{word: w, negated: negated})
		}
	}
	return all
}

// isNegated reports whether a no belongs to an element: not 30, 7th ki nahi, M nahi.
func isNegated(tokens []token, e element) bool {
	text := func(at int) string {
		if at < 0 {
			return ""
		}
		return tokens[at].text
	}
	one, two := text(e.from-1), text(e.from-2)
	if one == "not" || two == "not" && one == "the" || two == "instead" && one == "of" {
		return true
	}
	for at := e.to; at < len(tokens) && at < e.to+3; at++ {
		t := tokens[at]
		if isNo(t) && t.text != "no" || t.text == "jagah" || t.text == "जगह" || t.text == "badle" {
			return true
		}
		if !joins.Has(t.text) && !sizeWords.Has(t.text) && !(t.glued && ordinalEndings.Has(t.text)) {
			return false
		}
	}
	return false
}

// addsMore reports whether a text wants something beside what there is: and a red one, bhi.
func addsMore(tokens []token) bool {
	return hasMoreWord(tokens) || andWords.Has(tokens[0].text) && (len(tokens) < 2 || tokens[1].text != "the")
}

func wantedIn(said []whichWord) []string {
	var words []string
	for _, w := range said {
		if !w.negated {
			words = append(words, w.word)
		}
	}
	return words
}

// becomes reports whether another product is what some words make of a product: it has all that is wanted, of which
// the product lacks something, and nothing that is refused.
func (p *product) becomes(other *product, said []whichWord) bool {
	changes := false
	for _, w := range said {
		has := other.hasWhich(w)
		if has == w.negated {
			return false
		}
		changes = changes || !w.negated && !p.hasWhich(w)
	}
	return changes
}

func (p *product) hasWhich(w whichWord) bool {
	if w.number == nil {
		return p.words[w.word]
	}
	return slices.ContainsFunc(p.dimensions, func(d dimension) bool {
		value, ok := digits(d.key)
		return ok && value.Equal(*w.number)
	}) || !p.isLoose && (p.pack.value.Equal(*w.number) || p.pack.value.Equal(w.size))
}

// isSibling reports whether a product differs from another by size, colour or kind only: most words of their names are
// the same, or they are things of one name.
func (p *product) isSibling(other *product) bool {
	if p.Unit != other.Unit {
		return false
	}
	common := 0
	for _, w := range p.core {
		if slices.Contains(other.core, w) {
			common++
		}
	}
	differs := max(len(p.core), len(other.core)) - common
	return common > 0 && differs <= 2 && (common > differs || p.nameEnd == other.nameEnd)
}

// isLabelled reports whether a word beside a number says that it is a size.
func isLabelled(tokens []token, e element) bool {
	return e.from > 0 && sizeWords.Has(tokens[e.from-1].text) ||
		e.to < len(tokens) && (sizeWords.Has(tokens[e.to].text) || isAttribute(tokens[e.to]))
}

// Alike returns those of some products that differ least from one of others, by size, colour or kind only; nil if none
// does.
func (x *Index) Alike(ids, others []string) (alike []string) {
	most := 0
	for _, id := range ids {
		p, n := x.byID[id], 0
		for _, other := range others {
			if o := x.byID[other]; p != nil && o != nil && p.isSibling(o) {
				near := 2 + 2*p.shares(sorted(o.nameWords))
				if p.pack.value.Equal(o.pack.value) {
					near++
				}
				n = max(n, near)
			}
		}
		if n > most {
			alike, most = nil, n
		}
		if n > 0 && n == most {
			alike = append(alike, id)
		}
	}
	return alike
}
