package nlu

import "slices"

// readSegment reads what stands between two commas or ands: things, their quantities, and what is said of them.
func (r *itemReader) readSegment(atoms []atom, joined bool) {
	atoms = withoutStray(atoms)
	if len(atoms) == 0 {
		return
	}
	corrects, negated := r.corrections(&atoms)
	atoms = r.alternatives(atoms)
	things := slices.ContainsFunc(atoms, func(a atom) bool { return a.kind == goodsElement || a.kind == unknownElement })
	if !things {
		r.withoutThing(atoms, corrects, negated, joined)
		return
	}
	first := len(r.items)
	items := r.assigned(plainAtoms(atoms))
	verb := slices.ContainsFunc(atoms, func(a atom) bool { return a.verb })
	for _, it := range items {
		it.verb, it.joined = verb, joined
		r.addItem(it, corrects)
	}
	r.mark(atoms, first)
	r.no = false
}

// withoutStray drops the unknown words that have no quantity beside them and are not asked for, and those of an address.
func withoutStray(atoms []atom) []atom {
	address := has(atoms, place)
	var kept []atom
	for i, a := range atoms {
		if a.kind == unknownElement {
			beside := i > 0 && atoms[i-1].kind == quantityElement && atoms[i-1].quantity.said() || i+1 < len(atoms) && atoms[i+1].kind == quantityElement && atoms[i+1].quantity.said()
			asked := i+1 < len(atoms) && (atoms[i+1].verb || isQuestion(atoms[i+1]) || atoms[i+1].is) || i > 0 && (atoms[i-1].kind == markerElement && (atoms[i-1].verb || isQuestion(atoms[i-1])))
			if address || !beside && !asked || len(a.words) > 4 {
				continue
			}
		}
		kept = append(kept, a)
	}
	return kept
}

func isQuestion(a atom) bool {
	return a.kind == markerElement && (a.marker == askPrice || a.marker == askStock)
}

func has(atoms []atom, m marker) bool {
	return slices.ContainsFunc(atoms, func(a atom) bool { return a.kind == markerElement && a.marker == m })
}

// plainAtoms are the things and the quantities; those of what is only wanted instead stay apart by what stands between them.
func plainAtoms(atoms []atom) []atom {
	return slices.DeleteFunc(slices.Clone(atoms), func(a atom) bool {
		return a.kind != goodsElement && a.kind != unknownElement && a.kind != quantityElement
	})
}

