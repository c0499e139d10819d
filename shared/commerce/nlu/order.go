package nlu

import "slices"

// order adds what an item orders.
func (x *Index) order(reading *Reading, it *item, text string, tokens []token) {
	said := textOf(text, tokens, it.from, it.to)
	if (!it.said || it.quantity.Unclear) && len(reading.Lines)+len(reading.Asks) > 0 &&
		prepares(tokens[it.from:it.to]) {
		reading.Remarks = append(reading.Remarks, Remark{Wish, said})
		return
	}
	found := x.chosenFor(it, tokens)
	if !it.known && x.isDone(tokens, it) { // you missed two things
		return
	}
	if len(found) == 0 && !it.said && len(it.words) == 1 && vehicles.Has(at(tokens, it.from)) { // gaadi bhej dena
		return
	}
	if !it.said && (toldOf(tokens, it) || it.aside) || englishWas.Has(at(tokens, it.to)) { // 10 roses were ordered
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
	if len(found) == 0 && !it.said && !it.lacks &&
		((!it.verb || it.guessed && !asksFor(tokens, it)) && (it.guessed || it.only) ||
			len(it.words) == 1 && general.Has(it.words[0]) ||
			!slices.ContainsFunc(it.words, notPlain)) {
		return
	}
	if !reading.addKinds(found, it, said, tokens) {
		reading.addChosen(found, it, text, tokens)
	}
}

// chosenFor returns what may be meant by an item, and by what may be meant instead of it.
func (x *Index) chosenFor(it *item, tokens []token) []chosen {
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
	return found
}

// addChosen adds the line that an item orders, or what is to be asked about it.
func (reading *Reading) addChosen(found []chosen, it *item, text string, tokens []token) {
	said := textOf(text, tokens, it.from, it.to)
	ask := Ask{
		Text: it.word(text, tokens), Quantity: it.quantity, Which: it.which, More: it.said && addsTo(tokens, it)}
	switch {
	case len(found) == 0:
		ask.Missing = MissingProduct
	case len(found) > 1:
		for _, c := range found {
			ask.Options = append(ask.Options, c.product.ID)
		}
	case (!it.said || it.quantity.OnlyDescribes()) && !it.lacks && asksForTwo(tokens, it) &&
		(found[0].product.isCounted() || !found[0].product.isLoose):
		line, _ := found[0].product.take(Quantity{Count: two})
		line.Text = said
		reading.addLine(line)
		return
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

// isCounted reports whether a product is sold by the piece, and neither packed nor by a measure.
func (p *product) isCounted() bool { return p.isLoose && !measuredBases.Has(p.base) }

// asksForTwo reports whether a wala or a size and a do end what is said of a thing without a quantity: of what is
// counted they are two. Spiderman wali do, spiderman wali ghadi do.
func asksForTwo(tokens []token, it *item) bool {
	last := len(tokens) - 1
	if last < 1 || tokens[last].text != "do" && tokens[last].text != "दो" || last-it.to > 1 || last < it.to {
		return false
	}
	return isAttribute(tokens[last-1]) || it.to == last && (tokens[last-1].kind == number ||
		slices.ContainsFunc(tokens[it.from:it.to], isAttribute))
}

// vehicles are what goods are sent in.
var vehicles = &wordSet{of: "gaadi gadi tempo truck auto rickshaw riksha thela vehicle " +
	"गाड़ी टेंपो टेम्पो ट्रक ऑटो रिक्शा"}

// englishWas are verbs that follow the subject of a statement: 10 roses were ordered.
var englishWas = &wordSet{of: "was were"}

func notPlain(w string) bool { return !plainKinds.Has(w) }

// general are words for goods of all kinds. Without a quantity they order nothing.
var general = &wordSet{of: "medicine sweet grocery"}

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
