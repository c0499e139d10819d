package nlu

import "slices"

// isHeading reports whether a sentence is the heading of a list: it ends with a colon or calls itself a list, says no
// quantity, and others follow it. It orders nothing. For class 6:
func isHeading(tokens []token, sentence []element) bool {
	to := sentence[len(sentence)-1].to
	if to >= len(tokens) || slices.ContainsFunc(sentence, isQuantity) {
		return false
	}
	colon := to > 1 && (tokens[to-1].text == ":" || tokens[to-2].text == ":")
	return colon || slices.ContainsFunc(tokens[sentence[0].from:to],
		func(t token) bool { return headings.Has(t.text) })
}

// headings are words for a list.
var headings = &wordSet{of: "list lists suchi parchi लिस्ट सूची पर्ची"}

// headingWords returns the words of goods in a heading: they say which of the goods below are meant.
func headingWords(sentence []element) []string {
	var words []string
	for _, e := range sentence {
		if e.kind == goodsElement {
			words = append(words, e.words...)
		}
	}
	return words
}

// underHeading keeps, of what may be meant, what the heading of the list says: the maths book of class 10.
func underHeading(found []chosen, it *item) []chosen {
	if len(found) < 2 || len(it.heading) == 0 {
		return found
	}
	best := 1
	for _, c := range found {
		best = max(best, c.product.shares(it.heading))
	}
	return keep(found, func(c chosen) bool { return c.product.shares(it.heading) == best })
}

// asksHow reports whether some words ask how, why or how much of something that no price list tells.
func asksHow(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return manners.Has(t.text) })
}

// asksWhether reports whether a question is if one may do something: kya creatine roz le sakte hain.
func asksWhether(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.text == "kya" || t.text == "क्या" }) &&
		slices.ContainsFunc(tokens, func(t token) bool { return abilities.Has(t.text) })
}

var abilities = &wordSet{of: "sakte sakta sakti skte skta skti सकते सकता सकती"}

// asksQuality reports whether an English question is how a thing is, and not whether there is one: is the sandwich
// spicy.
func asksQuality(tokens []token) bool {
	if isThatGood(tokens) {
		return true
	}
	return len(tokens) > 3 && len(clausesOf(tokens)) == 1 && qualityFirst.Has(tokens[0].text) &&
		definite.Has(tokens[1].text) &&
		!slices.ContainsFunc(tokens, func(t token) bool { return presence.Has(t.text) })
}

// isThatGood reports whether a question in Hindi is how a good is, by the word for it right before the hai: kya paneer
// taza hai. Before the good, it says which is asked for.
func isThatGood(tokens []token) bool {
	for i, t := range tokens {
		if i > 1 && isWords.Has(t.text) && qualities.Has(tokens[i-1].text) && !qualities.Has(tokens[i-2].text) {
			return true
		}
	}
	return false
}

var qualities = &wordSet{of: `taza taaza taja tazi taazi fresh asli shuddh pure original achha accha acha achhi achi purana
	ताज़ा ताजा ताज़ी ताजी असली शुद्ध अच्छा अच्छी पुराना`}

var (
	qualityFirst = &wordSet{of: "is are will does"}
	definite     = &wordSet{of: "the this that these those it they"}
	presence     = &wordSet{of: "available availability there stock left open"}
)

// manners ask for more than whether there is something and what it costs.
var manners = &wordSet{of: `why how kaise kaisa kaisi kyun kyu kyon kitna kitni kitne when kab kahan kahaan
	क्यों कैसे कैसा कैसी कितना कितनी कितने कब कहाँ`}
