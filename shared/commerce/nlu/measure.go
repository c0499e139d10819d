package nlu

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// A number of that many digits is of a phone or a place.
const longestCount = 4

// readQuantity reads a quantity at a place in some tokens and returns how many it took; 0 if there is none.
func (x *Index) readQuantity(tokens []token, at int) (Quantity, int) {
	if q, took := readRupees(tokens[at:]); took > 0 {
		return q, took
	}
	if q, took := readPackOf(tokens[at:]); took > 0 {
		return q, took
	}
	if tokens[at].kind == word || tokens[at].text == "×" || tokens[at].text == "*" {
		if q, took := readTimes(tokens[at:]); took > 0 {
			return q, took
		}
		if q, took := x.readUnitAlone(tokens, at); took > 0 {
			return q, took
		}
	}
	if q, took := readRange(tokens[at:]); took > 0 {
		return q, took
	}
	if took := unservable(tokens, at); took > 0 {
		return Quantity{Unclear: true}, took
	}
	value, took := readNumber(tokens[at:])
	if took == 0 || !value.IsPositive() || isLong(tokens[at]) && !hasUnit(tokens, at+took) &&
		!x.sizes[value.String()] {
		return Quantity{}, 0
	}
	q, more := x.counted(tokens, at+took, value)
	return q, took + more
}

// readPackOf reads how many pieces are in the pack that is meant: pack of 4.
func readPackOf(tokens []token) (Quantity, int) {
	if len(tokens) < 3 || unitOf(tokens[0]).kind != packUnit || tokens[1].text != "of" {
		return Quantity{}, 0
	}
	value, took := readNumber(tokens[2:])
	if took == 0 || 2+took < len(tokens) && unitOf(tokens[2+took]).kind != 0 {
		return Quantity{}, 0
	}
	return Quantity{Size: value, Base: "piece", OfPack: true}, 2 + took
}

// isBrandAt reports whether a word for a unit is a brand, because a good of the brand follows that is counted: 1 GM
// extension board.
func (x *Index) isBrandAt(tokens []token, at int) bool {
	if !x.brands[tokens[at].key] || at+1 >= len(tokens) {
		return false
	}
	base, next := unitOf(tokens[at]).name, known.Get().meaning(tokens[at+1:at+2])
	return len(next) > 0 && slices.ContainsFunc(x.named([]string{tokens[at].key}), func(p *product) bool {
		return all(next, p.words) && p.base != base && p.pack.base != base
	})
}

// isNameAt reports whether a name of the catalogue begins with a word for a unit: ek pav bhaji.
func (x *Index) isNameAt(tokens []token, at int) bool {
	e, took := x.names.find(tokens[at:])
	return took > 1 && tokens[at].kind == word && len(tokens[at].text) > 2 && tokens[at+1].kind == word &&
		x.sells(e.goods)
}

// isPacking reports whether pack is a verb: ek kg pack kar do.
func isPacking(rest []token) bool {
	return (rest[0].text == "pack" || rest[0].text == "packing" || rest[0].text == "wrap") && len(rest) > 1 &&
		(known.Get().verbs[rest[1].text] || known.Get().verbs[rest[1].key] || packs.Has(rest[1].text)) &&
		!isAttribute(rest[1])
}

// packs are verbs that make one of pack.
var packs = &wordSet{of: "karna krna krke karke karwana karvana karwao karo karein karen kijiye " +
	"kijiyega करना करके करवाना " +
	"करो कीजिए"}

// mostServed is more of a unit than anybody orders.
var mostServed = decimal.NewFromInt(999_999)

// unservable returns how many tokens say how much in a number that no order can have; 0 if they do not: 0 kg, 1e9
// kg, 10:30 kg. A minus is one only at the start of a message: elsewhere it separates.
func unservable(tokens []token, at int) int {
	took, minus := 0, false
	if at == 0 && tokens[0].text == "-" && len(tokens) > 1 && tokens[1].glued &&
		!slices.ContainsFunc(tokens[1:], func(t token) bool { return t.text == "-" }) {
		took, minus = 1, true
	}
	if at+took >= len(tokens) {
		return 0
	}
	value, read := readNumber(tokens[at+took:])
	if read == 0 && tokens[at+took].kind != number || !hasUnit(tokens, at+took+max(read, 1)) {
		return 0
	}
	if read > 0 && value.IsPositive() && value.LessThanOrEqual(mostServed) && !minus {
		return 0
	}
	return took + max(read, 1) + 1
}

