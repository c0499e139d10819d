package nlu

import "slices"

// shareHeads gives a kind the thing of the next item where it is joined to it: lal aur hari mirch.
func (x *Index) shareHeads(items []*item) {
	x.shareFirst(items)
	for i := range len(items) - 1 {
		it, next := items[i], items[i+1]
		head := known.Get().headOf(next.words)
		if head == "" || !next.joined || next.clause != it.clause || known.Get().headOf(it.words) != "" || !it.known {
			continue
		}
		with := slices.Concat(it.words, []string{head})
		if x.sells(with) && !x.sellsAlone(it.words) {
			it.words = with
		}
	}
}

// shareThings gives a kind that nothing is sold of the thing of the item before it: 4 chocolate pastries, 2 pineapple.
func (x *Index) shareThings(items []*item) {
	for i := 1; i < len(items); i++ {
		it, before := items[i], items[i-1]
		if !it.known || it.clause != before.clause {
			continue
		}
		// 1 box wire havells
		if !it.joined && !it.said && !it.verb && before.said && before.state == ordered && it.state == ordered &&
			known.Get().headOf(it.words) == "" && x.sells(slices.Concat(before.words, it.words)) {
			before.words, it.state = slices.Concat(before.words, it.words), dropped
			continue
		}
		// doodh 4 packet, gold wala
		if it.kind && !it.said && before.said && it.state == ordered && x.specifies(before.words, it.words) {
			before.words, it.state = slices.Concat(before.words, it.words), dropped
			continue
		}
		if with := x.inPlaceOf(before, it); with != nil {
			it.words = with
			continue
		}
		// namkeen bhujia wala 1, moong dal wala 1
		if with := slices.Concat([]string{before.words[0]}, it.words); it.kind && before.kind && before.said &&
			it.said &&
			len(before.words) > 1 && known.Get().things[before.words[0]] &&
			!slices.Contains(it.words, before.words[0]) && x.sells(with) {
			it.words = with
			continue
		}
		// sabun lux 2, dettol 1
		if head := before.words[0]; x.specifies([]string{head}, it.words) && (len(before.words) > 1 || it.kind) {
			it.words = slices.Concat([]string{head}, it.words)
			continue
		}
		if x.sells(it.words) {
			continue
		}
		for _, w := range before.words {
			if with := slices.Concat([]string{w}, it.words); x.sells(with) {
				it.words = with
				break
			}
			if with := slices.Concat(it.words, []string{w}); x.sells(with) {
				it.words = with
				break
			}
		}
	}
}

// inPlaceOf returns the words of a counted kind with the thing that the counted kind before it is of: namkeen lassi 2
// aur meethi 3. nil where it is none, and where its words are the whole name of a good.
func (x *Index) inPlaceOf(before, it *item) []string {
	head := known.Get().headOf(before.words)
	counted := it.said && before.said && before.state == ordered && it.state == ordered
	if head == "" || len(before.words) < 2 || !counted || slices.Contains(it.words, head) || !x.sells(before.words) ||
		x.wholeEach([]element{{words: it.words}}) {
		return nil
	}
	if known.Get().headOf(it.words) != "" && (len(it.words) > 1 || len(x.named(it.words)) == 1) {
		return nil // it is a thing of its own
	}
	if x.bare(it.words) {
		base := slices.DeleteFunc(slices.Clone(before.words), x.onlyWhich)
		if with := slices.Concat(base, it.words); len(base) > 0 && x.sellsAlone(with) {
			return with
		}
		if !x.sellsAlone(slices.Concat(it.words, []string{head})) {
			return nil
		}
	}
	with := slices.Concat(it.words, []string{head})
	for _, p := range x.named(with) {
		if known.Get().headOf(p.nameWords) == head || known.Get().headOf(p.localWords) == head {
			return with // a bulb holder is no bulb
		}
	}
	return nil
}

// shareFirst gives the thing that a message begins with, and that what follows is of, to each of the kinds: dal me
// moong
// 1 kilo, chana 1 kilo.
func (x *Index) shareFirst(items []*item) {
	if len(items) < 2 || items[0].said || items[0].state != dropped && items[0].state != ordered ||
		len(items[0].words) != 1 ||
		!items[0].among || !known.Get().things[items[0].words[0]] {
		return
	}
	shared := false
	for _, it := range items[1:] {
		if with := slices.Concat(it.words, items[0].words); it.known && it.said &&
			!slices.Contains(it.words, items[0].words[0]) &&
			x.sells(with) {
			it.words, shared = with, true
		}
	}
	if shared {
		items[0].state = dropped
	}
}
