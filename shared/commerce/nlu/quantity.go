package nlu

import "github.com/shopspring/decimal"

// Quantity is how much of a thing a customer said, as far as it can be understood without the product. Zero values say
// nothing.
type Quantity struct {
	Count    decimal.Decimal `json:"count"`              // a bare number, or one of packs or pieces
	Pack     string          `json:"pack,omitempty"`     // the word for a pack that was said: packet, bottle, piece …
	Size     decimal.Decimal `json:"size"`               // a measure, in Base
	Base     string          `json:"base,omitempty"`     // g, ml, tablet …
	OfPack   bool            `json:"ofPack,omitempty"`   // the measure is the size of a pack: 500 g ka packet
	Rupees   decimal.Decimal `json:"rupees"`             // so many rupees' worth, or the price of a pack
	OfPrice  bool            `json:"ofPrice,omitempty"`  // the rupees are a price: 5 wala
	Unclear  bool            `json:"unclear,omitempty"`  // a range, or a word such as some
	Smallest bool            `json:"smallest,omitempty"` // the smallest pack
	Largest  bool            `json:"largest,omitempty"`  // the largest pack
	Loose    bool            `json:"loose,omitempty"`    // not packed
	Packed   bool            `json:"packed,omitempty"`   // packed
	carrier  string          // the kind of packet that was said, where names of goods tell kinds apart: sachet
	word     string          // the word for a pack that was said, where it is of some names of goods
	article  bool            // the one may as well be an article
	times    bool            // the count multiplies what stands beside it
	each     bool            // it goes for several things
}

// said reports whether a quantity holds how much, not only which kind of pack.
func (q Quantity) said() bool {
	return !q.Count.IsZero() || !q.Size.IsZero() || !q.Rupees.IsZero() || q.Unclear
}

// OnlyDescribes reports whether a quantity says which pack is meant, and not how many: the one of ₹20.
func (q Quantity) OnlyDescribes() bool { return q.Count.IsZero() && (q.OfPrice || q.OfPack) }

// counts reports whether a quantity is nothing but a bare number.
func (q Quantity) counts() bool {
	return !q.Count.IsZero() && q.Size.IsZero() && q.Rupees.IsZero() && q.Pack == ""
}

// otherPack reports whether two quantities are of different packs of a good: 6 small ones, and 2 large.
func (q Quantity) otherPack(than Quantity) bool {
	sizes := !q.Size.IsZero() && !than.Size.IsZero() || q.OfPrice && than.OfPack || q.OfPack && than.OfPrice
	sizes = sizes || !q.Size.IsZero() && q.Count.IsPositive() && than.OfPrice // creamy 350 1, 1 kg 1
	return sizes || q.OfPrice && than.OfPrice ||
		(q.Smallest || q.Largest) && (than.Smallest || than.Largest) && q.Largest != than.Largest ||
		q.Loose && (than.Packed || than.Pack == "packet" || than.Pack == "box") ||
		(q.Packed || q.Pack == "packet" || q.Pack == "box") && than.Loose
}

// joined returns what two parts of one quantity say together: 500 g ka and 2 packet.
func (q Quantity) joined(other Quantity) Quantity {
	if !other.Count.IsZero() {
		switch {
		case q.Count.IsZero():
			q.Count = other.Count
		case q.counts() && other.Pack == "dozen" && other.Count.Equal(twelve): // 2 paan patte dozen
			q.Count = q.Count.Mul(twelve)
		case q.counts() && other.Pack != "dozen" && (other.Pack == "" || q.Count.GreaterThanOrEqual(exact("50"))) &&
			q.Rupees.IsZero() && other.Count.LessThanOrEqual(exact("50")) &&
			q.Count.GreaterThanOrEqual(exact("5")) && !other.times && !q.times:
			q.Rupees, q.OfPrice, q.Count = q.Count, true, other.Count // Lays 20 5
		default:
			q.Unclear = q.Unclear || q.counts() && other.counts() && !q.times && !other.times &&
				!q.Count.Equal(other.Count) && !q.article && !q.each && !other.each // 2 chapati 1: how many
			q.Count = other.Count
		}
	}
	if other.times && !other.Count.IsZero() && !q.Rupees.IsZero() && q.Size.IsZero() { // 30 rs x 3
		q.OfPrice = true
	}
	if other.Pack != "" {
		q.Pack, q.carrier, q.word = other.Pack, other.carrier, other.word
	}
	if !other.Size.IsZero() {
		q.Size, q.Base = other.Size, other.Base
	}
	if !other.Rupees.IsZero() {
		q.Rupees = other.Rupees
	}
	q.OfPack, q.OfPrice, q.Unclear = q.OfPack || other.OfPack, q.OfPrice || other.OfPrice, q.Unclear || other.Unclear
	q.Smallest, q.Largest = q.Smallest || other.Smallest, q.Largest || other.Largest
	q.Loose, q.Packed = q.Loose || other.Loose, q.Packed || other.Packed
	q.times, q.each = q.times || other.times, q.each || other.each
	return q
}

// corrected returns a quantity with what a later one says instead.
func (q Quantity) corrected(by Quantity) Quantity {
	switch {
	case !by.Size.IsZero() || !by.Rupees.IsZero() || by.Unclear:
		if by.Count.IsZero() && !q.Size.IsZero() && !q.Count.IsZero() { // two packets of another size
			by.Count, by.Pack = q.Count, q.Pack
		}
		by.Loose, by.Packed = by.Loose || q.Loose, by.Packed || q.Packed
		return by
	case !by.Count.IsZero():
		if q.Count.IsZero() { // 1 kg, no: 2
			q.Size, q.Base, q.OfPack = decimal.Zero, "", false
			if by.Pack == "" && !q.Size.IsZero() {
				by.Pack = q.Pack
			}
		}
		q.Count, q.Rupees, q.Unclear = by.Count, decimal.Zero, false
		if by.Pack != "" {
			q.Pack = by.Pack
		}
		return q
	}
	return q.joined(by)
}
