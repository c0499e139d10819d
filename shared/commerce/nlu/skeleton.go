package nlu

import (
	"cmp"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// Bounds of a word that is known by its consonants alone.
const (
	leastConsonants = 4
	mostVowels      = 2 // letters that the words differ by
)

// consonants returns what is left of the sound of a word without its vowels, a first one included.
func consonants(key string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("aeiouy", r) {
			return -1
		}
		return r
	}, key)
}

// sounding returns the one word of the catalogue whose consonants are those of a word: sarlac is cerelac.
// Vowels are heard and written in many ways. "" if there is none, or more than one.
func (x *Index) sounding(key string) string {
	own, most := consonants(key), mostVowels
	if len(own) == leastConsonants-1 {
		most = 1
	} else if len(own) < leastConsonants {
		return ""
	}
	found := ""
	for _, candidate := range x.skeletons[own] {
		if candidate[0] != key[0] || language.Edits(key, candidate, most) > most {
			continue
		}
		if found != "" && !slices.Equal(x.byWord[found], x.byWord[candidate]) {
			return ""
		}
		found = cmp.Or(found, candidate)
	}
	return found
}
