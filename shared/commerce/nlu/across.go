package nlu

import (
	"slices"

	"github.com/shopspring/decimal"
)

// acrossQuantities joins what a quantity or a verb stands in the middle of: amul 500 ml taaza, aashirvaad ka 10 kilo
// wala atta.
func (x *Index) acrossQuantities(tokens []token, atoms []atom) []atom {
	x.sizesInRow(atoms)
	atoms = x.countedKinds(tokens, atoms)
	for at := 0; at+2 < len(atoms); at++ {
		atoms = x.narrowedLater(withoutOf(atoms, at), at)
		first, middle, last := atoms[at], atoms[at+1], atoms[at+2]
		if first.kind != goodsElement || last.kind != goodsElement {
			continue
		}
		if middle.quantity.counts() && (subset(last.words, first.words) || // cheese pav bhaji 1 pav bhaji
			namedAgain(first, last, atoms[at+3:]) || x.namedInFull(first, last, atoms[at+3:])) {
			continue
		}
		which := x.specifies(first.words, last.words)
		switch {
		// bulb chahiye syska ka 2, pech ka packet wood wala
		case which && (middle.verb || middle.kind == quantityElement && !middle.quantity.said()),
			middle.verb && last.described && x.sameGood(first.words, last.words): // horn chahiye roots ka ek
			atoms = asTwo(atoms, at, middle, joinedAtom(first, last))
		// sandal 8 number leather
		case middle.label && x.sells(slices.Concat(first.words, last.words)) && !labelsNext(atoms[at+3:]):
			atoms = asTwo(atoms, at, joinedAtom(first, last), middle)
		case middle.kind == markerElement && middle.marker == each && x.bare(last.words) &&
			x.sells(slices.Concat(first.words, last.words)): // luminous dono 150 Ah ki ek ek
			atoms = asTwo(atoms, at, joinedAtom(first, last), middle)
		case x.brandBehindSize(first, middle, last, atoms[at+3:]):
			middle.quantity.OfPack = true
			atoms = asTwo(atoms, at, joinedAtom(first, last), middle)
		case x.sizedBetween(first, middle, last, atoms[at+3:]):
			atoms = asTwo(atoms, at, joinedAtom(first, last), middle)
		case middle.kind != quantityElement:
		// doodh 2 packet full cream aadha litre wale
		case which && (sizeFollows(middle, atoms[at+3:]) || x.packFollows(first, middle, last, atoms[at+3:])),
			which && last.described, // makkhan 100 gm amul ka 2
			// good knight 1 refill
			middle.quantity.counts() && !(at > 0 && isQuantity(atoms[at-1].element)) &&
				x.sameGood(first.words, last.words),
			x.brandAfter(first, last, atoms[at+3:]),
			!eachCounted(atoms, at) && x.aroundMeasure(atoms[:at], first, middle, last, atoms[at+3:]):
			atoms = asTwo(atoms, at, joinedAtom(first, last), middle)
		}
	}
	return atoms
}

// narrowedLater joins a thing to what says which, after a verb and a quantity, where that has no quantity of its own:
// cookies bhejo 1 packet unibic ki.
func (x *Index) narrowedLater(atoms []atom, at int) []atom {
	to := at + 1
	for to < len(atoms) && to-at <= 3 && (atoms[to].verb || atoms[to].kind == quantityElement) {
		to++
	}
	if to >= len(atoms) || to-at < 3 && !(to == at+1 && (atoms[to].described || isIf(atoms[to+1:]))) ||
		atoms[at].kind != goodsElement ||
		atoms[to].kind != goodsElement || !x.specifies(atoms[at].words, atoms[to].words) {
		return atoms
	}
	if to == at+1 { // soan papdi wo bikaji wali
		atoms[at] = joinedAtom(atoms[at], atoms[to])
		return slices.Delete(atoms, at+1, to+1)
	}
	if to+1 < len(atoms) && isQuantity(atoms[to+1].element) ||
		!slices.ContainsFunc(atoms[at:to], func(a atom) bool { return isQuantity(a.element) }) {
		return atoms
	}
	return slices.Concat(atoms[:at], []atom{joinedAtom(atoms[at], atoms[to])}, atoms[at+1:to], atoms[to+1:])
}

