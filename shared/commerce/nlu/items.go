package nlu

import (
	"slices"
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
	clause   int
	joined   bool // an and or a comma stands before it
}

// itemReader collects the items of a message, clause by clause.
type itemReader struct {
	x       *Index
	items   []*item
	clause  int
	drop    bool      // the rest of the clause is only wanted where there is none of what stands before
	no      bool      // the last segment was nothing but no
	pending *Quantity // a quantity without a thing at the start of a clause
	forward *Quantity // a quantity for each of the things that follow
	// corrects is the quantity of a message that names no thing but says a quantity anew.
	corrects *Quantity
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
	r.drop, r.pending, r.forward = false, nil, nil
	first := len(r.items)
	joined := false
	for len(atoms) > 0 {
		end := segmentEnd(atoms)
		r.readSegment(atoms[:end], joined)
		joined = end < len(atoms)
		if joined && isSeparator(atoms[end]) {
			end++
		}
		atoms = atoms[end:]
	}
	if question {
		r.askLast(first)
	}
}

// segmentEnd returns where the first segment of a clause ends: at a comma, an and, or after a verb that follows a thing and its quantity.
func segmentEnd(atoms []atom) int {
	thing, quantity := false, false
	for i, a := range atoms {
		switch {
		case isSeparator(a):
			return i
		case a.kind == goodsElement:
			thing = true
		case a.kind == quantityElement && a.quantity.said():
			quantity = true
		case a.verb && thing && quantity && i+1 < len(atoms) && !atoms[i+1].verb && !isSeparator(atoms[i+1]) && atoms[i+1].kind != markerElement:
			return i + 1
		}
	}
	return len(atoms)
}

func isSeparator(a atom) bool {
	return a.kind == pauseElement || a.kind == markerElement && (a.marker == joiner || a.marker == contrast)
}

// askLast takes a question without a word for it as one whether there is what it names last without a quantity.
func (r *itemReader) askLast(first int) {
	for i := len(r.items) - 1; i >= first; i-- {
		it := r.items[i]
		if it.said || it.verb || it.state != ordered {
			return
		}
		it.state = stockAsked
	}
}

// last returns the last item that is ordered or asked about; nil where there is none.
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
		it.give(q)
	}
}

// alone reads a segment that has a quantity and no thing.
func (r *itemReader) alone(q Quantity, corrects, condition, joined bool) {
	last := r.last()
	switch {
	case last == nil:
		if corrects {
			r.corrects = &q
		}
		r.pending = &q
	case q.each && !last.said:
		r.spread(q, len(r.items))
	case joined && last.said && !q.Size.IsZero() && q.Count.IsPositive() && !last.quantity.Size.IsZero() && !corrects:
		r.items = append(r.items, &item{words: last.words, known: last.known, clause: r.clause, from: last.from, to: last.to, quantity: q, said: true, joined: true})
	case corrects && last.said:
		last.quantity = last.quantity.corrected(q)
	case last.state == priceAsked || last.state == stockAsked:
		if q.said() && (condition || r.clause > last.clause || corrects) {
			last.state = ordered
			last.give(q)
		}
	case !last.said || !q.said() || q.OfPack || q.times:
		last.give(q)
	case r.clause == last.clause && last.quantity.counts() && !q.Size.IsZero():
		last.give(q)
	case r.clause == last.clause:
		r.pending = &q
	}
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
		} else if q.times && !a.quantity.Size.IsZero() || a.quantity.times && !q.Size.IsZero() { // 2 x 1 kg
			q = q.joined(a.quantity)
		} else {
			q = q.joined(a.quantity)
		}
		found = true
	}
	return q, found
}

// maxGap is how many quantities between two things are looked at.
const maxGap = 6

// assigned gives each thing of a segment the quantities that stand around it: those between two things go to the left or the right so that
// as many as possible make sense.
func (r *itemReader) assigned(atoms []atom) []*item {
	var things []int
	for i, a := range atoms {
		if a.kind == goodsElement || a.kind == unknownElement {
			things = append(things, i)
		}
	}
	if len(things) == 0 {
		return nil
	}
	gaps := make([][]atom, len(things)+1)
	from := 0
	for n, at := range append(things, len(atoms)) {
		for _, a := range atoms[from:at] {
			if a.kind == quantityElement {
				gaps[n] = append(gaps[n], a)
			}
		}
		if extra := len(gaps[n]) - maxGap; extra > 0 {
			gaps[n] = slices.Delete(gaps[n], maxGap/2, maxGap/2+extra)
		}
		from = min(at+1, len(atoms))
	}
	return r.split(atoms, things, gaps)
}

// split finds, thing by thing, how many quantities of the gap before it belong to it.
func (r *itemReader) split(atoms []atom, things []int, gaps [][]atom) []*item {
	prefix := len(gaps[0]) > 0
	type way struct {
		cost int
		cuts []int
	}
	ways := map[int]way{0: {}} // by how many quantities of the gap before belong to what stands left of it
	for n, at := range things {
		next := map[int]way{}
		for left, w := range ways {
			before := gaps[n][left:]
			last := n == len(things)-1
			for right := range len(gaps[n+1]) + 1 {
				if last && right != len(gaps[n+1]) {
					continue
				}
				cost := w.cost + r.costOf(atoms[at], before, gaps[n+1][:right], prefix)
				if best, ok := next[right]; !ok || cost < best.cost {
					next[right] = way{cost, append(slices.Clone(w.cuts), left)}
				}
			}
		}
		ways = next
	}
	cuts := ways[len(gaps[len(gaps)-1])].cuts
	var items []*item
	for n, at := range things {
		right := len(gaps[n+1])
		if n+1 < len(things) {
			right = cuts[n+1]
		}
		items = append(items, r.item(atoms[at], gaps[n][cuts[n]:], gaps[n+1][:right]))
	}
	return items
}

// costOf says how little sense a thing makes with the quantities before and after it.
func (r *itemReader) costOf(thing atom, before, after []atom, prefix bool) int {
	q, found := quantityOf(slices.Concat(before, after))
	cost := 0
	if prefix && len(after) > 0 || !prefix && len(before) > 0 {
		cost++
	}
	counts, sizes := 0, 0
	for _, a := range slices.Concat(before, after) {
		if !a.quantity.Count.IsZero() && !a.quantity.times {
			counts++
		}
		if !a.quantity.Size.IsZero() || !a.quantity.Rupees.IsZero() {
			sizes++
		}
	}
	cost += 8*max(0, sizes-1) + 6*max(0, counts-1)
	if !found || !q.said() {
		return cost + 5
	}
	if thing.kind == unknownElement {
		return cost + 2
	}
	found = false
	for _, p := range r.x.named(thing.words) {
		if _, f := p.take(r.x.sized(p, q)); f == settled {
			return cost
		}
		found = true
	}
	if found {
		return cost + 4
	}
	return cost + 2
}

// item returns a thing with its quantities.
func (r *itemReader) item(thing atom, before, after []atom) *item {
	it := &item{words: thing.words, known: thing.kind == goodsElement, guessed: thing.guessed, others: thing.alternatives, from: thing.from, to: thing.to, clause: r.clause}
	q, found := quantityOf(slices.Concat(before, after))
	if found {
		it.give(q)
	}
	it.before = len(before) > 0
	for _, a := range slices.Concat(before, after) {
		it.from, it.to = min(it.from, a.from), max(it.to, a.to)
	}
	return it
}
