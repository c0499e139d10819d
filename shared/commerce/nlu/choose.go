package nlu

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// chosen is what may be meant by some words and a quantity.
type chosen struct {
	line    Line
	fit     fit
	product *product
}

// choose returns the products that fit some words and a quantity; where none takes the quantity, those that fit the
// words.
func (x *Index) choose(words []string, q Quantity) []chosen {
	candidates := x.named(words)
	if len(candidates) == 0 && q.said() && x.bare(words) { // 2 of the blue ones
		candidates = slices.DeleteFunc(x.having(words), func(p *product) bool { return !p.fitsWords(words) })
	}
	q = inLargeUnit(candidates, withoutMeasure(candidates, q))
	var fitting []chosen
	for _, p := range candidates {
		if line, f := p.take(x.sized(p, q)); f != unfit {
			fitting = append(fitting, chosen{line: line, fit: f, product: p})
		}
	}
	fitting = keep(fitting, func(c chosen) bool { // 2 kg of seeds in packets of 5 g
		return c.product.isLoose || q.Size.IsZero() || c.line.Quantity.LessThanOrEqual(mostPacks)
	})
	if len(fitting) == 0 && q.times && q.OfPrice && q.Count.IsPositive() { // no pack has that price or size
		q.Rupees, q.OfPrice = decimal.Zero, false
		return x.choose(words, q)
	}
	if len(fitting) == 0 {
		for _, p := range candidates {
			fitting = append(fitting, chosen{line: Line{ProductID: p.ID, Unit: p.Unit}, fit: missing, product: p})
		}
		return x.withoutAccessories(words, wholeName(words, narrowed(fitting, q), q))
	}
	return fewestPacks(x.withoutAccessories(words, wholeName(words, narrowed(fitting, q), q)), q)
}

// mostPacks are more packs than anybody means who says only how much in all.
var mostPacks = decimal.NewFromInt(40)

// measures are the bases of measures that tell goods apart, and say not how much of them is wanted.
var measures = &wordSet{of: "inch foot watt metre page tablet mm amp"}

// withoutMeasure returns a quantity without a measure in which none of some products is sold or packed: of a half inch
// tap two are two taps.
func withoutMeasure(candidates []*product, q Quantity) Quantity {
	if q.Size.IsZero() || !measures.Has(q.Base) || q.Count.IsZero() ||
		slices.ContainsFunc(candidates, func(p *product) bool { return p.base == q.Base || p.pack.base == q.Base }) {
		return q
	}
	q.Size, q.Base, q.OfPack = decimal.Zero, "", false
	return q
}

// inLargeUnit takes what may be the price of a pack for its size in kilograms or litres, where one of some products is
// packed so and none has that price: pepsi 2.25 wali.
func inLargeUnit(candidates []*product, q Quantity) Quantity {
	if !q.OfPrice || !q.Size.IsZero() || !q.Rupees.IsPositive() {
		return q
	}
	value := q.Rupees.Mul(decimal.NewFromInt(1000))
	var of *product
	for _, p := range candidates {
		if p.Price.Equal(q.Rupees) || p.pack.value.Equal(q.Rupees) {
			return q
		}
		if (p.pack.base == "g" || p.pack.base == "ml") && p.pack.value.Equal(value) {
			of = p
		}
	}
	if of == nil {
		return q
	}
	q.Size, q.Base, q.OfPack, q.Rupees, q.OfPrice = value, of.pack.base, true, decimal.Zero, false
	return q
}

// sized returns a quantity whose bare number is the size of a pack as that size: Colgate 200.
func (x *Index) sized(p *product, q Quantity) Quantity {
	if p.isLoose || !q.counts() || q.times {
		// Colgate 200 2, Maggi 280 wala
		if !p.isLoose && (q.OfPrice || q.Pack != "") && q.Rupees.IsPositive() && q.Rupees.Equal(p.pack.value) &&
			!p.Price.Equal(q.Rupees) {
			q.Size, q.Base, q.OfPack, q.Rupees, q.OfPrice = q.Rupees, p.pack.base, true, decimal.Zero, false
		}
		return q
	}
	if q.Count.GreaterThanOrEqual(exact("50")) && q.Count.Equal(p.pack.value) {
		return Quantity{Size: q.Count, Base: p.pack.base, OfPack: true}
	}
	return q
}

// narrowed keeps what a word for a pack or a size of it leaves.
func narrowed(found []chosen, q Quantity) []chosen {
	switch q.Pack {
	case "bottle", "box", "jar", "strip", "tube":
		found = keep(found, func(c chosen) bool { return c.product.Unit == q.Pack })
	case "packet":
		if q.carrier != "" { // of sachets and bottles
			found = keep(found, func(c chosen) bool { return c.product.isIn(q.carrier) })
		}
	case "pair":
		found = keep(found, func(c chosen) bool { return c.product.base == q.Pack })
	}
	if q.word != "" { // 2 cans of kinley, where water in jars is called a can
		found = keep(found, func(c chosen) bool { return c.product.texts[q.word] || c.product.words[q.word] })
	}
	if q.Pack != "" && q.Pack != "dozen" && q.Pack != "piece" && q.Pack != "bunch" && q.Pack != "pair" {
		found = keep(found, func(c chosen) bool { return !c.product.isLoose })
	}
	if q.Loose {
		found = keep(found, func(c chosen) bool { return c.product.isLoose })
	}
	if q.OfPack { // 10 kilo wala is a pack
		found = keep(found, func(c chosen) bool { return !c.product.isLoose })
	}
	if q.Smallest && q.Largest { // maggi chhoti badi dono
		smallest, largest := ofSize(found, false), ofSize(found, true)
		return keep(found, func(c chosen) bool { return slices.Contains(smallest, c) || slices.Contains(largest, c) })
	}
	if q.Smallest || q.Largest {
		found = ofSize(found, q.Largest)
	}
	return found
}

