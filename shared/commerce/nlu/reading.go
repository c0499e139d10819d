// Package nlu understands what customers write to a shop: orders, questions about goods, and the few other things that
// one writes to a shop. It reads English and Hindi, in Devanagari, in Latin letters, and mixed. It knows rules and
// words; it does no I/O.
package nlu

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// Line is a product that was ordered, with how much of it: a quantity in the product's unit, or so many rupees' worth
// of it.
type Line struct {
	ProductID string          `json:"productId"`
	Quantity  decimal.Decimal `json:"quantity"`
	Unit      string          `json:"unit,omitempty"`
	Amount    decimal.Decimal `json:"amount"`           // rupees; 0 if a quantity is given
	Text      string          `json:"text"`             // what the customer wrote
	Unsaid    bool            `json:"unsaid,omitempty"` // no quantity was said: it is one pack
	More      bool            `json:"more,omitempty"`   // it is wanted beside what there is of it: aur 5 ande
}

// Missing says what an ask lacks.
type Missing string

// The things that an ask may lack; "" if several products fit.
const (
	MissingProduct  Missing = "product"  // the shop does not sell it
	MissingQuantity Missing = "quantity" // how much is open
)

// Ask is a thing that was ordered and is not clear yet.
type Ask struct {
	Text      string   `json:"text"`              // the customer's word for it, without its quantity
	Options   []string `json:"options"`           // the products of which one is meant
	Missing   Missing  `json:"missing,omitempty"` // product or quantity
	ProductID string   `json:"productId,omitempty"`
	Quantity  Quantity `json:"quantity"` // how much was said
	// the words name no thing and only say which of one is meant: the black one
	Which bool `json:"which,omitempty"`
	More  bool `json:"more,omitempty"` // it is wanted beside what there is of it
}

// Reading is what a message says.
type Reading struct {
	Intent     Intent   `json:"intent"`
	Language   string   `json:"language"`   // en, hi, hi-Latn, mixed
	Confidence float64  `json:"confidence"` // the share of the words that were understood, 0 to 1
	Lines      []Line   `json:"lines"`
	Asks       []Ask    `json:"asks"`
	ProductIDs []string `json:"productIds"`        // of a question about goods
	Removed    []string `json:"removed,omitempty"` // products that the customer does not want
	// of a message that says how much and names no product: 2 kg, nahi 3 karo
	Quantity *Quantity `json:"quantity,omitempty"`
	More     bool      `json:"more,omitempty"` // the quantity is wanted beside what there is
	// products named in what is about something else: cancel the order of sugar
	Mentioned []string `json:"mentioned,omitempty"`
	Reply     Reply    `json:"reply,omitempty"`
	Details   Details  `json:"details"`
	Remarks   []Remark `json:"remarks,omitempty"`
	About     About    `json:"about,omitempty"`
	Question  bool     `json:"question,omitempty"` // a part of the message asks something
}

// Most things of one message. What follows is not read.
const maxItems = 100

