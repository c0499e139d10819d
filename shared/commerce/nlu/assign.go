package nlu

import (
	"maps"
	"slices"

	"github.com/shopspring/decimal"
)

// maxGap is how many quantities between two things are looked at.
const maxGap = 6

// assigned gives each thing of a segment the quantities that stand around it: those between two things go to the left
// or the right so that as many as possible make sense.
func (r *itemReader) assigned(atoms []atom) []*item {
	var things []int
	for i, a := range atoms {
		if a.kind == goodsElement || a.kind == unknownElement {
			things = append(things, i)
		}
	}
	if len(things) == 0 {
		return nil
	}
	if items := r.numberedInCommon(atoms); len(items) > 0 {
		return items
	}
	if r.x.endsInCommon(atoms, things) {
		last := things[len(things)-1]
		for _, at := range things[:len(things)-1] {
			atoms[at].words = slices.Concat(atoms[at].words, atoms[last].words)
			atoms[at].kind = goodsElement
		}
		atoms, things = slices.Delete(atoms, last, last+1), things[:len(things)-1]
	}
	gaps := make([][]atom, len(things)+1)
	from := 0
	for n, at := range append(things, len(atoms)) {
		for _, a := range atoms[from:at] {
			if a.kind == quantityElement {
				gaps[n] = append(gaps[n], a)
			}
		}
		if extra := len(gaps[n]) - maxGap; extra > 0 {
			gaps[n] = slices.Delete(gaps[n], maxGap/2, maxGap/2+extra)
		}
		from = min(at+1, len(atoms))
	}
	return r.split(atoms, things, gaps)
}

// endsInCommon reports whether the last of some things is named for each of the counted kinds before it: rubber wale 5
// leather wale 5 dastane.
func (x *Index) endsInCommon(atoms []atom, things []int) bool {
	last := len(things) - 1
	if last < 2 || things[last] != len(atoms)-1 || atoms[things[last]].kind != goodsElement {
		return false
	}
	thing := atoms[things[last]].words
	for n, at := range things[:last] {
		kind := atoms[at].words
		with := slices.Concat(kind, thing)
		if things[n+1] != at+2 || !isBareCount(atoms[at+1].element) || slices.Contains(kind, thing[0]) ||
			!x.sells(with) ||
			x.sells(kind) && len(x.named(with)) >= len(x.named(kind)) && !x.bare(kind) && !x.stands(kind) {
			return false
		}
	}
	return true
}

// numberedInCommon returns the things of which each number and its count stand before what they are of: 6203 2 6205 2
// bearing. nil for anything else.
func (r *itemReader) numberedInCommon(atoms []atom) []*item {
	last := len(atoms) - 1
	if last < 4 || last%2 != 0 || atoms[last].kind != goodsElement {
		return nil
	}
	var items []*item
	for i := 0; i < last; i += 2 {
		if !isBareCount(atoms[i].element) || !isBareCount(atoms[i+1].element) {
			return nil
		}
		thing, m := atoms[last], measure{value: atoms[i].quantity.Count}
		matched := m.among(r.x.named(thing.words))
		if len(matched) == 0 || m.value.LessThan(leastSize) {
			return nil
		}
		thing.words = append(slices.Clone(thing.words), matched[0].keyOf(m))
		items = append(items, r.item(thing, nil, atoms[i+1:i+2]))
	}
	return items
}

// split finds, thing by thing, how many quantities of the gap before it belong to it.
func (r *itemReader) split(atoms []atom, things []int, gaps [][]atom) []*item {
	last := len(gaps) - 1
	prefix := len(gaps[0]) > 0 ||
		len(things) > 2 && !slices.ContainsFunc(gaps[last], func(a atom) bool { return isQuantity(a.element) }) &&
			!r.x.sells(atoms[things[0]].words) // gud mrng 2 idli 1 upma 2 tea
	type way struct {
		cost int
		cuts []int
	}
	ways := map[int]way{0: {}} // by how many quantities of the gap before belong to what stands left of it
	for n, at := range things {
		next := map[int]way{}
		for _, left := range slices.Sorted(maps.Keys(ways)) { // of ways that cost the same, the first is taken
			w := ways[left]
			before := gaps[n][left:]
			last := n == len(things)-1
			for right := range len(gaps[n+1]) + 1 {
				if last && right != len(gaps[n+1]) {
					continue
				}
				cost := w.cost + r.costOf(atoms[at], before, gaps[n+1][:right], prefix)
				if !last && right == len(gaps[n+1]) && endsWithSizeWord(gaps[n+1]) { // samosa 4 chhoti pepsi
					cost += 2
				}
				if prefix && !last && right == 0 && beginsWithSizeWord(gaps[n+1]) { // 2 maggi badi 1 red label
					cost += 2
				}
				if best, ok := next[right]; !ok || cost < best.cost {
					next[right] = way{cost, append(slices.Clone(w.cuts), left)}
				}
			}
		}
		ways = next
	}
	cuts := ways[len(gaps[len(gaps)-1])].cuts
	var items []*item
	for n, at := range things {
		right := len(gaps[n+1])
		if n+1 < len(things) {
			right = cuts[n+1]
		}
		items = append(items, r.item(atoms[at], gaps[n][cuts[n]:], gaps[n+1][:right]))
	}
	return items
}

