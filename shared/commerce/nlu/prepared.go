package nlu

import "slices"

// Words about how a thing is to be made ready. They name no good: less spicy, namak kam, cleaned, kaat ke.
var (
	degrees = &wordSet{of: `less kam zyada jyada thoda thodi extra medium halka halki tez low mild very more
		कम ज्यादा ज़्यादा थोड़ा थोड़ी हल्का तेज`}

	prepared = &wordSet{of: `spicy spice spices teekha tikha teekhi tikhi mirch mirchi chilli chili namak salt salty oil oily
		tel masala masale ghee sweet meetha mitha cheeni sugar sour khatta gravy तीखा मिर्च नमक तेल मसाला घी मीठा चीनी`}

	cuts = &wordSet{of: `cleaned clean saaf saf kata kati kate kaat kat katwa katwake kaatke katke cut cutting chopped sliced
		pees pis peesna pisna peesa pisa pisi peeskar peeske pisva pisvana kutna pissa grind ground
		dressed chhila chhil chheel peeled washed dhoke dhokar hua hui hue karke kar ke pieces piece tukde
		कटा कटी कटे काट कटवा साफ छील छिला हुआ हुई करके के कर टुकड़े`}
)

// fineness says how small something is to be cut or ground.
var fineness = &wordSet{of: `bareek barik mahin mota mote moti patla patli patle fine finely thin thinly thick coarse chhote
	chote bade lambe बारीक मोटा मोटी मोटे पतला पतली छोटे`}

// cutUp are those of them that sound like khata, the credit book.
var cutUp = &wordSet{of: "kata kati kate katwa कटा कटी कटे"}

// withoutPreparations makes fillers of the elements that only say how spicy, salty or oily a thing is to be. A shop
// that sells what such a word names may be asked for it.
func (x *Index) withoutPreparations(tokens []token, elements []element) (said []extent) {
	for i := 0; i+1 < len(tokens); i++ {
		if x.isHowMade(tokens, i) {
			said = append(said, extent{i, x.endOfLacking(tokens, i)})
			continue
		}
		taste := i + 1
		if !degrees.Has(tokens[i].text) && tokens[i].text != "no" {
			if taste = i; !degrees.Has(tokens[i+1].text) {
				continue
			}
		}
		counted := i > 0 && isNumber(tokens[i-1])
		if !prepared.Has(tokens[taste].text) || x.sellsTaste(tokens[taste]) || counted && !(i > 1 && taste == i+1 &&
			endsPart(tokens, i-2)) {
			continue
		}
		begin, end := i, i+2
		if counted { // chai 4, 2 kam cheeni
			begin--
		}
		if end+1 < len(tokens) && tokens[end].text == "in" && x.namesGood(tokens[end+1:]) { // no sugar in shakes
			end += 2
		}
		said = append(said, extent{begin, end})
	}
	for at := range elements {
		e := elements[at]
		if slices.ContainsFunc(said, func(s extent) bool { return e.from < s.to && s.from < e.to }) {
			elements[at] = element{kind: fillerElement, from: e.from, to: e.to}
		}
	}
	return said
}

// isHowMade reports whether two words say how a thing is made, beside the goods of this shop: bina baraf, spicy banana.
func (x *Index) isHowMade(tokens []token, i int) bool {
	first, second := tokens[i], tokens[i+1]
	if i > 0 && isNumber(tokens[i-1]) && !withoutWords.Has(first.text) {
		return false
	}
	if withoutWords.Has(first.text) {
		return i > 0 && second.kind == word && !x.sells(known.Get().meaning([]token{second})) && !x.vocab[second.key]
	}
	return prepared.Has(first.text) && making.Has(second.text) && !x.written[first.text]
}

// making are verbs of making food ready.
var making = &wordSet{of: "banana banao banaiye banake bana rakhna rakhiye karna बनाना बनाओ बना रखना"}

// sellsTaste reports whether a word that may say how a thing is to taste is one for goods of the shop. Teekha sounds
// like tikka.
func (x *Index) sellsTaste(t token) bool {
	words := known.Get().meaning([]token{t})
	return x.sells(words) && (x.written[t.text] || known.Get().headOf(words) != "")
}

// prepares reports whether some words only say how a thing is to be cut or cleaned.
func prepares(tokens []token) bool {
	cut := false
	for _, t := range tokens {
		if t.kind == word && !cuts.Has(t.text) && !fineness.Has(t.text) && !degrees.Has(t.text) &&
			!known.Get().verbs[t.text] && !courtesy.Get()[t.text] {
			return false
		}
		cut = cut || cuts.Has(t.text) && !joins.Has(t.text)
	}
	return cut
}

// endOfLacking returns where what a thing is to lack ends, of which there may be several: bina pyaz lahsun ke, without
// onion and garlic.
func (x *Index) endOfLacking(tokens []token, i int) int {
	end := i + 2
	if !withoutWords.Has(tokens[i].text) {
		return end
	}
	lacks := func(at int) bool {
		return at < len(tokens) && tokens[at].kind == word && !isNumber(tokens[at]) && !x.vocab[tokens[at].key] &&
			known.Get().named[tokens[at].key] && !known.Get().fillers[tokens[at].text] &&
			(at+1 >= len(tokens) || !isNumber(tokens[at+1]))
	}
	for {
		switch {
		case lacks(end):
			end++
		case end < len(tokens) && andWords.Has(tokens[end].text) && lacks(end+1):
			end += 2
		default:
			return end
		}
	}
}
