// Package language knows how words of English and Hindi are written, in Latin letters and in Devanagari: it gives the
// usual spellings of a word one key, takes its endings off, and counts typing errors. It reads no sentences.
package language

import (
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// sounds are spellings of one sound, each before what is written for it; C is the sound of "ch". Of those that begin
// with one letter the first that fits counts.
const sounds = `chh C ch C sh s ph f kh k gh g th t dh d bh b jh j ck k rh r ce se ci si cy si c k q k w v x ks z j
	mb nb mp np mf nf aai e aay e aa a ea i ee i ii i ie i oo u uu u ai e ay e ei e ey e ae e au o ou o iy i`

// soundsByLetter are the sounds by the first letter of their spelling.
var soundsByLetter = lazy.Of[*[1 << 8][][]string]{Make: func() *[1 << 8][][]string {
	var by [1 << 8][][]string
	for all := strings.Fields(sounds); len(all) > 0; all = all[2:] {
		by[all[0][0]] = append(by[all[0][0]], all[:2])
	}
	return &by
}}

// bySound returns a word with one spelling for each sound.
func bySound(word string) string {
	by := soundsByLetter.Get()
	out := make([]byte, 0, 64)
next:
	for at := 0; at < len(word); {
		for _, s := range by[word[at]] {
			if strings.HasPrefix(word[at:], s[0]) {
				out = append(out, s[1]...)
				at += len(s[0])
				continue next
			}
		}
		out = append(out, word[at])
		at++
	}
	return string(out)
}

// Fold returns a key that is equal for the usual spellings of a word, in both scripts: cheeni, chini and चीनी are one.
func Fold(word string) string {
	if strings.IndexFunc(word, IsDevanagari) >= 0 {
		word = romanise(word)
	}
	if len(word) < 2 || strings.Trim(word, "a") == "" { // AA and AAA are sizes of batteries
		return word
	}
	word = softened(word)
	key := bySound(word)
	if len(key) > 2 && strings.HasSuffix(key, "y") {
		key = key[:len(key)-1] + "i"
	}
	return single(key)
}

// softened writes the ge at the end of a word as it sounds: hinge, sausages. A size stays as it is.
func softened(word string) string {
	base, plural := strings.CutSuffix(word, "s")
	stem, soft := strings.CutSuffix(base, "ge")
	if !soft || len(stem) < 4 || base == "large" {
		return word
	}
	if plural {
		return stem + "js"
	}
	return stem + "j"
}

// single writes a letter that is doubled once.
func single(text string) string {
	doubled := false
	for i := 1; i < len(text) && !doubled; i++ {
		doubled = text[i] == text[i-1]
	}
	if !doubled {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		if i == 0 || text[i] != text[i-1] || text[i] >= '0' && text[i] <= '9' {
			out = append(out, text[i])
		}
	}
	return string(out)
}

// Stem returns a key without the ending of a plural or of a case: eggs, ande and andon. A short word stays as it is.
func Stem(key string) string {
	for _, ending := range []string{"iyon", "iyan", "es", "on", "en", "s", "e", "a", "o", "i"} {
		if short := strings.TrimSuffix(key, ending); short != key && len(short) >= 3 {
			return short
		}
	}
	return key
}

// MaxEdits returns how many typing errors a word of a length may have. A short word has none: it would become another
// word.
func MaxEdits(length int) int {
	switch {
	case length < 5:
		return 0
	case length < 8:
		return 1
	}
	return 2
}

// Edits returns the number of letters that are added, left out, changed or swapped with the next between two words;
// more than limit where it is above the limit.
func Edits(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	var rows [3][64]int
	if len(b) >= len(rows[0]) {
		return limit + 1
	}
	before, previous, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		before, previous, row = previous, row, before
	}
	return previous[len(b)]
}
