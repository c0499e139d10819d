package nlu

import (
	"cmp"
	"slices"
	"strings"
)

// settle fills a reading from the items of its message.
func (x *Index) settle(reading *Reading, r *itemReader, m message) {
	text, tokens := m.text, m.tokens
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
			it.heading, it.all = r.heading, items
			x.inContext(items, i, tokens)
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
	if len(items) > 0 && !slices.ContainsFunc(items, func(it *item) bool { return it.known }) &&
		(reading.Reply == Hold || declinesFirst(text)) {
		reading.Asks, topic = nil, cmp.Or(topic, Decline) // abhi rehne do, muhurat ke baad lenge
	}
	service := x.asksService(tokens) && onlyAsked(items) || asksAble(tokens) || asksWhich(tokens) || asksDegree(tokens)
	if !service && len(items) > 0 && len(asked) == 0 && x.states(tokens, items) {
		reading.Lines, reading.Asks = nil, nil
		topic = cmp.Or(topic, guessedTopic(tokens), thanksFor(tokens), Other)
	}
	if service {
		reading.Lines, reading.Asks = nil, nil
		topic = cmp.Or(topic, Other)
	}
	x.intend(reading, r, items, asked, topic, service, m)
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

// declinesFirst reports whether a message begins with a no or a wait before its first comma.
func declinesFirst(text string) bool {
	first, rest, cut := strings.Cut(text, ",")
	reply := ReplyOf(first, nil)
	return cut && rest != "" && (reply == No || reply == Hold)
}

// inContext fills in what the items before one say of it.
func (x *Index) inContext(items []*item, at int, tokens []token) {
	it := items[at]
	if at > 0 {
		before := items[at-1]
		it.aside = len(x.named(it.words)) == 0 && onTheSide(tokens, it, before) ||
			before.said && isLessOrMore(tokens, it)
		x.plainOne(tokens, it, before)
		it.previous = before.words
		if x.bare(it.previous) { // lal dhaga 2, kala 1, safed 3
			it.previous = slices.Concat(before.previous, it.previous)
		}
	}
	it.aside = it.aside || isContext(tokens, it, items)
	it.which = x.bare(it.words) || it.kind && len(it.words) == 1 || oneFollows(tokens, it)
}

// intend fills in what a message wants by what became of its items.
func (x *Index) intend(reading *Reading, r *itemReader, items []*item, asked map[state][]string, topic Intent,
	service bool, m message) {
	tokens := m.tokens
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
	case has(refused) && len(reading.Removed) == 0 && forbidsAct(tokens):
		reading.Intent = Other
	case has(refused) && (len(reading.Removed) > 0 || !asksHow(tokens)):
		reading.Intent = Decline
	default:
		reading.Intent = withoutGoods(tokens)
		if len(items) == 0 && onlyQuantity(m.elements, tokens) {
			reading.More = r.lone != nil && hasMore(tokens)
			if reading.Quantity = r.lone; r.lone != nil && reading.Intent == Greeting { // 500 gm is no good morning
				reading.Intent = Other
			}
		}
	}
}

// onlyQuantity reports whether a message says how much and nothing else that matters. What was is no wish: 500 diye
// the.
func onlyQuantity(elements []element, tokens []token) bool {
	for at := range tokens {
		if isOffer(tokens, at) { // theek hai, 750 me bhej do
			return false
		}
	}
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

var statingWords = &wordSet{of: `lag laga lagta lagti lagte raha rahi rahe zyada jyada ya normal seems looks feels sounds
		isnt
	arent sells costs charges लग लगता लगती रहा रही रहे ज़्यादा ज्यादा या`}

// pastWords tell of what was.
var pastWords = &wordSet{of: "tha thi the diya diye di liya liye tha was were paid gave था थी थे दिया दिए दी लिया लिए"}

// withoutGoods returns what a message is that names no goods and is about nothing that is known.
func withoutGoods(tokens []token) Intent {
	if forbidsAct(tokens) {
		return Other
	}
	for i := range tokens {
		if doesNot(tokens, i) {
			return Other
		}
	}
	if reply := replyOf(tokens); reply != "" {
		return reply
	}
	return cmp.Or(guessedTopic(tokens), Other)
}

// asksContents reports whether a question is how much there is of one thing in another: thali me roti kitni aati hai.
func asksContents(tokens []token, items []*item) bool {
	return slices.ContainsFunc(items, func(it *item) bool { return inWords.Has(at(tokens, it.to)) }) &&
		slices.ContainsFunc(tokens, func(t token) bool { return howMany.Has(t.text) })
}

var howMany = &wordSet{of: "kitna kitni kitne कितना कितनी कितने"}

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

var offersWords = &wordSet{of: "discount discounts offer offers scheme schemes sale chhoot chhut chut cashback " +
	"डिस्काउंट ऑफर स्कीम छूट"}

// attributes are what goods have several of. Beside a thing that is asked about they name no goods.
var attributes = &wordSet{of: "colour color kolor size flavour flavor flevar shade type variety rang brand"}
