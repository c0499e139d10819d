package nlu

import "slices"

// outside reports whether a number is none of goods: a house, a phone, a time, the number of a list's line.
func (x *Index) outside(tokens []token, at int, before []element) bool {
	t := tokens[at]
	_, isNumeral := numerals()[t.text]
	if t.kind != number && !isNumeral {
		return false
	}
	if t.kind == number && len(t.text) > longestCount && len(digitsOf(t.text)) > longestCount {
		return true
	}
	lineBegins := at == 0 || tokens[at-1].text == "\n"
	if t.kind == number && lineBegins && at+1 < len(tokens) && (tokens[at+1].text == ")" || tokens[at+1].text == "." && !(at+2 < len(tokens) && tokens[at+2].kind == number && tokens[at+2].glued)) {
		return true // 1) and 1. number the lines
	}
	if t.kind == number && len(t.text) < 3 && at > 0 && tokens[at-1].text == "(" && at+1 < len(tokens) && tokens[at+1].text == ")" {
		return lineBegins || at > 1 && tokens[at-2].text == "\n" || at == 1
	}
	return x.ofPlace(tokens, at, before)
}

// ofPlace reports whether a number belongs to an address, a time or a phone.
func (x *Index) ofPlace(tokens []token, at int, before []element) bool {
	if at+1 < len(tokens) && unitOf(tokens[at+1]).kind != 0 && unitOf(tokens[at+1]).kind != timesUnit {
		return false
	}
	if len(before) > 0 {
		last := before[len(before)-1]
		if last.kind == markerElement && last.marker == place {
			return true
		}
		if n := len(before); n > 1 && (tokens[at-1].kind == mark && tokens[at-1].text != "," && tokens[at-1].text != "\n" || tokens[at-1].text == "no" || len(tokens[at-1].text) == 1 && tokens[at-1].kind == word) && before[n-2].kind == markerElement && before[n-2].marker == place {
			return true
		}
		if at > 0 && (tokens[at-1].text == "by" || tokens[at-1].text == "at" || tokens[at-1].text == "before" || tokens[at-1].text == "around" || tokens[at-1].text == "after") {
			return at+1 >= len(tokens) || tokens[at+1].kind == mark
		}
		if at > 1 && tokens[at-1].text == "-" && tokens[at-1].glued && tokens[at-2].kind == word && len(tokens[at-2].text) <= 2 && !tokens[at-2].glued && tokens[at].glued && unitOf(tokens[at-2]).kind == 0 {
			return true // C-12
		}
	}
	return false
}

func digitsOf(text string) string {
	return string(slices.DeleteFunc([]byte(text), func(b byte) bool { return b < '0' || b > '9' }))
}

// afterNumberAt returns how many tokens say that the number before them is a time, a floor, a number of people or a note.
func (x *Index) afterNumberAt(tokens []token, at int) int {
	if at >= len(tokens) {
		return 0
	}
	e, took := known().markers.find(tokens[at:])
	if took > 0 && e.marker == afterNumber && (took > 1 || e.text == tokens[at].text || !x.vocab[tokens[at].key]) { // vicks sounds like weeks
		return took
	}
	if joins[tokens[at].text] && at+1 < len(tokens) {
		if e, took := known().markers.find(tokens[at+1:]); took > 0 && e.marker == afterNumber && e.text != "din" {
			return took + 1
		}
	}
	return 0
}
