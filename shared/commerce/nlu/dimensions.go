package nlu

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/language"
)

// dimension is a number in a product's name: the 34 of "Jeans Blue 34", the 172 of "172 pages".
type dimension struct {
	value   decimal.Decimal
	base    string // of a measure; "" of a bare number
	key     string // the word of goods that the number is
	before  string // the word before it: UCP 205
	after   string // the word after it: 24 shades
	hyphens bool   // it is a part of a code: 2.75-18
}

// letters are the letters by which names write a measure, right behind the number: 6A, 9W. In a message such a letter
// is no unit.
var letters = map[string]string{"a": "amp", "w": "watt", "v": "volt"}

// letterOf returns the letter of a measure; "" if it has none.
func letterOf(measure string) string {
	for letter, of := range letters {
		if of == measure {
			return letter
		}
	}
	return ""
}

// dimensionsOf returns the numbers in the tokens of a name.
func dimensionsOf(tokens []token) []dimension {
	var all []dimension
	for i, t := range tokens {
		if code := codeDigits(t); code != "" {
			value, _ := digits(code)
			all = append(all, dimension{value: value, key: t.key})
		}
		if t.kind != number {
			continue
		}
		value, ok := digits(t.text)
		if !ok {
			continue
		}
		d := dimension{value: value, key: t.key}
		d.hyphens = i+1 < len(tokens) && tokens[i+1].glued && tokens[i+1].text == "-" ||
			i > 0 && t.glued && tokens[i-1].text == "-"
		if i > 0 && tokens[i-1].kind == word {
			d.before = tokens[i-1].key
		}
		if i+1 < len(tokens) && tokens[i+1].kind == word {
			d.after = tokens[i+1].key
			if u := unitOf(tokens[i+1]); u.kind == measureUnit || u.kind == packUnit {
				d.value, d.base = value.Mul(u.factor), u.name
			} else if base := letters[tokens[i+1].text]; base != "" && tokens[i+1].glued {
				d.base = base
			} else if tokens[i+1].text == "m" {
				d.base = "metre"
			}
		}
		all = append(all, d)
	}
	return all
}

// codeDigits returns the number of a code of letters and digits, by which customers call it, too: the 2032 of CR2032.
// "" for none.
func codeDigits(t token) string {
	code := strings.TrimLeft(t.text, "abcdefghijklmnopqrstuvwxyz")
	if t.kind != word || code == t.text || len(code) < leastCode || strings.Trim(code, "0123456789") != "" {
		return ""
	}
	return code
}

// leastCode is how many digits say which code is meant without its letters.
const leastCode = 3

// dimensioned takes those of the quantities around a thing for words of it that say which of it is meant and not how
// much: jeans 34 2, size 40, class 8, 10 inch. lacks reports that one of them says a size or a kind that the thing is
// not sold in.
func (r *itemReader) dimensioned(thing atom, before, after []atom) (words []string, b, a []atom, lacks bool) {
	words, b, a = thing.words, before, after
	candidates := r.x.named(words)
	if thing.kind != goodsElement ||
		!slices.ContainsFunc(candidates, func(p *product) bool { return len(p.dimensions) > 0 }) {
		return words, b, a, false
	}
	b, a = slices.Clone(before), slices.Clone(after)
	counted := func(but atom) bool {
		return slices.ContainsFunc(slices.Concat(b, a), func(other atom) bool {
			measured := !but.quantity.Count.IsInteger() && !other.quantity.Size.IsZero() &&
				measuredBases.Has(other.quantity.Base) // nut 5/8 1 kg
			return other.from != but.from && (other.quantity.Count.IsPositive() || measured)
		})
	}
	for _, q := range slices.Concat(after, reversed(before)) {
		m := r.measureOf(q, thing)
		if !m.said || m.weighs(candidates) {
			continue
		}
		matched := m.among(candidates)
		switch {
		case len(matched) == 0 && m.lackedBy(endingIn(words, candidates)):
			lacks = true
		case len(matched) == 0 || !m.means(matched, candidates, counted(q), slices.Contains(starts(after), q.from)):
			continue
		default:
			words = append(slices.Clone(words), matched[0].keyOf(m))
			candidates = matched
		}
		b, a = without(b, q), without(a, q)
		if q.quantity.Count.IsPositive() && !q.quantity.Size.IsZero() { // 2 x 10 litre
			q.quantity.Size, q.quantity.Base, q.quantity.OfPack = decimal.Zero, "", false
			a = append(a, q)
		}
	}
	return words, b, a, lacks
}

