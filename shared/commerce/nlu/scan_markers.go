package nlu

import (
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// looseAfter puts a word for loose behind the thing, where it stands between the thing and its kind: sarson ka khula
// shahad.
func looseAfter(tokens []token, elements []element) {
	for i := 1; i+1 < len(elements); i++ {
		e, before := elements[i], elements[i-1]
		change := e.marker == afterNumber && e.to-e.from == 2 && before.kind == goodsElement &&
			known.Get().isLoose(tokens[e.from+1]) // ka khulla is change, too
		if change {
			e = element{kind: quantityElement, quantity: Quantity{Loose: true}, from: e.from, to: e.to}
		}
		if elements[i+1].kind == goodsElement && e.quantity.Loose && !e.quantity.said() &&
			(change || before.marker == possessive || before.marker == attribute) {
			elements[i], elements[i+1] = elements[i+1], e
		}
	}
}

// markerAt returns the marker at a place where so many tokens may be a good, and how many tokens it takes; 0 for none.
func (x *Index) markerAt(tokens []token, at, goodsTook int) (m entry, took int) {
	t := tokens[at]
	m, took = known.Get().markers.find(tokens[at:])
	spelt := known.Get().markers.spelt(t)
	switch {
	case t.text == "nd" && t.glued, // 2nd
		// lungi is a garment where it is sold and counted
		m.marker == orderVerb && took == 1 && x.isListedName(tokens, at),
		m.marker == place && took == 1 && !spelt && !t.devanagari && len(t.text) > 5: // camera sounds like kamra
		took = 0
	// frame bachche ke liye, but 4 bachche
	case m.marker == afterNumber && goodsTook >= took && !(at > 0 && isNumber(tokens[at-1])) &&
		x.sellsWord(tokens[at:]):
		took = 0
	// roti kitni aati hai
	case m.marker == askPrice && at+1 < len(tokens) && took == 1 && inThere.Has(tokens[at+1].text):
		took = 0
	case took > 1 && !t.devanagari && x.written[t.text] && len(t.text) > 3 && !known.Get().fillers[t.text] &&
		m.text != t.text && !strings.HasPrefix(m.text, t.text+" "): // haar ek sounds like har ek
		took = 0
	case took == 1 && (known.Get().fillers[t.text] || x.vocab[t.key]) && !spelt && t.kind == word: // today, thode
		took = 0
	case took == 1 && goodsTook == 1 && !spelt && m.marker != vague: // makkhan sounds like makan
		took = 0
	// atta hai kya is no aata hai
	case took > 1 && goodsTook == 1 && m.marker != orderVerb && !strings.HasPrefix(m.text, t.text+" ") &&
		known.Get().isGoodSpelt(t.text):
		took = 0
	case m.marker == orderVerb && goodsTook == 1 && took == 2 &&
		(t.devanagari && !known.Get().verbs[t.text] || at+2 < len(tokens) && unitOf(tokens[at+2]).kind != 0):
		took = 0 // dal do kilo: it sounds like "put it in"
	}
	return m, took
}

// sellsWord reports whether some tokens begin with a word of goods that is true of a product.
func (x *Index) sellsWord(tokens []token) bool {
	e, took := known.Get().goods.find(tokens)
	return took > 0 && len(x.byWord[e.goods[0]]) > 0
}

// marked returns the element of a marker.
func (x *Index) marked(m entry, tokens []token, at, took int) element {
	e := element{
		kind: markerElement, marker: m.marker, to: at + took, verb: m.marker == orderVerb,
		english: englishMarkers.Has(tokens[at].text)}
	switch m.marker {
	case vague:
		return element{kind: quantityElement, quantity: Quantity{Unclear: true}, to: e.to}
	case smallest, largest:
		return element{
			kind: quantityElement, quantity: Quantity{Smallest: m.marker == smallest, Largest: m.marker == largest},
			to: e.to}
	case loose:
		return element{kind: quantityElement, quantity: Quantity{Loose: true}, to: e.to}
	case packed:
		return element{kind: quantityElement, quantity: Quantity{Packed: true}, to: e.to}
	case correction:
		e.verb = tokens[at].key == "kar" || tokens[at].key == "karo" || tokens[at].key == "kr" ||
			tokens[at].key == "kardo" || tokens[at].key == "krdo"
	case refusalAfter:
		if at > 0 && moneyWords.Has(tokens[at-1].text) { // paise baad me dunga
			e.kind = fillerElement
		}
		if at > 0 && onlyWords.Has(tokens[at-1].text) && at > 1 &&
			(isNumber(tokens[at-2]) || unitOf(tokens[at-2]).kind != 0) &&
			givesAfterStem(tokens, at+took-1) { // 5 hi rehne do
			e.kind, e.verb = fillerElement, true
		}
	case askStock:
		if at > 0 && tokens[at].text == "aa" && comers.Has(tokens[at-1].text) { // mehmaan aa gaye
			e.kind = fillerElement
		}
		if tokens[at].text == "any" && took == 1 && at > 0 && tokens[at-1].kind != mark { // size any
			e.kind = fillerElement
		}
	case afterNumber, filler:
		e.kind = fillerElement
	case possessive:
		if tokens[at].text == "of" && at > 0 && isNumber(tokens[at-1]) { // 2 of A5
			e.kind = fillerElement
		}
	case either:
		if tokens[at].text == "or" && spokenHindi(tokens) {
			e.marker = joiner
		}
	}
	return e
}

// comers are words for people who may have come.
var comers = &wordSet{of: "mehman mehmaan mehmano guest guests log dost bachche bacche rishtedar"}

// englishMarkers begin markers in English, whose order of words is the other way round.
var englishMarkers = &wordSet{of: "no not instead rather in"}

// spokenHindi reports whether a message in Latin letters is in Hindi: its "or" is aur.
func spokenHindi(tokens []token) bool {
	n := 0
	for _, t := range tokens {
		if language.IsHindi(t.text) || hindiNumerals.Has(t.text) {
			n++
		}
	}
	return n > 0
}

// hindiNumerals are number words that are spelt as no word of English.
var hindiNumerals = &wordSet{of: "ek teen char chaar panch paanch saat aath nau das adha aadha dedh dhai pav"}

// markElement returns the element of a punctuation mark.
func markElement(tokens []token, at int) (element, bool) {
	e := element{to: at + 1}
	switch tokens[at].text {
	case "\n", ";", "…", "|":
		e.kind = breakElement
	case ".":
		e.kind = breakElement
		if at+1 < len(tokens) && tokens[at+1].glued && tokens[at].glued { // k.g, rs.50
			e.kind = fillerElement
		}
	case "!":
		e.kind = breakElement
	case "?":
		e.kind, e.question = breakElement, true
	case ",", "(", ")", "•":
		e.kind = pauseElement
	case "+", "&":
		e.kind, e.marker = markerElement, joiner
	case "/":
		e.kind, e.marker = markerElement, either
	case "×", "*", "₹":
		return element{}, false
	default:
		e.kind = fillerElement
	}
	return e, true
}

// moneyWords are words for what is paid.
var moneyWords = &wordSet{of: "paise paisa pese paisaa payment rupaye rupay rupees money bill hisab " +
	"पैसे पैसा पेमेंट रुपये हिसाब"}