// isLong reports whether a number has as many digits as those of phones and places.
func isLong(t token) bool {
	return t.kind == number && len(strings.TrimLeft(t.text, "0")) > longestCount && !strings.ContainsAny(t.text, ".,")
}

// hasUnit reports whether a token is a unit that makes a quantity of the number before it.
func hasUnit(tokens []token, at int) bool {
	return at < len(tokens) && slices.Contains([]unitKind{measureUnit, packUnit, dozenUnit}, unitOf(tokens[at]).kind)
}

// counted reads what is counted, after the number.
func (x *Index) counted(tokens []token, at int, value decimal.Decimal) (Quantity, int) {
	from := at
	if at < len(tokens) && tokens[at].text == "-" && at+1 < len(tokens) && unitOf(tokens[at+1]).kind != 0 { // 2-kg
		at++
	}
	if at < len(tokens) && tokens[at].text == "a" && at+1 < len(tokens) && unitOf(tokens[at+1]).alone { // half a dozen
		at++
	}
	if at >= len(tokens) {
		return Quantity{Count: value}, 0
	}
	u := unitOf(tokens[at])
	// 3 bottle gourd
	if u.kind == 0 || x.isBrandAt(tokens, at) || x.isNameAt(tokens, at) ||
		u.kind == packUnit && (x.namesWith(tokens[at:]) || counters.Has(tokens[at].text) && x.inNames(tokens[at].key) &&
			!(x.soldBy[tokens[at].key] && (at+1 == len(tokens) || endsSegment(tokens[at+1])))) { // brake shoe 2 set
		return Quantity{Count: value}, 0
	}
	if (x.tails[tokens[at].key] != "" || x.vocab[tokens[at].key] && u.kind == packUnit && len(tokens) > at+1 &&
		tokens[at+1].kind == word) && x.isTailAt(tokens[at:]) ||
		tokens[at].text == "l" && !tokens[at].glued && x.beginsName(tokens[at:]) || // 5 L patti
		x.sizeLetters[tokens[at].text] && at+1 < len(tokens) && tokens[at+1].kind == number { // m 1 l 1
		return Quantity{Count: value}, 0
	}
	q, took := Quantity{}, at-from+1
	switch u.kind {
	case measureUnit:
		if x.isPav(tokens, at) && !x.weighs(tokens[:at]) ||
			x.isNoTablet(tokens[at]) {
			return Quantity{Count: value}, 0
		}
		q = Quantity{Size: value.Mul(u.factor), Base: u.name}
		if rest, more := x.partOf(tokens, at+1, u); more > 0 { // 1 kg 500 gm
			q.Size = q.Size.Add(rest)
			took += more
		}
		// do pav kilo
		if u.name == "g" && u.factor.Equal(exact("250")) && at+1 < len(tokens) && isKiloOrBhar(tokens[at+1]) {
			took++
		}
	case packUnit:
		q = Quantity{Count: value, Pack: u.name}
	case dozenUnit:
		q = Quantity{Count: value.Mul(u.factor), Pack: "dozen"}
	case rupeeUnit:
		return Quantity{}, 0 // readRupees would have taken it
	case timesUnit:
		if (tokens[at].text == "no" || tokens[at].text == "number") &&
			(x.sizes[value.String()] || !(tokens[at].text == "no" && from > 1 &&
				(at+1 == len(tokens) || endsSegment(tokens[at+1])))) {
			return Quantity{Count: value}, 0
		}
		model := x.sizes[value.String()] && value.GreaterThanOrEqual(leastModel) // bearing 6204 x 2
		if count, took := timesCount(tokens[at:], value); took > 0 && !model {
			return Quantity{Rupees: value, OfPrice: true, Count: count, times: true}, at - from + took
		}
		if model {
			return Quantity{Count: value}, 0
		}
		q = Quantity{Count: value, times: true} // regmal 5 no
	}
	return x.described(tokens, from+took, q, took)
}

