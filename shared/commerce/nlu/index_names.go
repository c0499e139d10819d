package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// addName learns the words of a name, and the pieces of it that would be read as something else.
func (x *Index) addName(tokens []token, p *product, seen map[string]bool) {
	tokens = slices.DeleteFunc(slices.Clone(tokens), func(t token) bool {
		return t.kind == mark && t.text != "&" || known.Get().isLoose(t) || possessives.Has(t.text)
	})
	for i, t := range tokens {
		if t.kind == word && len(t.key) > 1 {
			x.vocab[t.key], x.written[t.text] = true, true
			if !t.devanagari && len(t.text) >= leastLong && !slices.Contains(x.longWords[t.text[0]], t.text) {
				x.longWords[t.text[0]] = append(x.longWords[t.text[0]], t.text)
			}
			if u := unitOf(t); u.kind == packUnit && !slices.Contains(x.packWords[u.name], t.text) {
				x.packWords[u.name] = append(x.packWords[u.name], t.text)
			}
			x.addThin(t)
		}
		if i+1 < len(tokens) && !endsBeforeUnit(tokens, i+2) {
			x.addPair(tokens[i:i+2], p, seen)
		}
	}
	for n := 3; n <= min(6, len(tokens)); n++ {
		for i := range len(tokens) - n + 1 {
			if n > 4 && !(isNumber(tokens[i]) && tokens[i+1].text == "x") {
				continue
			}
			// 10 w of 10w-40
			if i+n < len(tokens) && tokens[i+n].glued && tokens[i+n].kind == number && tokens[i+n-1].kind == word {
				continue
			}
			if piece := tokens[i : i+n]; slices.ContainsFunc(piece, isSpecial) && !endsBeforeUnit(tokens, i+n) &&
				!cutsArea(tokens, i+n-1) && !cutsArea(tokens, i+n) {
				x.addPiece(piece, p, seen)
			}
		}
	}
	for i, t := range tokens {
		if i > 0 && tokens[i-1].kind == number && t.kind == word && len(t.text) > 3 && unitOf(t).kind == 0 {
			x.behindNumbers[t.text] = true
		}
		if sizeLetters.Has(t.text) && (i == 0 || tokens[i-1].kind != number) {
			x.sizeLetters[t.text] = true
		}
		if size := tokenise(t.text + " size"); sizeLetters.Has(t.text) && len(size) == 2 {
			x.names.add(entry{keys: []string{t.key, size[1].key}, goods: []string{t.key}})
		}
	}
	if len(tokens) == 1 && isSpecial(tokens[0]) && !isCommon(tokens[0]) {
		x.addPiece(tokens, p, seen)
	}
}

// cutsArea reports whether a token is the x within a size such as 8x10, before or behind which no piece of a name ends.
func cutsArea(tokens []token, at int) bool {
	return at > 0 && at+1 < len(tokens) && tokens[at].text == "x" && isNumber(tokens[at-1]) && isNumber(tokens[at+1])
}

// possessives join the words of names in Hindi.
var possessives = &wordSet{of: "का की के हुआ हुई हुए"}

// addPair learns two words of a name that follow each other: as they are where one of them would be read as something
// else, and written as one word.
func (x *Index) addPair(pair []token, p *product, seen map[string]bool) {
	if isSpecial(pair[0]) || isSpecial(pair[1]) {
		x.addPiece(pair, p, seen)
	}
	joined := pair[0].text + pair[1].text
	words := pair[0].kind == word && pair[1].kind == word
	letter := words && (len(pair[1].text) == 1 && len(pair[0].text) > 3 || // parleg
		len(pair[0].text) == 1 && len(pair[1].text) > 3) // g-shock
	code := pair[0].kind == word && pair[1].kind == number && len(pair[0].text) <= 3 // WD-40
	if (letter || code) &&
		language.Fold(joined) != pair[0].key && // bansuri and an e sound like bansuri
		language.Fold(joined) != pair[1].key && !seen["1 "+joined] {
		seen["1 "+joined] = true
		x.names.add(entry{keys: []string{language.Fold(joined)}, goods: known.Get().meaning(pair)})
		x.vocab[language.Fold(joined)] = true
	}
	if pair[0].kind == word && len(pair[0].text) <= 3 && pair[1].kind == word && codeLike(pair[1].text) && // HC-SR04
		!seen["1 "+joined] {
		seen["1 "+joined] = true
		var keys []string
		for _, t := range tokenise(joined) {
			keys = append(keys, t.key)
		}
		x.names.add(entry{keys: keys, goods: known.Get().meaning(pair)})
	}
	ofBrand := strings.HasPrefix(strings.ToLower(p.Brand)+" ", pair[0].text+" "+pair[1].text+" ") // cpplus
	if key := language.Fold(joined); len(key) > 3 && len(joined) > 5 &&
		(len(pair[0].text) > 2 || ofBrand) && len(pair[1].text) > 2 && pair[0].kind == word && pair[1].kind == word &&
		!seen["1 "+key] {
		if known.Get().keys[key] { // marie gold is no marigold, where there are no flowers
			x.joinedNames[key] = known.Get().meaning(pair)
			return
		}
		if meaning := known.Get().meaning(pair); all(meaning, p.words) && len(meaning) > 0 {
			seen["1 "+key] = true
			x.vocab[key] = true
			x.names.add(entry{keys: []string{key}, goods: meaning})
		}
	}
}

func (x *Index) addPiece(piece []token, p *product, seen map[string]bool) {
	var keys []string
	for _, t := range piece {
		keys = append(keys, t.key)
	}
	id := strings.Join(keys, " ")
	meaning := known.Get().meaning(piece)
	if seen[id] || len(meaning) == 0 || !all(meaning, p.words) || allCommon(piece) {
		return
	}
	seen[id] = true
	x.names.add(entry{keys: keys, goods: meaning})
	for i, t := range piece { // an & is written in many ways
		if t.text == "&" || t.text == "and" {
			for _, way := range []string{"&", "and", "n", "end", "aur"} {
				other := slices.Clone(keys)
				other[i] = language.Fold(way)
				x.names.add(entry{keys: other, goods: meaning})
			}
			x.names.add(entry{keys: slices.Delete(slices.Clone(keys), i, i+1), goods: meaning})
		}
	}
}

// isSpecial reports whether a word of a name means something else in a message: a number, a unit, a filler, a marker.
func isSpecial(t token) bool {
	l := known.Get()
	if t.kind != word || l.fillers[t.text] || unitOf(t).kind != 0 {
		return true
	}
	if _, ok := numerals.Get()[t.text]; ok {
		return true
	}
	_, took := l.markers.find([]token{t})
	return took > 0 || len(t.key) < 2
}

// isCommon reports whether a word is so common that it names a good only beside others.
func isCommon(t token) bool {
	_, isNumeral := numerals.Get()[t.text]
	return t.kind != word || len(t.text) < 3 || isNumeral || known.Get().fillers[t.text] || unitOf(t).kind != 0
}

func allCommon(piece []token) bool {
	return len(piece) < 2 && isCommon(piece[0])
}

// codeLike reports whether a word is letters and digits: SR04.
func codeLike(text string) bool { return isModel(text) && !isNumeric(text) }
