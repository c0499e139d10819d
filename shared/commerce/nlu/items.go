package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// state says what becomes of a thing that a message names.
type state int

const (
	ordered state = iota
	refused
	priceAsked
	stockAsked
	dropped // only wanted where there is none of another
)

// item is a thing that a message names, with how much of it.
type item struct {
	words    []string
	others   [][]string // what may be meant instead: X ya Y
	known    bool       // some of its words are words of goods
	guessed  bool
	quantity Quantity
	said     bool // a quantity was said
	before   bool // the quantity stands before the thing
	state    state
	verb     bool // something asks for it to be sent
	from, to int
	parts    []span // the words for the thing
	clause   int
	kind     bool     // a ka or wala stands after it
	only     bool     // it is not known and is said to be there
	joined   bool     // an and or a comma stands before it
	asks     bool     // it stands in a question
	narrows  bool     // a refusal that leaves fewer of what is asked about
	which    bool     // a wala or a one stands after it, so that it only says which
	previous []string // the words of the item before it
	all      []*item  // the items of the message
	heading  []string // the words of the heading above it
	among    bool     // a me stands after it
	aside    bool     // it only says how another is served
	plain    []string // its words without the numbers that say which of it is meant
	lacks    bool     // it is said in a size that the thing is not sold in
	unlike   string   // the word for the size of the kind before it, which it is not
}

// word returns what the customer calls a thing.
func (it *item) word(text string, tokens []token) string {
	var words []string
	for _, part := range it.parts {
		words = append(words, textOf(text, tokens, part.from, part.to))
	}
	return strings.Join(words, " ")
}

// itemReader collects the items of a message, clause by clause.
type itemReader struct {
	x         *Index
	tokens    []token
	heading   []string // the words of goods in the headings of lists
	items     []*item
	clause    int
	drop      bool      // the rest of the clause is only wanted where there is none of what stands before
	no        bool      // the last segment was nothing but no
	pendingAt extent    // where what is pending stands, where it was said behind a thing
	pending   *Quantity // a quantity without a thing at the start of a clause
	forward   *Quantity // a quantity for each of the things that follow
	unused    []extent  // quantities of which it is not clear what they are of
	segment   extent    // what is read
	lone      *Quantity // the first quantity before which nothing is named
}

// read collects the items of some atoms.
func (r *itemReader) read(atoms []atom) {
	from := 0
	for at := 0; at <= len(atoms); at++ {
		if at < len(atoms) && atoms[at].kind != breakElement {
			continue
		}
		question := at < len(atoms) && atoms[at].question
		r.readClause(atoms[from:at], question)
		from = at + 1
	}
}

// readClause reads what stands between two ends of sentences.
func (r *itemReader) readClause(atoms []atom, question bool) {
	if len(atoms) == 0 {
		return
	}
	r.clause++
	r.drop, r.pending, r.forward, r.pendingAt = false, nil, nil, extent{}
	first := len(r.items)
	joined := false
	for len(atoms) > 0 {
		end := segmentEnd(atoms, len(r.items) > 0)
		r.readSegment(atoms[:end], joined)
		joined = end < len(atoms)
		if joined && isSeparator(atoms[end]) {
			end++
		}
		atoms = atoms[end:]
	}
	if r.pending != nil && r.pendingAt.to > 0 && len(r.items) > first {
		r.unused = append(r.unused, r.pendingAt)
	}
	r.askJoined(first)
	if question {
		r.askLast(first)
	}
}

