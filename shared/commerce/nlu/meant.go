package nlu

import "slices"

// meant returns the products that an item means: of every size and kind, unless it says which.
func (x *Index) meant(it *item) []string {
	if it.quantity.OfPack || it.quantity.OfPrice || it.quantity.Loose || it.quantity.Packed {
		return x.fitting(it)
	}
	var ids []string
	for _, words := range append([][]string{it.words}, it.others...) {
		for _, p := range x.named(words) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// fitting returns the products that a question is about.
func (x *Index) fitting(it *item) []string {
	var ids []string
	if it.lacks {
		return nil
	}
	for _, words := range append([][]string{it.words}, it.others...) {
		for _, c := range x.choose(words, it.quantity) {
			ids = append(ids, c.product.ID)
		}
	}
	return ids
}

func unique(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Resolve returns what an ask orders once its product is known: a line, or false and an ask for the quantity.
func (x *Index) Resolve(productID string, ask Ask) (Line, Ask, bool) {
	p := x.byID[productID]
	if p == nil {
		return Line{}, ask, false
	}
	line, f := p.take(x.sized(p, ask.Quantity))
	if f == settled {
		line.Text, line.More = ask.Text, ask.More
		return line, Ask{}, true
	}
	ask.Options, ask.Which, ask.Missing, ask.ProductID = nil, false, MissingQuantity, productID
	return Line{}, ask, false
}