// Read returns what a message says.
func (x *Index) Read(text string) Reading {
	x = x.remembering()
	text = normalise(text)
	tokens := lackingOf(x.apart(tokenise(text)), func(key string) bool { return x.vocab[key] })
	asTwelve(tokens)
	x.correct(tokens)
	tokens = x.withoutParticiples(tokens)
	elements := x.scan(tokens)
	reading := Reading{
		Language: languageOf(tokens), Confidence: confidence(tokens, elements), Reply: ReplyOf(text, nil)}
	if reading.Reply == Yes && x.Wishes(text, nil) {
		reading.Reply = ""
	}
	if reading.Reply == Yes || reading.Reply == No {
		reading.Intent = map[Reply]Intent{Yes: Confirm, No: Decline}[reading.Reply]
		if reply := replyOf(tokens); reading.Reply == Yes && reply == Thanks { // theek hai, dhanyavad
			reading.Intent = reply
		}
		return reading
	}
	x.labelled(tokens, elements)
	x.withoutDescriptions(tokens, elements)
	looseAfter(tokens, elements)
	withoutRunOut(tokens, elements)
	joinCounted(tokens, elements)
	x.countedBy(elements)
	tagged(tokens, elements)
	written := append(withoutInscriptions(tokens, elements), x.withoutPreparations(tokens, elements)...)
	var details []extent
	reading.Details, details = x.detailsOf(text, tokens)
	withoutDetails(elements, details)
	r := itemReader{x: x, tokens: tokens}
	x.readSentences(&reading, &r, elements, details)
	x.settle(&reading, &r, message{text, tokens, elements, outside(tokens, details)})
	wishes := reading.Remarks // about the goods, which the other remarks are not
	reading.Remarks = x.remarks(text, tokens, &r, details, &reading)
	for _, wish := range wishes {
		reading.Remarks = withWish(reading.Remarks, wish.Text)
	}
	for _, e := range written {
		reading.Remarks = withWish(reading.Remarks, textOf(text, tokens, e.from, e.to))
	}
	reading.About = aboutOf(x.besideNames(tokens), tokens)
	for _, e := range clausesOf(tokens) {
		reading.Question = reading.Question || asksSomething(tokens, e)
	}
	if reading.Intent == Greeting && withoutGoods(outside(tokens, details)) != Greeting && // kal subh
		!greetsFirst(tokens) && topicOf(tokens, false) != Greeting {
		reading.Intent = Other
	}
	if reading.Reply == Hold && reading.Intent == Other {
		reading.Intent = Decline
	}
	if reading.Intent == Other && reading.Quantity == nil && !reading.Question &&
		(len(details) > 0 && saysYesBeside(tokens, details) || saysYesBut(text) && topicOf(tokens, false) == "" &&
			reading.About != AboutHaggle) {
		reading.Intent = Confirm // it is no Reply: what it says beside is to be shown first
	}
	return reading
}

// readSentences collects the items of a message, sentence by sentence. Of one that tells of something else, it fills in
// the products that are named.
func (x *Index) readSentences(reading *Reading, r *itemReader, elements []element, details []extent) {
	tokens, mentioned := r.tokens, itemReader{x: x, tokens: r.tokens}
	for _, part := range x.apartFromTold(tokens, sentences(tokens, elements)) {
		sentence := part.elements
		said := x.besideNames(outside(tokens[sentence[0].from:sentence[len(sentence)-1].to],
			shifted(details, sentence[0].from)))
		if part.told || (topicOf(said, true) != "" || judges(tokens, sentence)) && !orders(tokens, sentence) {
			mentioned.read(x.atoms(tokens, sentence))
			continue
		}
		before := len(r.items)
		if isHeading(tokens, sentence) {
			r.heading = append(r.heading, headingWords(sentence)...)
			continue
		}
		r.read(x.atoms(tokens, sentence))
		if from := sentence[0].from; asksFirstIn(tokens[from:]) {
			onlyAsks(r.items[before:])
		}
		for _, it := range r.items[before:] {
			it.asks = asksSomething(tokens, extent{sentence[0].from, sentence[len(sentence)-1].to})
		}
	}
	for _, it := range mentioned.items[:min(len(mentioned.items), maxItems)] {
		if it.known {
			reading.Mentioned = append(reading.Mentioned, x.meant(it)...)
		}
	}
	reading.Mentioned = unique(reading.Mentioned)
	if len(r.items) == 0 && r.lone != nil { // kal ka paneer khatta tha, aaj 500 gm dena
		if it := x.onlySold(mentioned.items); it != nil {
			it.state, it.quantity, it.said, it.verb = ordered, *r.lone, true, true
			r.items = append(r.items, it)
		}
	}
}

// withoutDetails makes fillers of the elements that tell where, when and how: a number in an address is no quantity.
func withoutDetails(elements []element, details []extent) {
	for i, e := range elements {
		if slices.ContainsFunc(details, func(d extent) bool { return e.from >= d.from && e.from < d.to }) {
			elements[i] = element{kind: fillerElement, from: e.from, to: e.to}
		}
	}
}

