package nlu

import (
	"slices"
	"strings"
)

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
			if before == nil && after != nil && !after.said { // mat bhejna namak
				r.refuse(after, false)
				continue
			}
			r.refuse(before, true)
		case refusalBefore:
			if after != nil {
				r.refuse(after, false)
				r.refuseListed(after)
			} else {
				r.refuse(before, true)
			}
		case purpose:
			if i > 0 && before != nil && !before.said && atoms[i-1].from == before.from &&
				!r.x.saysForWhom(before.words) &&
				(a.to-a.from > 1 || len(r.x.named(before.words)) == 0) {
				before.state = dropped
			}
			unclear := before != nil && (!before.known || before.guessed)
			if i > 0 && unclear && before.said && atoms[i-1].from == before.from {
				if last := r.previous(before); last != nil && !last.said { // ghodi chahiye baraat ke liye ek
					last.give(before.quantity)
					before.state = dropped
				}
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

// saysForWhom reports whether the last of the words of what is sold is a kind and no thing: goggles bachche ke liye.
func (x *Index) saysForWhom(words []string) bool {
	return len(words) > 1 && known.Get().headOf(words[len(words)-1:]) == "" && x.sells(words) &&
		x.sells(words[:len(words)-1]) && len(x.named(words)) < len(x.named(words[:len(words)-1]))
}

// tagged takes a na that ends a sentence after a verb for the question that it is, and no refusal: garam aayegi na.
func tagged(tokens []token, elements []element) {
	for i, e := range elements {
		text := tokens[e.from].text
		if e.kind != markerElement || e.marker != negation || e.to != e.from+1 || text != "na" && text != "ना" ||
			e.from == 0 || e.to < len(tokens) && !endsPart(tokens, e.to) {
			continue
		}
		if isFinite(tokens[e.from-1].text) {
			elements[i] = element{kind: fillerElement, from: e.from, to: e.to}
		}
	}
}

// isFinite reports whether a word is a verb that tells of what is or will be.
func isFinite(word string) bool {
	if finite.Has(word) {
		return true
	}
	for _, ending := range strings.Fields("ega egi enge engi oge ogi ेगा ेगी ोगे ेंगे एगा एगी") {
		if len(word) > len(ending)+1 && strings.HasSuffix(word, ending) {
			return true
		}
	}
	return false
}

var finite = &wordSet{of: "hai hain h ho hoga hogi honge tha thi the hua hui है हैं हो था थी थे होगा होगी"}

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

// refuse refuses an item, with those before it that are joined to it without a quantity, and what was ordered of it
// before.
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
	if i > 0 && atoms[i-1].verb || before != nil && before.changed { // bhej do na; blue 1 nahi black kar do
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

// markAsked marks the things that a segment asks about: those before the word for it, with those joined to them without
// a quantity, or those after it.
func (r *itemReader) markAsked(atoms []atom, first int) {
	verb := slices.ContainsFunc(atoms, func(a atom) bool { return a.verb })
	for i, a := range atoms {
		asked := isQuestion(a) ||
			a.kind == fillerElement && a.is && i == len(atoms)-1 && i > 0 &&
				(atoms[i-1].kind == goodsElement || atoms[i-1].kind == unknownElement && len(r.items) == 1) &&
				r.isLastBare()
		if last := r.last(); asked && !isQuestion(a) && r.happens(a.from) {
			if !last.known || len(r.items) > 1 { // bachha ro raha hai
				last.state = dropped
			}
			continue
		}
		if !asked || has(atoms, condition) {
			continue
		}
		state := stockAsked
		if a.kind == markerElement && a.marker == askPrice || has(atoms, askPrice) {
			state = priceAsked
		}
		before, after := r.around(a.from, first)
		if after != nil && ofWords.Has(r.tokens[a.to-1].text) && a.kind == markerElement { // wats the price of x
			before = nil
		}
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

// happens reports whether the verb before a hai says what is going on, or happens again and again: kursi hilti hai.
func (r *itemReader) happens(at int) bool {
	return at > 0 && (going.Has(r.tokens[at-1].text) || tellsHabit(r.tokens, at-1))
}

// ofWords end a marker that asks about what follows it.
var ofWords = &wordSet{of: "of for"}

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

// refuseListed refuses what stands right behind a refused thing without a quantity, where the shop sells no such thing:
// bina pyaz lahsun ke.
func (r *itemReader) refuseListed(it *item) {
	for i := slices.Index(r.items, it) + 1; i > 0 && i < len(r.items); i++ {
		next := r.items[i]
		if next.said || next.verb && !r.endsWithKe(next) || next.from != r.items[i-1].to ||
			len(r.x.named(next.words)) > 0 && !r.endsWithKe(next) {
			return
		}
		next.state = refused
	}
}

// endsWithKe reports whether a ke stands behind an item: bina pyaz lahsun ke.
func (r *itemReader) endsWithKe(it *item) bool {
	after := at(r.tokens, it.to)
	return after == "ke" || after == "k" || after == "के"
}
