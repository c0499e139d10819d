package nlu

import "slices"

// saysWhich reports whether a word that means something else elsewhere is of the name of the good beside it: pampers
// large, size m.
func (x *Index) saysWhich(tokens []token, at int, before []element) bool {
	t := tokens[at]
	m, _ := known.Get().markers.find(tokens[at : at+1])
	l := known.Get()
	short := t.kind == word && len(t.text) == 2 && unitOf(t).kind == 0 && !isNumber(t)
	kind := short || l.fillers[t.text] && !l.verbs[t.text] && len(t.text) > 3 || m.marker == smallest ||
		m.marker == largest
	if !x.isLetter(t.text) && (!x.vocab[t.key] || !kind) {
		return false
	}
	if last := len(before) - 1; x.isLetter(t.text) && last > 0 && before[last].quantity.Pack != "" &&
		before[last].quantity.Count.IsZero() && before[last-1].kind == goodsElement &&
		x.hasSizes(before[last-1].words) { // 2 diaper packets L
		return true
	}
	if before := withoutSizeWord(tokens, before); len(before) > 0 {
		if last := before[len(before)-1]; last.kind == goodsElement &&
			(x.sells(append(slices.Clone(last.words), t.key)) || x.isLetter(t.text) && x.hasSizes(last.words)) {
			return true
		}
	}
	if x.isLetter(t.text) && at > 0 && (tokens[at-1].text == "in" || isEither(tokens[at-1])) &&
		slices.ContainsFunc(before, func(e element) bool { return e.kind == goodsElement && x.hasSizes(e.words) }) {
		return true
	}
	if last := len(before) - 1; x.isLetter(t.text) && last > 0 && before[last].marker == correction &&
		slices.ContainsFunc(before, func(e element) bool { return e.kind == goodsElement && x.hasSizes(e.words) }) {
		return true // pampers m, make it l
	}
	if last := len(before) - 1; x.isLetter(t.text) && last > 0 && isBareCount(before[last]) &&
		before[last-1].marker == joiner && (at+1 == len(tokens) || endsSegment(tokens[at+1])) &&
		slices.ContainsFunc(before, func(e element) bool { return e.kind == goodsElement && x.hasSizes(e.words) }) {
		return true // 20 shirts L and 10 M
	}
	if x.modifiers[t.key] && len(before) > 1 && isQuantity(before[len(before)-1]) && // ek single ek double
		slices.ContainsFunc(before, func(e element) bool { return e.kind == goodsElement && x.bare(e.words) }) {
		return true
	}
	if last := len(before) - 1; last > 0 && isBareCount(before[last]) &&
		slices.ContainsFunc(before, func(e element) bool { // dosa ek sada ek masala
			return e.kind == goodsElement && e.to-e.from == 1 && x.isPhrase(t.key, tokens[e.from].key)
		}) {
		return true
	}
	if x.modifiers[t.key] && at+1 < len(tokens) && isAttribute(tokens[at+1]) && // kambal kitne ka hai, double wala
		slices.ContainsFunc(before, func(e element) bool {
			return e.kind == goodsElement && x.sells(append(slices.Clone(e.words), t.key))
		}) {
		return true
	}
	if short || x.isLetter(t.text) {
		return x.anotherKind(tokens, at, before)
	}
	if l.fillers[t.text] && (x.anotherKind(tokens, at, before) || x.narrowsBefore(tokens, at, before)) {
		return true
	}
	if at+1 < len(tokens) && isAttribute(tokens[at+1]) { // double wali trolley
		at++
	}
	after, took := known.Get().goods.find(tokens[at+1:])
	if took == 0 {
		after, took = x.names.find(tokens[at+1:])
	}
	if took == 0 && at+1 < len(tokens) && x.vocab[tokens[at+1].key] {
		after.goods = []string{tokens[at+1].key}
	}
	return !x.isLetter(t.text) && len(after.goods) > 0 && x.sells(append(slices.Clone(after.goods), t.key))
}

// withoutSizeWord returns some elements without a word for sizes at their end: gloves size L.
func withoutSizeWord(tokens []token, before []element) []element {
	if last := len(before) - 1; last > 0 && before[last].to-before[last].from == 1 &&
		sizeWords.Has(tokens[before[last].from].text) {
		return before[:last]
	}
	return before
}

func isEither(t token) bool {
	m, took := known.Get().markers.find([]token{t})
	return took > 0 && m.marker == either || t.text == "/"
}

// anotherKind reports whether a word between an and and a number is another kind of the good before: sofy xl 2 aur
// regular 1.
func (x *Index) anotherKind(tokens []token, at int, before []element) bool {
	if len(before) == 0 || at+1 >= len(tokens) || !isNumber(tokens[at+1]) {
		return false
	}
	if last := before[len(before)-1]; last.kind != pauseElement && last.marker != joiner &&
		!(isQuantity(last) && (!last.quantity.counts() || x.letters[tokens[at].text])) { // ghevar mawa 1 kg sada 500 g
		return false
	}
	for back := len(before) - 1; back >= 0; back-- {
		e := before[back]
		if e.kind == goodsElement &&
			slices.ContainsFunc(e.words, func(w string) bool { return x.sells([]string{w, tokens[at].key}) }) {
			return true
		}
	}
	return false
}

// narrowsBefore reports whether a small word before a size says which of the good before is meant: doodh bhejna, taaza
// aadha litre wale 3.
func (x *Index) narrowsBefore(tokens []token, at int, before []element) bool {
	if at+1 >= len(tokens) || !isNumber(tokens[at+1]) || !hasUnit(tokens, at+2) {
		return false
	}
	return slices.ContainsFunc(before, func(e element) bool {
		with := append(slices.Clone(e.words), tokens[at].key)
		return e.kind == goodsElement && x.sells(with) && len(x.named(with)) < len(x.named(e.words))
	})
}

// isThatOne reports whether a one stands for the thing of which what is counted before it only says which: 1 green one
// in M.
func (x *Index) isThatOne(tokens []token, at int, before []element) bool {
	last := len(before) - 1
	return tokens[at].text == "one" && last > 0 && before[last].kind == goodsElement && x.bare(before[last].words) &&
		isBareCount(before[last-1]) && at+1 < len(tokens) && tokens[at+1].text == "in"
}

// isInOne reports whether a number says of which of what is counted before it something is told: 2 coffee, ek me cheeni
// kam.
func isInOne(tokens []token, at int, before []element) bool {
	return isNumber(tokens[at]) && at+1 < len(tokens) &&
		(inWords.Has(tokens[at+1].text) || withoutWords.Has(tokens[at+1].text)) && saidBefore(before)
}

var inWords = &wordSet{of: "me mein में"}

// packedIn returns how many tokens say into how many packs what is counted before them is to go, with how much goes
// into
// each: 2 dibbe me aadha aadha; 0 for none.
func packedIn(tokens []token, at int, before []element) int {
	if !isNumber(tokens[at]) || at+2 >= len(tokens) || unitOf(tokens[at+1]).kind != packUnit ||
		!inWords.Has(tokens[at+2].text) || !saidBefore(before) {
		return 0
	}
	took := 3
	for at+took < len(tokens) && (isNumber(tokens[at+took]) || unitOf(tokens[at+took]).kind == measureUnit) {
		took++
	}
	return took
}
