package nlu

import "slices"

// elementKind says what some tokens are.
type elementKind int

const (
	fillerElement elementKind = iota
	goodsElement              // words of goods
	unknownElement
	quantityElement
	markerElement
	breakElement // a sentence ends
	pauseElement // a comma: a thing may end
)

// element is a piece of a message that is understood as one.
type element struct {
	kind     elementKind
	words    []string // of goods
	quantity Quantity
	marker   marker
	verb     bool // a filler that asks for something to be sent
	is       bool // a filler that says that something is
	question bool // a break with a question mark
	guessed  bool
	spelt    string // the key of a word of which this is a guess
	label    bool   // a number that a word beside it makes a size
	english  bool   // a marker in English
	from, to int    // tokens
}

// scan returns the elements of a message.
func (x *Index) scan(tokens []token) []element {
	var elements []element
	for at := 0; at < len(tokens); {
		e := x.element(tokens, at, elements)
		e.from = at
		at = max(e.to, at+1)
		e.to = at
		elements = append(elements, e)
	}
	return elements
}

// element returns the element at a place. What a name of the catalogue says comes first, then the longer of a good, a
// marker and a quantity.
func (x *Index) element(tokens []token, at int, before []element) element {
	t := tokens[at]
	if e, ok := x.namedAt(tokens, at); ok {
		return e
	}
	if words := x.partsWithin(tokens, at, before); words != nil {
		return element{kind: goodsElement, words: words, to: at + 2}
	}
	goods, goodsTook := known.Get().goods.find(tokens[at:])
	if goodsTook == 1 && known.Get().fillers[t.text] && goods.text != t.text && // good sounds like gud and is none
		!x.isCountedLike(goods, tokens, at) {
		goodsTook = 0
	}
	if goodsTook == 1 && x.isToMake(tokens, at, goods.goods) {
		return element{kind: fillerElement, to: at + 1}
	}
	if goodsTook == 1 && x.onlyHow(goods, tokens[at:]) { // pakka bhejna
		return element{kind: fillerElement, to: at + 1}
	}
	goods, goodsTook = x.withoutPack(goods, goodsTook, tokens[at:])
	m, markerTook := x.markerAt(tokens, at, goodsTook)
	if e, ok := x.besideAt(tokens, at, before, m, markerTook); ok {
		return e
	}
	if goodsTook <= 1 && x.outside(tokens, at, before) || isNumberSign(tokens, at) {
		return element{kind: fillerElement, to: at + 1}
	}
	if tail := x.packTail(t, before); tail != "" {
		return element{kind: goodsElement, words: []string{tail}, to: at + 1}
	}
	if x.isCodeAlone(tokens, at, before) { // 6201 4 pc
		return element{kind: goodsElement, words: []string{t.key}, to: at + 1}
	}
	if q, took := x.readArticle(tokens, at); took > 0 {
		return element{kind: quantityElement, quantity: q, to: at + took}
	}
	if q, took := x.readQuantity(tokens, at); took > 0 && took >= markerTook && took >= goodsTook &&
		!(took == 1 && q.Count.IsZero() && goodsTook == 1 && x.sells(goods.goods) && x.isGood(goods.goods[0])) {
		if n := x.afterNumberAt(tokens, at+took); n > 0 && !x.isPlaceInOrder(tokens[at:]) {
			return element{kind: fillerElement, to: at + took + n}
		}
		q.article = took == 1 && articles.Has(tokens[at].text)
		if q.Pack == "packet" {
			q.carrier = x.carrierIn(tokens[at : at+took])
		}
		q.word = x.packWordIn(tokens[at : at+took])
		return element{kind: quantityElement, quantity: q, to: at + took}
	}
	if markerTook > 0 && markerTook >= goodsTook {
		return x.marked(m, tokens, at, markerTook)
	}
	if goodsTook > 0 {
		return x.goodsAt(goods, t, at, goodsTook)
	}
	return x.single(tokens, at)
}

// partsWithin returns the words of a number and what it counts of a thing that is counted itself before it: one
// Prestige 3 burner stove. Nil for others.
func (x *Index) partsWithin(tokens []token, at int, before []element) []string {
	last := len(before) - 1
	if tokens[at].kind != number || at+1 >= len(tokens) || !x.behindNumbers[tokens[at+1].text] || last < 1 ||
		before[last].kind != goodsElement || !isBareCount(before[last-1]) {
		return nil
	}
	words := append([]string{tokens[at].key}, meaningOf(tokens[at+1].key)...)
	if !x.sells(slices.Concat(before[last].words, words)) {
		return nil
	}
	return words
}