// isTailAt reports whether a word for a pack that ends names is a good where some tokens begin with it: its count
// follows, or what stands before it in a name, and its count. Stand 1 bag 1; pouch toiletry 2.
func (x *Index) isTailAt(tokens []token) bool {
	return len(tokens) > 1 && tokens[1].kind == number ||
		len(tokens) > 2 && isNumber(tokens[2]) && tokens[1].kind == word && x.vocab[tokens[1].key] &&
			x.sells([]string{tokens[1].key, tokens[0].key})
}

// partOf reads the rest of a measure in a smaller unit: the 500 gm of 1 kg 500 gm. It reads none where a thing stands
// before the measure and another one after it, because each has its own: dal 1 kg 500 gm cheeni.
func (x *Index) partOf(tokens []token, at int, of unit) (decimal.Decimal, int) {
	skipped := 0
	if at < len(tokens) && (tokens[at].text == "aur" || tokens[at].text == "and" || tokens[at].text == "और") {
		skipped = 1
	}
	if at+skipped >= len(tokens) || tokens[at+skipped].kind != number {
		return decimal.Zero, 0
	}
	value, took := readNumber(tokens[at+skipped:])
	after := at + skipped + took
	if took == 0 || after >= len(tokens) {
		return decimal.Zero, 0
	}
	u := unitOf(tokens[after])
	part := value.Mul(u.factor)
	if u.kind != measureUnit || u.name != of.name || !u.factor.LessThan(of.factor) || !part.LessThan(of.factor) ||
		after+1 < len(tokens) && isAttribute(tokens[after+1]) {
		return decimal.Zero, 0
	}
	begin := at - 2
	named := begin > 0 && tokens[begin-1].kind == word && !known.Get().fillers[tokens[begin-1].text] &&
		!endsSegment(tokens[begin-1])
	if (named || skipped > 0) && after+1 < len(tokens) && x.namesGood(tokens[after+1:]) {
		return decimal.Zero, 0
	}
	return part, skipped + took + 1
}

// described reads what a quantity is said to be of: 500 g wala, 500 g ka packet, 1 l bottle.
func (x *Index) described(tokens []token, at int, q Quantity, took int) (Quantity, int) {
	rest := tokens[at:]
	if len(rest) == 0 {
		return q, took
	}
	if q.Pack == "piece" && !q.Count.IsZero() && describesPack(rest) {
		q = Quantity{Size: q.Count, Base: q.Pack}
	}
	measure := !q.Size.IsZero()
	switch {
	case isAttribute(rest[0]):
		if measure {
			q.OfPack = true
		}
		took++
		if len(rest) > 1 && measure && unitOf(rest[1]).kind == packUnit {
			q.Pack = unitOf(rest[1]).name
			took++
		}
	case measure && unitOf(rest[0]).kind == packUnit && !isGoodsWord(rest) && !isPacking(rest):
		q.OfPack, q.Pack = true, unitOf(rest[0]).name
		took++
	case measure && joins.Has(rest[0].text) && len(rest) > 1 && unitOf(rest[1]).kind == packUnit &&
		!isGoodsWord(rest[1:]):
		q.OfPack, q.Pack = true, unitOf(rest[1]).name
		took += 2
	case measure && joins.Has(rest[0].text) && len(rest) > 1:
		if _, n := readNumber(rest[1:]); n > 0 {
			q.OfPack = true
		}
	case rest[0].text == "bhar" || rest[0].text == "भर":
		took++
	}
	return q, took
}

// describesPack reports whether what is counted is in a pack: 10 piece wala, 10 piece ka packet.
func describesPack(rest []token) bool {
	return isAttribute(rest[0]) ||
		joins.Has(rest[0].text) && len(rest) > 1 && unitOf(rest[1]).kind == packUnit && !isGoodsWord(rest[1:])
}

// inNames reports whether a word is in the name of a product, and not only among its keywords.
func (x *Index) inNames(key string) bool {
	return slices.ContainsFunc(x.byWord[key],
		func(at int) bool { return slices.Contains(x.products[at].nameWords, key) })
}

// namesWith reports whether a word for a pack begins the name of a thing that is sold.
func (x *Index) namesWith(tokens []token) bool {
	e, took := known.Get().goods.find(tokens)
	if took < 2 {
		e, took = x.names.find(tokens)
	}
	return took > 1 && x.sells(e.goods)
}

