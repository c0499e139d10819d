package nlu

import "slices"

// Words before and after a do that is no number.
var (
	beforeGive = &wordSet{of: "rehne rhne rahne रहने chhod jaldi जल्दी"}
	afterGive  = &wordSet{of: "na ना bhaiya bhai भैया you not u jaldi"}
)

// isImperative reports whether a "do" is the verb give: after the stem of another verb, or at the end of what is
// ordered.
func (x *Index) isImperative(tokens []token, at int, before []element) bool {
	t := tokens[at].text
	// do you make cakes
	if t == "do" && at+1 < len(tokens) && youWords.Has(tokens[at+1].text) ||
		t == "do" && at > 0 && youWords.Has(tokens[at-1].text) {
		return true
	}
	if t != "do" && t != "दो" || at == 0 {
		return false
	}
	if at+1 < len(tokens) && unitOf(tokens[at+1]).kind != 0 { // dal do kilo
		return false
	}
	previous := tokens[at-1]
	// do-do
	if previous.text == "-" || previous.text == t ||
		at+1 < len(tokens) && (tokens[at+1].text == "-" || tokens[at+1].text == t) {
		return false
	}
	if givesAfterStem(tokens, at) {
		return true
	}
	if at+1 < len(tokens) && tokens[at+1].kind == word {
		return afterGive.Has(tokens[at+1].text)
	}
	if numberWords.Has(previous.text) || x.sizeLetters[previous.text] { // XL size do
		return false
	}
	if x.countsOther(tokens[:at], before) {
		return false
	}
	// chhota wala do, 100 gm ka do, aadhe kilo ke do: two of them
	ofSize := at > 1 && joins.Has(previous.text) &&
		(unitOf(tokens[at-2]).kind == measureUnit || labels.Has(tokens[at-2].text))
	if isAttribute(previous) || ofSize {
		return !severalWala.Has(previous.text) && (x.isMeasuredOut(before) || saysCount(before))
	}
	if x.endsWithSize(before) { // white musk 6 ml do
		return false
	}
	if x.countsLast(before) {
		return false
	}
	if slices.ContainsFunc(before, isQuantity) || slices.ContainsFunc(tokens[at+1:], isNumber) {
		return saidBefore(before) // the quantity is already said, or the other goods have theirs at the end, too
	}
	return true
}

// givesAfterStem reports whether a "do" is the verb give after the stem of another verb: bhej do. In dal do kilo it is
// a number.
func givesAfterStem(tokens []token, at int) bool {
	t := tokens[at].text
	if t != "do" && t != "दो" || at == 0 || at+1 < len(tokens) && unitOf(tokens[at+1]).kind != 0 {
		return false
	}
	previous := tokens[at-1]
	return previous.kind == word && (known.Get().verbs[previous.text] || beforeGive.Has(previous.text))
}

func isQuantity(e element) bool { return e.kind == quantityElement && e.quantity.said() }

// saysCount reports whether what stands since the last pause is counted already.
func saysCount(before []element) bool {
	for back := len(before) - 1; back >= 0; back-- {
		e := before[back]
		if e.kind == pauseElement || e.kind == breakElement || e.kind == markerElement && e.marker == joiner {
			return false
		}
		if isBareCount(e) || e.kind == quantityElement && e.quantity.Pack != "" && e.quantity.Count.IsPositive() {
			return true
		}
	}
	return false
}

// countsOther reports whether some tokens end with the number of another of the goods of which one is counted:
// combination 21 ek aur 28.
func (x *Index) countsOther(tokens []token, before []element) bool {
	at := len(tokens) - 1
	if at < 3 || tokens[at].kind != number || !endsSegment(tokens[at-1]) || !isNumber(tokens[at-2]) ||
		!isNumber(tokens[at-3]) && !numberWords.Has(tokens[at-3].text) {
		return false
	}
	value, ok := digits(tokens[at].text)
	for back := len(before) - 1; back >= 0; back-- {
		e := before[back]
		if e.kind == goodsElement {
			plain := slices.DeleteFunc(slices.Clone(e.words), isNumeric)
			return ok && len(plain) > 0 && slices.ContainsFunc(x.having(plain), func(p *product) bool {
				return slices.ContainsFunc(p.dimensions, func(d dimension) bool { return d.value.Equal(value) })
			})
		}
	}
	return false
}

// isMeasuredOut reports whether the last thing of some elements is only sold by its measure: khula atta wala do.
func (x *Index) isMeasuredOut(before []element) bool {
	for back := len(before) - 1; back >= 0; back-- {
		e := before[back]
		if e.kind == goodsElement {
			named := x.named(e.words)
			return len(named) > 0 && !slices.ContainsFunc(named, func(p *product) bool {
				return !p.isLoose || !measuredBases.Has(p.base)
			})
		}
	}
	return false
}

// endsWithSize reports whether some elements end with a thing and the size of its pack, uncounted.
func (x *Index) endsWithSize(before []element) bool {
	last := len(before) - 1
	if last < 1 || before[last].kind != quantityElement || before[last-1].kind != goodsElement {
		return false
	}
	q := before[last].quantity
	return q.Count.IsZero() && slices.ContainsFunc(x.named(before[last-1].words), func(p *product) bool {
		return p.isSized(q)
	})
}

func isNumber(t token) bool { return t.kind == number || numerals.Get()[t.text].alone.IsPositive() }

func endsSegment(t token) bool {
	return t.kind == mark && t.text != "-" && t.text != "." || t.text == "aur" || t.text == "और" || t.text == "and"
}

// countsLast reports whether a number after some elements counts the last of their things, because each thing before it
// has its count after it: chai ek, samose do.
func (x *Index) countsLast(before []element) bool {
	last := len(before) - 1
	for last > 0 && before[last].marker == possessive {
		last--
	}
	if last < 2 || before[last].kind != goodsElement {
		return false
	}
	goods, counts := 0, 0
	for i, e := range before[:last] {
		switch {
		case e.kind == goodsElement:
			goods++
		case isQuantity(e) && !measures.Has(e.quantity.Base):
			if counts++; counts == 1 && (goods > 0 && isBareCount(e) && i < last) {
				return true
			}
		}
	}
	return goods > 0 && goods == counts && isBareCount(before[last-1])
}

// saidBefore reports whether what a last "do" stands after already has a quantity: there is one since the last pause.
func saidBefore(before []element) bool {
	for back := len(before) - 1; back >= 0; back-- {
		e := before[back]
		switch {
		case e.kind == pauseElement, e.kind == breakElement, e.kind == markerElement && e.marker == joiner:
			return false
		case isQuantity(e):
			return true
		}
	}
	return false
}

// severalWala are forms of wala for several: aadha litre wale do are two.
var severalWala = &wordSet{of: "wale vale waale waley वाले"}

// numberWords stand behind a size: two of it are counted after them.
var numberWords = &wordSet{of: "size number no num साइज नंबर"}