// segmentEnd returns where the first segment of a clause ends: at a comma, an and, or after a verb that follows a thing
// and its quantity. After another thing, a verb may follow a quantity alone: kaju 1 kilo, aadha kilo bhejo.
func segmentEnd(atoms []atom, follows bool) int {
	if follows && isSizeCounted(atoms) { // rod 4 ft 2, 6 ft 1 ring 2
		return 2
	}
	thing, quantity, label, amount := false, false, false, false
	var said Quantity
	for i, a := range atoms {
		size := a.label || !a.quantity.Size.IsZero() && measures.Has(a.quantity.Base)
		again := size && label && amount // 7 no 2, 8 no 1
		label, amount = label || size, amount && !size || label && !size && a.quantity.said()
		switch {
		case isSeparator(a), thing && again, thing && saysOtherSize(said, a.quantity),
			thing && label && said.Count.IsPositive() && isSizeBeforeCount(atoms[i:]), // dumbbell 5 kg 2 10 kg 2
			thing && countsOtherSize(said, atoms[i:]),
			thing && i+1 < len(atoms) && isCounted(said) && countsOtherPack(said, a.quantity, atoms[i+1].quantity):
			return i
		case a.kind == goodsElement:
			label = label || slices.ContainsFunc(a.words, isNumeric)
			if thing { // what is said so far is of the thing before it, but for the kind beside this one
				said = kindBefore(atoms[:i])
			}
			thing = true
		case a.kind == quantityElement && a.quantity.said():
			quantity, said = true, said.joined(a.quantity)
		case a.kind == quantityElement:
			said = said.joined(a.quantity)
		case a.verb && thing && quantity && i+1 < len(atoms) && !atoms[i+1].verb && !isSeparator(atoms[i+1]) &&
			atoms[i+1].kind != markerElement,
			a.verb && follows && !thing && quantity && i+1 < len(atoms) && atoms[i+1].kind == unknownElement:
			return i + 1
		}
	}
	return len(atoms)
}

// isSizeCounted reports whether some atoms begin with a size and its count, and a thing with a count of its own
// follows.
func isSizeCounted(atoms []atom) bool {
	if len(atoms) < 4 || atoms[2].kind != goodsElement && atoms[2].kind != unknownElement ||
		!isQuantity(atoms[3].element) {
		return false
	}
	size, count := atoms[0].quantity, atoms[1].quantity
	return !size.Size.IsZero() && size.Count.IsZero() && count.counts()
}

func isCounted(q Quantity) bool {
	return q.Count.IsPositive() && (q.Smallest || q.Largest || q.OfPack || q.OfPrice) ||
		!q.Size.IsZero() && !q.OfPack && (q.Smallest || q.Largest)
}

// kindBefore returns the last quantity of some atoms where it only says which kind is meant.
func kindBefore(atoms []atom) Quantity {
	if last := atoms[len(atoms)-1]; last.kind == quantityElement && !last.quantity.said() {
		return last.quantity
	}
	return Quantity{}
}

// countsOtherPack reports whether two quantities that follow each other are of another pack than what is said: chhoti 1
// badi 2, 1 chhoti 2 badi.
func countsOtherPack(said, first, next Quantity) bool {
	return isAmount(first) && next.otherPack(said) || isAmount(next) && first.otherPack(said)
}

// isAmount reports whether a quantity only says how much: 2, aadha kilo.
func isAmount(q Quantity) bool {
	return q.counts() || !q.Size.IsZero() && q.Count.IsZero() && !q.OfPack && !q.Smallest && !q.Largest
}

func isSeparator(a atom) bool {
	return a.kind == pauseElement || a.kind == markerElement && (a.marker == joiner || a.marker == contrast)
}

// askJoined takes what follows a question and orders nothing for more of it: tamatar kya bhav aur pyaz.
func (r *itemReader) askJoined(first int) {
	for i := first + 1; i < len(r.items); i++ {
		it, before := r.items[i], r.items[i-1]
		if it.state == ordered && it.joined && !it.said && !it.verb &&
			(before.state == priceAsked || before.state == stockAsked) {
			it.state = before.state
		}
	}
}

// askLast takes a question without a word for it as one whether there is what it names last without a quantity.
func (r *itemReader) askLast(first int) {
	for i := len(r.items) - 1; i >= first; i-- {
		it := r.items[i]
		if it.said && !it.quantity.OnlyDescribes() || it.verb || it.state != ordered {
			return
		}
		it.state = stockAsked
	}
}

// last returns the last item that is ordered or asked about; nil if there is none.
func (r *itemReader) last() *item {
	for _, it := range slices.Backward(r.items) {
		if it.state != refused && it.state != dropped {
			return it
		}
	}
	return nil
}

// give gives an item a quantity.
func (it *item) give(q Quantity) {
	it.quantity = it.quantity.joined(q)
	it.said = it.said || q.said()
}

