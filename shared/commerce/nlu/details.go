package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// Details are what a message says about an order beside its goods. "" says nothing.
type Details struct {
	Address string `json:"address,omitempty"`
	When    string `json:"when,omitempty"`    // in the customer's words
	Payment string `json:"payment,omitempty"` // cod, upi, credit or card
	Way     string `json:"way,omitempty"`     // delivery or pickup
}

// The ways by which goods reach a customer.
const (
	Delivery = "delivery"
	Pickup   = "pickup"
)

// Any reports whether something is said.
func (d Details) Any() bool { return d != Details{} }

// extent is a range of tokens.
type extent struct{ from, to int }

// detailsOf reads what is said beside the goods, and where: what is an address, a time or a payment is no goods. x
// knows the goods.
func (x *Index) detailsOf(text string, tokens []token) (d Details, where []extent) {
	taken := func(e extent) {
		where = append(where, e)
	}
	free := func(e extent) bool {
		return !slices.ContainsFunc(where, func(w extent) bool { return e.from < w.to && w.from < e.to })
	}
	for _, e := range clausesOf(tokens) {
		if asksSomething(tokens, e) {
			continue
		}
		if place, words, ok := x.addressIn(tokens, e); ok {
			said := strings.Trim(textOf(text, tokens, words.from, words.to), " ,.-:;")
			if d.Address != "" {
				said = d.Address + ", " + said
			}
			d.Address = said
			taken(place)
		}
	}
	for _, e := range clausesOf(tokens) {
		if asksSomething(tokens, e) {
			continue
		}
		if way, span, ok := fetched(tokens, e); ok && free(span) {
			d.Way = way
			taken(span)
		}
		if method, span, ok := paidBy(tokens, e); ok && free(span) && !x.isNamed(tokens, span) {
			d.Payment = method
			taken(span)
		}
		for from := e.from; from < e.to; {
			span, ok := x.timeIn(tokens, extent{from, e.to})
			if !ok {
				break
			}
			if free(span) {
				d.When = strings.TrimSpace(d.When + " " +
					strings.Trim(textOf(text, tokens, span.from, span.to), " ,.-"))
				taken(span)
			}
			from = span.to
		}
	}
	return d, where
}

// isNamed reports whether a word for a way to pay begins the name of a good, or ends it: a cash box.
func (x *Index) isNamed(tokens []token, e extent) bool {
	for i := max(0, e.from-1); i < e.to; i++ {
		if i+1 < len(tokens) && !joins.Has(tokens[i+1].text) && x.written[tokens[i].text] &&
			x.written[tokens[i+1].text] &&
			x.sells(known.Get().meaning(tokens[i:i+2])) && unitOf(tokens[i]).kind != rupeeUnit {
			return true
		}
	}
	return false
}

// clausesOf returns the parts of a message between ends of sentences.
func clausesOf(tokens []token) []extent {
	var all []extent
	from := 0
	for i := 0; i <= len(tokens); i++ {
		if i < len(tokens) && !endsSentence(tokens, i) {
			continue
		}
		end := i
		if i < len(tokens) && tokens[i].text == "?" {
			end++
		}
		if end > from {
			all = append(all, extent{from, end})
		}
		from = i + 1
	}
	return all
}

// endsSentence reports whether a token ends a sentence. A full stop within a number or an abbreviation does not.
func endsSentence(tokens []token, at int) bool {
	switch tokens[at].text {
	case "\n", ";", "!", "?", "…":
		return true
	case ".":
		next := at+1 < len(tokens) && tokens[at+1].glued
		short := at > 0 && tokens[at-1].kind == word &&
			(len(tokens[at-1].text) < 3 || abbreviations.Has(tokens[at-1].text))
		return !next && !short
	}
	return false
}

// abbreviations are words after which a full stop ends nothing.
var abbreviations = &wordSet{of: "opp apt bldg sec flr blk"}

// questionMarks are words by which a clause asks something.
var asking = &wordSet{of: `kya kyu kyun kyon kab kahan kaha kahaan kaun kon kaunsa konsa kaise kaisa kaisi kitna kitne kitni
	kidhar what which when where why how who whose
	क्या क्यों कब कहाँ कहां कौन कैसे कितना कितने कितनी किधर`}

// asksFirst are words by which an English clause asks if it begins with one of them.
var asksFirst = &wordSet{of: "is are do does did can could will would should may isnt arent dont doesnt wont"}

// asksSomething reports whether a clause is a question.
func asksSomething(tokens []token, e extent) bool {
	if e.to <= e.from {
		return false
	}
	if tokens[e.to-1].text == "?" || e.to < len(tokens) && tokens[e.to].text == "?" {
		return true
	}
	first := e.from
	for first < e.to && tokens[first].kind == mark {
		first++
	}
	if first+1 < e.to && asksFirst.Has(tokens[first].text) && askedOf.Has(tokens[first+1].text) {
		return true
	}
	return isTag(tokens[e.from:e.to]) ||
		slices.ContainsFunc(tokens[e.from:e.to], func(t token) bool { return asking.Has(t.text) })
}

