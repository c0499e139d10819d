// Package nlu understands what customers write to a shop: orders, questions about goods, and the few other things that
// one writes to a shop. It reads English and Hindi, in Devanagari, in Latin letters, and mixed. It knows rules and
// words; it does no I/O.
package nlu

import (
	"cmp"
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
	x.correct(tokens)
	elements := x.scan(tokens)
	reading := Reading{
		Language: languageOf(tokens), Confidence: confidence(tokens, elements), Reply: ReplyOf(text, nil)}
	if reading.Reply == Yes || reading.Reply == No {
		reading.Intent = map[Reply]Intent{Yes: Confirm, No: Decline}[reading.Reply]
		if reply := replyOf(tokens); reading.Reply == Yes && reply == Thanks { // theek hai, dhanyavad
			reading.Intent = reply
		}
		return reading
	}
	x.labelled(tokens, elements)
	x.withoutDescriptions(tokens, elements)
	withoutRunOut(tokens, elements)
	joinCounted(tokens, elements)
	x.countedBy(elements)
	tagged(tokens, elements)
	written := append(withoutInscriptions(tokens, elements), x.withoutPreparations(tokens, elements)...)
	var details []extent
	reading.Details, details = x.detailsOf(text, tokens)
	withoutDetails(elements, details)
	r, mentioned := itemReader{x: x, tokens: tokens}, itemReader{x: x, tokens: tokens}
	for _, part := range x.apartFromTold(tokens, sentences(tokens, elements)) {
		sentence := part.elements
		said := x.besideNames(outside(tokens[sentence[0].from:sentence[len(sentence)-1].to],
			shifted(details, sentence[0].from)))
		if part.told || topicOf(said, true) != "" && !orders(sentence) {
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
	if reading.Intent == Other && reading.Quantity == nil && !reading.Question && len(details) > 0 &&
		saysYesBeside(tokens, details) {
		reading.Intent = Confirm // it is no Reply: what it says beside is to be shown first
	}
	return reading
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
func orders(sentence []element) bool {
	verb, thing, quantity := false, false, false
	for _, e := range sentence {
		verb = verb || e.verb
		thing = thing || e.kind == goodsElement
		quantity = quantity || e.kind == quantityElement && e.quantity.said()
	}
	return verb && thing && quantity
}

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

// settle fills a reading from the items of its message.
func (x *Index) settle(reading *Reading, r *itemReader, m message) {
	text, tokens, elements := m.text, m.tokens, m.elements
	items := r.items[:min(len(r.items), maxItems)]
	for _, it := range items {
		it.among = inWords.Has(at(tokens, it.to))
	}
	x.shareHeads(items)
	x.shareThings(items)
	items = x.saidOfBefore(items)
	x.wantsInstead(items)
	asked := map[state][]string{}
	for i, it := range items {
		switch it.state {
		case ordered:
			if i > 0 {
				it.aside = len(x.named(it.words)) == 0 && onTheSide(tokens, it, items[i-1]) ||
					items[i-1].said && isLessOrMore(tokens, it)
				x.plainOne(tokens, it, items[i-1])
			}
			it.aside = it.aside || isContext(tokens, it, items)
			if i > 0 {
				it.previous = items[i-1].words
				if x.bare(it.previous) { // lal dhaga 2, kala 1, safed 3
					it.previous = slices.Concat(items[i-1].previous, it.previous)
				}
			}
			it.heading = r.heading
			it.which = x.bare(it.words) || it.kind && len(it.words) == 1 ||
				oneFollows(tokens, it)
			it.all = items
			x.order(reading, it, text, tokens)
		case priceAsked, stockAsked:
			if i > 0 && len(it.words) == 1 && attributes.Has(it.words[0]) && len(asked[it.state]) > 0 {
				continue // lipstick me kaun kaun se color hai
			}
			asked[it.state] = append(asked[it.state], x.fitting(it)...)
		case refused:
			reading.Removed = append(reading.Removed, x.meant(it)...)
		}
	}
	x.exclude(reading, items)
	topic := topicOf(x.besideNames(tokens), false)
	if topic != "" && !slices.ContainsFunc(items, func(it *item) bool { return it.state == ordered && it.known }) {
		reading.Asks = nil // what is not known and not about goods is no order
	}
	service := asksService(tokens) && onlyAsked(items)
	if service {
		reading.Lines, reading.Asks = nil, nil
		topic = cmp.Or(topic, Other)
	}
	has := func(s state) bool { return slices.ContainsFunc(items, func(it *item) bool { return it.state == s }) }
	switch {
	case len(reading.Lines)+len(reading.Asks) > 0:
		reading.Intent = Order
	case has(priceAsked):
		reading.Intent, reading.ProductIDs = Price, unique(asked[priceAsked])
	case has(stockAsked) && !service && !asksContents(tokens, items) && !asksOffer(tokens) &&
		(len(asked[stockAsked]) > 0 ||
			!asksHow(tokens)) &&
		!asksQuality(tokens) &&
		(topic == "" || topic == Other && len(asked[stockAsked]) > 0):
		reading.Intent, reading.ProductIDs = Availability, unique(asked[stockAsked])
	case topic != "" && !(topic == Other && has(refused)):
		reading.Intent = topic
	case has(refused) && (len(reading.Removed) > 0 || !asksHow(tokens)):
		reading.Intent = Decline
	default:
		reading.Intent = withoutGoods(tokens)
		if len(items) == 0 && onlyQuantity(elements, tokens) {
			reading.More = r.lone != nil && hasMore(tokens)
			if reading.Quantity = r.lone; r.lone != nil && reading.Intent == Greeting { // 500 gm is no good morning
				reading.Intent = Other
			}
		}
	}
	reading.Removed = unique(reading.Removed)
	if reading.Intent != Order {
		reading.Lines, reading.Asks = nil, nil
	}
	if reading.Intent == Other && reading.Quantity == nil && len(items) == 0 {
		if q := x.loneQuantity(m.rest); q != nil {
			reading.Quantity, reading.More = q, hasMore(tokens)
		}
	}
}

// onlyQuantity reports whether a message says how much and nothing else that matters. What was is no wish: 500 diye
// the.
func onlyQuantity(elements []element, tokens []token) bool {
	return !slices.ContainsFunc(elements, func(e element) bool {
		return e.kind == unknownElement || e.kind == fillerElement && pastWords.Has(tokens[e.from].text) ||
			e.kind == markerElement && (e.marker == place || e.marker == askPrice || e.marker == askStock) ||
			sizeWords.Has(tokens[e.from].text) || e.kind == fillerElement && speaks(tokens[e.from:e.to])
	})
}

// speaks reports whether some small words say how something is or seems: a number beside them is no amount that is
// wanted. 120 is a lot.
func speaks(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return statingWords.Has(t.text) })
}

var statingWords = lazySet(`lag laga lagta lagti lagte raha rahi rahe zyada jyada ya normal seems looks feels sounds
		isnt
	arent sells costs charges लग लगता लगती रहा रही रहे ज़्यादा ज्यादा या`)

// pastWords tell of what was.
var pastWords = lazySet("tha thi the diya diye di liya liye tha was were paid gave था थी थे दिया दिए दी लिया लिए")

// withoutGoods returns what a message is that names no goods and is about nothing that is known.
func withoutGoods(tokens []token) Intent {
	if reply := replyOf(tokens); reply != "" {
		return reply
	}
	return Other
}

// order adds what an item orders.
func (x *Index) order(reading *Reading, it *item, text string, tokens []token) {
	said := textOf(text, tokens, it.from, it.to)
	if !it.said && len(reading.Lines)+len(reading.Asks) > 0 && prepares(tokens[it.from:it.to]) {
		reading.Remarks = append(reading.Remarks, Remark{Wish, said})
		return
	}
	var found []chosen
	if !it.lacks {
		found = x.choose(it.words, it.quantity)
	}
	found = x.withSwallowed(found, it, tokens)
	for _, words := range it.others {
		if head := known.Get().headOf(it.words); head != "" && known.Get().headOf(words) == "" {
			if with := slices.Concat([]string{head}, words); x.sells(with) { // kajal lakme ya maybelline
				words = with
			}
		}
		found = append(found, x.like(x.choose(words, it.quantity), &item{words: words, previous: it.words})...)
	}
	if !it.said && (toldOf(tokens, it) || it.aside) {
		return
	}
	if x.isServedBeside(it, found, it.all) {
		reading.Remarks = append(reading.Remarks, Remark{Wish, said})
		return
	}
	if it.asks && !it.said && (len(found) == 0 || onlyParts(found, it.words) || onWords.Has(at(tokens, it.to)) ||
		inWords.Has(at(tokens, it.to)) ||
		isTag(tokens) || asksHow(tokens) || asksWhether(tokens)) {
		return // what colour is it, it comes hot, doesn't it, how much water does it need
	}
	if it.which && !x.bare(it.words) && len(found) > 1 { // a cheese one
		found = x.chooseOf(x.having(it.words), it)
	}
	found = slices.CompactFunc(found, func(a, b chosen) bool { return a.product == b.product })
	found = x.asWritten(underHeading(x.like(found, it), it), it, tokens)
	if len(found) == 0 && !it.said &&
		((!it.verb || it.guessed && !asksFor(tokens, it)) && (it.guessed || it.only) ||
			len(it.words) == 1 && general.Has(it.words[0]) ||
			!slices.ContainsFunc(it.words, notPlain)) {
		return
	}
	if reading.addKinds(found, it, said, tokens) {
		return
	}
	ask := Ask{
		Text: it.word(text, tokens), Quantity: it.quantity, Which: it.which, More: it.said && addsTo(tokens, it)}
	switch {
	case len(found) == 0:
		ask.Missing = MissingProduct
	case len(found) > 1:
		for _, c := range found {
			ask.Options = append(ask.Options, c.product.ID)
		}
	case found[0].fit == missing:
		ask.Missing, ask.ProductID = MissingQuantity, found[0].product.ID
	default:
		found[0].line.Text, found[0].line.More, found[0].line.Unsaid = said, addsTo(tokens, it),
			!it.said || it.quantity.OnlyDescribes()
		reading.addLine(found[0].line)
		return
	}
	if !slices.ContainsFunc(reading.Asks, func(other Ask) bool {
		return len(ask.Options) > 0 && slices.Equal(other.Options, ask.Options)
	}) {
		reading.Asks = append(reading.Asks, ask)
	}
}

func notPlain(w string) bool { return !plainKinds.Has(w) }

// general are words for goods of all kinds. Without a quantity they order nothing.
var general = lazySet("medicine sweet grocery")

// addLine adds a line to that of the same product.
func (reading *Reading) addLine(line Line) {
	for i := range reading.Lines {
		if other := &reading.Lines[i]; other.ProductID == line.ProductID &&
			other.Amount.IsZero() == line.Amount.IsZero() {
			if line.Unsaid { // sarso tel 2 bottle kachi ghani
				return
			}
			other.Quantity, other.Amount = other.Quantity.Add(line.Quantity), other.Amount.Add(line.Amount)
			other.Text += ", " + line.Text
			return
		}
	}
	reading.Lines = append(reading.Lines, line)
}

// saysYesBeside reports whether a message is nothing but a yes beside what it says of where, when and how: haan bhej do
// cabin 4 me.
func saysYesBeside(tokens []token, details []extent) bool {
	var words []string
	for _, t := range outside(tokens, details) {
		if !inWords.Has(t.text) {
			words = append(words, t.text)
		}
	}
	return ReplyOf(strings.Join(words, " "), nil) == Yes
}

// asksContents reports whether a question is how much there is of one thing in another: thali me roti kitni aati hai.
func asksContents(tokens []token, items []*item) bool {
	return slices.ContainsFunc(items, func(it *item) bool { return inWords.Has(at(tokens, it.to)) }) &&
		slices.ContainsFunc(tokens, func(t token) bool { return howMany.Has(t.text) })
}

var howMany = lazySet("kitna kitni kitne कितना कितनी कितने")

// onlySold returns the one of some items that the shop sells; nil for none or several.
func (x *Index) onlySold(items []*item) *item {
	var found *item
	for _, it := range items {
		if !it.known || len(x.named(it.words)) == 0 {
			continue
		}
		if found != nil {
			return nil
		}
		found = it
	}
	return found
}

// asksOffer reports whether a question is about a discount, and not whether there is something.
func asksOffer(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return offersWords.Has(t.text) })
}

var offersWords = lazySet("discount discounts offer offers scheme schemes sale chhoot chhut chut cashback " +
	"डिस्काउंट ऑफर स्कीम छूट")

// attributes are what goods have several of. Beside a thing that is asked about they name no goods.
var attributes = lazySet("colour color kolor size flavour flavor flevar shade type variety rang brand")