// endsWithSizeWord reports whether the last of some atoms is small or large, without a wala.
func endsWithSizeWord(atoms []atom) bool {
	if len(atoms) < 2 {
		return false
	}
	last := atoms[len(atoms)-1]
	return (last.quantity.Smallest || last.quantity.Largest) && last.to-last.from == 1
}

// beginsWithSizeWord reports whether the first of some atoms is small or large, and a count follows.
func beginsWithSizeWord(atoms []atom) bool {
	return len(atoms) > 1 && (atoms[0].quantity.Smallest || atoms[0].quantity.Largest) && !atoms[0].quantity.said() &&
		isQuantity(atoms[1].element)
}

// costOf says how little sense a thing makes with the quantities before and after it.
func (r *itemReader) costOf(thing atom, before, after []atom, prefix bool) int {
	before, after = r.x.sizedAtoms(thing.words, before, after)
	words, before, after, lacks := r.dimensioned(thing, before, after)
	thing.words = words
	q, found := quantityOf(slices.Concat(before, after))
	cost := 0
	packs := len(after) == 1 && isBarePack(after[0]) // 5 bru sachets, 10 shampoo sachets
	if prefix && len(after) > 0 && !packs || !prefix && len(before) > 0 {
		cost++
	}
	if prefix && len(before) > 1 && isBarePack(before[0]) {
		cost += 2
	}
	counts, sizes := 0, 0
	for _, a := range slices.Concat(before, after) {
		if !a.quantity.Count.IsZero() && !a.quantity.times {
			counts++
		}
		if !a.quantity.Size.IsZero() || !a.quantity.Rupees.IsZero() {
			sizes++
		}
	}
	cost += 8*max(0, sizes-1) + 6*max(0, counts-1)
	if !found || !q.said() {
		return cost + 5
	}
	if thing.kind == unknownElement || lacks {
		return cost + 2
	}
	found = false
	for _, p := range r.x.named(thing.words) {
		if _, f := p.take(r.x.sized(p, q)); f == settled {
			return cost
		}
		found = true
	}
	if found {
		return cost + 4
	}
	return cost + 2
}

// countsTablets reports whether a number before a thing counts what is in its packs: 10 Crocin tablets.
func (r *itemReader) countsTablets(thing atom, before, after []atom, q Quantity) bool {
	found := r.x.named(thing.words)
	return len(before) > 0 && len(after) == 0 && q.counts() && len(found) > 0 &&
		thing.words[len(thing.words)-1] == "tablet" &&
		!slices.ContainsFunc(found, func(p *product) bool { return p.pack.base != "tablet" })
}

// leastBareSize is the least bare number that is the size of a pack beside a count.
var leastBareSize = decimal.NewFromInt(50)

// sizedAtoms takes a bare number beside a count for the size of a pack, where the thing is sold in packs of that size:
// 2 thums up 750.
func (x *Index) sizedAtoms(words []string, before, after []atom) (b, a []atom) {
	all := slices.Concat(before, after)
	if len(all) != 2 || !all[0].quantity.counts() || !all[1].quantity.counts() {
		return before, after
	}
	sized := func(atoms []atom) []atom {
		atoms = slices.Clone(atoms)
		for i := range atoms {
			n := atoms[i].quantity.Count
			if n.LessThan(leastBareSize) || atoms[i].quantity.times {
				continue
			}
			named := x.named(words)
			if m := (measure{value: n}); len(m.among(named)) > 0 { // arnica 200 1, beside its oil of 200 ml
				continue
			}
			for _, p := range named {
				if !p.isLoose && p.pack.value.Equal(n) && !p.Price.Equal(n) {
					atoms[i].quantity = Quantity{Size: n, Base: p.pack.base, OfPack: true}
				}
			}
		}
		return atoms
	}
	return sized(before), sized(after)
}

// item returns a thing with its quantities.
func (r *itemReader) item(thing atom, before, after []atom) *item {
	all := slices.Concat(before, after)
	before, after = r.x.sizedAtoms(thing.words, before, after)
	plain := slices.DeleteFunc(slices.Clone(thing.words), isNumeric)
	words, before, after, lacks := r.dimensioned(thing, before, after)
	thing.words = words
	it := &item{
		plain: plain,
		words: thing.words, known: thing.kind == goodsElement, guessed: thing.guessed, others: thing.alternatives,
		from: thing.from, to: thing.to, parts: thing.parts, kind: thing.described, clause: r.clause, lacks: lacks}
	q, found := quantityOf(slices.Concat(before, after))
	if found {
		if r.countsTablets(thing, before, after, q) {
			q = Quantity{Size: q.Count, Base: "tablet"}
		}
		it.give(q)
	}
	it.before = len(before) > 0
	it.article = len(all) == 1 && (r.tokens[all[0].from].text == "a" || r.tokens[all[0].from].text == "an")
	for _, a := range all {
		it.from, it.to = min(it.from, a.from), max(it.to, a.to)
	}
	return it
}

// isBarePack reports whether an atom is nothing but a word for a pack.
func isBarePack(a atom) bool { return a.quantity.Pack != "" && !a.quantity.said() && a.to-a.from == 1 }