// brandBehindSize reports whether a brand that has a count belongs to the thing before the size of its packs: atta 10
// kg
// ashirwad 1.
func (x *Index) brandBehindSize(first, middle, last atom, rest []atom) bool {
	q := middle.quantity
	if middle.kind != quantityElement || q.Size.IsZero() || q.Count.IsPositive() ||
		known.Get().headOf(last.words) != "" ||
		slices.ContainsFunc(last.words, func(w string) bool { return !x.brands[w] }) ||
		len(rest) == 0 || !rest[0].quantity.Count.IsPositive() || !rest[0].quantity.Size.IsZero() {
		return false
	}
	return slices.ContainsFunc(x.named(slices.Concat(first.words, last.words)),
		func(p *product) bool { return p.isSized(q) })
}

// labelsNext reports whether a size with its label stands first among some atoms.
func labelsNext(rest []atom) bool { return len(rest) > 0 && rest[0].label }

// isIf reports whether what stands before some atoms is only wanted if there is any: bread agar brown ho to.
func isIf(rest []atom) bool { return len(rest) > 0 && rest[0].marker == condition }

// withoutOf drops the of before a brand that stands after a thing and its quantity: bulbs 3 of philips.
func withoutOf(atoms []atom, at int) []atom {
	if of := atoms[at+2]; of.kind != markerElement || of.marker != possessive || at+3 >= len(atoms) ||
		atoms[at+3].kind != goodsElement {
		return atoms
	}
	atoms = slices.Delete(atoms, at+2, at+3)
	atoms[at+2].described = true
	return atoms
}

// sizeFollows reports whether a count stands before what says which, and the size of the pack after it.
func sizeFollows(middle atom, rest []atom) bool {
	return middle.quantity.Count.IsPositive() && len(rest) > 0 && rest[0].kind == quantityElement &&
		rest[0].quantity.OfPack && rest[0].quantity.Count.IsZero()
}

// packFollows reports whether packs are counted before what says which, and one of their sizes stands after it alone:
// milk 3 packets full cream half litre.
func (x *Index) packFollows(first, middle, last atom, rest []atom) bool {
	if !middle.quantity.Count.IsPositive() || !middle.quantity.Size.IsZero() || len(rest) == 0 ||
		rest[0].kind != quantityElement || rest[0].quantity.Size.IsZero() || rest[0].quantity.Count.IsPositive() ||
		len(rest) > 1 && rest[1].kind == quantityElement {
		return false
	}
	return slices.ContainsFunc(x.named(slices.Concat(first.words, last.words)),
		func(p *product) bool { return p.isSized(rest[0].quantity) })
}

// countedKinds gives a thing to each of its kinds that are counted after it: momos 1 veg 2 chicken. A count of the
// thing itself is their sum: 2 mugs, 1 white 1 black; chips 10 packet, 6 masala 4 salted.
func (x *Index) countedKinds(tokens []token, atoms []atom) []atom {
	for at := 0; at+4 < len(atoms); at++ {
		if atoms[at].kind != goodsElement {
			continue
		}
		from, total := totalBefore(atoms, at)
		var kinds []int
		to, sum := from, decimal.Zero
		for to+1 < len(atoms) && atoms[to].quantity.counts() && atoms[to+1].kind == goodsElement &&
			x.ofKind(tokens, atoms[at], atoms[to+1]) != nil {
			sum = sum.Add(atoms[to].quantity.Count)
			kinds = append(kinds, to+1)
			to += 2
			if total.GreaterThan(sum) && to < len(atoms) && isSeparator(atoms[to]) { // 2 mats, one coir and one rubber
				to++
			}
		}
		if len(kinds) < 2 || to < len(atoms) && atoms[to].kind == quantityElement ||
			total.IsPositive() && !total.Equal(sum) {
			continue
		}
		for _, n := range kinds {
			atoms[n].words = x.ofKind(tokens, atoms[at], atoms[n])
		}
		begin := at
		if begin > 0 && atoms[begin-1].quantity.counts() && atoms[begin-1].quantity.Count.Equal(sum) {
			begin--
		}
		atoms[from].from = atoms[begin].from
		return slices.Delete(atoms, begin, from)
	}
	return atoms
}