func reversed(atoms []atom) []atom {
	atoms = slices.Clone(atoms)
	slices.Reverse(atoms)
	return atoms
}

func starts(atoms []atom) []int {
	var all []int
	for _, a := range atoms {
		all = append(all, a.from)
	}
	return all
}

func without(atoms []atom, one atom) []atom {
	return slices.DeleteFunc(atoms, func(a atom) bool { return a.from == one.from })
}

// measure is a number of a message that may say which of a thing is meant.
type measure struct {
	value         decimal.Decimal
	base          string
	before, after token // the words beside it
	said          bool
	labelled      bool // a word beside it says that it is a size: size 40, 6th, 30 wali
	price         bool // it may be a price: 30 wali
}

// measureOf returns the number of a quantity that may say which of a thing is meant.
func (r *itemReader) measureOf(a, thing atom) measure {
	q, m := a.quantity, measure{}
	switch {
	case q.counts() && !q.times && !q.each:
		m.value, m.said = q.Count, true
	case q.OfPrice && q.Count.IsZero() && q.Size.IsZero():
		m.value, m.said, m.labelled, m.price = q.Rupees, true, true, true
	case !q.Size.IsZero():
		m.value, m.base, m.said = q.Size, q.Base, true
	case !q.Rupees.IsZero() && q.Count.IsZero() && !saysRupees(r.tokens[a.from:a.to]): // 680 ki cartridge
		m.value, m.said, m.labelled, m.price = q.Rupees, true, true, true
	}
	if a.from > 0 {
		m.before = r.tokens[a.from-1]
	}
	if a.to < len(r.tokens) && (a.to < thing.from || a.to >= thing.to || // the words of the thing are no label
		a.from > thing.from && r.x.behindNumbers[r.tokens[a.to].text]) { // but for the seater of 7 seater
		m.after = r.tokens[a.to]
	}
	m.labelled = m.labelled || a.label ||
		sizeWords.Has(m.before.text) && !(a.from > 1 && isNumber(r.tokens[a.from-2])) ||
		sizeWords.Has(m.after.text) && m.after.text != "no" || m.after.glued && ordinalEndings.Has(m.after.text)
	return m
}

// ordinalEndings stand after a number that is the place in an order: 6th.
var ordinalEndings = &wordSet{of: "th st nd rd vi vin va vaan wi win वीं वी वां वाँ"}

// of reports whether a number of a name is the one that is said.
func (m measure) of(d dimension) bool {
	if m.base != "" || d.base == "" {
		return m.base == d.base && m.value.Equal(d.value)
	}
	if isNumeric(d.key) {
		value, ok := digits(d.key)
		return ok && value.Equal(m.value)
	}
	return d.value.Equal(m.value)
}

// labels reports whether the word after the number is the one that stands after a number of a name: 24 shades.
func (m measure) labels(d dimension) bool {
	return len(d.after) > 1 && m.after.kind == word && !known.Get().things[d.after] &&
		(m.after.key == d.after || language.Stem(m.after.key) == language.Stem(d.after))
}

// among returns the products that have the number in their names.
func (m measure) among(candidates []*product) []*product {
	var all []*product
	for _, p := range candidates {
		if m.price && p.Price.Equal(m.value) {
			return nil
		}
		if p.keyOf(m) != "" && !(m.base != "" && p.base == m.base) && !(p.pack.base == m.base && m.base != "") {
			all = append(all, p)
		}
	}
	labelled := slices.DeleteFunc(slices.Clone(all), func(p *product) bool { // 4gb of a pi 4 is its memory
		return !slices.ContainsFunc(p.dimensions, func(d dimension) bool { return m.of(d) && m.labels(d) })
	})
	if m.after.glued && len(labelled) > 0 {
		return labelled
	}
	return all
}

// keyOf returns the word that a number is in the name of a product; "" if it is none.
func (p *product) keyOf(m measure) string {
	for _, d := range p.dimensions {
		if m.of(d) {
			return d.key
		}
	}
	return ""
}

// weighs reports whether a measure of mass or volume may say how much of one of some products is wanted: of 1 kg honey,
// it does not say that the empty jar of 1 kg is meant.
func (m measure) weighs(candidates []*product) bool {
	return (m.base == "g" || m.base == "ml") && !m.labelled && slices.ContainsFunc(candidates, func(p *product) bool {
		return p.base == m.base || p.pack.base == m.base
	})
}

