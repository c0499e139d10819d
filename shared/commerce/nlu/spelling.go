package nlu

import (
	"cmp"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// correct replaces words that are not known by what they are likely meant to be.
func (x *Index) correct(tokens []token) {
	x.sizedPacks(tokens)
	x.packNames(tokens)
	x.namedPacks(tokens)
	for i := range tokens {
		t := &tokens[i]
		if i+1 < len(tokens) && x.joinedWord(t, &tokens[i+1]) {
			continue
		}
		x.correctCounted(tokens, i)
		if key := x.cutBehindNumber(tokens, i); key != "" {
			t.guess(key)
			continue
		}
		if x.correctUnit(tokens, i) || x.correctForm(tokens, i) {
			continue
		}
		if key := x.shortWord(tokens, i); key != "" {
			t.guess(key)
			continue
		}
		x.correctUnknown(tokens, i)
	}
}

// guess takes a word for another one, by its key.
func (t *token) guess(key string) { t.key, t.guessed, t.spelt = key, true, t.key }

// correctCounted makes of a word that may be a number, a pack or a place what the shop and the words beside it say.
func (x *Index) correctCounted(tokens []token, i int) {
	t, counted := &tokens[i], i > 0 && isNumber(tokens[i-1])
	if vessels.Has(t.text) && (x.vocab[t.key] || x.isPlural(t.key) || x.vocab[strings.TrimSuffix(t.key, "es")]) {
		t.text = portion
	}
	if counted && leafWords.Has(t.text) { // dolo ka 1 pata is no address
		t.text, t.key = "patta", language.Fold("patta")
	}
	if counted && numeralsOf(*t) && x.isCountedGood(*t) { // 2 tees
		t.key = language.Fold(cmp.Or(x.writtenOne(t.text), t.text))
		t.text = portion
	}
	if i+1 < len(tokens) && numeralsOf(*t) && len(t.text) > 3 && x.written[t.text] && !t.devanagari &&
		x.sells(slices.Concat([]string{t.key}, meaningOf(tokens[i+1].key))) { // couple ring
		t.text = portion
	}
	ofPairs := func(behind int) bool { return i+behind < len(tokens) && inPairs.Has(tokens[i+behind].text) }
	if t.text == "pair" && at(tokens, i+1) == "of" && (ofPairs(2) || ofPairs(3)) {
		t.text, t.key = "piece", language.Fold("piece")
	}
	if copyWords.Has(t.text) && counted && !x.sells(meaningOf(t.key)) { // 1 copy of a book
		t.text, t.key = "piece", language.Fold("piece")
	}
}

// shortWord returns the word of the catalogue for which a short or half-known word stands where it stands; "" for none.
func (x *Index) shortWord(tokens []token, i int) string {
	t, l := tokens[i], known.Get()
	if key := x.inPhrase(tokens, i); key != "" && len(t.text) == 2 && t.kind == word && !x.vocab[t.key] &&
		!l.keys[t.key] && unitOf(t).kind == 0 {
		return key
	}
	if key := x.onlyPart(t); key != "" {
		return key
	}
	if l.fillers[t.text] || numeralsOf(t) || t.kind != word {
		return ""
	}
	if len(t.key) < 3 { // ckn momo
		return x.thinBeside(tokens, i)
	}
	if l.fillerKeys[t.key] && !x.vocab[t.key] && !isKnownSpelt(t) { // cam sounds like kam
		return x.abbreviated(t.text, true)
	}
	return ""
}

// correctUnknown replaces a word that is not known.
func (x *Index) correctUnknown(tokens []token, i int) {
	t, l := &tokens[i], known.Get()
	if t.kind != word || l.keys[t.key] || x.vocab[t.key] || l.fillers[t.text] || unitOf(*t).kind != 0 {
		return
	}
	if key := x.otherVowel(t.text, t.key); key != "" && !t.devanagari {
		t.guess(key)
		return
	}
	if len(t.key) < 3 {
		if key := x.thickened(t.text); len(t.text) > 2 && key != "" { // dhi
			t.guess(key)
		}
		return
	}
	if numeralsOf(*t) || sizeWords.Has(t.text) || namesStreet(tokens, i) {
		return
	}
	counted := slices.ContainsFunc(tokens[max(0, i-1):min(len(tokens), i+4)], isNumber)
	key := cmp.Or(x.thickened(t.text), x.inPhrase(tokens, i), x.thickenedGood(t.text),
		x.nearest(t.key), x.miswritten(t.text),
		x.abbreviated(t.text, counted))
	if key == "" {
		key = cmp.Or(x.thinBeside(tokens, i), x.cutBeside(tokens, i), x.leftOfLong(t.text))
	}
	if key == "" {
		return
	}
	t.guess(key)
	if x.isPlural(key) {
		t.key = key[:len(key)-1]
	}
	if w := oneUnit(spelledUnits.Get().sounds[key]); w != "" && i > 0 && isNumber(tokens[i-1]) {
		t.text = w // 24 botl
	}
}

// correctUnit makes of a word what it says of a measure or a portion, and reports whether it does.
func (x *Index) correctUnit(tokens []token, i int) bool {
	t := &tokens[i]
	if t.text == "in" && t.glued && i > 0 && tokens[i-1].kind == number { // 2in
		t.text, t.key = "inch", language.Fold("inch")
		return true
	}
	if t.text == "pl" && i > 0 && isNumber(tokens[i-1]) && i+1 < len(tokens) { // 2pl dahi vada
		t.text, t.key = "plate", language.Fold("plate")
		return true
	}
	if letter := spokenLetters[t.text]; letter != "" && x.vocab[letter] { // एम साइज
		t.text, t.key, t.devanagari = letter, letter, false
		return true
	}
	if word := spokenMeasures[t.text]; word != "" && i > 0 && isNumber(tokens[i-1]) { // बारह एमएम
		t.text, t.key, t.devanagari = word, language.Fold(word), false
		writeOut(tokens[:i])
		return true
	}
	if i > 0 && x.isOfNumber(tokens, i) { // ek kva
		writeOut(tokens[:i])
		return true
	}
	if letter := letterOf(unitOf(*t).name); letter != "" {
		t.key = letter
		writeOut(tokens[:i])
		return true
	}
	if tells.Has(t.text) && i+1 < len(tokens) && toBe.Has(tokens[i+1].text) { // batata hu
		t.text, t.key = "bata", language.Fold("bata")
		return true
	}
	if labels.Has(t.text) {
		writeOut(tokens[:i])
	}
	if next := at(tokens, i+1); comes.Has(t.text) && toBe.Has(next) && !isThere.Has(next) { // aata hu
		t.text, t.key = "aunga", language.Fold("aunga")
		return true
	}
	if w := cmp.Or(x.unitLike(tokens, i), x.numeralLike(tokens, i), x.smallWordOf(tokens, i)); w != "" {
		t.text, t.key = w, language.Fold(w)
		return true
	}
	if key := x.portionOf(*t); key != "" && (i+1 == len(tokens) || unitOf(tokens[i+1]).kind == 0) {
		t.text, t.key = portion, key
		return true
	}
	// 10 m bubble wrap
	if t.text == "m" && i > 0 && tokens[i-1].kind == number && (x.byMetre || x.vocab["metre"]) &&
		!x.beginsName(tokens[i:]) {
		t.text, t.key = "metre", language.Fold("metre")
		return true
	}
	if unitOf(*t).name == "metre" && x.vocab["m"] { // of a cable of 1 m
		t.key = "m"
		return true
	}
	return false
}

// correctForm makes of a word the form in which the catalogue has it, in singular or plural, and reports whether it
// does.
func (x *Index) correctForm(tokens []token, i int) bool {
	t, l := &tokens[i], known.Get()
	if full := x.bases[t.key]; full != "" && t.kind == word && !x.vocab[t.key] && unitOf(*t).kind == 0 {
		_, took := l.goods.find(tokens[i : i+1])
		if took == 0 && !(i > 0 && (isGoodsPhrase(tokens[i-1], t.key) || isGoodsPhrase(tokens[i-1], t.key+"s"))) {
			t.key = full
			return true
		}
	}
	numbered := i > 0 && tokens[i-1].kind == number && x.isPhrase(tokens[i-1].key, t.key) // a bouquet of 10 roses
	if x.isPlural(t.key) || x.isPluralOfMore(t.key) && !numbered {
		t.key = t.key[:len(t.key)-1]
		return true
	}
	if key := strings.TrimSuffix(t.key, "es"); key != t.key && len(key) > 2 && x.vocab[key] && !x.vocab[t.key] {
		t.key = key // glasses
		return true
	}
	if x.isOneOfPlural(tokens, i) {
		t.key += "s" // clip of clips
		return true
	}
	return false
}

// isOfNumber reports whether a word stands behind the number before it in a name, though no unit is known by it: 1 kva.
func (x *Index) isOfNumber(tokens []token, i int) bool {
	t, before := tokens[i], tokens[i-1]
	if t.kind != word || unitOf(t).kind != 0 || before.kind != word || !numeralsOf(before) {
		return false
	}
	text := numerals.Get()[before.text].alone.String()
	_, took := x.names.find([]token{{kind: number, text: text, key: text}, t})
	return took == 2
}

// isOneOfPlural reports whether a word is one of what a name has in plural only: clip of clips.
func (x *Index) isOneOfPlural(tokens []token, i int) bool {
	t, l := tokens[i], known.Get()
	written := x.written[t.text+"s"]
	if t.kind != word || len(t.text) < 3 || len(t.key) < 3 && !written || !x.vocab[t.key+"s"] || x.vocab[t.key] {
		return false
	}
	long := len(t.key) > 3 || len(t.text) > 3 && written
	counted := i+1 < len(tokens) && tokens[i+1].kind == number && !l.verbs[t.text]
	return long && (!l.fillers[t.text] || counted) || i > 0 && x.isPhrase(tokens[i-1].key, t.key+"s")
}

// beginsName reports whether some tokens begin with a name of several words: M-seal.
func (x *Index) beginsName(tokens []token) bool {
	_, took := x.names.find(tokens)
	return took > 1
}

// spokenLetters are the letters of sizes as they are said.
var spokenLetters = map[string]string{"एस": "s", "एम": "m", "एल": "l", "एक्सएल": "xl"}

// spokenMeasures are measures of goods as they are said.
var spokenMeasures = map[string]string{"एमएम": "mm", "मिमी": "mm", "सेमी": "cm", "सीएम": "cm"}

// spokenKeys are what those measures are known by.
var spokenKeys = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	keys := map[string]bool{}
	for spoken := range spokenMeasures {
		keys[tokenise(spoken)[0].key] = true
	}
	return keys
}}