// spread gives a quantity for each of several things to those without one that stand before the last.
func (r *itemReader) spread(q Quantity, to int) {
	for i := to - 1; i >= 0; i-- {
		it := r.items[i]
		if it.said || it.state != ordered {
			return
		}
		it.give(r.x.withoutOtherPack(it, q))
	}
}

// withoutOtherPack returns a quantity for each of several things without the word for a pack in which one of them is
// not sold: pad aur pencil packet ek ek.
func (x *Index) withoutOtherPack(it *item, q Quantity) Quantity {
	fits := func(q Quantity) bool {
		return slices.ContainsFunc(x.named(it.words), func(p *product) bool {
			_, f := p.take(q)
			return f == settled
		})
	}
	bare := q
	if bare.Pack = ""; q.Pack != "" && !fits(q) && fits(bare) {
		return bare
	}
	return q
}

// alone reads a segment that has a quantity and no thing.
func (r *itemReader) alone(q Quantity, corrects, condition, wanted, joined bool) {
	last := r.last()
	if last != nil && last.said && last.clause == r.clause && !corrects {
		q = r.x.asPackSize(last, q)
	}
	switch {
	case r.drop:
	case r.otherKind(q):
	case last == nil:
		if r.lone == nil && q.said() {
			r.lone = &q
		}
		r.pending = &q
	case q.each && !last.said:
		r.spread(q, len(r.items))
	case joined && last.said && !corrects && q.Count.IsPositive() && (q.Smallest || q.Largest) &&
		r.x.inSize(last.words, q) != nil: // knife large 1, small 2
		r.items = append(r.items,
			&item{words: r.x.inSize(last.words, q), known: last.known, clause: r.clause, from: last.from, to: last.to,
				parts: last.parts, quantity: q, said: true, joined: true})
	case corrects && !q.said() && r.x.inSize(last.words, q) != nil: // small, no make it large
		last.words = r.x.inSize(last.words, q)
	case joined && last.said && !corrects && q.said() && q.Size.IsPositive() && otherSizeWord(last.words, q) != "":
		size := otherSizeWord(last.words, q) // badi elaichi 50 gram, chhoti 25 gram
		rest := slices.DeleteFunc(slices.Clone(last.words), func(w string) bool { return w == size })
		r.items = append(r.items,
			&item{words: rest, known: last.known, clause: r.clause, from: last.from, to: last.to, parts: nil,
				quantity: q, said: true, joined: true, unlike: size})
	case joined && last.said && !corrects && q.otherPack(last.quantity) &&
		(q.Count.IsPositive() || q.said() && !q.OfPack && !q.OfPrice && (q.Smallest || q.Largest || q.Loose)):
		r.items = append(r.items,
			&item{words: last.words, known: last.known, clause: r.clause, from: last.from, to: last.to,
				parts: last.parts, quantity: q, said: true, joined: true})
	case joined && last.said && !corrects && q.Count.IsPositive() && r.x.inOtherPack(last, q):
		r.items = append(r.items,
			&item{words: last.words, known: last.known, clause: r.clause, from: last.from, to: last.to,
				parts: last.parts, quantity: q, said: true, joined: true})
	case corrects && last.said:
		last.quantity = last.quantity.corrected(q)
	case last.state == priceAsked || last.state == stockAsked:
		if q.said() && (condition || r.clause > last.clause || corrects || wanted) {
			last.state = ordered
			last.give(q)
		}
	case !last.said || !q.said() || q.OfPack || q.times || q.OfPrice && q.Count.IsZero() && !last.quantity.OfPrice:
		last.give(q)
	case r.clause == last.clause && last.quantity.counts() && !q.Size.IsZero():
		last.give(q)
	case r.clause == last.clause && r.x.countsPacks(last, q): // tea 500 g, 2 packet
		last.give(q)
	case r.clause == last.clause:
		r.pending, r.pendingAt = &q, r.segment
	}
}

// otherSizeWord returns the word for a size among some words, where a quantity says that the other size is meant; ""
// for
// none.
func otherSizeWord(words []string, q Quantity) string {
	if len(words) < 2 || !q.Smallest && !q.Largest {
		return ""
	}
	for _, w := range words {
		large, is := sizesOf.Get()[w]
		if is && large == q.Smallest {
			return w
		}
	}
	return ""
}