// lackedBy reports whether every product has a number of the kind that is said, and none the one that is said.
func (m measure) lackedBy(candidates []*product) bool {
	for _, p := range candidates {
		if m.price || !slices.ContainsFunc(p.dimensions, func(d dimension) bool {
			return m.base != "" && m.base == d.base && p.base != m.base && p.pack.base != m.base ||
				m.base == "" && (m.labels(d) || m.labelled && d.base == "" || m.isModelLike(d))
		}) {
			return false
		}
	}
	return true
}

// endingIn returns those of some products whose names end with one of some words, where there are any: of battery no
// battery trolley.
func endingIn(words []string, of []*product) []*product {
	ends := slices.DeleteFunc(slices.Clone(of), func(p *product) bool { return !slices.Contains(words, p.nameEnd) })
	if len(ends) == 0 {
		return of
	}
	return ends
}

// isCodeAlone reports whether a number is the code by which a good is called, and its count follows, where no thing
// stands before it.
func (x *Index) isCodeAlone(tokens []token, at int, before []element) bool {
	t := tokens[at]
	value, ok := digits(t.text)
	if t.kind != number || !ok || value.LessThan(leastCodeAlone) || !x.sizes[value.String()] ||
		!x.sells([]string{t.key}) ||
		at+1 >= len(tokens) || !isNumber(tokens[at+1]) && unitOf(tokens[at+1]).kind != timesUnit {
		return false
	}
	return !slices.ContainsFunc(before, func(e element) bool {
		return e.kind == unknownElement || e.kind == goodsElement && isWord(e.words[0]) ||
			e.kind == markerElement && e.marker == place
	})
}

// isWord reports whether a word of goods is no number.
func isWord(w string) bool { return !isNumeric(w) }

// leastCodeAlone is the least number that is a code where no thing is named.
var leastCodeAlone = decimal.NewFromInt(1000)

// isModelLike reports whether a number is one of a series that a word of the name begins, as the one of the name is:
// the UCP 208 that is not sold beside the UCP 205.
func (m measure) isModelLike(d dimension) bool {
	return d.base == "" && d.before != "" && d.before == m.before.key && m.value.GreaterThanOrEqual(leastModel) &&
		d.value.GreaterThanOrEqual(leastModel)
}

// leastSize is the least number that says a size where it may as well count: jeans 32, but brush 2.
var leastSize = decimal.NewFromInt(12)

// means reports whether a number that some of the candidates have in their names says which of them is meant. A number
// without a word that tells so does if another number counts, or if it is too large for a count and stands last.
func (m measure) means(matched, candidates []*product, counted, after bool) bool {
	if m.labelled || m.base != "" || slices.ContainsFunc(matched[0].dimensions, m.labels) || m.parts(candidates) {
		return true
	}
	if counted || m.value.GreaterThanOrEqual(leastModel) {
		return true
	}
	return after && len(matched) < len(candidates) && m.value.GreaterThanOrEqual(leastSize) &&
		!slices.ContainsFunc(matched, func(p *product) bool { return p.pack.value.Equal(m.value) })
}

// leastModel is the least number that is the one of a name wherever it stands: hp 680 cartridge.
var leastModel = decimal.NewFromInt(200)

// saysRupees reports whether one of some tokens is a word or a sign for rupees.
func saysRupees(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return unitOf(t).kind == rupeeUnit })
}

// parts reports whether a number would count parts of what is sold in whole pieces or packs.
func (m measure) parts(candidates []*product) bool {
	return !m.value.IsInteger() && !slices.ContainsFunc(candidates, func(p *product) bool {
		return p.isLoose && measuredBases.Has(p.base)
	})
}

// measuredBases are the bases of what is sold in any quantity.
var measuredBases = &wordSet{of: "g ml metre foot"}

// isOneOfMany reports whether a piece of a name is a word and a small number, and other goods of that word have other
// numbers or none: the number may as well count. Pot 5 is five pots where there are pots of 6 inches, too.
func (x *Index) isOneOfMany(piece []token) bool {
	if len(piece) == 2 && piece[0].kind == number && piece[1].kind == word { // 2 white cement, beside tiles 2x2 white
		value, ok := digits(piece[0].text)
		return ok && value.LessThan(leastSize) && unitOf(piece[1]).kind == 0 && !piece[1].glued &&
			len(piece[1].text) > 2 &&
			x.namesWithout(known.Get().meaning(piece[1:]), piece)
	}
	if len(piece) != 2 || piece[0].kind != word || piece[1].kind != number || sizeWords.Has(piece[0].text) {
		return false
	}
	if value, ok := digits(piece[1].text); !ok || value.GreaterThanOrEqual(leastSize) {
		return false
	}
	named := x.named(known.Get().meaning(piece[:1]))
	return slices.ContainsFunc(named, func(p *product) bool { return !p.words[piece[1].key] })
}

