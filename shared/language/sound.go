package language

import (
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// lengths are spellings of a vowel or a consonant of which people choose any.
var lengths = lazy.Of[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("aa", "a", "ee", "i", "ii", "i", "oo", "u", "uu", "u", "w", "v", "z", "j")
}}

// Roman returns a word in Latin letters: one in Devanagari as it is spoken, and any other as it is.
func Roman(word string) string {
	if strings.IndexFunc(word, IsDevanagari) < 0 {
		return word
	}
	return romanise(word)
}

// Sound returns a key that tells more words apart than Fold: kho, to lose, and ko, to, are two. Only the length of a
// vowel and a doubled letter make no difference.
func Sound(word string) string { return single(lengths.Get().Replace(Roman(word))) }