// withWish adds a wish about a thing to the remarks, unless one of them says it: what is to be written upon it, or how
// it is to be made ready.
func withWish(remarks []Remark, text string) []Remark {
	if text == "" || slices.ContainsFunc(remarks, func(r Remark) bool { return strings.Contains(r.Text, text) }) {
		return remarks
	}
	return append(remarks, Remark{Wish, text})
}

// sentences splits the elements at the ends of sentences.
func sentences(tokens []token, elements []element) [][]element {
	var all [][]element
	from := 0
	for i, e := range elements {
		if e.kind == breakElement || i == len(elements)-1 {
			if i+1 > from {
				all = append(all, elements[from:i+1])
			}
			from = i + 1
		}
	}
	return all
}

// orders reports whether a sentence that tells of something else orders something, too: it has a thing with a quantity
// and asks for it.
func orders(tokens []token, sentence []element) bool {
	verb, thing, quantity := false, false, false
	for _, e := range sentence {
		parcel := tokens[e.from].text == "parcel" && e.from > 0 && tokens[e.from-1].text == "the"
		short := degrees.Has(tokens[e.from].text) && comesShort.Has(at(tokens, e.from+1)) // ek cheez kam aayi
		verb = verb || e.verb && !parcel && !short
		thing = thing || e.kind == goodsElement
		quantity = quantity || e.kind == quantityElement && e.quantity.said()
	}
	return verb && thing && quantity
}

// comesShort are verbs behind a word for less that say that there was less than ordered.
var comesShort = &wordSet{of: "aaya aayi aaye aya ayi aye nikla nikli nikle mila mili mile tha thi " +
	"आया आई आए निकला निकली मिला मिली"}

// message is a normalised text with what it consists of.
type message struct {
	text     string
	tokens   []token
	elements []element
	rest     []token // those that tell not where, when or how
}

// shifted returns extents as they are in the tokens from a place on.
func shifted(all []extent, from int) []extent {
	moved := make([]extent, len(all))
	for i, e := range all {
		moved[i] = extent{e.from - from, e.to - from}
	}
	return moved
}

// outside returns the tokens that belong to no detail.
func outside(tokens []token, details []extent) []token {
	var rest []token
	for i, t := range tokens {
		if !slices.ContainsFunc(details, func(d extent) bool { return i >= d.from && i < d.to }) {
			rest = append(rest, t)
		}
	}
	return rest
}

// saysYesBeside reports whether a message is nothing but a yes beside what it says of where, when and how: haan bhej do
// cabin 4 me.
func saysYesBeside(tokens []token, details []extent) bool {
	var words []string
	for i, t := range tokens { // haan ghar ka pata bhejta hu
		if i > 0 && toBe.Has(t.text) && !isThere.Has(t.text) && isHabitual(tokens[i-1].text) {
			return false
		}
	}
	for _, t := range outside(tokens, details) {
		if !inWords.Has(t.text) {
			words = append(words, t.text)
		}
	}
	return ReplyOf(strings.Join(words, " "), nil) == Yes
}

// saysYesBut reports whether a message begins with a yes, after which comes a but and no refusal: ji bhej dijiye par
// sham ko.
func saysYesBut(text string) bool {
	words := strings.Fields(text)
	for i := 1; i+1 < len(words); i++ {
		if contrasts.Has(words[i]) && ReplyOf(strings.Join(words[:i], " "), nil) == Yes {
			rest := strings.Join(words[i+1:], " ")
			return ReplyOf(rest, nil) == "" && !slices.ContainsFunc(tokenise(rest), refusesAny) &&
				!slices.ContainsFunc(tokenise(rest), func(t token) bool { return telling.Has(t.text) })
		}
	}
	return false
}

// refusesAny reports whether a word refuses something.
func refusesAny(t token) bool { return isNo(t) || keepWords.Has(t.text) }

// greetsFirst reports whether a message begins with a part of the day by which people greet: evening! All well?
func greetsFirst(tokens []token) bool {
	return len(tokens) > 0 && dayGreetings.Has(tokens[0].text) && (len(tokens) == 1 || tokens[1].kind == mark)
}

var dayGreetings = &wordSet{of: "morning evening afternoon"}