// corrections drops a quantity that the next one replaces (2 nahi 3 kg) and reports whether the segment corrects what stands before it, and
// whether it begins with a no.
func (r *itemReader) corrections(atoms *[]atom) (corrects, negated bool) {
	kept := make([]atom, 0, len(*atoms))
	source := *atoms
	for i := 0; i < len(source); i++ {
		a := source[i]
		if a.kind == markerElement && (a.marker == negation || a.marker == correction || a.marker == replacing) {
			rest := skipMarkers(source[i+1:])
			last := len(kept) - 1
			if len(rest) > 0 && rest[0].kind == quantityElement && rest[0].quantity.said() && last >= 0 && kept[last].kind == quantityElement && kept[last].quantity.said() {
				if rest[0].quantity.counts() && !kept[last].quantity.Size.IsZero() || !rest[0].quantity.counts() {
					kept = kept[:last]
				} else {
					kept = kept[:last]
				}
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

func skipMarkers(atoms []atom) []atom {
	for len(atoms) > 0 && atoms[0].kind == markerElement && (atoms[0].marker == negation || atoms[0].marker == correction) {
		atoms = atoms[1:]
	}
	return atoms
}

// alternatives joins "X ya Y" to one thing with several meanings.
func (r *itemReader) alternatives(atoms []atom) []atom {
	var out []atom
	for i := 0; i < len(atoms); i++ {
		a := atoms[i]
		if a.kind == markerElement && a.marker == either {
			if left := lastThing(out); left >= 0 {
				if right := nextThing(atoms, i+1); right >= 0 {
					out[left].alternatives = append(out[left].alternatives, atoms[right].words)
					out[left].to = atoms[right].to
					hasQuantity := slices.ContainsFunc(out, func(a atom) bool { return a.kind == quantityElement })
					for _, between := range atoms[i+1 : right] {
						if !hasQuantity && between.kind == quantityElement {
							out = append(out, between)
						}
					}
					i = right
				}
			}
			continue
		}
		out = append(out, a)
	}
	return out
}

func lastThing(atoms []atom) int {
	for i := len(atoms) - 1; i >= 0; i-- {
		if atoms[i].kind == goodsElement {
			return i
		}
	}
	return -1
}

func nextThing(atoms []atom, from int) int {
	for i := from; i < len(atoms); i++ {
		if atoms[i].kind == goodsElement {
			return i
		}
	}
	return -1
}

// withoutThing reads a segment that names nothing: a quantity for what stands before it, or a word on it.
func (r *itemReader) withoutThing(atoms []atom, corrects, negated, joined bool) {
	q, found := quantityOf(atoms)
	if has(atoms, each) {
		q.each = true
	}
	last := r.last()
	switch {
	case has(atoms, fallback) && last != nil:
		r.drop = true
	case found && q.said() && has(atoms, refusalAfter) && last != nil:
		last.state = refused
	case found && !has(atoms, place):
		r.alone(q, corrects, has(atoms, condition), joined)
	case (has(atoms, refusalAfter) || negated && !r.pauseAfterNo(atoms)) && last != nil && last.clause == r.clause && !last.said:
		last.state = refused
	case (has(atoms, askPrice) || has(atoms, askStock)) && last != nil && last.clause == r.clause && !last.said:
		r.markAsked(atoms, len(r.items))
	case last != nil && last.clause == r.clause && slices.ContainsFunc(atoms, func(a atom) bool { return a.verb }):
		last.verb = true
	}
	r.no = negated && !found
}

// pauseAfterNo reports whether a no stands alone: what follows says what is meant instead.
func (r *itemReader) pauseAfterNo(atoms []atom) bool { return len(atoms) <= 2 }

// addItem adds an item: in place of the one that it corrects, and with what was said for several things.
func (r *itemReader) addItem(it *item, corrects bool) {
	if r.drop {
		it.state = dropped
		if last := r.last(); last != nil && !last.said && it.said {
			last.give(it.quantity)
		}
		r.items = append(r.items, it)
		return
	}
	if r.pending != nil && !it.said {
		it.give(*r.pending)
		r.pending = nil
	}
	if it.said {
		if r.forward = nil; it.quantity.each && it.before {
			q := it.quantity
			r.forward = &q
		} else if it.quantity.each {
			r.spread(it.quantity, len(r.items))
		}
	} else if r.forward != nil {
		it.give(*r.forward)
	}
	if corrects && it.said {
		for _, other := range slices.Backward(r.items) {
			if other.state == ordered && other.said && (slices.Equal(other.words, it.words) || subset(it.words, other.words)) {
				other.quantity, other.from, other.to = other.quantity.corrected(it.quantity), it.from, it.to
				return
			}
		}
	}
	r.items = append(r.items, it)
}

func subset(words, of []string) bool {
	for _, w := range words {
		if !slices.Contains(of, w) {
			return false
		}
	}
	return len(words) > 0
}

// mark applies what a segment says of its things.
func (r *itemReader) mark(atoms []atom, first int) {
	for i, a := range atoms {
		if a.kind != markerElement {
			continue
		}
		before, after := r.around(a.from, first)
		switch a.marker {
		case refusalAfter:
			if before == nil && first > 0 && r.items[first-1].clause == r.clause && !r.items[first-1].said {
				before = r.items[first-1]
			}
			r.refuse(before, true)
		case refusalBefore:
			if after != nil {
				r.refuse(after, false)
			} else {
				r.refuse(before, true)
			}
		case purpose:
			if i > 0 && before != nil && !before.said && atoms[i-1].from == before.from && (a.to-a.from > 1 || len(r.x.named(before.words)) == 0) {
				before.state = dropped
			}
		case negation:
			r.negate(atoms, i, before, after)
		case replacing:
			r.replace(atoms[i], before, after)
		case fallback:
			if before == nil && first > 0 {
				before = r.items[first-1]
			}
			r.fallBack(before, after, first, a.from)
		}
	}
	r.markAsked(atoms, first)
	if has(atoms, each) {
		r.spreadEach(first)
	}
}

// around returns the items of a segment that stand nearest before and after a token.
func (r *itemReader) around(token, first int) (before, after *item) {
	for _, it := range r.items[min(first, len(r.items)):] {
		if it.from < token {
			before = it
		} else if after == nil {
			after = it
		}
	}
	return before, after
}

// refuse refuses an item, with those before it that are joined to it without a quantity, and what was ordered of it before.
func (r *itemReader) refuse(it *item, backwards bool) {
	if it == nil {
		return
	}
	it.state = refused
	at := slices.Index(r.items, it)
	for i := at - 1; backwards && i >= 0 && r.items[i+1].joined; i-- {
		other := r.items[i]
		if other.said || other.verb || other.clause != it.clause || it.said {
			break
		}
		other.state = refused
	}
	for _, other := range r.items[:max(at, 0)] {
		if other.state == ordered && subset(it.words, other.words) {
			other.state = refused
		}
	}
}

// negate reads a no within a segment: it refuses what stands before it, or corrects it by what follows.
func (r *itemReader) negate(atoms []atom, i int, before, after *item) {
	if i > 0 && atoms[i-1].verb { // bhej do na
		return
	}
	switch {
	case before != nil && after != nil:
		if !after.said {
			after.give(before.quantity)
		}
		before.state = refused
	case before != nil:
		if rest := atoms[i+1:]; len(rest) > 0 && rest[0].kind == quantityElement {
			return
		}
		r.refuse(before, true)
	case after != nil && !after.said:
		if last := r.previous(after); last != nil && last.said && last.state == ordered && !onlyEnglishNo(atoms[i]) {
			after.give(last.quantity)
			last.state = refused
			return
		}
		if !after.verb {
			r.refuse(after, false)
		}
	}
}

// previous returns the item before another.
func (r *itemReader) previous(it *item) *item {
	if at := slices.Index(r.items, it); at > 0 {
		return r.items[at-1]
	}
	return nil
}

func onlyEnglishNo(a atom) bool { return a.to-a.from == 1 && a.english }

// replace reads "X ki jagah Y" and "Y instead of X".
func (r *itemReader) replace(a atom, before, after *item) {
	if before == nil || after == nil {
		return
	}
	wanted, instead := after, before
	if a.english {
		wanted, instead = before, after
	}
	if !wanted.said {
		wanted.give(instead.quantity)
	}
	r.refuse(instead, false)
}

// fallBack drops what is only wanted where there is none of what stands before it.
func (r *itemReader) fallBack(before, after *item, first, token int) {
	r.drop = true
	if before == nil {
		if after != nil && len(r.items) > first { // "if not available X": there is nothing before it to want
			after.state = ordered
		}
		return
	}
	for _, it := range r.items[first:] {
		if it.from > token {
			it.state = dropped
			if !before.said && it.said {
				before.give(it.quantity)
			}
		}
	}
}

// markAsked marks the things that a segment asks about: those before the word for it, with those joined to them without a quantity, or
// those after it.
func (r *itemReader) markAsked(atoms []atom, first int) {
	verb := slices.ContainsFunc(atoms, func(a atom) bool { return a.verb })
	for i, a := range atoms {
		asked := isQuestion(a) || a.kind == fillerElement && a.is && i == len(atoms)-1 && i > 0 && atoms[i-1].kind == goodsElement && r.isLastBare()
		if !asked || has(atoms, condition) {
			continue
		}
		state := stockAsked
		if a.kind == markerElement && a.marker == askPrice || has(atoms, askPrice) {
			state = priceAsked
		}
		before, after := r.around(a.from, first)
		if before == nil && after == nil {
			before = r.last()
		}
		if before != nil {
			if before.said && verb {
				continue
			}
			r.askBack(before, state)
			continue
		}
		for _, it := range r.items[slices.Index(r.items, after):] {
			if it.state == ordered && (!it.said || !verb) {
				it.state = state
			}
		}
	}
}

// isLastBare reports whether the last item has no quantity.
func (r *itemReader) isLastBare() bool {
	return len(r.items) > 0 && !r.items[len(r.items)-1].said
}

// askBack marks an item as asked about, and those before it that are joined to it without a quantity.
func (r *itemReader) askBack(it *item, s state) {
	if it.state == refused || it.state == dropped {
		return
	}
	it.state = s
	for i := slices.Index(r.items, it) - 1; i >= 0 && r.items[i+1].joined; i-- {
		other := r.items[i]
		if other.said || other.verb || other.clause != it.clause || other.state != ordered {
			return
		}
		other.state = s
	}
}

// spreadEach gives the quantity of a segment with "each" to the things of the clause that have none.
func (r *itemReader) spreadEach(first int) {
	for i, it := range r.items[first:] {
		if it.said && it.before && !it.quantity.each {
			q := it.quantity
			q.each = true
			r.forward = &q
		}
		if it.said {
			r.spread(it.quantity, first+i)
		}
	}
}