// isTag reports whether a clause ends with a verb and na: it asks whether that is so.
func isTag(clause []token) bool {
	last := len(clause) - 1
	for last > 0 && clause[last].kind == mark {
		last--
	}
	return last > 0 && (clause[last].text == "na" || clause[last].text == "ना") && isFinite(clause[last-1].text)
}

// askedOf are words that stand second in an English question.
var askedOf = &wordSet{of: "you u i it this that there the we they these those your my he she any"}

// placeNouns are words of addresses.
var placeNouns = &wordSet{of: `flat plot scheme sector nagar colony road rd street gali galli lane block tower floor
	apartment apartments apt society makan makaan marg chowk chauraha mohalla vihar
	puram enclave phase wing building bldg residency heights bypass ward house hno villa avenue layout vatika kunj ganj
	bhawan bhavan niwas complex plaza towers estate chawl wadi residence residences gardens mansion pocket
	room hostel lines cabin desk cubicle godown gala shed dukaan darwaza dharamshala quarter qtr
	township park chs bazar bazaar fatak crossing kothi bungalow
	फ्लैट प्लॉट सेक्टर नगर कॉलोनी रोड गली मकान ब्लॉक टावर मोहल्ला मार्ग चौक विहार स्कीम सोसाइटी सोसायटी अपार्टमेंट भवन`}

// landmarks join a place to what stands beside it.
var landmarks = &wordSet{of: "near behind opposite opp beside paas samne saamne piche peeche bagal पास सामने पीछे बगल"}

// addressWords begin an address that is named as one.
var addressWords = &wordSet{of: "pata address addres adress addr पता एड्रेस"}

// linksAddress may stand between that word and the address.
var linksAddress = &wordSet{of: "hai h he is : - mera my ghar ka ki ye yeh this the ko for delivery है यह ये"}

// sendsTo are the words after which an English address begins.
var sendsTo = [][]string{
	{"deliver", "to"}, {"deliver", "at"}, {"deliver", "it", "to"}, {"deliver", "it", "at"}, {"send", "to"},
	{"send", "it", "to"}, {"bring", "to"}, {"delivery", "at"}, {"delivery", "to"}, {"ship", "to"}, {"drop", "at"}}

// addressIn finds an address in a clause: where it stands, and its words.
func (x *Index) addressIn(tokens []token, e extent) (place, words extent, ok bool) {
	for i := e.from; i < e.to; i++ {
		if addressWords.Has(tokens[i].text) {
			from := i + 1
			for from < e.to && (linksAddress.Has(tokens[from].text) || tokens[from].text == ":") {
				from++
			}
			if from >= e.to {
				return x.placed(tokens, extent{e.from, i})
			}
			start := i
			for start > e.from && (linksAddress.Has(tokens[start-1].text) || tokens[start-1].text == "se") {
				start--
			}
			return extent{start, e.to}, extent{from, x.addressEnd(tokens, from, e.to)}, true
		}
	}
	for _, phrase := range sendsTo {
		if at := indexOf(tokens[e.from:e.to], phrase); at >= 0 {
			from := e.from + at + len(phrase)
			end := x.addressEnd(tokens, from, e.to)
			if isAddress(tokens[from:end], 2) {
				return extent{e.from + at, end}, extent{from, end}, true
			}
		}
	}
	return x.placed(tokens, e)
}

// placed finds an address by its words: the parts between commas that hold one, with a number or another word, and
// those that follow.
func (x *Index) placed(tokens []token, e extent) (place, words extent, ok bool) {
	from, to := -1, -1
	parts := partsOf(tokens, e)
	for i, part := range parts {
		end := x.addressEnd(tokens, part.from, part.to)
		begin := x.addressBegin(tokens, part.from, end)
		switch {
		case begin < end && isAddress(tokens[begin:end], 1) && (from >= 0 || !x.sellsIn(tokens[begin:end])):
			if from < 0 {
				from = begin
			}
			to = end
			if end < part.to {
				return extent{from, max(to, untilVerbs(tokens, end, part.to))}, extent{from, to}, true
			}
		case from >= 0 && !x.sellsIn(tokens[part.from:part.to]) && x.anyPlaced(tokens, parts[i+1:]):
		case from >= 0:
			return extent{from, to}, extent{from, to}, true
		}
	}
	return extent{from, to}, extent{from, to}, from >= 0
}

// anyPlaced reports whether one of some parts is of an address.
func (x *Index) anyPlaced(tokens []token, parts []extent) bool {
	return slices.ContainsFunc(parts, func(part extent) bool {
		end := x.addressEnd(tokens, part.from, part.to)
		return isAddress(tokens[x.addressBegin(tokens, part.from, end):end], 1)
	})
}

