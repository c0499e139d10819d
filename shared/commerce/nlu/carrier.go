package nlu

import (
	"slices"
)

// carrierKinds are kinds of packets that one good is sold in beside others, by the words for each.
var carrierKinds = []*wordSet{
	&wordSet{of: "sachet sachets sashe pouch pouches pauch pudi pudiya puda पाउच सैशे सैशै पुड़िया"},
	&wordSet{of: "tin tins can cans टिन कैन"},
	&wordSet{of: "bag bags bori bora katta katte बैग बोरी कट्टा"},
	&wordSet{of: "carton cartons peti पेटी कार्टन"},
	&wordSet{of: "bucket buckets balti बाल्टी"},
}

// carrierOf returns the first word of the kind of packets that a word is of; "" for none.
func carrierOf(text string) string {
	for _, kind := range carrierKinds {
		if kind.Has(text) {
			return slices.Min(kind.List())
		}
	}
	return ""
}

// isIn reports whether the name of a product says that it is in a kind of packet.
func (p *product) isIn(carrier string) bool {
	return slices.ContainsFunc(tokenise(normalise(p.Name+" "+p.LocalName)),
		func(t token) bool { return carrierOf(t.text) == carrier })
}

// carrierIn returns the kind of packet that some tokens say, where names of goods tell such kinds apart; "" for none.
func (x *Index) carrierIn(tokens []token) string {
	for _, t := range tokens {
		if kind := carrierOf(t.text); kind != "" && x.carriers[kind] {
			return kind
		}
	}
	return ""
}

// packWordIn returns the word for a pack among some tokens, where names of goods have it; "" for none.
func (x *Index) packWordIn(tokens []token) string {
	for _, t := range tokens {
		if unitOf(t).kind == packUnit && len(x.byWord[t.key]) > 0 {
			return t.key
		}
	}
	return ""
}
