package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// letterNames are the names of the letters as Hindi writes them, each before its letter.
const letterNames = `ए a बी b सी c डी d ई e एफ f एफ़ f जी g एच h आई i जे j के k एल l एम m एन n ओ o पी p क्यू q आर r एस s
	टी t यू u वी v डब्ल्यू w डब्लू w एक्स x वाई y वन 1 टू 2 थ्री 3 फोर 4 फाइव 5`

var letterOfName = lazy.Of[map[string]string]{Make: func() map[string]string {
	all := map[string]string{}
	for pair := range slices.Chunk(strings.Fields(letterNames), 2) {
		all[normalise(pair[0])] = pair[1]
	}
	return all
}}

// spelled joins letters that are said one by one to the word of a name, or the unit, that they spell: एच पी is HP, l e
// d an LED.
func (x *Index) spelled(tokens []token) []token {
	for at := 0; at < len(tokens); at++ {
		if text := decimalOf(tokens[at:]); text != "" { // one point two
			tokens[at] = token{kind: number, text: text, key: text, from: tokens[at].from, to: tokens[at+2].to}
			tokens = slices.Delete(tokens, at+1, at+3)
			continue
		}
		if t := tokens[at]; !t.devanagari && (len(t.text) > 1 || t.kind != word) {
			continue
		}
		for n := min(len(tokens)-at, mostSpelled); n > 0; n-- {
			text := spelling(tokens[at : at+n])
			if len(text) < 2 || !x.written[text] && (n < 2 || units.Get()[text].kind != measureUnit &&
				!labels.Has(text)) {
				continue
			}
			last := tokens[at+n-1]
			tokens[at] = finished(
				token{kind: word, text: text, from: tokens[at].from, to: last.to, glued: tokens[at].glued})
			tokens = slices.Delete(tokens, at+1, at+n)
			break
		}
	}
	return tokens
}

// mostSpelled is how many letters are joined at most.
const mostSpelled = 5

// spelling returns what some tokens spell; "" where one of them is no letter. One token may spell several: एचपी.
func spelling(tokens []token) string {
	text := ""
	for i, t := range tokens {
		switch {
		case t.kind == word && len(t.text) == 1 && len(tokens) > 1, t.kind == number && i > 0 && len(t.text) == 1:
			text += t.text
		case t.devanagari:
			letters := lettersOf(t.text)
			if letters == "" || len(tokens) == 1 && len(letters) < 2 {
				return ""
			}
			text += letters
		default:
			return ""
		}
	}
	return text
}

// lettersOf returns the letters whose names a word of Devanagari consists of; "" where it does not.
func lettersOf(text string) string {
	letters := ""
	for text != "" {
		longest := ""
		for name := range letterOfName.Get() {
			if len(name) > len(longest) && strings.HasPrefix(text, name) {
				longest = name
			}
		}
		if longest == "" {
			return ""
		}
		letters, text = letters+letterOfName.Get()[longest], text[len(longest):]
	}
	return letters
}

// decimalOf returns the number that some tokens begin with whose point is said: one point two is 1.2. "" for none.
func decimalOf(tokens []token) string {
	if len(tokens) < 3 || !points.Has(tokens[1].text) || !isNumber(tokens[0]) || !isNumber(tokens[2]) {
		return ""
	}
	whole, took := readNumber(tokens[:1])
	part, of := readNumber(tokens[2:3])
	if took == 0 || of == 0 || !whole.IsInteger() || !part.IsInteger() || part.IsNegative() {
		return ""
	}
	return whole.String() + "." + part.String()
}

var points = &wordSet{of: "point pwaint पॉइंट पॉइन्ट पोइंट प्वाइंट"}

// asTwelve takes the bara before a measure for the number that it sounds like, and not for large: bara inch wale.
func asTwelve(tokens []token) {
	for i, t := range tokens {
		if t.text == "bara" && i+1 < len(tokens) && unitOf(tokens[i+1]).kind == measureUnit {
			tokens[i].text, tokens[i].key = "barah", language.Fold("barah")
		}
	}
}