// namedAt returns the element of a name of the catalogue or a mark at a place; false for neither.
func (x *Index) namedAt(tokens []token, at int) (element, bool) {
	name, named := x.names.find(tokens[at:])
	if named > 0 && !countsAfterName(tokens[at:], named) && !x.isOneOfMany(tokens[at:at+named]) &&
		!x.measuresOther(tokens, at, named) && !x.countsWholeName(tokens, at, named) {
		if x.unitEndsName(name.goods, tokens, at+named) {
			named++
		}
		return element{kind: goodsElement, words: name.goods, to: at + named}, true
	}
	if tokens[at].kind == mark {
		if took := unservable(tokens, at); took > 0 { // -2 kg
			return element{kind: quantityElement, quantity: Quantity{Unclear: true}, to: at + took}, true
		}
		if e, ok := markElement(tokens, at); ok {
			return e, true
		}
	}
	if x.isBrandBefore(tokens, at) {
		return element{kind: goodsElement, words: []string{tokens[at].key}, to: at + 1}, true
	}
	return element{}, false
}

// besideAt returns the element of a word that means what it means by what stands beside it; false for another.
func (x *Index) besideAt(tokens []token, at int, before []element, m entry, took int) (element, bool) {
	t := tokens[at]
	switch {
	case onlyWords.Has(t.text) && len(before) > 0 && before[len(before)-1].kind == quantityElement: // 4 hi bhejna
		return element{kind: markerElement, marker: correction, to: at + 1}, true
	case packedIn(tokens, at, before) > 0: // 15 gulab jamun ek dabbe me
		return element{kind: fillerElement, to: at + packedIn(tokens, at, before)}, true
	case x.isCountedLamp(tokens, at): // दिया दो दर्जन
		return element{kind: goodsElement, words: []string{t.key}, to: at + 1}, true
	case x.onlyPast(tokens, at): // 5 rupaye badha diye
		return element{kind: fillerElement, to: at + 1}, true
	case at > 0 && kindNouns.Has(t.text) && allOf(tokens[at-1].text) > 0: // dono colour
		return element{kind: fillerElement, to: at + 1}, true
	case m.marker == place && took == 1 && x.isPlaceSold(tokens, at, before): // ek mandir chahiye
		return element{kind: goodsElement, words: meaningOf(t.key), to: at + 1}, true
	case m.marker == place && took == 1 && x.endsNameBefore(tokens, at, before): // motor single phase 1
		return element{kind: goodsElement, words: meaningOf(t.key), to: at + 1}, true
	case x.isOfCategory(tokens[at], before):
		return element{kind: fillerElement, to: at + 1}, true
	case isInOne(tokens, at, before), x.isGiftPack(tokens, at), greetsBy(tokens, at):
		return element{kind: fillerElement, to: at + 2}, true
	// 1 kilo kaafi hai
	case asksPriceLast(tokens, at, before):
		return element{kind: markerElement, marker: askPrice, to: at + 1}, true
	case isYear(tokens, at):
		return element{kind: fillerElement, to: at + 1}, true
	case isOnlyOne(tokens, at), m.marker == askStock && isOfWhich(tokens, at, took):
		return element{kind: fillerElement, to: at + 2}, true
	case m.marker == vague && len(before) > 0 && isQuantity(before[len(before)-1]), isOne(tokens, at, before),
		x.isThatOne(tokens, at, before):
		return element{kind: fillerElement, to: at + max(took, 1)}, true
	case x.plainKind(tokens, at, before) != "":
		return element{kind: goodsElement, words: []string{x.plainKind(tokens, at, before)}, to: at + 1}, true
	case x.saysWhich(tokens, at, before), isPlainCounted(tokens, at, before):
		return element{kind: goodsElement, words: []string{t.key}, to: at + 1}, true
	case x.isImperative(tokens, at, before):
		return element{
			kind: fillerElement, verb: at+1 >= len(tokens) || !englishYou.Has(tokens[at+1].text), to: at + 1}, true
	}
	return element{}, false
}

// isYear reports whether a number is the year since when something is so: a customer since 2009.
func isYear(tokens []token, at int) bool {
	text := tokens[at].text
	return at > 0 && sinceWords.Has(tokens[at-1].text) && len(text) == len("2009") && isNumber(tokens[at]) &&
		(text[:2] == "19" || text[:2] == "20")
}