// sellsIn reports whether some words name something that is sold, or say how much of it.
func (x *Index) sellsIn(tokens []token) bool {
	for i, t := range tokens {
		if placeNouns.Has(t.text) && (x.namesWith(tokens[i:]) || len(tokens) < 4 && x.isCountedPlace(tokens, i)) {
			return true // room spray, 2 darwaza
		}
		if placeNouns.Has(t.text) || landmarks.Has(t.text) || t.kind != word {
			continue
		}
		if u := unitOf(t); u.kind != 0 && i > 0 && isNumber(tokens[i-1]) && u.kind != timesUnit {
			return true
		}
		if e, took := known.Get().goods.find(tokens[i:]); took > 0 && x.sells(e.goods) ||
			x.vocab[t.key] && !isCommon(t) && x.sells([]string{t.key}) {
			return true
		}
	}
	return false
}

// isCountedPlace reports whether a word of addresses is what the shop sells, and a number beside it counts it.
func (x *Index) isCountedPlace(tokens []token, i int) bool {
	others := slices.ContainsFunc(tokens, func(t token) bool {
		return t.text != tokens[i].text && (placeNouns.Has(t.text) || landmarks.Has(t.text))
	})
	return !others && x.vocab[tokens[i].key] && x.sells(meaningOf(tokens[i].key))
}

// isAddress reports whether some words are of an address: one of places, and a number or enough other words.
func isAddress(tokens []token, fewest int) bool {
	noun, number, other := false, false, 0
	for _, t := range tokens {
		switch {
		case placeNouns.Has(t.text) || landmarks.Has(t.text) && len(tokens) > 2:
			noun = true
		case t.kind != word && t.kind != mark || isBlockNumber(t.text) || len(t.text) == 1 && t.kind == word && noun:
			number = true
		case t.kind == word && len(t.text) > 2 && !known.Get().fillers[t.text]:
			other++
		}
	}
	return noun && (number || other >= 1) || fewest > 1 && number && other >= 2
}

// isBlockNumber reports whether a word is a number of a house with its letter: b12, 45a.
func isBlockNumber(text string) bool {
	return strings.ContainsAny(text, "0123456789")
}

// addressEnd returns where an address ends: before the words that ask to send it there.
func (x *Index) addressEnd(tokens []token, from, to int) int {
	end := to
	for i := from; i < to; i++ {
		t := tokens[i]
		if i > from &&
			(t.text == "pe" || t.text == "par" || t.text == "पर" || t.text == "me" || t.text == "mein" ||
				t.text == "में") && onlyVerbs(tokens[i+1:to]) {
			return i
		}
		if i > from && (t.text == "aur" || t.text == "and" || t.text == "और") && i+1 < to &&
			!placeNouns.Has(tokens[i+1].text) {
			return i
		}
	}
	for end > from+1 &&
		(known.Get().verbs[tokens[end-1].text] || tokens[end-1].text == "do" || courtesy.Get()[tokens[end-1].text]) {
		end--
	}
	return end
}

// addressBegin returns where an address begins within a part: after the words that say what to do with it.
func (x *Index) addressBegin(tokens []token, from, to int) int {
	for at := to - 1; at >= from; at-- {
		if t := tokens[at]; known.Get().verbs[t.text] && !placeNouns.Has(t.text) || t.text == "to" || t.text == "at" {
			for at+1 < to && (tokens[at+1].text == "do" || tokens[at+1].text == "दो") { // bhej do cabin 4 me
				at++
			}
			return at + 1
		}
	}
	for from < to && (courtesy.Get()[tokens[from].text] ||
		linksAddress.Has(tokens[from].text) && tokens[from].text != "-") {
		from++
	}
	return from
}

func untilVerbs(tokens []token, from, to int) int {
	for from < to && (known.Get().verbs[tokens[from].text] || known.Get().fillers[tokens[from].text]) {
		from++
	}
	return from
}

func onlyVerbs(tokens []token) bool {
	return !slices.ContainsFunc(tokens, func(t token) bool {
		return t.kind == word && !known.Get().verbs[t.text] && !known.Get().fillers[t.text]
	})
}

// courtesy are the words that may stand beside anything.
var courtesy = lazy.Of[map[string]bool]{Make: func() map[string]bool { return setOf(courtesies) }}

// partsOf returns what stands between the commas of a clause.
func partsOf(tokens []token, e extent) []extent {
	var all []extent
	from := e.from
	for i := e.from; i <= e.to; i++ {
		if i == e.to || tokens[i].text == "," {
			if i > from {
				all = append(all, extent{from, i})
			}
			from = i + 1
		}
	}
	return all
}

// indexOf returns where a phrase stands; -1 for nowhere.
func indexOf(tokens []token, phrase []string) int {
	for at := range tokens {
		if len(tokens)-at < len(phrase) {
			break
		}
		same := true
		for i, w := range phrase {
			same = same && tokens[at+i].text == w
		}
		if same {
			return at
		}
	}
	return -1
}
