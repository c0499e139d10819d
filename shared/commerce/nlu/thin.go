package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// People leave out vowels when they type fast: brfi, chese, esy. A word of a name is thin without them.
const (
	leastThin = 3 // letters of a word that lacks vowels
	mostLeft  = 2 // vowels that it lacks
	leftOut   = "aeiouyh"
)

// thinOf returns a word without the letters that people leave out, but for the first.
func thinOf(text string) string {
	return text[:1] + strings.Map(func(r rune) rune {
		if strings.ContainsRune(leftOut, r) {
			return -1
		}
		return r
	}, text[1:])
}

// addThin learns a word of a name by what is left of it.
func (x *Index) addThin(t token) {
	if t.devanagari || len(t.text) <= leastThin {
		return
	}
	thin := thinOf(t.text)
	if !slices.Contains(x.thin[thin], t.text) {
		x.thin[thin] = append(x.thin[thin], t.text)
	}
}

// thickened returns the folded word of a name of which a word lacks only vowels; "" if there is none, or more than one.
func (x *Index) thickened(text string) string {
	if len(text) < leastThin || strings.IndexFunc(text, language.IsDevanagari) >= 0 {
		return ""
	}
	if full := x.thickenedOne(text); full != "" || !strings.HasSuffix(text, "s") || len(text) <= leastThin {
		return full
	}
	return x.thickenedOne(text[:len(text)-1]) // buttns
}

func (x *Index) thickenedOne(text string) string {
	found := ""
	for _, full := range x.thin[thinOf(text)] {
		if left := len(full) - len(text); left < 1 || left > mostLeft || !lettersIn(text, full) {
			continue
		}
		key := language.Fold(language.Plain(full))
		if found != "" && found != key {
			return ""
		}
		found = key
	}
	return found
}

// lettersIn reports whether the letters of a word stand in another in the same order.
func lettersIn(text, full string) bool {
	at := 0
	for i := 0; i < len(full) && at < len(text); i++ {
		if full[i] == text[at] {
			at++
		}
	}
	return at == len(text)
}