var sinceWords = &wordSet{of: "since year सन san"}

// isOnlyOne reports whether a one and a hi count how often something was done: ek hi dhulai me phat gaya.
func isOnlyOne(tokens []token, at int) bool {
	return ones.Has(tokens[at].text) && at+3 < len(tokens) && onlyWords.Has(tokens[at+1].text) &&
		inWords.Has(tokens[at+3].text)
}

var ones = &wordSet{of: "ek एक 1"}

// isOfWhich reports whether a hai na ends what is said of a thing that is meant, and asks nothing: wo jo deewar me
// thokte hai na, wo 2.
func isOfWhich(tokens []token, at, took int) bool {
	return took == 2 && at > 0 && isHabitual(tokens[at-1].text) && naWords.Has(tokens[at+1].text) &&
		at+2 < len(tokens) && thats.Has(tokens[at+2].text)
}

var thats = &wordSet{of: "wo woh vo wahi usme wali wala वो वह वही"}

// isPlaceSold reports whether a word for a place ends names of goods, and a place is neither said before nor behind it.
func (x *Index) isPlaceSold(tokens []token, at int, before []element) bool {
	meaning := meaningOf(tokens[at].key)
	if len(meaning) != 1 || !x.isThing(meaning[0]) || !x.written[tokens[at].text] ||
		slices.ContainsFunc(before, func(e element) bool { return e.kind == markerElement && e.marker == place }) {
		return false
	}
	return at+2 >= len(tokens) || !joins.Has(tokens[at+1].text) || !nearWords.Has(tokens[at+2].text)
}

// nearWords stand behind the ke of a place.
var nearWords = &wordSet{of: "paas pas saamne samne piche peeche bagal upar niche pass पास सामने पीछे बगल"}

// endsNameBefore reports whether a word is of the name of the good that stands right before it, or begins the
// message before a number.
func (x *Index) endsNameBefore(tokens []token, at int, before []element) bool {
	t, last := tokens[at], len(before)-1
	if last < 0 { // रोड 2.5 mm
		return x.vocab[t.key] && x.sells(meaningOf(t.key)) && at+1 < len(tokens) && isNumber(tokens[at+1])
	}
	return x.vocab[t.key] && before[last].kind == goodsElement &&
		x.sells(slices.Concat(before[last].words, meaningOf(t.key)))
}

// asksPriceLast reports whether a how much stands behind a good and ends what is said: dispenser kitne.
func asksPriceLast(tokens []token, at int, before []element) bool {
	last := len(before) - 1
	if last > 0 && before[last].marker == possessive { // parche ke kitne
		last--
	}
	return howMany.Has(tokens[at].text) && last >= 0 && before[last].kind == goodsElement &&
		(at+1 == len(tokens) || tokens[at+1].kind == mark)
}

// withoutPack takes a good whose name ends with a word for a pack for what is in it, if the shop sells that alone: a
// water bottle is a bottle of water where no bottles are sold.
func (x *Index) withoutPack(goods entry, took int, tokens []token) (entry, int) {
	if took < 2 || unitOf(tokens[took-1]).kind != packUnit || x.sells(goods.goods) {
		return goods, took
	}
	if within, n := known.Get().goods.find(tokens[:took-1]); n == took-1 && x.sells(within.goods) {
		return within, n
	}
	return goods, took
}

// isBrandBefore reports whether a small word is a brand of the catalogue, because a number follows, or a good of the
// brand: saaf 250 g, gala pocha.
func (x *Index) isBrandBefore(tokens []token, at int) bool {
	t := tokens[at]
	if !x.brands[t.key] || !x.written[t.text] || len(t.text) < 4 || at+1 == len(tokens) ||
		!known.Get().fillers[t.text] {
		return false
	}
	if at+2 < len(tokens) && joins.Has(tokens[at+1].text) && x.vocab[tokens[at+2].key] { // bata ka juta
		return true
	}
	if known.Get().verbs[t.text] {
		return false
	}
	goods, took := known.Get().goods.find(tokens[at+1:])
	return tokens[at+1].kind == number || took > 0 && slices.ContainsFunc(x.named(goods.goods),
		func(p *product) bool { return p.words[t.key] })
}

