package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

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
	goods, goodsTook := known.Get().goods.find(tokens[at:])
	if goodsTook == 1 && known.Get().fillers[t.text] && goods.text != t.text && // good sounds like gud and is none
		!x.isCountedLike(goods, tokens, at) {
		goodsTook = 0
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

// namedAt returns the element of a name of the catalogue or a mark at a place; false for neither.
func (x *Index) namedAt(tokens []token, at int) (element, bool) {
	name, named := x.names.find(tokens[at:])
	if named > 0 && !countsAfterName(tokens[at:], named) && !x.isOneOfMany(tokens[at:at+named]) {
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

// markerAt returns the marker at a place where so many tokens may be a good, and how many tokens it takes; 0 for none.
func (x *Index) markerAt(tokens []token, at, goodsTook int) (m entry, took int) {
	t := tokens[at]
	m, took = known.Get().markers.find(tokens[at:])
	spelt := known.Get().markers.spelt(t)
	switch {
	case t.text == "nd" && t.glued, // 2nd
		m.marker == place && took == 1 && !spelt && !t.devanagari && len(t.text) > 5: // camera sounds like kamra
		took = 0
	// roti kitni aati hai
	case m.marker == askPrice && at+1 < len(tokens) && took == 1 && inThere.Has(tokens[at+1].text):
		took = 0
	case took == 1 && (known.Get().fillers[t.text] || x.vocab[t.key]) && !spelt && t.kind == word: // today, thode
		took = 0
	case took == 1 && goodsTook == 1 && !spelt && m.marker != vague: // makkhan sounds like makan
		took = 0
	// atta hai kya is no aata hai
	case took > 1 && goodsTook == 1 && m.marker != orderVerb && !strings.HasPrefix(m.text, t.text+" ") &&
		known.Get().isGoodSpelt(t.text):
		took = 0
	case m.marker == orderVerb && goodsTook == 1 && took == 2 &&
		(t.devanagari && !known.Get().verbs[t.text] || at+2 < len(tokens) && unitOf(tokens[at+2]).kind != 0):
		took = 0 // dal do kilo: it sounds like "put it in"
	}
	return m, took
}

// besideAt returns the element of a word that means what it means by what stands beside it; false for another.
func (x *Index) besideAt(tokens []token, at int, before []element, m entry, took int) (element, bool) {
	t := tokens[at]
	switch {
	case onlyWords.Has(t.text) && len(before) > 0 && before[len(before)-1].kind == quantityElement: // 4 hi bhejna
		return element{kind: markerElement, marker: correction, to: at + 1}, true
	case packedIn(tokens, at, before) > 0: // 15 gulab jamun ek dabbe me
		return element{kind: fillerElement, to: at + packedIn(tokens, at, before)}, true
	case at > 0 && kindNouns.Has(t.text) && allOf(tokens[at-1].text) > 0: // dono colour
		return element{kind: fillerElement, to: at + 1}, true
	case x.isOfCategory(tokens[at], before):
		return element{kind: fillerElement, to: at + 1}, true
	case isInOne(tokens, at, before), x.isGiftPack(tokens, at), greetsBy(tokens, at):
		return element{kind: fillerElement, to: at + 2}, true
	// 1 kilo kaafi hai
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

// isNumberSign reports whether a no belongs to the number before it: 9 no ke studs.
func isNumberSign(tokens []token, at int) bool {
	return tokens[at].text == "no" && at > 0 && isNumber(tokens[at-1]) && at+1 < len(tokens) &&
		joins.Has(tokens[at+1].text)
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
	if took == 1 && x.brands[t.key] && (x.written[t.text] || !known.Get().isGoodSpelt(t.text)) &&
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
	if x.namesGood(tokens[at+1:]) {
		return Quantity{Count: one, Pack: "piece"}, 1
	}
	if unitOf(tokens[at+1]).kind != packUnit {
		return Quantity{}, 0
	}
	q, took := x.counted(tokens, at+1, one)
	return q, took + 1
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
	case t.kind != word, sizeWords.Has(t.text) && !x.vocab[t.key], endsNumber(tokens, at):
		return element{kind: fillerElement, to: at + 1}
	case x.vocab[t.key] && !l.fillers[t.text] && (!isCommon(t) || x.tails[t.key] != "" || x.isShortBrand(t)),
		x.vocab[t.key] && x.isCountedName(tokens, at):
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

// groupNouns are words for goods in general. Where they are counted, they are things.
var groupNouns = lazySet(`sabzi sabji subji bhaji vegetable fruit phal kirana nashta lunch dinner breakfast khana
		meal cake
	सब्जी सब्ज़ी फल खाना नाश्ता`)

// articles are words for one that may only begin what is said of a thing.
var articles = lazySet("ek one a an एक")

// isCountedName reports whether a small word is the last one of a name here, and counted: bell 1 lock 1.
func (x *Index) isCountedName(tokens []token, at int) bool {
	t := tokens[at]
	if at > 0 && isNumber(tokens[at-1]) && x.vocab[t.key] && len(t.text) > 3 && !known.Get().verbs[t.text] &&
		(at+1 == len(tokens) || tokens[at+1].kind != word) { // 3 taza 1 ltr wala 1 gold
		return true
	}
	return x.ends[t.key] && (x.written[t.text] || x.written[t.text+"s"] || x.aloneLocal[t.key]) && len(t.text) > 3 &&
		!known.Get().verbs[t.text] && at+1 < len(tokens) &&
		isNumber(tokens[at+1]) && tokens[at+1].text != "do" && tokens[at+1].text != "दो"
}

// isCountedLike reports whether a small word sounds like a good that the shop sells, and is counted: cheez 1.
func (x *Index) isCountedLike(goods entry, tokens []token, at int) bool {
	return !known.Get().verbs[tokens[at].text] && len(tokens[at].text) > 3 && at+1 < len(tokens) &&
		tokens[at+1].kind == number && x.sells(goods.goods)
}

// isShortBrand reports whether a word of two letters is a brand here: hp.
func (x *Index) isShortBrand(t token) bool {
	return len(t.text) == 2 && x.brands[t.key] && x.written[t.text] && unitOf(t).kind == 0 && !numeralsOf(t)
}

// isLittle reports whether a word says that there is little or much of something, and asks for nothing: budget kam hai.
func isLittle(tokens []token, at int) bool {
	return degrees.Has(tokens[at].text) && at+1 < len(tokens) && isWords.Has(tokens[at+1].text)
}

// isPackThere reports whether a pack is one that is spoken of, and none that is to be made: 4 wala pack hai?
func isPackThere(tokens []token, at int) bool {
	return tokens[at].text == "pack" && at+1 < len(tokens) && isWords.Has(tokens[at+1].text)
}

// soundsHindi are English words for things that sound like small words of Hindi.
var soundsHindi = lazySet("car core cub")

// spokenOf are English words for what was spoken of.
var spokenOf = lazySet("them they it its those these their")

// englishYou stand after the do of an English question.
var englishYou = lazySet("you u not")

// endsNumber reports whether a word only says what the number before it is: 10th, long book 200 pg.
func endsNumber(tokens []token, at int) bool {
	t := tokens[at]
	return at > 0 && tokens[at-1].kind == number &&
		(unitOf(t).kind == measureUnit || t.glued && ordinalEndings.Has(t.text))
}

// isPlaceInOrder reports whether a number is one of a good's name and says its place in an order: 10th.
func (x *Index) isPlaceInOrder(tokens []token) bool {
	return len(tokens) > 1 && ordinalEndings.Has(tokens[1].text) && x.byWord[tokens[0].key] != nil
}

// onlyWords after a quantity say that it is no more than that.
var onlyWords = lazySet("hi ही")

// isOne reports whether a one stands for the thing of which the count is already said: three packs, the bigger one.
func isOne(tokens []token, at int, before []element) bool {
	if last := len(before) - 1; tokens[at].text != "one" || last < 0 ||
		!before[last].quantity.Smallest && !before[last].quantity.Largest {
		return false
	}
	return saidBefore(before)
}

// isWords say that something is there.
var isWords = lazySet("hai he hain h hoga hogi है हैं")

// marked returns the element of a marker.
func (x *Index) marked(m entry, tokens []token, at, took int) element {
	e := element{
		kind: markerElement, marker: m.marker, to: at + took, verb: m.marker == orderVerb,
		english: englishMarkers.Has(tokens[at].text)}
	switch m.marker {
	case vague:
		return element{kind: quantityElement, quantity: Quantity{Unclear: true}, to: e.to}
	case smallest, largest:
		return element{
			kind: quantityElement, quantity: Quantity{Smallest: m.marker == smallest, Largest: m.marker == largest},
			to: e.to}
	case loose:
		return element{kind: quantityElement, quantity: Quantity{Loose: true}, to: e.to}
	case packed:
		return element{kind: quantityElement, quantity: Quantity{Packed: true}, to: e.to}
	case correction:
		e.verb = tokens[at].key == "kar" || tokens[at].key == "karo" || tokens[at].key == "kr" ||
			tokens[at].key == "kardo" || tokens[at].key == "krdo"
	case refusalAfter:
		if at > 0 && onlyWords.Has(tokens[at-1].text) && at > 1 &&
			(isNumber(tokens[at-2]) || unitOf(tokens[at-2]).kind != 0) &&
			givesAfterStem(tokens, at+took-1) { // 5 hi rehne do
			e.kind, e.verb = fillerElement, true
		}
	case askStock:
		if at > 0 && tokens[at].text == "aa" && comers.Has(tokens[at-1].text) { // mehmaan aa gaye
			e.kind = fillerElement
		}
		if tokens[at].text == "any" && took == 1 && at > 0 && tokens[at-1].kind != mark { // size any
			e.kind = fillerElement
		}
	case afterNumber, filler:
		e.kind = fillerElement
	case possessive:
		if tokens[at].text == "of" && at > 0 && isNumber(tokens[at-1]) { // 2 of A5
			e.kind = fillerElement
		}
	case either:
		if tokens[at].text == "or" && spokenHindi(tokens) {
			e.marker = joiner
		}
	}
	return e
}

// comers are words for people who may have come.
var comers = lazySet("mehman mehmaan mehmano guest guests log dost bachche bacche rishtedar")

// englishMarkers begin markers in English, whose order of words is the other way round.
var englishMarkers = lazySet("no not instead rather in")

// spokenHindi reports whether a message in Latin letters is in Hindi: its "or" is aur.
func spokenHindi(tokens []token) bool {
	n := 0
	for _, t := range tokens {
		if language.IsHindi(t.text) || hindiNumerals.Has(t.text) {
			n++
		}
	}
	return n > 0
}

// hindiNumerals are number words that are spelt as no word of English.
var hindiNumerals = lazySet("ek teen char chaar panch paanch saat aath nau das adha aadha dedh dhai pav")

// markElement returns the element of a punctuation mark.
func markElement(tokens []token, at int) (element, bool) {
	e := element{to: at + 1}
	switch tokens[at].text {
	case "\n", ";", "…", "|":
		e.kind = breakElement
	case ".":
		e.kind = breakElement
		if at+1 < len(tokens) && tokens[at+1].glued && tokens[at].glued { // k.g, rs.50
			e.kind = fillerElement
		}
	case "!":
		e.kind = breakElement
	case "?":
		e.kind, e.question = breakElement, true
	case ",", "(", ")", "•":
		e.kind = pauseElement
	case "+", "&":
		e.kind, e.marker = markerElement, joiner
	case "/":
		e.kind, e.marker = markerElement, either
	case "×", "*", "₹":
		return element{}, false
	default:
		e.kind = fillerElement
	}
	return e, true
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

// onlyHow reports whether a small word that also says which of some goods is meant says so of none here: no good
// follows, and none in this shop is of that kind.
func (x *Index) onlyHow(goods entry, tokens []token) bool {
	if len(goods.goods) == 1 && goods.goods[0] == "ripe" && len(x.byWord["ripe"]) == 0 {
		return true
	}
	return known.Get().fillers[tokens[0].text] && !x.vocab[tokens[0].key] && len(x.byWord[goods.goods[0]]) == 0 &&
		!slices.ContainsFunc(goods.goods, notPlain) && !(len(tokens) > 1 && x.namesGood(tokens[1:]))
}

// inThere are verbs that say what there is in something: how many is no price then.
var inThere = lazySet("aata aati aate ata ati ate hota hoti hote rehta rehti rahti rahta milta milti milte आता आती " +
	"आते होता होती होते मिलती मिलता")

// isGiftPack reports whether gift and a word for packing say how the goods are to be packed.
func (x *Index) isGiftPack(tokens []token, at int) bool {
	if tokens[at].text != "gift" || at+1 >= len(tokens) || !packings.Has(tokens[at+1].text) ||
		x.vocab[tokens[at].key] && x.written[tokens[at+1].text] {
		return false
	}
	if at+2 < len(tokens) && packs.Has(tokens[at+2].text) {
		return true
	}
	if x.vocab[tokens[at].key] && at > 0 && isNumber(tokens[at-1]) { // 1 gift pack
		return false
	}
	return at+2 == len(tokens) || tokens[at+2].kind == mark || known.Get().verbs[tokens[at+2].text] ||
		courtesy.Get()[tokens[at+2].text] // gift wrap the sweater names the sweater
}

// greetsBy reports whether two words wish a good time of the day, in whatever spelling: gud mrng.
func greetsBy(tokens []token, at int) bool {
	return goodWords.Has(tokens[at].text) && at+1 < len(tokens) && dayTimes.Has(tokens[at+1].text)
}

var (
	goodWords = lazySet("good gud gd goood gooood")
	dayTimes  = lazySet("morning mrng mornin morng mrning mrnng moning evening evng evning eveng afternoon aftrnoon " +
		"noon")
)

var packings = lazySet("pack packed packing wrap wrapped wrapping")

// isPlainCounted reports whether a word asks for the plain kind of the thing before an and, and a count follows: cheese
// sandwich 1 aur sada 1.
func isPlainCounted(tokens []token, at int, before []element) bool {
	last := len(before) - 1
	return plainWords.Has(tokens[at].text) && last > 0 && at+1 < len(tokens) && isNumber(tokens[at+1]) &&
		(before[last].kind == pauseElement || before[last].marker == joiner) &&
		slices.ContainsFunc(before, func(e element) bool { return e.kind == goodsElement })
}

// plainKind returns the word of names for the plain kind of the things before a number, where a word behind the number
// asks for that: naan 2 butter wale 3 sade. "" for none.
func (x *Index) plainKind(tokens []token, at int, before []element) string {
	last := len(before) - 1
	if !plainWords.Has(tokens[at].text) || last < 1 || !isBareCount(before[last]) || x.vocab[tokens[at].key] {
		return ""
	}
	for _, e := range before {
		for _, w := range plainWords.List() {
			if key := language.Fold(w); e.kind == goodsElement && x.vocab[key] &&
				x.sells(append(slices.Clone(e.words), key)) {
				return key
			}
		}
	}
	return ""
}