// countsWholeName reports whether a piece of a name begins with a number, and words of it and behind it are the whole
// name of another good: 12 red roses are twelve of them, though there is a bouquet of 12 red roses. A 12 red rose
// bouquet is that bouquet.
func (x *Index) countsWholeName(tokens []token, at, named int) bool {
	if named < 2 || tokens[at].kind != number || tokens[at+1].glued {
		return false
	}
	for to := at + 2; to <= min(len(tokens), at+5) && !endsSegment(tokens[to-1]); to++ {
		words := sorted(known.Get().meaning(tokens[at+1 : to]))
		if to < at+named || len(words) == 0 || !x.isWholeName(words, tokens[at].key) {
			continue
		}
		return to == len(tokens) || !x.vocab[tokens[to].key] ||
			!x.sells(slices.Concat(known.Get().meaning(tokens[at:at+named]), meaningOf(tokens[to].key)))
	}
	return false
}

// isWholeName reports whether some words are the whole name of a product that does not have a number in it.
func (x *Index) isWholeName(words []string, number string) bool {
	return slices.ContainsFunc(x.having(words), func(p *product) bool {
		return !p.words[number] &&
			slices.ContainsFunc(p.names, func(name []string) bool { return slices.Equal(name, words) })
	})
}

// endsBeforeUnit reports whether a piece of a name ends with a number and its unit follows: the number alone may as
// well count. Two of "Spray Bottle 1 l" are no "spray bottle 1".
func endsBeforeUnit(tokens []token, end int) bool {
	if tokens[end-1].kind != number || end >= len(tokens) {
		return false
	}
	if cutsArea(tokens, end-2) { // 6x9 ft
		return false
	}
	if tokens[end].kind == word && tokens[end].glued && unitOf(tokens[end]).kind != measureUnit { // the 2 of 6204 2rs
		return true
	}
	value, ok := digits(tokens[end-1].text)
	return ok && value.LessThan(leastSize) &&
		(unitOf(tokens[end]).kind == measureUnit || letters[tokens[end].text] != "" ||
			// dome camera 2 mp, but frock 3-4 years
			end == len(tokens)-1 && tokens[end].kind == word && (end < 2 || tokens[end-2].kind != number))
}

// narrowed takes the numbers that only say which of the thing before them is meant out of a segment without a thing:
// trouser beige, 32, two of them.
func (r *itemReader) narrowed(last *item, atoms []atom, joined, corrects bool) []atom {
	if last == nil || last.clause != r.clause || last.state != ordered || !last.known {
		return atoms
	}
	base := last.words
	if (last.said || joined) && len(last.plain) > 0 && len(last.plain) < len(last.words) {
		base = last.plain
	}
	words, _, rest, lacks := r.dimensioned(atom{element: element{kind: goodsElement, words: base}}, nil,
		plainAtoms(atoms))
	if q, found := quantityOf(rest); len(base) < len(last.words) { // cup 150 wale 3, 250 wale 2
		if corrects && !found && len(words) > len(base) { // board 400 1, nahi 830
			last.words = words
			return rest
		}
		if len(words) > len(base) && found && (q.Count.IsPositive() || !q.Size.IsZero()) &&
			!slices.Equal(words, last.words) {
			r.items = append(r.items, &item{words: words, plain: base, known: true, clause: r.clause, from: last.from,
				to: last.to, parts: last.parts, joined: true})
			return rest
		}
		return atoms
	}
	if len(words) == len(last.words) && !lacks {
		return atoms
	}
	last.words, last.lacks = words, lacks
	return slices.DeleteFunc(slices.Clone(atoms), func(a atom) bool {
		return a.kind == quantityElement && !slices.Contains(starts(rest), a.from)
	})
}

// namesWithout reports whether a product has the words of a piece but not its number, nor the word behind another one.
func (x *Index) namesWithout(words []string, piece []token) bool {
	return len(words) > 0 && slices.ContainsFunc(x.having(words), func(p *product) bool {
		return all(words, p.words) && !p.words[piece[0].key] &&
			!slices.ContainsFunc(p.dimensions, func(d dimension) bool { return d.after == piece[1].key })
	})
}
