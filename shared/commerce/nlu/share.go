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
		narrows := i+1 < len(items) && !items[i+1].said && x.bare(items[i+1].words) // a green one in M
		if with := x.swapped(before, it); with != nil && !narrows {
			it.words = with
			continue
		}
		if with := x.inPlaceOf(before, it); with != nil {
			it.words = with
			continue
		}
		if with := x.otherForm(before, it); with != nil {
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
		if head := before.words[0]; x.specifies([]string{head}, it.words) && (len(before.words) > 1 || it.kind) &&
			(it.said || !x.bare(it.words)) {
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

// swapped returns the name of the one product that is the counted thing before an item but for the kind that the item
// says: leather strap 20 mm brown 2, black 1; photo print 4x6 20, 8x12 1. nil where it is none, or says another thing.
func (x *Index) swapped(before, it *item) []string {
	if !it.said || !before.said || before.state != ordered || it.state != ordered || !x.sellsAlone(before.words) ||
		slices.ContainsFunc(it.words, func(w string) bool { return known.Get().things[w] || x.isThing(w) }) {
		return nil
	}
	var found []string
	of := x.named(before.words)[0]
	other := func(w string) bool { return !of.words[w] && !slices.Contains(it.words, w) }
	for _, p := range x.having(it.words) {
		if p == of || !p.fitsWords(it.words) || len(p.nameWords) != len(of.nameWords) ||
			slices.ContainsFunc(p.nameWords, other) {
			continue
		}
		if found != nil && !slices.Equal(found, p.nameWords) {
			return nil
		}
		found = p.nameWords
	}
	return slices.Clone(found)
}

// otherForm returns the words of a thing with the name that the counted thing right before it has, where the shop sells
// that: liv 52 tablet 2 syrup 1. nil where it is none, and where its words mean one good by themselves.
func (x *Index) otherForm(before, it *item) []string {
	if it.joined || !it.said || !before.said || before.state != ordered || it.state != ordered ||
		len(x.named(it.words)) < 2 || len(before.words) < 2 {
		return nil
	}
	head := x.thingOf(before.words)
	if slices.Contains(it.words, head) {
		return nil
	}
	name := slices.DeleteFunc(slices.Clone(before.words), func(w string) bool { return w == head })
	with := slices.Concat(name, it.words)
	isName := func(w string) bool { return !isNumeric(w) && !x.brands[w] && !plainKinds.Has(w) }
	if !slices.ContainsFunc(name, isName) || !x.sellsAlone(with) {
		return nil
	}
	return with
}

// thingOf returns the thing that some words name: one of the lexicon, or else one that ends names of the catalogue.
func (x *Index) thingOf(words []string) string {
	if head := known.Get().headOf(words); head != "" {
		return head
	}
	for back := len(words) - 1; back >= 0; back-- {
		w := words[back]
		if x.onlyWhich(w) {
			continue
		}
		local := slices.ContainsFunc(x.byWord[w], func(at int) bool { return x.products[at].endsLocally(w) })
		if local || x.isThing(w) {
			return w
		}
	}
	return ""
}

// endsLocally reports whether a word ends the name of a product in the other script.
func (p *product) endsLocally(w string) bool {
	return len(p.localWords) > 1 && p.localWords[len(p.localWords)-1] == w
}

// inPlaceOf returns the words of a counted kind with the thing that the counted kind before it is of: namkeen lassi 2
// aur meethi 3. nil where it is none, and where its words are the whole name of a good.
func (x *Index) inPlaceOf(before, it *item) []string {
	head := x.thingOf(before.words)
	counted := it.said && before.said && before.state == ordered && it.state == ordered
	if head == "" || len(before.words) < 2 || !counted ||
		slices.ContainsFunc(it.words, func(w string) bool { return slices.Contains(before.words, w) }) ||
		!x.sells(before.words) ||
		x.wholeEach([]element{{words: it.words}}) {
		return nil
	}
	if known.Get().headOf(it.words) != "" && !materials.Has(it.words[0]) && (len(it.words) > 1 ||
		len(x.named(it.words)) == 1) {
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
		if known.Get().headOf(p.nameWords) == head || known.Get().headOf(p.localWords) == head || p.nameEnd == head ||
			p.endsLocally(head) {
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
