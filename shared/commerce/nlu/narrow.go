package nlu

import "slices"

// asksFirstIn reports whether a sentence begins as English questions do: do you make cakes, is the milk fresh.
func asksFirstIn(tokens []token) bool {
	for len(tokens) > 0 && (tokens[0].kind == mark || courtesy.Get()[tokens[0].text]) {
		tokens = tokens[1:]
	}
	return len(tokens) > 1 && asksFirst.Has(tokens[0].text) && askedOf.Has(tokens[1].text)
}

// onlyAsks takes things without a quantity that a question names for asked about.
func onlyAsks(items []*item) {
	for _, it := range items {
		if it.state == ordered && !it.said {
			it.state = stockAsked
		}
	}
}

// exclude takes out of what is asked about the products that a refusal excludes: two puffs, no egg. One product that is
// left is meant.
func (x *Index) exclude(reading *Reading, items []*item) {
	for _, it := range items {
		if it.state != refused {
			continue
		}
		for i := range reading.Asks {
			ask := &reading.Asks[i]
			left := slices.DeleteFunc(slices.Clone(ask.Options), func(id string) bool {
				return all(it.words, x.byID[id].words) ||
					slices.ContainsFunc(x.byID[id].names,
						func(name []string) bool { return all(it.words, setOfKeys(name)) })
			})
			if len(left) > 0 && len(left) < len(ask.Options) {
				ask.Options, it.narrows = left, true
				reading.named(ask)
				reading.Removed = slices.DeleteFunc(reading.Removed,
					func(id string) bool { return slices.Contains(left, id) })
			}
		}
	}
	for i := len(reading.Asks) - 1; i >= 0; i-- {
		ask := reading.Asks[i]
		if len(ask.Options) != 1 {
			continue
		}
		reading.Asks = slices.Delete(reading.Asks, i, i+1)
		if line, again, ok := x.Resolve(ask.Options[0], ask); ok {
			reading.addLine(line)
		} else {
			reading.Asks = append(reading.Asks, again)
		}
	}
}

// named takes a line for the answer to what is asked about, where it names one of the options: ek biscuit, parle nahi,
// marie gold.
func (reading *Reading) named(ask *Ask) {
	for _, line := range reading.Lines {
		if slices.Contains(ask.Options, line.ProductID) {
			ask.Options = []string{line.ProductID}
			reading.Lines = slices.DeleteFunc(reading.Lines, func(l Line) bool { return l.ProductID == line.ProductID })
			return
		}
	}
}

func setOfKeys(keys []string) map[string]bool {
	set := map[string]bool{}
	for _, key := range keys {
		set[key] = true
	}
	return set
}

// saidOfBefore joins what only says which of the thing before it is meant, after its quantity: led bulb 2, philips.
func (x *Index) saidOfBefore(items []*item) []*item {
	var kept []*item
	for i, it := range items {
		if i > 0 {
			before := items[i-1]
			both := slices.Concat(before.words, it.words)
			if it.state == ordered && before.state == ordered && it.known && !it.said && (!it.verb || it.kind) &&
				before.said && it.clause == before.clause &&
				(known.Get().headOf(it.words) == "" || it.kind) &&
				(known.Get().headOf(before.words) != "" || x.bare(it.words) || x.sells(before.words) &&
					(it.kind || !slices.ContainsFunc(it.words, func(w string) bool { return !x.brands[w] }))) &&
				len(it.others) == 0 && x.sells(both) {
				before.words, before.to = both, it.to
				continue
			}
			if !before.said && it.said && !it.joined && it.known && it.clause == before.clause &&
				before.state == ordered &&
				it.state == ordered && len(it.others) == 0 && x.specifies(before.words, it.words) {
				before.words, before.to = both, it.to // foundation mera shade ivory hai 1
				before.give(it.quantity)
				continue
			}
			if x.onlyNarrows(before, it) { // genda 2 kg narangi
				before.words, before.to = both, it.to
				continue
			}
			if x.isOtherBrand(before, it) {
				before.lacks = true
				continue
			}
			if x.saysWhichIsAsked(before, it) {
				before.words, before.to = both, it.to
				continue
			}
		}
		if i+1 < len(items) && saidByKinds(it, items[i+1:]) { // chudi set, lal 12, hari 12
			continue
		}
		kept = append(kept, it)
	}
	return kept
}

