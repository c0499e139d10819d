package nlu

import (
	"cmp"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

func numeralsOf(t token) bool { _, ok := numerals.Get()[t.text]; return ok }

// nearest returns the known word that a folded word is likely meant to be: another form of it, or one with few typing
// errors. A word of the catalogue wins over others; "" if there is none.
func (x *Index) nearest(key string) string {
	if x.memo == nil {
		return x.likely(key)
	}
	near, known := x.memo.nearest[key]
	if !known {
		near = x.likely(key)
		x.memo.nearest[key] = near
	}
	return near
}

func (x *Index) likely(key string) string {
	if full := x.stems[language.Stem(key)]; full != "" {
		return full
	}
	if short, silent := strings.CutSuffix(key, "e"); silent && len(key) > 3 && x.vocab[short] { // jute
		return short
	}
	if own := x.ownWithin(key); own != "" {
		return own
	}
	if s := language.Stem(key); known.Get().keys[s] {
		return s
	}
	if best := x.within(key); best != "" || !strings.HasSuffix(key, "s") {
		return cmp.Or(best, x.cutShort(key), x.sounding(key))
	}
	return cmp.Or(x.within(key[:len(key)-1]), x.cutShort(key), x.sounding(key))
}

// within returns the word with the fewest typing errors, if they are few enough.
func (x *Index) within(key string) string {
	limit := language.MaxEdits(len(key))
	best, least := "", limit+1
	for _, candidate := range x.byLetter[key[0]] {
		if least == 0 || language.MaxEdits(len(candidate)) == 0 && len(candidate) <= min(4, len(key)-1) {
			continue
		}
		// router is no rather, and frist is first
		if len(key) < 6 && !x.vocab[candidate] && !known.Get().named[candidate] && !swapped(key, candidate) {
			continue
		}
		if n := language.Edits(key, candidate, min(limit, least)); n < least {
			best, least = candidate, n
		}
	}
	return best
}

// swapped reports whether a word is another one with two letters that follow each other swapped.
func swapped(key, other string) bool {
	if len(key) != len(other) || len(key) < 4 {
		return false
	}
	at := 0
	for at < len(key) && key[at] == other[at] {
		at++
	}
	return at+1 < len(key) && key[at] == other[at+1] && key[at+1] == other[at] && key[at+2:] == other[at+2:]
}

// heardAlike are the vowels that a first vowel is heard as.
var heardAlike = map[byte]string{'a': "e", 'e': "ai", 'i': "e", 'o': "u", 'u': "o"}

// otherVowel returns the word of the catalogue that a word is but for its first vowel: agg is egg. "" for none.
func (x *Index) otherVowel(text, key string) string {
	if len(text) < 3 || key == "" || !strings.ContainsRune("aeiou", rune(key[0])) {
		return ""
	}
	found := ""
	for _, vowel := range heardAlike[key[0]] {
		other := string(vowel) + key[1:]
		if !x.vocab[other] {
			continue
		}
		if found != "" {
			return ""
		}
		found = other
	}
	return found
}

// isGoodsPhrase reports whether a word and another are what goods are called: french fries.
func isGoodsPhrase(first token, second string) bool {
	_, took := known.Get().goods.find([]token{first, {kind: word, key: second}})
	return took > 1
}

// isCountedGood reports whether a number word is spelt as a word of a name, or as its plural: tees are 30, and several
// tees.
func (x *Index) isCountedGood(t token) bool {
	return !t.devanagari && len(t.text) > 3 && (x.written[t.text] || x.writtenOne(t.text) != "")
}

// writtenOne returns the word of a name of which a word is the plural; "" for none.
func (x *Index) writtenOne(text string) string {
	if one, plural := strings.CutSuffix(text, "s"); plural && !x.written[text] && x.written[one] {
		return one
	}
	return ""
}

// copyWords count books where no copybooks are sold.
var copyWords = &wordSet{of: "copy copies prati प्रति कॉपी"}

// inPairs are things of two equal parts, of which English calls one a pair.
var inPairs = &wordSet{of: "goggles glasses sunglasses spectacles specs scissors pliers tongs pants trousers jeans " +
	"shorts leggings tights pyjamas"}

// leafWords are spellings of patta, a strip of tablets, that mean an address where they are not counted.
var leafWords = &wordSet{of: "pata pate pataa पता पते"}