// goodsAt returns the element of a word or a phrase of goods. What is a brand in this catalogue is no word for all that
// is like it.
func (x *Index) goodsAt(goods entry, t token, at, took int) element {
	e := element{kind: goodsElement, words: goods.goods, guessed: t.guessed, spelt: t.spelt, to: at + took}
	if took == 1 && !t.devanagari && !known.Get().goods.spelt(t) && !x.sells(goods.goods) { // khrab sounds like crab
		e.guessed = true
	}
	if words := x.joinedNames[t.key]; took == 1 && words != nil && !x.sells(goods.goods) && x.sells(words) {
		e.words = words
	}
	if took == 1 && x.soloBrands[t.key] && (x.written[t.text] || !known.Get().isGoodSpelt(t.text)) &&
		(slices.ContainsFunc(x.named(goods.goods), func(p *product) bool { return !p.words[t.key] }) ||
			x.written[t.text] && !x.sells(goods.goods)) {
		e.words = []string{t.key}
	}
	return e
}

// readArticle reads a before a good or a pack, and returns how many tokens it took; 0 if there is none.
func (x *Index) readArticle(tokens []token, at int) (Quantity, int) {
	if tokens[at].text == "another" {
		if at+1 < len(tokens) && tokens[at+1].text == "one" {
			return Quantity{Count: one}, 2
		}
		return Quantity{Count: one}, 1
	}
	if text := tokens[at].text; text != "a" && text != "an" || at+1 >= len(tokens) {
		return Quantity{}, 0
	}
	sized := at+3 < len(tokens) && tokens[at+1].kind == number && unitOf(tokens[at+2]).kind == measureUnit
	if sized && x.namesGood(tokens[at+3:]) || x.namesGood(tokens[at+1:]) || // a 200 litre geyser
		at+2 < len(tokens) && known.Get().fillers[tokens[at+1].text] && x.namesGood(tokens[at+2:]) || // a nice pen
		listsOne(tokens, at) {
		return Quantity{Count: one, Pack: "piece", article: true}, 1
	}
	if unitOf(tokens[at+1]).kind != packUnit {
		return Quantity{}, 0
	}
	q, took := x.counted(tokens, at+1, one)
	return q, took + 1
}

// listsOne reports whether an article and a word of nothing that is known end a list: 2 frames and a drone.
func listsOne(tokens []token, at int) bool {
	t := tokens[at+1]
	last := at+2 == len(tokens) || at+3 == len(tokens) && courtesy.Get()[tokens[at+2].text] || tokens[at+2].kind == mark
	return last && at > 1 && listJoins.Has(tokens[at-1].text) && t.kind == word && len(t.text) > 3 &&
		!known.Get().fillers[t.text] && !known.Get().fillerKeys[t.key] && unitOf(t).kind == 0 &&
		slices.ContainsFunc(tokens[:at], isNumber)
}

var listJoins = &wordSet{of: "and plus"}

// measuresOther reports whether a piece of a name is a number with a measure of volume or mass, and another good is
// named: the 1 litre of a bottle is no mug of 1 litre.
func (x *Index) measuresOther(tokens []token, at, named int) bool {
	if named != 2 || tokens[at].kind != number || unitOf(tokens[at+1]).kind != measureUnit {
		return false
	}
	if unit := unitOf(tokens[at+1]).name; measures.Has(unit) {
		return x.sellsBy(unit, tokens, at)
	}
	for i, t := range tokens {
		if i >= at && i < at+named || t.kind != word || isSpecial(t) {
			continue
		}
		if _, took := known.Get().goods.find(tokens[i : i+1]); took > 0 || x.vocab[t.key] {
			return true
		}
	}
	return false
}

// sellsBy reports whether some words name what is sold by a measure of length, and none what has one in its name: the 6
// ft of a ladder are no film of 6 ft.
func (x *Index) sellsBy(unit string, tokens []token, at int) bool {
	from, to := at, at
	for from > 0 && !endsSegment(tokens[from-1]) {
		from--
	}
	for to < len(tokens) && !endsSegment(tokens[to]) {
		to++
	}
	sold := false
	for i := from; i < to; i++ {
		if !x.vocab[tokens[i].key] || tokens[i].kind != word || unitOf(tokens[i]).kind != 0 {
			continue
		}
		named := x.named(meaningOf(tokens[i].key))
		if i+1 < to && x.sells(slices.Concat(meaningOf(tokens[i].key), meaningOf(tokens[i+1].key))) {
			named = x.named(slices.Concat(meaningOf(tokens[i].key), meaningOf(tokens[i+1].key)))
			i++
		}
		for _, p := range named {
			if slices.ContainsFunc(p.dimensions, func(d dimension) bool { return d.base == unit }) {
				return false
			}
			sold = sold || p.isLoose && p.base == unit
		}
	}
	return sold
}