// tells are forms of batana, to tell, which sound like a potato, and comes of aana, to come, which sound like flour.
// toBe are forms of to be that stand after them; isThere those that a question whether there is something ends with.
var (
	comes   = &wordSet{of: "aata ata aati ati आता आती"}
	isThere = &wordSet{of: "hai"}
	tells   = &wordSet{of: "batata batati bataata bataati"}
	toBe    = &wordSet{of: "hu hun hoon hoo hai haun हूँ हूं"}
)

// labels are words that stand only after the number of a size: 2.5 sq mm.
var labels = &wordSet{of: "sq sqmm mm"}

// writeOut writes a number that is said in words before a measure as its digits: dhai sq mm is 2.5 sq mm.
func writeOut(before []token) {
	if len(before) == 0 {
		return
	}
	if t := &before[len(before)-1]; t.kind == word && numeralsOf(*t) {
		text := numerals.Get()[t.text].alone.String()
		t.kind, t.text, t.key = number, text, text
	}
}

// portionOf returns the key of the portion that a word says in a shop that has it in its names, where a half is no
// number if there are wholes; "" for none.
func (x *Index) portionOf(t token) string {
	half, whole := halfPortion.Get(), wholePortion.Get()
	switch {
	case halves.Has(t.text) && x.vocab[half] && x.vocab[whole]:
		return half
	case wholes.Has(t.text) && x.vocab[whole] && !(t.text == "phul" && x.sells(meaningOf(language.Fold("phool")))):
		return whole
	}
	return ""
}