// saidByKinds reports whether a thing without a quantity only begins what is said of its kinds, each of which is
// counted.
func saidByKinds(it *item, rest []*item) bool {
	if it.said || it.verb && it.kind || it.state != ordered || len(it.others) > 0 {
		return false
	}
	kinds := 0
	for _, other := range rest {
		if other.clause != it.clause || !other.said || other.state != ordered || !subset(it.words, other.words) ||
			len(other.words) <= len(it.words) {
			break
		}
		kinds++
	}
	return kinds > 1
}

// saysWhichIsAsked reports whether an item only says which of the thing is meant that is asked about before it: doodh
// kitne ka hai, amul wala.
func (x *Index) saysWhichIsAsked(before, it *item) bool {
	asked := before.state == priceAsked || before.state == stockAsked
	return asked && (it.state == ordered || it.state == before.state) && it.known && !it.said && !it.verb &&
		!it.joined && it.clause == before.clause && (known.Get().headOf(it.words) == "" || it.kind) &&
		len(it.others) == 0 && !all(it.words, setOfKeys(before.words)) && x.sells(slices.Concat(before.words, it.words))
}

// pronouns stand for what was spoken of.
var pronouns = &wordSet{of: "them these those it same of this that wahi vahi wo woh ye yeh unme " +
	"inme isme inka iska uska uske iske inke in " +
	"un us is one ones उसका इसका वही यही ये वो"}

// sizeWords make a size of the number beside them.
var sizeWords = &wordSet{of: "size sizes sz siz saiz sije number nambar nambr nmbr num no inch " +
	"shade class std standard grade kaksha waist " +
	"kamar साइज़ साइज साईज नंबर नम्बर नं कक्षा क्लास"}

// isOffer reports whether a number is a price that the customer offers: 1200 me de do.
func isOffer(tokens []token, at int) bool {
	return isNumber(tokens[at]) && at+1 < len(tokens) && within.Has(tokens[at+1].text)
}

var within = &wordSet{of: "me mein main mai में"}

// loneQuantity returns how much a message says of what was spoken of, where it says nothing else: send 2 of them.
func (x *Index) loneQuantity(tokens []token) *Quantity {
	var found *Quantity
	if speaks(tokens) {
		return nil
	}
	for at := 0; at < len(tokens); {
		t := tokens[at]
		if pronouns.Has(t.text) || t.text == "a" || t.text == "the" && at+1 < len(tokens) {
			at++
			continue
		}
		if isOffer(tokens, at) {
			return nil
		}
		if givesAfterStem(tokens, at) { // karwa do
			at++
			continue
		}
		if q, took := x.readQuantity(tokens, at); took > 0 && q.said() && found == nil {
			found = &q
			at += took
			continue
		}
		if q, took := x.readQuantity(tokens, at); took > 0 && q.Pack != "" && !q.said() { // make the pouches 6
			at += took
			continue
		}
		m, took := known.Get().markers.find(tokens[at:])
		switch {
		case t.text == "?", sizeWords.Has(t.text),
			took > 0 && (m.marker == place || m.marker == afterNumber || m.marker == askPrice || m.marker == askStock ||
				m.marker == negation):
			return nil
		case t.kind == mark, took > 0, known.Get().fillers[t.text] && !pastWords.Has(t.text) && !asking.Has(t.text),
			moreWords.Has(t.text), courtesy.Get()[t.text]:
			at += max(took, 1)
		default:
			return nil
		}
	}
	return found
}

// onlyNarrows reports whether an item without a quantity of its own stands right behind a counted thing, and each
// product that it names is one of those that the thing names.
func (x *Index) onlyNarrows(before, it *item) bool {
	if it.said || it.joined || it.verb || !before.said || it.state != ordered || before.state != ordered ||
		it.clause != before.clause || len(it.others) > 0 {
		return false
	}
	named, of := x.named(it.words), x.named(before.words)
	return len(named) > 0 && len(named) < len(of) &&
		!slices.ContainsFunc(named, func(p *product) bool { return !slices.Contains(of, p) })
}

// isOtherBrand reports whether an item only names a brand in which the thing before it is not sold: angle valve 2
// parryware ka.
func (x *Index) isOtherBrand(before, it *item) bool {
	return it.kind && !it.said && !it.joined && it.state == ordered && before.state == ordered && before.said &&
		it.clause == before.clause && len(it.others) == 0 && x.sells(before.words) &&
		known.Get().headOf(it.words) == "" &&
		!slices.ContainsFunc(it.words, func(w string) bool { return !x.brands[w] }) &&
		!x.sells(slices.Concat(before.words, it.words))
}
