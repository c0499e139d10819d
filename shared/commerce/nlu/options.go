package nlu

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/language"
)

// ordinals are the words for the place of an option in a list; the last for the last.
var ordinals = []*wordSet{
	&wordSet{of: "first 1st pehla pahla pehli pahli pehle pehlewala पहला पहली पहले upar uparwala"},
	&wordSet{of: "second 2nd doosra dusra doosri dusri dusre doosre दूसरा दूसरी दूसरे"},
	&wordSet{of: "third 3rd teesra tisra teesri tisri तीसरा तीसरी"},
	&wordSet{of: "fourth 4th chautha chauthi चौथा चौथी"},
	&wordSet{of: "fifth 5th paanchva panchva पाँचवा पांचवा"},
}

var (
	lastOne  = &wordSet{of: "last aakhri akhri neeche niche आखिरी नीचे"}
	everyOne = &wordSet{of: "both dono donon all sab sabhi teeno teenon dono-hi दोनों सब सभी तीनों each"}
	cheapest = &wordSet{of: "cheapest cheaper sasta sasti saste सस्ता सस्ती lowest"}
	dearest  = &wordSet{of: "costliest costly mehnga mehngi mahanga महंगा महँगा"}
	biggest  = &wordSet{of: "biggest largest big large bada badi bade sabse बड़ा बड़ी बड़े सबसे"}
	littlest = &wordSet{of: "smallest small chhota chhoti chota choti chhote छोटा छोटी छोटे"}
	anyOne   = &wordSet{of: "any anything koi koibhi कोई"}
)

// Options returns which of the options of a question a text means, and how much of it the text says; nil for nothing.
// asked is the customer's word for what was asked about. No option at all means that the text says something else;
// several that it is not clear yet.
func (x *Index) Options(asked string, options []string, text string) (chosen []string, quantity *Quantity) {
	tokens := tokenise(normalise(text))
	if len(tokens) == 0 || len(tokens) > maxReply || len(options) == 0 {
		return nil, nil
	}
	if at, ok := x.placeOf(tokens, options); ok {
		if len(at) < 2 || !slices.ContainsFunc(tokens, isNumber) {
			return at, nil
		}
		return at, x.Read(text).Quantity // dono aadha kilo
	}
	if chosen = x.byName(tokens, options, false); len(chosen) == 1 {
		return chosen, x.countIn(tokens, chosen[0])
	}
	reading := x.Read(asked + " " + text)
	var read []string
	outside := false
	for _, line := range reading.Lines {
		if slices.Contains(options, line.ProductID) {
			read = append(read, line.ProductID)
		} else {
			outside = true
		}
	}
	for _, ask := range reading.Asks {
		for _, id := range append(slices.Clone(ask.Options), ask.ProductID) {
			if slices.Contains(options, id) {
				read = append(read, id)
			}
		}
		if ask.Missing == MissingProduct {
			outside = true
		}
	}
	if read = unique(read); !outside && len(read) > 0 && len(read) < len(options) {
		return read, x.countIn(tokens, read[0])
	}
	if byNumber := x.byName(tokens, options, true); len(byNumber) > 0 && len(byNumber) < len(options) && !outside {
		return byNumber, nil
	}
	return chosen, nil
}

// Counted returns which of the options of a question a text means with a quantity each: ek boondi, ek mix veg. It
// reports false for a text that does not say that of at least two of them.
func (x *Index) Counted(asked string, options []string, text string) (chosen []string, quantities []Quantity, is bool) {
	text = normalise(text)
	tokens := tokenise(text)
	if len(tokens) > maxReply {
		return nil, nil, false
	}
	from := -1
	for i := 0; i <= len(tokens); i++ {
		if i < len(tokens) && !isNumber(tokens[i]) {
			continue
		}
		if from >= 0 {
			one, quantity := x.Options(asked, options, textOf(text, tokens, from, i))
			if len(one) != 1 || quantity == nil || slices.Contains(chosen, one[0]) {
				return nil, nil, false
			}
			chosen, quantities = append(chosen, one[0]), append(quantities, *quantity)
		} else if i > 0 && i < len(tokens) {
			return nil, nil, false
		}
		from = i
	}
	return chosen, quantities, len(chosen) > 1
}

// placeOf returns the options that a text means by their place, their price, or as all of them.
func (x *Index) placeOf(tokens []token, options []string) ([]string, bool) {
	others, counted := 0, 0
	var found []string
	for _, t := range tokens {
		at := slices.IndexFunc(ordinals, func(set *wordSet) bool { return set.Has(t.text) })
		switch {
		case at >= 0 && at < len(options):
			found = options[at : at+1]
		case everyOne.Has(t.text):
			found = options
		case lastOne.Has(t.text):
			found = options[len(options)-1:]
		case anyOne.Has(t.text):
			found = options[:1]
		case cheapest.Has(t.text) || dearest.Has(t.text):
			found = x.byPrice(options, cheapest.Has(t.text))
		case (biggest.Has(t.text) || littlest.Has(t.text)) && x.bySize(options, biggest.Has(t.text)) != "":
			found = []string{x.bySize(options, biggest.Has(t.text))}
		case t.kind == mark || known.Get().fillers[t.text] || joins.Has(t.text) || courtesy.Get()[t.text] ||
			oneWords.Has(t.text):
		case isNumber(t) || unitOf(t).kind != 0:
			counted++
		default:
			others++
		}
	}
	return found, others == 0 && len(found) > 0 && (counted == 0 || len(found) > 1)
}

// oneWords stand for an option.
var oneWords = &wordSet{of: "the that one ones option number no wala wali wale bhi hi"}