// halves and wholes are words for portions. Elsewhere a half is a number, and phool is a flower.
var (
	halves = &wordSet{of: "half hf haf hlf haaf aadha adha aadhi adhi हाफ आधा आधी"}
	wholes = &wordSet{of: "full ful fulll phul poora pura poori फुल पूरा पूरी"}
)

// halfPortion and wholePortion are their keys in the names of dishes.
var (
	halfPortion  = lazy.Of[string]{Make: func() string { return tokenise("half")[0].key }}
	wholePortion = lazy.Of[string]{Make: func() string { return tokenise("full")[0].key }}
)

// portion is the text of such a word in a message, which is no number and no unit.
const portion = "(portion)"

// leastApart is how long a name is of which a part may be a small word when it is written apart: farm house.
const leastApart = 8

// joinedWord takes two words for the one word of a name that was written apart: vapo rub.
func (x *Index) joinedWord(first, second *token) bool {
	shape := len(first.text) == 1 && strings.Contains(shapes, first.text) // t shirt
	if first.kind != word || second.kind != word || len(first.text) < 2 && !shape {
		return false
	}
	key := language.Fold(first.text + second.text)
	if small := known.Get().fillers[first.text] || known.Get().fillers[second.text]; small && len(key) < leastApart {
		return false
	}
	if len(key) < 6 || !x.vocab[key] ||
		(known.Get().keys[first.key] || x.vocab[first.key]) && (known.Get().keys[second.key] || x.vocab[second.key]) {
		return false
	}
	first.key = key
	second.kind, second.key, second.text = mark, "", "-"
	return true
}

// isPluralOfMore reports whether a word of a name is the plural of what other names have in singular, too: the roses of
// a bouquet are roses.
func (x *Index) isPluralOfMore(key string) bool {
	if len(key) < 4 || key[len(key)-1] != 's' || !x.vocab[key] {
		return false
	}
	one := meaningOf(key[:len(key)-1])
	if len(one) != 1 || !x.vocab[key[:len(key)-1]] || len(x.byWord[one[0]]) <= len(x.byWord[key]) {
		return false
	}
	return len(x.byWord[key]) > 0 && !slices.ContainsFunc(x.byWord[key], func(at int) bool {
		return !x.products[at].words[one[0]]
	})
}

// isPlural reports whether a word names nothing and is the plural of a good.
func (x *Index) isPlural(key string) bool {
	if len(key) < 4 || key[len(key)-1] != 's' || x.vocab[key] {
		return false
	}
	_, itself := known.Get().goods.find([]token{{key: key}})
	_, singular := known.Get().goods.find([]token{{key: key[:len(key)-1]}})
	return itself == 0 && singular > 0 || x.vocab[key[:len(key)-1]]
}
