package nlu

import "slices"

// readSegment reads what stands between two commas or ands: things, their quantities, and what is said of them.
func (r *itemReader) readSegment(atoms []atom, joined bool) {
	atoms = r.withoutTold(withoutStray(atoms))
	if len(atoms) == 0 {
		return
	}
	r.segment = extent{atoms[0].from, atoms[len(atoms)-1].to}
	corrects, negated := r.corrections(&atoms)
	atoms = r.alternatives(atoms)
	things := slices.ContainsFunc(atoms,
		func(a atom) bool { return a.kind == goodsElement || a.kind == unknownElement })
	if !things {
		r.withoutThing(atoms, corrects, negated, joined)
		return
	}
	first := len(r.items)
	items := r.assigned(plainAtoms(withoutFallback(atoms)))
	verb := slices.ContainsFunc(atoms, func(a atom) bool { return a.verb })
	for i, it := range items {
		it.verb, it.joined = verb, joined && i == 0
		it.only = !it.known && !verb && len(r.items) > 0
		r.addItem(it, corrects)
	}
	r.mark(atoms, first)
	r.no = false
}

// withoutTold drops the things of which a message only tells what they were like, before the first count: kal wala
// pizza thanda tha.
func (r *itemReader) withoutTold(atoms []atom) []atom {
	for i, a := range atoms {
		if isQuantity(a.element) {
			break
		}
		if a.kind == goodsElement && len(atoms) > i+1 && a.to < len(r.tokens) && wasWords.Has(r.tokens[a.to].text) {
			return slices.DeleteFunc(slices.Clone(atoms),
				func(b atom) bool { return b.from <= a.from && !isQuantity(b.element) })
		}
	}
	return atoms
}

// wasWords say what something was like.
var wasWords = &wordSet{of: "tha thi was were था थी"}

// withoutStray drops the unknown words that have no quantity beside them and are not asked for, and those of an
// address.
func withoutStray(atoms []atom) []atom {
	address := has(atoms, place)
	var kept []atom
	for i, a := range atoms {
		if a.kind == unknownElement {
			beside := i > 0 && isQuantity(atoms[i-1].element) || quantityFollows(atoms[i+1:])
			asked := i+1 < len(atoms) &&
				(atoms[i+1].verb || isQuestion(atoms[i+1]) || atoms[i+1].is && atoms[i+1].from == a.to) ||
				i > 0 && (atoms[i-1].kind == markerElement && (atoms[i-1].verb || isQuestion(atoms[i-1])))
			if address || !beside && !asked || len(a.words) > 4 {
				continue
			}
		}
		kept = append(kept, a)
	}
	return kept
}

// quantityFollows reports whether some atoms begin with how much, perhaps after the word for a pack: packet 2.
func quantityFollows(atoms []atom) bool {
	for _, a := range atoms {
		if a.kind != quantityElement {
			return false
		}
		if a.quantity.said() {
			return true
		}
		if a.quantity.Pack == "" {
			return false
		}
	}
	return false
}

func isQuestion(a atom) bool {
	return a.kind == markerElement && (a.marker == askPrice || a.marker == askStock)
}

func has(atoms []atom, m marker) bool {
	return slices.ContainsFunc(atoms, func(a atom) bool { return a.kind == markerElement && a.marker == m })
}

// plainAtoms are the things and the quantities; those of what is only wanted instead stay apart by what stands between
// them.
func plainAtoms(atoms []atom) []atom {
	return slices.DeleteFunc(slices.Clone(atoms), func(a atom) bool {
		return a.kind != goodsElement && a.kind != unknownElement && a.kind != quantityElement
	})
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
					out[left].parts = slices.Concat(out[left].parts, []span{{a.from, a.to}}, atoms[right].parts)
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
	last := r.last()
	atoms = r.narrowed(last, atoms, joined, corrects)
	q, found := quantityOf(atoms)
	if has(atoms, each) {
		q.each = true
	}
	switch {
	case last == nil && refusesCount(atoms): // 4 nahi, 6 kar do
		r.no = true
		return
	case has(atoms, fallback) && last != nil:
		r.drop = true
	case found && q.said() && has(atoms, refusalAfter) && last != nil:
		last.state = refused
	case found && !has(atoms, place):
		r.alone(q, corrects, has(atoms, condition), joined && r.wants(atoms), joined)
	case has(atoms, refusalAfter) && last != nil && last.clause == r.clause:
		last.state = refused
	case negated && !r.pauseAfterNo(atoms) && last != nil && last.clause == r.clause && !last.said:
		last.state = refused
	case has(atoms, askPrice) && last != nil && last.state == stockAsked:
		last.state = priceAsked
	case (has(atoms, askPrice) || has(atoms, askStock)) && last != nil && last.clause == r.clause && !last.said:
		r.markAsked(atoms, len(r.items))
	case last != nil && last.clause == r.clause && slices.ContainsFunc(atoms, func(a atom) bool { return a.verb }):
		last.verb = true
	}
	r.no = (negated || corrects) && !found
}

// wants reports whether a verb among some atoms asks for what is counted, and not to be told something.
func (r *itemReader) wants(atoms []atom) bool {
	wanted := false
	for _, a := range atoms {
		for _, t := range r.tokens[a.from:a.to] {
			if telling.Has(t.text) {
				return false
			}
		}
		wanted = wanted || a.verb
	}
	return wanted
}