// byPrice returns the cheapest or the dearest option.
func (x *Index) byPrice(options []string, lowest bool) []string {
	best := ""
	for _, id := range options {
		p := x.byID[id]
		if p == nil {
			continue
		}
		if b := x.byID[best]; b == nil || lowest && p.Price.LessThan(b.Price) ||
			!lowest && p.Price.GreaterThan(b.Price) {
			best = id
		}
	}
	return []string{best}
}

// bySize returns the option of the largest or the smallest size, by its pack or by the number in its name; "" where
// that does not tell one.
func (x *Index) bySize(options []string, largest bool) string {
	best, most, several := "", decimal.Zero, false
	for _, id := range options {
		p := x.byID[id]
		if p == nil {
			return ""
		}
		if p.isOfSize(largest) {
			return id
		}
		value := p.pack.value
		if p.isLoose && len(p.dimensions) > 0 {
			value = p.dimensions[len(p.dimensions)-1].value
		}
		switch {
		case value.IsZero():
			return ""
		case best == "" || largest == value.GreaterThan(most) && !value.Equal(most):
			best, most, several = id, value, false
		case value.Equal(most):
			several = true
		}
	}
	if several {
		return ""
	}
	return best
}

// byName returns the options whose names have most of the words of a text that tell them apart; none where no word
// does, and where a word is of no option.
func (x *Index) byName(tokens []token, options []string, numbers bool) []string {
	scores := make([]int, len(options))
	for i, t := range tokens {
		if t.kind == mark || (t.kind == number) != numbers || !numbers && (joins.Has(t.text) || len(t.key) < 2) {
			continue
		}
		hits := make([]bool, len(options))
		some, every := false, true
		for o, id := range options {
			hits[o] = x.byID[id] != nil && x.byID[id].hasWord(tokens, i)
			some, every = some || hits[o], every && hits[o]
		}
		if every {
			continue
		}
		if !some && !numbers && !known.Get().fillers[t.text] && !courtesy.Get()[t.text] && unitOf(t).kind == 0 &&
			!oneWords.Has(t.text) {
			if _, took := known.Get().markers.find(tokens[i:]); took == 0 {
				return nil
			}
		}
		for o := range options {
			if hits[o] {
				scores[o]++
			}
		}
	}
	most := slices.Max(scores)
	if most == 0 {
		return nil
	}
	var best []string
	for o, id := range options {
		if scores[o] == most {
			best = append(best, id)
		}
	}
	return best
}

// hasWord reports whether a token is a word of a product's names, its size or its price.
func (p *product) hasWord(tokens []token, at int) bool {
	t := tokens[at]
	if t.kind == number {
		if value, ok := digits(t.text); ok && (value.Equal(p.Price) || value.Equal(p.pack.value)) {
			return true
		}
	}
	for _, name := range append([]string{p.Name, p.LocalName, p.Brand, p.PackSize}, p.Keywords...) {
		for _, w := range tokenise(normalise(name)) {
			if w.text == t.text ||
				w.kind == word && t.kind == word && len(t.key) > 2 &&
					(w.key == t.key || language.Stem(w.key) == language.Stem(t.key)) ||
				t.kind == number && w.kind == word &&
					strings.TrimRight(w.text, "abcdefghijklmnopqrstuvwxyz") == t.text {
				return true
			}
		}
	}
	if e, took := known.Get().goods.find(tokens[at:]); took == 1 {
		return all(e.goods, p.words)
	}
	return t.kind == word && p.words[t.key]
}

// countIn returns how many of a product an answer says, where it says a bare number or a count of packs; nil where it
// does not.
func (x *Index) countIn(tokens []token, product string) *Quantity {
	p := x.byID[product]
	for i, t := range tokens {
		bare := i+1 >= len(tokens) || unitOf(tokens[i+1]).kind == 0
		given := i > 0 && known.Get().verbs[tokens[i-1].text] // bhej do
		if !isNumber(t) || p == nil || given || t.text == "one" && bare || p.hasWord(tokens, i) {
			continue
		}
		value, took := readNumber(tokens[i:])
		if took == 0 || !value.IsPositive() {
			continue
		}
		q, _ := x.counted(tokens, i+took, value)
		if q.OfPack || !q.Size.IsZero() && !p.isLoose {
			return nil
		}
		return &q
	}
	return nil
}

// Repeats returns whether a word repeats what a customer was shown: a word of the products' names, their units, or one
// of the quantities.
func (x *Index) Repeats(products []string, quantities []decimal.Decimal) func(word string) bool {
	return func(text string) bool {
		tokens := tokenise(normalise(text))
		if len(tokens) == 0 {
			return false
		}
		if value, took := readNumber(tokens); took > 0 {
			return slices.ContainsFunc(quantities, value.Equal)
		}
		for _, id := range products {
			if p := x.byID[id]; p != nil &&
				(p.hasWord(tokens, 0) ||
					unitOf(tokens[0]).kind != 0 && unitOf(tokens[0]).name == unitOf(token{text: p.Unit}).name) {
				return true
			}
		}
		return joins.Has(tokens[0].text)
	}
}

// Names reports whether a word is one of the names of a product, and no number.
func (x *Index) Names(product, text string) bool {
	tokens, p := tokenise(normalise(text)), x.byID[product]
	if p == nil || len(tokens) == 0 {
		return false
	}
	_, took := readNumber(tokens)
	return took == 0 && p.hasWord(tokens, 0)
}

// Sample returns up to limit products of the catalogue, as examples of what can be ordered: of different kinds.
func (x *Index) Sample(limit int) []Product {
	var all []Product
	seen := map[string]bool{}
	for _, p := range x.products {
		if len(all) < limit && !seen[p.Category] && !seen[p.group] {
			all = append(all, p.Product)
			seen[p.Category], seen[p.group] = p.Category != "", true
		}
	}
	return all
}
