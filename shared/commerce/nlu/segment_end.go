package nlu

import "slices"

// segmentEnd returns where the first segment of a clause ends: at a comma, an and, or after a verb that follows a thing
// and its quantity. After another thing, a verb may follow a quantity alone: kaju 1 kilo, aadha kilo bhejo.
func segmentEnd(atoms []atom, follows bool) int {
	if follows && isSizeCounted(atoms) { // rod 4 ft 2, 6 ft 1 ring 2
		return 2
	}
	thing, quantity, label, amount := false, false, false, false
	var said Quantity
	for i, a := range atoms {
		size := a.label || !a.quantity.Size.IsZero() && measures.Has(a.quantity.Base)
		again, labelled := size && label && amount, label // 7 no 2, 8 no 1
		label, amount = label || size, amount && !size || label && !size && a.quantity.said()
		switch {
		case isSeparator(a), (thing || follows) && again,
			follows && !thing && quantity && isSizeBeforeCount(atoms[i:]), thing && saysOtherSize(said, a.quantity),
			thing && labelled && said.Count.IsPositive() && isSizeBeforeCount(atoms[i:]), // dumbbell 5 kg 2 10 kg 2
			thing && countsOtherSize(said, atoms[i:]),
			thing && i+1 < len(atoms) && !isNegation(atoms[i-1]) && isCounted(said) &&
				countsOtherPack(said, a.quantity, atoms[i+1].quantity):
			return i
		case a.kind == goodsElement:
			label = label || slices.ContainsFunc(a.words, isNumeric)
			if thing { // what is said so far is of the thing before it, but for the kind beside this one
				said = kindBefore(atoms[:i])
			}
			for _, w := range a.words { // popper chhota 6 bada 2
				if large, is := sizesOf.Get()[w]; is {
					said.Largest, said.Smallest = large, !large
				}
			}
			thing = true
		case a.kind == quantityElement && a.quantity.said():
			quantity, said = true, said.joined(a.quantity)
		case a.kind == quantityElement:
			said = said.joined(a.quantity)
		case a.verb && thing && quantity && i+1 < len(atoms) && !atoms[i+1].verb && !isSeparator(atoms[i+1]) &&
			atoms[i+1].kind != markerElement,
			a.verb && follows && !thing && quantity && i+1 < len(atoms) && atoms[i+1].kind == unknownElement:
			return i + 1
		}
	}
	return len(atoms)
}

// isNegation reports whether an atom is a no, which what follows may correct.
func isNegation(a atom) bool { return a.kind == markerElement && a.marker == negation }

// isSizeCounted reports whether some atoms begin with a size and its count, and a thing with a count of its own
// follows.
func isSizeCounted(atoms []atom) bool {
	if len(atoms) < 4 || atoms[2].kind != goodsElement && atoms[2].kind != unknownElement ||
		!isQuantity(atoms[3].element) {
		return false
	}
	size, count := atoms[0].quantity, atoms[1].quantity
	return !size.Size.IsZero() && size.Count.IsZero() && count.counts()
}

func isCounted(q Quantity) bool {
	return q.Count.IsPositive() && (q.Smallest || q.Largest || q.OfPack || q.OfPrice) ||
		!q.Size.IsZero() && !q.OfPack && (q.Smallest || q.Largest)
}

// kindBefore returns the last quantity of some atoms where it only says which kind is meant.
func kindBefore(atoms []atom) Quantity {
	if last := atoms[len(atoms)-1]; last.kind == quantityElement && !last.quantity.said() {
		return last.quantity
	}
	return Quantity{}
}

// countsOtherPack reports whether two quantities that follow each other are of another pack than what is said: chhoti 1
// badi 2, 1 chhoti 2 badi.
func countsOtherPack(said, first, next Quantity) bool {
	return isAmount(first) && next.otherPack(said) || isAmount(next) && first.otherPack(said)
}

// isAmount reports whether a quantity only says how much: 2, aadha kilo.
func isAmount(q Quantity) bool {
	return q.counts() || !q.Size.IsZero() && q.Count.IsZero() && !q.OfPack && !q.Smallest && !q.Largest
}

func isSeparator(a atom) bool {
	return a.kind == pauseElement || a.kind == markerElement && (a.marker == joiner || a.marker == contrast)
}

// isSizeBeforeCount reports whether some atoms begin with a measure and its count.
func isSizeBeforeCount(atoms []atom) bool {
	return len(atoms) > 1 && !atoms[0].quantity.Size.IsZero() && atoms[0].quantity.Count.IsZero() &&
		atoms[1].quantity.counts()
}

// countsOtherSize reports whether some atoms begin with another size than the one that is counted before them, and its
// count: mithai 1 kg 2 dabba, half kg 3 dabba.
func countsOtherSize(said Quantity, atoms []atom) bool {
	q := atoms[0].quantity
	other := said.Base == q.Base && !said.Size.IsZero() && !said.Size.Equal(q.Size) || said.OfPrice
	return len(atoms) > 1 && said.Count.IsPositive() && other && !q.Size.IsZero() && q.Count.IsZero() &&
		atoms[1].quantity.Count.IsPositive() && atoms[1].quantity.Size.IsZero()
}

// saysOtherSize reports whether a quantity is of packs of another size than what is said: 1 of 500 g, 250 g wala 2.
func saysOtherSize(said, q Quantity) bool {
	return said.OfPack && q.OfPack && said.Base == q.Base && !said.Size.IsZero() && !q.Size.IsZero() &&
		!said.Size.Equal(q.Size)
}