// sizesOf are the folded words for sizes, by whether it is the large one.
var sizesOf = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	sizes := map[string]bool{}
	for _, row := range markers {
		if row.kind == smallest || row.kind == largest {
			for _, w := range strings.Split(row.words, ",") {
				sizes[language.Fold(normalise(strings.TrimSpace(w)))] = row.kind == largest
			}
		}
	}
	return sizes
}}

// asPackSize takes a number of pieces for the size of the packs that are counted before it: A4 paper 1 packet, 500
// sheets.
func (x *Index) asPackSize(it *item, q Quantity) Quantity {
	if q.Count.LessThan(leastBareSize) || q.Pack != "piece" || !q.Size.IsZero() || !it.quantity.Count.IsPositive() {
		return q
	}
	size := Quantity{Size: q.Count, Base: q.Pack, OfPack: true}
	if slices.ContainsFunc(x.named(it.words), func(p *product) bool { return p.isSized(size) }) {
		return size
	}
	return q
}

// otherKind orders another kind of what was just refused, and reports whether it did: dabba nahi chahiye, khuli 1 kilo
// do.
func (r *itemReader) otherKind(q Quantity) bool {
	if len(r.items) == 0 || !q.said() || !(q.Loose || q.Packed || q.OfPack || q.Smallest || q.Largest) {
		return false
	}
	refusal := r.items[len(r.items)-1]
	if refusal.state != refused || refusal.said || refusal.clause != r.clause {
		return false
	}
	r.items = append(r.items,
		&item{words: refusal.words, known: refusal.known, clause: r.clause, from: refusal.from, to: refusal.to,
			parts: refusal.parts, quantity: q, said: true})
	return true
}

// countsPacks reports whether a quantity counts the packs whose size is said of an item.
func (x *Index) countsPacks(it *item, q Quantity) bool {
	size := it.quantity
	return q.Count.IsPositive() && q.Pack != "" && q.Size.IsZero() && size.Count.IsZero() && !size.Size.IsZero() &&
		slices.ContainsFunc(x.named(it.words), func(p *product) bool { return p.isSized(size) })
}

// quantityOf returns what the quantities among some atoms say together, and whether there is one.
func quantityOf(atoms []atom) (Quantity, bool) {
	var q Quantity
	found := false
	for _, a := range atoms {
		if a.kind != quantityElement {
			continue
		}
		if !found {
			q = a.quantity
		} else {
			q = q.joined(a.quantity)
		}
		found = true
	}
	return q, found
}

// inOtherPack reports whether a quantity is of another pack than an item is, by the words for the packs, where the shop
// sells the thing in both: shampoo ki bottle 1 aur pouch 20.
func (x *Index) inOtherPack(it *item, q Quantity) bool {
	if q.Pack == "" || it.quantity.Pack == "" || q.Pack == it.quantity.Pack && q.carrier == it.quantity.carrier {
		return false
	}
	one, other := x.choose(it.words, it.quantity), x.choose(it.words, q)
	return len(one) == 1 && len(other) == 1 && one[0].product != other[0].product
}

// isSizeBeforeCount reports whether some atoms begin with a measure and its count.
func isSizeBeforeCount(atoms []atom) bool {
	return len(atoms) > 1 && !atoms[0].quantity.Size.IsZero() && atoms[0].quantity.Count.IsZero() &&
		atoms[1].quantity.counts()
}

// countsOtherSize reports whether some atoms begin with another size than the one that is counted before them, and its
// count: mithai 1 kg 2 dabba, half kg 3 dabba.
func countsOtherSize(said Quantity, atoms []atom) bool {
	q := atoms[0].quantity
	other := said.Base == q.Base && !said.Size.IsZero() && !said.Size.Equal(q.Size) || said.OfPrice
	return len(atoms) > 1 && said.Count.IsPositive() && other && !q.Size.IsZero() && q.Count.IsZero() &&
		atoms[1].quantity.Count.IsPositive() && atoms[1].quantity.Size.IsZero()
}

// saysOtherSize reports whether a quantity is of packs of another size than what is said: 1 of 500 g, 250 g wala 2.
func saysOtherSize(said, q Quantity) bool {
	return said.OfPack && q.OfPack && said.Base == q.Base && !said.Size.IsZero() && !q.Size.IsZero() &&
		!said.Size.Equal(q.Size)
}