// totalBefore returns how many of the thing at a place are wanted in all, where that is said before its kinds are
// counted, and where those begin; 0 for none.
func totalBefore(atoms []atom, at int) (from int, total decimal.Decimal) {
	from = at + 1
	if at > 0 && (atoms[from].verb || atoms[from].kind == pauseElement) &&
		atoms[at-1].quantity.counts() { // 2 mugs chahiye, 1 white 1 black
		total = atoms[at-1].quantity.Count
		if from++; from < len(atoms) && atoms[from].kind == pauseElement {
			from++
		}
		return from, total
	}
	if at > 0 && atoms[at-1].quantity.counts() && atoms[from].quantity.counts() { // 4 mats: 2 coir 2 rubber
		return from, atoms[at-1].quantity.Count
	}
	if n := atoms[from].quantity.Count; n.GreaterThan(one) && from+1 < len(atoms) &&
		(atoms[from+1].kind == pauseElement || isQuantity(atoms[from+1].element)) {
		total = n
		if from++; atoms[from].kind == pauseElement {
			from++
		}
	}
	return from, total
}

// ofKind returns the words of a thing and a kind of it that are sold together, as they are or as one phrase: lassi and
// namkeen are namkeen lassi; nil if there is none.
func (x *Index) ofKind(tokens []token, thing, kind atom) []string {
	if both := slices.Concat(thing.words, kind.words); x.sells(both) {
		return both
	}
	phrase := known.Get().meaning(slices.Concat(tokens[kind.from:kind.to], tokens[thing.from:thing.to]))
	if !x.sells(phrase) {
		return nil
	}
	return phrase
}

// joinedAtom returns the one thing that two atoms are.
func joinedAtom(first, last atom) atom {
	first.words = slices.Concat(first.words, last.words)
	first.parts = slices.Concat(first.parts, last.parts)
	first.to, first.described = last.to, last.described
	return first
}

// brandAfter reports whether a brand without a quantity of its own belongs to the thing before the quantity: butter 2
// amul.
func (x *Index) brandAfter(first, last atom, rest []atom) bool {
	if known.Get().headOf(last.words) != "" || known.Get().headOf(first.words) == "" ||
		len(rest) > 0 && rest[0].kind == quantityElement {
		return false
	}
	both := slices.Concat(first.words, last.words)
	return x.sells(both) && x.alike(first.words, both)
}

// aroundMeasure reports whether a brand and its thing, or a thing and its kind, stand around a quantity.
func (x *Index) aroundMeasure(before []atom, first, middle, last atom, rest []atom) bool {
	both := slices.Concat(first.words, last.words)
	if !x.sells(both) || !x.alike(first.words, both) {
		return false
	}
	if middle.quantity.counts() && len(rest) > 0 && rest[0].quantity.counts() && x.sells(first.words) &&
		x.wholeEach([]element{last.element}) { // parle 5 hide and seek 2
		return false
	}
	if x.measuresFirst(first, middle) && len(rest) > 0 && isBareCount(rest[0].element) &&
		x.sells(last.words) { // mogra 250 g gajra 4
		return false
	}
	if isCountedThing(middle, rest) && x.sells(first.words) && x.sells(last.words) { // idli 2 plate vada 1 plate
		return false
	}
	if middle.quantity.counts() && len(before) > 0 &&
		(before[len(before)-1].kind != quantityElement || before[len(before)-1].quantity.counts()) {
		return false
	}
	noThing := known.Get().headOf(last.words) == ""
	if known.Get().headOf(first.words) != "" && (!noThing || x.stands(last.words)) {
		return false
	}
	return !noThing || middle.quantity.OfPack || !x.sellsAlone(last.words) || !x.sellsAlone(first.words)
}

