package nlu

import "slices"

// outside reports whether a number is none of goods: a house, a phone, a time, the number of a list's line.
func (x *Index) outside(tokens []token, at int, before []element) bool {
	t := tokens[at]
	_, isNumeral := numerals.Get()[t.text]
	if t.kind != number && !isNumeral {
		return false
	}
	if t.kind == number && (len(digitsOf(t.text)) > longestCount && !hasUnit(tokens, at+1) && !x.sizes[t.text] ||
		numbersLine(tokens, at)) {
		return true
	}
	return x.ofPlace(tokens, at, before)
}

// numbersLine reports whether a number counts the lines of a list: 1) and 1. and (1).
func numbersLine(tokens []token, at int) bool {
	if at+1 >= len(tokens) {
		return false
	}
	begins := func(at int) bool { return at == 0 || tokens[at-1].text == "\n" }
	switch next := tokens[at+1]; next.text {
	case ")":
		return begins(at) || len(tokens[at].text) < 3 && tokens[at-1].text == "(" && begins(at-1)
	case ".":
		decimals := at+2 < len(tokens) && tokens[at+2].kind == number && tokens[at+2].glued
		return begins(at) && !decimals
	}
	return false
}

// ofPlace reports whether a number belongs to an address, a time or a phone.
func (x *Index) ofPlace(tokens []token, at int, before []element) bool {
	if at+1 < len(tokens) && unitOf(tokens[at+1]).kind != 0 && unitOf(tokens[at+1]).kind != timesUnit {
		return false
	}
	if len(before) == 0 {
		return false
	}
	previous := tokens[at-1]
	if sizeWords.Has(previous.text) && at > 1 && isNumber(tokens[at-2]) { // 4 number 2
		return false
	}
	switch last := before[len(before)-1]; {
	case isPlace(last):
		return true
	case len(before) > 1 && isPlace(before[len(before)-2]) && joinsPlace(previous):
		return true
	case timeWords.Has(previous.text): // by 6
		return at+1 >= len(tokens) || tokens[at+1].kind == mark
	}
	return at > 1 && tokens[at].glued && previous.text == "-" && previous.glued && isBlock(tokens[at-2]) // C-12
}

func isPlace(e element) bool { return e.kind == markerElement && e.marker == place }

// joinsPlace reports whether a token may stand between a word for a place and its number: flat no 4, gali - 4, block B
// 4.
func joinsPlace(t token) bool {
	if t.kind == mark {
		return t.text != "," && t.text != "\n"
	}
	return t.text == "no" || t.kind == word && len(t.text) == 1
}

// isBlock reports whether a word may be that of a block of houses.
func isBlock(t token) bool {
	return t.kind == word && len(t.text) <= 2 && !t.glued && unitOf(t).kind == 0
}

// timeWords stand before a time of the day.
var timeWords = &wordSet{of: "by at before around after"}

func digitsOf(text string) string {
	return string(slices.DeleteFunc([]byte(text), func(b byte) bool { return b < '0' || b > '9' }))
}

// afterNumberAt returns how many tokens say that the number before them is a time, a floor, a number of people or a
// note.
func (x *Index) afterNumberAt(tokens []token, at int) int {
	if at >= len(tokens) {
		return 0
	}
	e, took := known.Get().markers.find(tokens[at:])
	// vicks sounds like weeks
	if took == 1 && x.modifiers[tokens[at].key] { // a tent for 2 persons
		return 0
	}
	if took > 0 && e.marker == afterNumber && !x.written[tokens[at].text] &&
		(took > 1 || e.text == tokens[at].text || !x.vocab[tokens[at].key]) {
		return took
	}
	if joins.Has(tokens[at].text) && at+1 < len(tokens) {
		if e, took := known.Get().markers.find(tokens[at+1:]); took > 0 && e.marker == afterNumber && e.text != "din" {
			return took + 1
		}
	}
	return 0
}

// namesStreet reports whether a word behind a number names a street, and is no good that is written wrong: 22 Kumhar
// Gali.
func namesStreet(tokens []token, i int) bool {
	return i > 0 && tokens[i-1].kind == number && streets.Has(at(tokens, i+1))
}

// streets are words that end the name of a street or a quarter.
var streets = &wordSet{of: "gali galli road rd street nagar colony marg chowk mohalla vihar puram ganj lane bazar " +
	"bazaar गली रोड नगर कॉलोनी मार्ग चौक मोहल्ला विहार"}
