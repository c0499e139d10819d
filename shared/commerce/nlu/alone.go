package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

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
	case joined && last.said && last.article && q.Count.IsPositive(): // a lock, 2 pieces
		last.quantity = q
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

// inOtherPack reports whether a quantity is of another pack than an item is, by the words for the packs, where the shop
// sells the thing in both: shampoo ki bottle 1 aur pouch 20.
func (x *Index) inOtherPack(it *item, q Quantity) bool {
	if q.Pack == "" || it.quantity.Pack == "" || q.Pack == it.quantity.Pack && q.carrier == it.quantity.carrier {
		return false
	}
	one, other := x.choose(it.words, it.quantity), x.choose(it.words, q)
	return len(one) == 1 && len(other) == 1 && one[0].product != other[0].product
}