// unitEndsName reports whether a token is the unit of the number with which a name before it ends: tanki 1000 ltr 1.
func (x *Index) unitEndsName(goods []string, tokens []token, at int) bool {
	if at >= len(tokens) || tokens[at-1].kind != number || unitOf(tokens[at]).kind != measureUnit ||
		unitOf(tokens[at]).name == "tablet" { // liv 52 tablet is another good than the syrup
		return false
	}
	return slices.ContainsFunc(x.named(goods), func(p *product) bool {
		return slices.ContainsFunc(p.dimensions, func(d dimension) bool {
			return d.key == tokens[at-1].key && d.base == unitOf(tokens[at]).name
		})
	})
}

// countsAfterName reports whether the number at the end of a name counts what follows: cetirizine 10 goli.
func countsAfterName(tokens []token, named int) bool {
	last := tokens[named-1]
	if named < 2 || named >= len(tokens) || last.kind != number || len(last.text) > 2 ||
		tokens[named-2].text == "-" && last.glued { // 2.75-18 is a code
		return false
	}
	kind := unitOf(tokens[named]).kind
	if unitOf(tokens[named]).name == "tablet" && named+1 < len(tokens) &&
		tokens[named+1].kind == number { // liv 52 tab 2
		return false
	}
	return kind == packUnit || kind == measureUnit || kind == dozenUnit
}

// single returns the element of one token that is no phrase.
func (x *Index) single(tokens []token, at int) element {
	t := tokens[at]
	l := known.Get()
	switch {
	case t.kind != word, sizeWords.Has(t.text) && !x.vocab[t.key], endsNumber(tokens, at) && !x.isNoTablet(t):
		return element{kind: fillerElement, to: at + 1}
	case x.vocab[t.key] && !l.fillers[t.text] && (!isCommon(t) || isModel(t.text) ||
		x.tails[t.key] != "" || x.isShortBrand(t) || x.isAcronym(t) ||
		x.isNoTablet(t)),
		x.vocab[t.key] && x.isCountedName(tokens, at),
		x.vocab[t.key] && x.modifiers[t.key] && x.written[t.text] && l.fillers[t.text] && correctsBefore(tokens, at),
		x.vocab[t.key] && unitOf(t).kind == packUnit && !countsAnything.Has(t.text) && !l.fillers[t.text] &&
			(at == 0 || !isNumber(tokens[at-1])):
		return element{
			kind: goodsElement, words: []string{t.key}, guessed: t.guessed, spelt: t.spelt, to: at + 1}
	case at > 0 && isNumber(tokens[at-1]) && groupNouns.Has(t.text): // 2 roti 1 sabji
	case spokenOf.Has(t.text), l.fillers[t.text], len(t.text) < 2,
		l.fillerKeys[t.key] && len(t.key) > 2 && !soundsHindi.Has(t.text):
		return element{
			kind: fillerElement, verb: (l.verbs[t.text] || l.verbs[t.key]) && !isLittle(tokens, at) &&
				!isPackThere(tokens, at),
			is: isWords.Has(t.text), to: at + 1}
	}
	return element{kind: unknownElement, words: []string{t.key}, to: at + 1}
}

// correctsBefore reports whether a word stands alone behind one that corrects: sorry, double.
func correctsBefore(tokens []token, at int) bool {
	before := at - 1
	for before > 0 && tokens[before].kind == mark {
		before--
	}
	if before < 0 || at+1 < len(tokens) && tokens[at+1].kind == word {
		return false
	}
	m, took := known.Get().markers.find(tokens[before : before+1])
	return took > 0 && (m.marker == correction || m.marker == negation)
}

// namesGood reports whether some tokens begin with a word of goods.
func (x *Index) namesGood(tokens []token) bool {
	if _, took := x.names.find(tokens); took > 0 {
		return true
	}
	if _, took := known.Get().goods.find(tokens); took > 0 && !known.Get().fillers[tokens[0].text] {
		return true
	}
	return x.vocab[tokens[0].key] && !isSpecial(tokens[0])
}

// sells reports whether a product has all the words.
func (x *Index) sells(words []string) bool { return len(words) > 0 && len(x.named(words)) > 0 }