// measuresFirst reports whether a measure behind a thing is of what is sold loose by it, and of nothing in packs.
func (x *Index) measuresFirst(first, middle atom) bool {
	if middle.quantity.Size.IsZero() || middle.quantity.OfPack {
		return false
	}
	loose := false
	for _, p := range x.named(first.words) {
		if !p.isLoose && p.pack.base == middle.quantity.Base {
			return false
		}
		loose = loose || p.isLoose && p.base == middle.quantity.Base
	}
	return loose
}

// eachCounted reports whether the thing before, the one at a place and the one after it have counts of their own:
// lakdi ke chamach 2, plastic ke 3, kante 1.
func eachCounted(atoms []atom, at int) bool {
	return at > 0 && at+3 < len(atoms) && isQuantity(atoms[at-1].element) && isQuantity(atoms[at+3].element) &&
		atoms[at+1].quantity.counts()
}

// isCountedThing reports whether a quantity counts packs, and what follows it has a count of its own.
func isCountedThing(middle atom, rest []atom) bool {
	return middle.quantity.Count.IsPositive() && middle.quantity.Pack != "" && middle.quantity.Size.IsZero() &&
		len(rest) > 0 && rest[0].kind == quantityElement && rest[0].quantity.Count.IsPositive()
}

// sameGood reports whether each of some words, and all together, name the same one good.
func (x *Index) sameGood(words, others []string) bool {
	return x.sellsAlone(words) && x.sellsAlone(others) && x.sells(slices.Concat(words, others))
}

// specifies reports whether words without a thing say which of the thing before them is meant.
func (x *Index) specifies(thing, words []string) bool {
	both := slices.Concat(thing, words)
	return (known.Get().headOf(thing) != "" || x.endsName(thing) && x.bare(words)) && known.Get().headOf(words) == "" &&
		x.sells(both) &&
		len(x.named(both)) < len(x.named(thing))
}

// endsName reports whether the last of some words ends the name of a product: shirt button.
func (x *Index) endsName(words []string) bool {
	last := words[len(words)-1]
	return slices.ContainsFunc(x.byWord[last], func(at int) bool { return x.products[at].nameEnd == last })
}

// alike reports whether more words leave products that the fewer words leave, too.
func (x *Index) alike(fewer, more []string) bool {
	named := x.named(more)
	return len(named) > 0 && len(named) <= len(x.named(fewer))
}

// asTwo puts two atoms in the place of three.
func asTwo(atoms []atom, at int, one, other atom) []atom {
	atoms[at], atoms[at+1] = one, other
	return slices.Delete(atoms, at+2, at+3)
}

// sellsAlone reports whether words name exactly one good by themselves.
func (x *Index) sellsAlone(words []string) bool {
	groups := map[string]bool{}
	for _, p := range x.named(words) {
		groups[p.group] = true
	}
	return len(groups) == 1
}

// namedAgain reports whether a thing begins with the first word of the one before it, and has a count of its own: vim
// liquid 1 vim bar 4.
func namedAgain(first, last atom, rest []atom) bool {
	return len(last.words) > 1 && last.words[0] == first.words[0] && len(rest) > 0 && isQuantity(rest[0].element)
}

// namedInFull reports whether a thing is called by its whole name, and the one after it ends a name and has a count of
// its own: test tube 30 stand 2.
func (x *Index) namedInFull(first, last atom, rest []atom) bool {
	name := sorted(slices.Clone(first.words))
	return len(rest) > 0 && isBareCount(rest[0].element) && x.sells(last.words) && x.endsName(last.words) &&
		slices.ContainsFunc(x.named(first.words), func(p *product) bool {
			return slices.ContainsFunc(p.names, func(of []string) bool {
				return slices.Equal(slices.DeleteFunc(slices.Clone(of), isMeasureWord), name)
			})
		})
}

// isMeasureWord reports whether a word of a name is a number or a measure.
func isMeasureWord(w string) bool {
	return isModel(w) || len(w) < 2 || measureKeys.Get()[w] || spokenKeys.Get()[w]
}
