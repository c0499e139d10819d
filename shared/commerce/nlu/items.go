package nlu

import (
	"slices"
	"strings"
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
	article  bool     // its quantity is an a
	changed  bool     // another kind was said instead of the one before it
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
	for back := len(r.items) - 1; back >= 0; back-- {
		it := r.items[back]
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
