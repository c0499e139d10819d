package nlu

import "slices"

// ranOut begins what says that somebody has no more of something at home: chawal khatam ho gaye hai.
var ranOut = &wordSet{of: "khatam khatm khtm finished over खत्म ख़त्म"}

// withoutRunOut takes what a customer has run out of for no order, where the message goes on to order something by how
// much: chawal khatam ho gaye, 5 kilo sona masoori bhejo.
func withoutRunOut(tokens []token, elements []element) {
	for i, e := range elements {
		if e.kind != fillerElement || !ranOut.Has(tokens[e.from].text) || i == 0 {
			continue
		}
		to := i + 1
		for to < len(elements) && elements[to].kind == fillerElement && (tokens[elements[to].from].text == "ho" ||
			going.Has(tokens[elements[to].from].text) || isWords.Has(tokens[elements[to].from].text)) {
			to++
		}
		rest := elements[to:]
		if to == i+1 || !slices.ContainsFunc(rest, func(e element) bool { return e.kind == goodsElement }) ||
			!slices.ContainsFunc(rest, isQuantity) {
			continue
		}
		from := i
		for from > 0 && (elements[from-1].kind == goodsElement || elements[from-1].kind == unknownElement ||
			elements[from-1].kind == fillerElement) {
			from--
		}
		if from > 0 && isQuantity(elements[from-1]) {
			continue
		}
		for at := from; at < to; at++ {
			elements[at] = element{kind: fillerElement, from: elements[at].from, to: elements[at].to}
		}
	}
}