// keep returns those that pass; all where none does.
func keep(found []chosen, pass func(chosen) bool) []chosen {
	if kept := slices.DeleteFunc(slices.Clone(found), func(c chosen) bool { return !pass(c) }); len(kept) > 0 {
		return kept
	}
	return found
}

// ofSize keeps the largest or the smallest pack of each good.
func ofSize(found []chosen, largest bool) []chosen {
	if bySize := keep(found, func(c chosen) bool { return c.product.isOfSize(largest) }); len(bySize) < len(found) {
		return bySize
	}
	best := map[string]decimal.Decimal{}
	for _, c := range found {
		value, seen := best[c.product.group]
		if !seen || largest == c.product.pack.value.GreaterThan(value) {
			best[c.product.group] = c.product.pack.value
		}
	}
	kept := keep(found, func(c chosen) bool { return c.product.pack.value.Equal(best[c.product.group]) })
	if len(kept) == len(found) {
		return byNumber(found, largest)
	}
	return kept
}

// wholeName keeps the products whose whole name some words are.
func wholeName(words []string, found []chosen, q Quantity) []chosen {
	set := sorted(words)
	return keep(found, func(c chosen) bool {
		if c.product.isLoose && !q.Loose && strings.Contains(strings.ToLower(c.product.Name), "loose") {
			return false
		}
		return slices.ContainsFunc(c.product.names, func(name []string) bool {
			return slices.Equal(name, set) || slices.Equal(slices.DeleteFunc(slices.Clone(name), isSizeKey), set)
		}) ||
			c.product.isNamedMixed(set)
	})
}

// isSizeKey reports whether a word of a name makes a size of the number beside it: laddu gopal no 2.
func isSizeKey(w string) bool { return labelKeys.Get()[w] }

var labelKeys = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	keys := map[string]bool{}
	for _, t := range tokenise("no number nambar size नंबर साइज") {
		keys[t.key] = true
	}
	return keys
}}

// withoutAccessories leaves out what only belongs to the thing that some words name, where the thing itself may be
// meant: of roller the refill of a roller.
func (x *Index) withoutAccessories(words []string, found []chosen) []chosen {
	local := len(words) == 1 && !known.Get().keys[words[0]] && !x.onlyWhich(words[0]) &&
		!slices.ContainsFunc(found, func(c chosen) bool { return slices.Contains(c.product.nameWords, words[0]) })
	named := func(c chosen) bool {
		return slices.Contains(words, c.product.nameEnd) || local && slices.Contains(words, c.product.localEnd) ||
			slices.ContainsFunc(words, func(w string) bool { return slices.Contains(c.product.aliases, w) })
	}
	if !x.bare(words) {
		things := slices.DeleteFunc(slices.Clone(words),
			func(w string) bool { return isModel(w) || measureKeys.Get()[w] })
		found = keep(found, func(c chosen) bool { return len(things) == 0 || !all(things, c.product.owners) })
	}
	if !slices.ContainsFunc(found, named) {
		return found
	}
	if len(words) == 1 { // a guitar's strings are among the guitar parts, and no guitars
		found = keep(found, func(c chosen) bool { return c.product.category == words[0] })
	}
	ownName := !slices.ContainsFunc(words, func(w string) bool {
		return !known.Get().things[w] && !x.isThing(w) &&
			!(local && slices.ContainsFunc(found, func(c chosen) bool { return c.product.localEnd == w }))
	})
	categories := map[string]bool{}
	for _, c := range found {
		if named(c) {
			categories[c.product.Category] = true
		}
	}
	return keep(found, func(c chosen) bool {
		return named(c) || (!ownName || categories[c.product.Category]) && !accessories.Get()[c.product.nameEnd]
	})
}

// accessories are words at the end of the names of what belongs to another thing.
var accessories = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(
		"refill cover lid holder stand case guard spare handle cap pad combo hook kit rack charger cleaner polish " +
			"grip " +
			"gasket whistle") {
		all[w], all[language.Fold(w)] = true, true
		for _, meant := range meaningOf(language.Fold(w)) {
			all[meant] = true
		}
	}
	return all
}}

// fewestPacks keeps, of the sizes of a good that make up a measure, the one that needs the fewest packs.
func fewestPacks(found []chosen, q Quantity) []chosen {
	if q.Size.IsZero() || q.OfPack || q.Count.IsPositive() {
		return found
	}
	fewest := map[string]decimal.Decimal{}
	for _, c := range found {
		if n, seen := fewest[c.product.group]; !c.product.isLoose && (!seen || c.line.Quantity.LessThan(n)) {
			fewest[c.product.group] = c.line.Quantity
		}
	}
	return keep(found, func(c chosen) bool {
		return c.product.isLoose || c.line.Quantity.Equal(fewest[c.product.group])
	})
}

// isNamedMixed reports whether some words are the whole name of a product, each in one language or the other: vej
// sandwich. The words of the two names stand in the same order.
func (p *product) isNamedMixed(words []string) bool {
	if len(words) < 2 || len(words) != len(p.nameWords) || len(words) != len(p.localWords) {
		return false
	}
	for i, w := range p.nameWords {
		if !slices.Contains(words, w) && !slices.Contains(words, p.localWords[i]) {
			return false
		}
	}
	return true
}

// isThing reports whether a word ends names of this catalogue and is no brand: of cooker, a cooker's whistle is none.
func (x *Index) isThing(w string) bool {
	return !x.brands[w] && !x.onlyWhich(w) &&
		slices.ContainsFunc(x.byWord[w], func(at int) bool { return x.products[at].nameEnd == w })
}
