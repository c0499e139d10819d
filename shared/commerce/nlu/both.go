package nlu

import "slices"

// allOfThem are words for all of so many: dono, teeno.
var (
	bothWords  = &wordSet{of: "dono donon donno dono-ke both दोनों दोनो"}
	threeWords = &wordSet{of: "teeno teenon tino tinon तीनों तीनो"}
)

// kindNouns stand for the kinds of a thing: dono size, dono flavour.
var kindNouns = &wordSet{of: `size sizes saiz saij sz colour color kolor colours colors rang flavour flavor flavours type types kism
	shade packet packets pkt variety brand company साइज साइज़ रंग पैकेट फ्लेवर`}

// wholeKindsOf returns how many kinds of a thing are all that is wanted of it, by a word right behind it or before it:
// surf excel ke dono size ek ek, both sizes of surf excel. 0 where no word says so. Behind a thing that is joined to
// another, the word is of the two.
func wholeKindsOf(tokens []token, it *item) int {
	if it.joined || len(it.parts) == 0 {
		return 0
	}
	last := it.parts[len(it.parts)-1].to
	for _, t := range tokens[it.parts[0].from:last] { // activa ke dono sheeshe
		if n := allOf(t.text); n > 0 {
			return n
		}
	}
	for last < len(tokens) && (joins.Has(tokens[last].text) || kindNouns.Has(tokens[last].text) ||
		sizeKeys.Get()[tokens[last].key]) {
		last++
	}
	if n := allOf(at(tokens, last)); n > 0 {
		return n
	}
	first := it.parts[0].from - 1
	for first >= 0 && (joins.Has(tokens[first].text) || kindNouns.Has(tokens[first].text)) {
		first--
	}
	if first < 0 {
		return 0
	}
	return allOf(tokens[first].text)
}

func allOf(text string) int {
	switch {
	case bothWords.Has(text):
		return 2
	case threeWords.Has(text):
		return 3
	}
	return 0
}

// addKinds orders each of the products that an item may mean, where it says that it means all of them, and reports
// whether it does.
func (reading *Reading) addKinds(found []chosen, it *item, said string, tokens []token) bool {
	if len(found) < 2 || len(found) != wholeKindsOf(tokens, it) ||
		slices.ContainsFunc(found, func(c chosen) bool { return c.fit != settled }) {
		return false
	}
	for _, c := range found {
		c.line.Text, c.line.More, c.line.Unsaid = said, addsTo(tokens, it), !it.said
		reading.addLine(c.line)
	}
	return true
}