// telling are verbs that ask to be told something.
var telling = &wordSet{of: "bata batao batana batado bataiye btao bolo bol tell बता बताओ बताना बताइए बोलो बोल"}

// refusesCount reports whether a segment is a quantity with a no after it, and nothing else.
func refusesCount(atoms []atom) bool {
	return len(atoms) == 2 && isQuantity(atoms[0].element) && atoms[1].kind == markerElement &&
		atoms[1].marker == negation
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
	if last := r.last(); r.narrows(last, it, corrects) || r.follows(last, it) { // one microphone, the double one
		last.words, last.to = slices.Concat(last.words, it.words), it.to
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
			r.shareNumbers(it)
		}
	} else if r.forward != nil {
		it.give(*r.forward)
	}
	if corrects && it.said {
		for back := len(r.items) - 1; back >= 0; back-- {
			other := r.items[back]
			if other.state == ordered && other.said &&
				(slices.Equal(other.words, it.words) || subset(it.words, other.words)) {
				other.quantity, other.from, other.to = other.quantity.corrected(it.quantity), it.from, it.to
				return
			}
		}
	}
	if last := r.last(); corrects && !it.said && r.isOtherOf(last, it) { // one disc lock. no, make it alarm lock
		last.words, last.plain, last.to, last.changed = it.words, it.plain, it.to, true
		return
	}
	if last := r.last(); corrects && !it.said && last != nil && last.state == ordered && r.x.bare(it.words) {
		base := slices.DeleteFunc(slices.Clone(last.words), r.x.onlyWhich)
		if with := slices.Concat(base, it.words); len(base) > 0 && r.x.sells(with) {
			last.words, last.to, last.changed = with, it.to, true
			return
		}
	}
	r.items = append(r.items, it)
}

// isOtherOf reports whether an item is another kind of the thing that was ordered last.
func (r *itemReader) isOtherOf(last, it *item) bool {
	if last == nil || last.state != ordered || !last.said || !last.known || !it.known || it.guessed ||
		!r.x.sells(it.words) || subset(it.words, last.words) {
		return false
	}
	end := it.words[len(it.words)-1]
	return len(it.words) > 1 && last.words[len(last.words)-1] == end && !isNumeric(end)
}

// shareNumbers gives the things before one that has a quantity for each of them the numbers that say which of it is
// meant: exide aur luminous dono 150 Ah ki ek ek.
func (r *itemReader) shareNumbers(last *item) {
	var numbers []string
	for _, w := range last.words {
		if isNumeric(w) {
			numbers = append(numbers, w)
		}
	}
	for back := len(r.items) - 1; back >= 0; back-- {
		it := r.items[back]
		with := slices.Concat(it.words, numbers)
		if len(numbers) == 0 || it.clause != last.clause || it.state != ordered || !it.quantity.each ||
			len(r.x.named(with)) == 0 || len(r.x.named(with)) == len(r.x.named(it.words)) {
			return
		}
		it.words = with
	}
}

func subset(words, of []string) bool {
	for _, w := range words {
		if !slices.Contains(of, w) {
			return false
		}
	}
	return len(words) > 0
}

// withoutFallback drops the quantities that are only wanted where there is none of what stands before: colgate 100 wala
// 2 nahi hai to 200 wala 1.
func withoutFallback(atoms []atom) []atom {
	at := slices.IndexFunc(atoms, func(a atom) bool { return a.kind == markerElement && a.marker == fallback })
	isThing := func(a atom) bool { return a.kind == goodsElement || a.kind == unknownElement }
	said := func(a atom) bool { return isQuantity(a.element) }
	if at < 0 || slices.ContainsFunc(atoms[at:], isThing) || !slices.ContainsFunc(atoms[:at], said) {
		return atoms
	}
	return atoms[:at]
}

// narrows reports whether an item only says which of the one before it is meant: it stands between a the and a one.
func (r *itemReader) narrows(last, it *item, corrects bool) bool {
	if last == nil || last.clause != r.clause && !corrects ||
		last.state != ordered || !last.known || !it.known || it.from == 0 ||
		r.tokens[it.from-1].text != "the" || !it.quantity.Count.Equal(one) || r.tokens[it.to-1].text != "one" {
		return false
	}
	return r.leavesFewer(last, it)
}

// follows reports whether an item behind a comma only says which of the one before it is meant, and neither names a
// thing nor how much of it: 5 lanterns, heart shape.
func (r *itemReader) follows(last, it *item) bool {
	return last != nil && last.clause == r.clause && last.state == ordered && last.known && last.said && it.known &&
		!it.said && !it.verb && !it.guessed && it.from > 0 && r.tokens[it.from-1].text == "," &&
		last == r.items[len(r.items)-1] && !slices.ContainsFunc(r.tokens[r.segment.from:r.segment.to], isNo) &&
		r.leavesFewer(last, it)
}

// leavesFewer reports whether the words of an item name no thing, and leave fewer products of the one before it.
func (r *itemReader) leavesFewer(last, it *item) bool {
	both := slices.Concat(last.words, it.words)
	return known.Get().headOf(it.words) == "" && r.x.sells(both) && len(r.x.named(both)) < len(r.x.named(last.words))
}
