package nlu

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// fit says what a product makes of a quantity.
type fit int

const (
	unfit   fit = iota // it is not sold like that
	missing            // it may be meant, but how much is open
	settled            // the line says how much
)

// named returns the products for which all words are true. Where some are the thing that the words name, those that are
// another thing are left out: moong dal is no namkeen.
func (x *Index) named(words []string) []*product {
	if x.memo == nil {
		return x.find(words)
	}
	key := strings.Join(words, " ")
	found, known := x.memo.named[key]
	if !known {
		found = x.find(words)
		x.memo.named[key] = found
	}
	return found
}

func (x *Index) find(words []string) []*product {
	if len(words) == 0 {
		return nil
	}
	head := known.Get().headOf(words)
	var things, others, turned []*product
	for _, p := range x.having(words) {
		switch {
		case !p.fitsWords(words):
		case head == "" && (p.anyProper(words) || p.onlyKinds(words)) || p.heads[head]:
			things = append(things, p)
		case p.anyProper(words):
			others = append(others, p)
		case slices.Contains(words, p.nameEnd) && p.heads[p.nameEnd],
			len(words) > 1 && len(words) == len(p.nameWords) && subset(p.nameWords, words): // glass paper
			turned = append(turned, p)
		}
	}
	switch {
	case len(things) > 0:
		return things
	case len(others) > 0:
		return others
	}
	return turned // mauje cotton ke
}

// having returns the products that have the rarest of some words.
func (x *Index) having(words []string) []*product {
	rarest := x.byWord[words[0]]
	for _, w := range words[1:] {
		if at := x.byWord[w]; len(at) < len(rarest) {
			rarest = at
		}
	}
	found := make([]*product, len(rarest))
	for i, at := range rarest {
		found[i] = x.products[at]
	}
	return found
}

// fitsWords reports whether all words are true of a product. A word that customers use loosely needs a name beside it.
func (p *product) fitsWords(words []string) bool {
	loosely := false
	for _, w := range words {
		if !p.words[w] {
			if !p.weak[w] {
				return false
			}
			loosely = true
		}
	}
	return !loosely || p.anyProper(words)
}

func (p *product) anyProper(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return p.proper[w] })
}

// onlyKinds reports whether words without a thing may stand for a product: basmati, sona masoori. A colour alone may
// not.
func (p *product) onlyKinds(words []string) bool {
	return slices.ContainsFunc(words, notPlain)
}

// plainKinds go with all sorts of things and stand for none.
var plainKinds = &wordSet{of: "red green black white brown yellow blue pink silver golden grey maroon purple " +
	"whole split husk powder crushed seed leaves paste roasted salted " +
	"spicy sour sweetened raw ripe dried frozen organic steel plastic men women baby kids liquid spray gel " +
	"cough rosefl roomtemp cow buffalo whole rice"}

// measured returns what a quantity makes of a loose product.
func (p *product) measured(q Quantity) (Line, fit) {
	line := Line{ProductID: p.ID, Unit: p.Unit}
	switch {
	case q.Packed || q.OfPack && q.Pack != "" && q.Count.IsZero() && q.Pack != "piece":
		return line, unfit
	case q.Unclear:
		return line, missing
	case q.OfPrice && q.Count.IsZero() && q.Size.IsZero():
		if p.Price.Equal(q.Rupees) {
			return line, missing
		}
		return line, unfit
	case !q.Rupees.IsZero() && !q.OfPrice && q.Size.IsZero():
		line.Amount, line.Unit = q.Rupees, ""
		return line, settled
	case !q.Size.IsZero():
		if q.Base != p.base {
			return line, unfit
		}
		line.Quantity = q.Size.DivRound(p.factor, 6)
		if q.Count.IsPositive() {
			line.Quantity = line.Quantity.Mul(q.Count)
		}
		if !line.Quantity.IsPositive() { // 0.0000001 kg
			return line, missing
		}
		return line, settled
	// brinjal 500: hardly kilograms
	case q.Pack == "" && q.Count.GreaterThanOrEqual(manyUnits) && p.factor.GreaterThan(one):
		return line, missing
	case q.Count.IsZero():
		if q.Pack != "" && q.Pack != p.base && !(q.Pack == "piece" && p.Unit == "dozen") {
			return line, unfit
		}
		return line, missing
	}
	return p.countedLoose(q, line)
}

// manyUnits of kilograms or litres is more than a customer orders by a bare number.
var manyUnits = decimal.NewFromInt(50)

// piecelike are units of goods that customers count as pieces, too.
var piecelike = &wordSet{of: "coil roll set pair bundle sheet plate portion slice"}

// countedLoose returns what a number makes of a loose product.
func (p *product) countedLoose(q Quantity, line Line) (Line, fit) {
	line.Quantity = q.Count
	switch {
	case p.Unit == "dozen":
		if q.Pack == "" || q.Pack == "piece" || q.Pack == "dozen" {
			line.Quantity = q.Count.DivRound(twelve, 3)
			return line, settled
		}
	case q.Pack == "pair" && p.Unit == "piece":
		line.Quantity = q.Count.Add(q.Count)
		return line, settled
	case q.Pack == "" || q.Pack == p.base || q.Pack == "dozen" && (p.Unit == "piece" || p.Unit == "bunch") ||
		p.Unit == "bunch" && q.Pack == "piece",
		q.Pack == "piece" && piecelike.Has(p.Unit):
		return line, settled
	}
	return Line{ProductID: p.ID, Unit: p.Unit}, unfit
}

// packs returns what a quantity makes of a packed product.
func (p *product) packs(q Quantity) (Line, fit) {
	line := Line{ProductID: p.ID, Unit: p.Unit, Quantity: one}
	if q.Count.IsPositive() {
		line.Quantity = q.Count
	}
	if q.Loose {
		return line, unfit
	}
	// 5 packets, 50 rupees in all
	if !q.Rupees.IsZero() && !p.Price.Equal(q.Rupees) &&
		!(q.Count.IsPositive() && !q.OfPrice && p.Price.Mul(q.Count).Equal(q.Rupees)) {
		return line, unfit
	}
	if !q.Size.IsZero() {
		if p.pack.value.IsZero() || p.pack.base != q.Base {
			return line, unfit
		}
		if q.OfPack || q.Count.IsPositive() {
			if !p.pack.value.Equal(q.Size) {
				return line, unfit
			}
		} else {
			line.Quantity = q.Size.DivRound(p.pack.value, 6)
		}
	}
	if q.Unclear {
		return line, missing
	}
	if !line.Quantity.IsInteger() {
		return line, unfit
	}
	return line, settled
}

// take returns what a quantity makes of a product.
func (p *product) take(q Quantity) (Line, fit) {
	if p.isLoose {
		return p.measured(q)
	}
	return p.packs(q)
}
