package nlu

import (
	"slices"

	"github.com/haatline/haatline/shared/language"
)

// corrections drops a quantity that the next one replaces (2 nahi 3 kg) and reports whether the segment corrects what
// stands before it, and whether it begins with a no.
func (r *itemReader) corrections(atoms *[]atom) (corrects, negated bool) {
	kept := make([]atom, 0, len(*atoms))
	source := *atoms
	for i := 0; i < len(source); i++ {
		a := source[i]
		if a.kind == markerElement && a.marker == refusalBefore && len(kept) > 0 &&
			kept[len(kept)-1].kind == quantityElement && i+1 < len(source) && source[i+1].kind == quantityElement {
			i++ // 3 kg not 2
			continue
		}
		// 1 kilo rehne do, 2 kilo kar do
		takesBack := a.marker == refusalAfter &&
			!slices.ContainsFunc(source[i+1:], func(a atom) bool { return a.kind == goodsElement })
		if a.kind == markerElement &&
			(takesBack || a.marker == negation || a.marker == correction || a.marker == replacing) {
			rest := skipMarkers(source[i+1:])
			last := len(kept) - 1
			if a.marker == replacing && a.english && len(rest) > 0 && rest[0].kind == quantityElement &&
				slices.ContainsFunc(kept, func(a atom) bool { return isQuantity(a.element) }) {
				i++ // 3 kg instead of 2 kg
				continue
			}
			if at := lastThing(kept); at >= 0 && len(rest) == 1 {
				if words := r.x.otherNumber(kept[at].words, rest[0]); words != nil {
					kept[at].words, corrects = words, true
					break
				}
			}
			if at := lastThing(kept); at >= 0 && len(rest) > 1 && isBareCount(rest[1].element) {
				if words := r.x.otherSize(kept[at].words, rest[0]); words != nil {
					kept[at].words = words
					kept = kept[:at+1]
					i = len(source) - len(rest)
					continue
				}
			}
			if from, to := replaced(kept, rest); to > from {
				kept = slices.Delete(kept, from, to)
				corrects = true
				continue
			}
			if last < 0 && a.marker == negation {
				negated = true
			}
			corrects = corrects || a.marker == correction
		}
		kept = append(kept, a)
	}
	*atoms = kept
	return corrects || negated || r.no, negated
}

// otherNumber returns the words of a thing with another number that says which of it is meant: board 400 1, nahi 830.
// nil where the number says none.
func (x *Index) otherNumber(words []string, said atom) []string {
	plain := slices.DeleteFunc(slices.Clone(words), isNumeric)
	if len(plain) == len(words) || len(plain) == 0 || !isBareCount(said.element) ||
		said.quantity.Count.LessThan(leastSize) {
		return nil
	}
	m := measure{value: said.quantity.Count}
	if matched := m.among(x.named(plain)); len(matched) > 0 {
		return append(plain, matched[0].keyOf(m))
	}
	return nil
}

// otherSize returns the words of a thing with the opposite of the size that its name says: tray small 10, nahi large
// 10. nil where the name says none.
func (x *Index) otherSize(words []string, said atom) []string {
	small, large := language.Fold("small"), language.Fold("large")
	from, to := small, large
	if said.quantity.Smallest {
		from, to = large, small
	}
	at := slices.Index(words, from)
	if at < 0 || !said.quantity.Largest && !said.quantity.Smallest {
		return nil
	}
	other := slices.Clone(words)
	if other[at] = to; !x.sells(other) {
		return nil
	}
	return other
}

// countBefore returns the place of the count that another is said instead of, over the size that stands last: 3 coke
// 750 ml no make it 4; -1 if it is no count, or there is none.
func countBefore(kept []atom, said atom) int {
	isCount := func(a atom) bool {
		return a.kind == quantityElement && !a.quantity.Count.IsZero() && a.quantity.Size.IsZero()
	}
	last := len(kept) - 1
	if !isCount(said) || said.quantity.Pack != "" || isCount(kept[last]) || kept[last].quantity.Size.IsZero() {
		return -1
	}
	for at := last - 1; at >= 0; at-- {
		if isCount(kept[at]) {
			return at
		}
	}
	return -1
}

// replaced returns the range of the quantities that those at the start of the rest are said instead of: 2 kilo nahi 3
// kilo, 2 kilo jalebi nahi 1 kilo, aadha kilo khula nahi packet wala 2.
func replaced(kept, rest []atom) (from, to int) {
	isKind := func(a atom) bool { return a.kind == quantityElement }
	isThing := func(a atom) bool { return a.kind == goodsElement || a.kind == unknownElement }
	said := func(a atom) bool { return isQuantity(a.element) }
	if from, to := kindReplaced(kept, rest); to > from {
		return from, to
	}
	run := 0
	for run < len(rest) && (isKind(rest[run]) || rest[run].marker == attribute) {
		run++
	}
	to = len(kept)
	if to > 1 && isThing(kept[to-1]) && !slices.ContainsFunc(rest, isThing) {
		to--
	}
	from = to
	for from > 0 && isKind(kept[from-1]) {
		from--
	}
	at := slices.IndexFunc(kept[from:to], said)
	switch {
	case at < 0 || !slices.ContainsFunc(rest[:run], said):
		return 0, 0
	case said(rest[0]):
		for to > from && !said(kept[to-1]) {
			to--
		}
		if count := countBefore(kept[:to], rest[0]); count >= 0 {
			to = count + 1
		}
		return to - 1, to
	}
	return from, to
}

// kindReplaced returns the range of a quantity that only says which kind is meant, perhaps with a wala, where the rest
// begins with the other kind: 5 kg khula wala nahi packet.
func kindReplaced(kept, rest []atom) (from, to int) {
	to = len(kept)
	if to > 0 && kept[to-1].kind == markerElement && kept[to-1].marker == attribute {
		to--
	}
	if to > 1 && len(rest) > 1 && isBareCount(kept[to-1].element) && isBareCount(rest[1].element) &&
		kept[to-2].kind == quantityElement && rest[0].kind == quantityElement && !isQuantity(rest[0].element) &&
		otherKindOf(kept[to-2].quantity, rest[0].quantity) { // small 10 nahi large 10
		return to - 2, to
	}
	if slices.ContainsFunc(rest, func(a atom) bool { return isQuantity(a.element) }) { // packet wala 2
		return 0, 0
	}
	whole := to
	for to > 0 && isBareCount(kept[to-1].element) { // bada 1 nahi chhota
		to--
	}
	if to == 0 || len(rest) == 0 || kept[to-1].kind != quantityElement || rest[0].kind != quantityElement ||
		isQuantity(kept[to-1].element) || isQuantity(rest[0].element) ||
		!otherKindOf(kept[to-1].quantity, rest[0].quantity) {
		return 0, 0
	}
	if to < whole {
		return to - 1, to
	}
	return to - 1, len(kept)
}

// otherKindOf reports whether of two quantities that only say which kind is meant, each says another.
func otherKindOf(q, other Quantity) bool {
	packed := func(q Quantity) bool { return q.Packed || q.Pack != "" }
	return q.Loose && packed(other) || packed(q) && other.Loose || q.Smallest && other.Largest ||
		q.Largest && other.Smallest
}

func skipMarkers(atoms []atom) []atom {
	for len(atoms) > 0 && atoms[0].kind == markerElement &&
		(atoms[0].marker == negation || atoms[0].marker == correction) {
		atoms = atoms[1:]
	}
	return atoms
}