// isGoodsWord reports whether a word for a pack is part of the name of a thing: box in "box file".
func isGoodsWord(tokens []token) bool {
	e, took := known.Get().goods.find(tokens)
	return took > 1 && len(e.goods) > 0
}

func isAttribute(t token) bool {
	e, took := known.Get().markers.find([]token{t})
	return took > 0 && e.marker == attribute
}

func isKiloOrBhar(t token) bool {
	return t.text == "bhar" || t.text == "भर" || unitOf(t).factor.Equal(exact("1000")) && unitOf(t).name == "g"
}

// readUnitAlone reads a unit without a number: kilo, pav kilo, dozen; a pack says only which kind.
func (x *Index) readUnitAlone(tokens []token, at int) (Quantity, int) {
	u := unitOf(tokens[at])
	switch {
	// plz pack
	case tokens[at].text == "can", isPacking(tokens[at:]), tokens[at].text == "pack" && at > 0 &&
		courtesy.Get()[tokens[at-1].text]:
		return Quantity{}, 0
	case u.kind == packUnit && !x.vocab[tokens[at].key]:
		return Quantity{Pack: u.name}, 1
	case u.kind == packUnit && x.tails[tokens[at].key] != "" &&
		(at == 0 || !isNumber(tokens[at-1]) || x.isTailAt(tokens[at:])): // bag 1
		return Quantity{}, 0
	case u.kind == packUnit && u.name != "piece":
		return Quantity{Pack: u.name}, 1
	case !u.alone || x.isPav(tokens, at):
		return Quantity{}, 0
	case u.kind == dozenUnit:
		return Quantity{Count: u.factor, Pack: "dozen"}, 1
	case len(tokens[at].text) == 1: // l and g alone are no units
		return Quantity{}, 0
	}
	took := 1
	if u.factor.LessThan(exact("1000")) && at+1 < len(tokens) && isKiloOrBhar(tokens[at+1]) {
		took = 2
	}
	return x.described(tokens, at+took, Quantity{Size: u.factor, Base: u.name}, took)
}

// isPav reports whether pav is bread: a shop sells it, and it is not said of what is a quarter of a kilo.
func (x *Index) isPav(tokens []token, at int) bool {
	if !unitOf(tokens[at]).factor.Equal(exact("250")) || !x.isGood("pav") && !x.isGood("pavbun") {
		return false
	}
	if at+1 >= len(tokens) || isKiloOrBhar(tokens[at+1]) {
		return at+1 >= len(tokens)
	}
	_, took := known.Get().goods.find(tokens[at+1:])
	return took == 0
}

// isGood reports whether a word is of a product, and not only a part of a longer name: the pav of pav bhaji masala.
func (x *Index) isGood(w string) bool {
	return slices.ContainsFunc(x.byWord[w],
		func(at int) bool { return !x.products[at].parts[w] && x.products[at].words[w] })
}

// weighs reports whether what stands before a number, at the end of some tokens, is a good that is sold by weight,
// perhaps with a weight that is corrected: barfi ek, barfi aadha kilo nahi ek.
func (x *Index) weighs(tokens []token) bool {
	tokens = withoutFillers(withoutNumber(tokens))
	if n := len(tokens); n > 0 && isNo(tokens[n-1]) {
		for n > 0 && (isNo(tokens[n-1]) || unitOf(tokens[n-1]).name == "g") {
			n--
		}
		tokens = withoutNumber(tokens[:n])
	}
	for n := 1; n <= min(4, len(tokens)); n++ {
		words := known.Get().meaning(tokens[len(tokens)-n:])
		if slices.ContainsFunc(x.named(words), func(p *product) bool { return p.isLoose && p.base == "g" }) {
			return true
		}
	}
	return false
}

func withoutNumber(tokens []token) []token {
	for len(tokens) > 0 && isNumber(tokens[len(tokens)-1]) {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

func withoutFillers(tokens []token) []token {
	for len(tokens) > 0 && known.Get().fillers[tokens[len(tokens)-1].text] && !isNo(tokens[len(tokens)-1]) {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

func isNo(t token) bool {
	e, took := known.Get().markers.find([]token{t})
	return took > 0 && e.marker == negation
}
