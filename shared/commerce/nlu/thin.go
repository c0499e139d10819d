package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// People leave out vowels when they type fast: brfi, chese, esy. A word of a name is thin without them.
const (
	leastThin = 3 // letters of a word that lacks vowels
	mostLeft  = 2 // vowels that it lacks
	// letters of a word without any vowel, from which on it may lack one more
	leastBare = 6
	leftOut   = "aeiouyh"
)

// thinOf returns a word without the letters that people leave out, but for the first.
func thinOf(text string) string {
	last := rune(text[0])
	return text[:1] + strings.Map(func(r rune) rune {
		if strings.ContainsRune(leftOut, r) || r == last { // a double letter is one
			return -1
		}
		last = r
		return r
	}, text[1:])
}

// addThin learns a word of a name by what is left of it, and of its sound.
func (x *Index) addThin(t token) {
	if t.devanagari || len(t.text) <= leastThin {
		return
	}
	for _, thin := range []string{thinOf(t.text), thinSound(t.text)} {
		if !slices.Contains(x.thin[thin], t.text) {
			x.thin[thin] = append(x.thin[thin], t.text)
		}
	}
}

// thinSound returns what is left of the sound of a word: chkn and chicken are one.
func thinSound(text string) string {
	key := language.Fold(language.Plain(text))
	return "=" + thinOf(key)
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
	add := func(thin string, lacksFew func(full string) bool) bool {
		for _, full := range x.thin[thin] {
			if !lacksFew(full) {
				continue
			}
			key := language.Fold(language.Plain(full))
			if found != "" && found != key {
				return false
			}
			found = key
		}
		return true
	}
	sound, most := language.Fold(text), mostLeft
	if len(text) >= leastBare && !strings.ContainsAny(text, "aeiou") { // shrpnr
		most++
	}
	if !add(thinOf(text), func(full string) bool {
		left := len(full) - len(text)
		return left >= 1 && left <= most && lettersIn(text, full)
	}) {
		return ""
	}
	if found == "" && !strings.ContainsAny(text, "aeiou") && !add(thinSound(text), func(full string) bool {
		return len(sound) >= leastThin && len(language.Fold(full))-len(sound) <= mostLeft
	}) {
		return ""
	}
	return found
}

// thinGoods are the spellings of goods in Latin letters, by what is left of them without vowels.
var thinGoods = lazy.Of[map[string][]string]{Make: func() map[string][]string {
	thin := map[string][]string{}
	for _, entries := range known.Get().goods {
		for _, e := range entries {
			if len(e.keys) == 1 && len(e.text) > leastThin && strings.IndexFunc(e.text, notLatin) < 0 {
				thin[thinOf(e.text)] = append(thin[thinOf(e.text)], e.text)
			}
		}
	}
	return thin
}}

func notLatin(r rune) bool { return r < 'a' || r > 'z' }

// thickenedGood returns the folded word for a good of the shop of which a word lacks only vowels: achr. "" if there is
// none, or more than one.
func (x *Index) thickenedGood(text string) string {
	if len(text) <= leastThin || strings.IndexFunc(text, notLatin) >= 0 { // crm may be cream and carom
		return ""
	}
	found, meant := "", []string(nil)
	for _, full := range thinGoods.Get()[thinOf(text)] {
		left := len(full) - len(text)
		key := language.Fold(full)
		if left < 1 || left > mostLeft || !lettersIn(text, full) || !x.sells(meaningOf(key)) {
			continue
		}
		if found != "" && !slices.Equal(meant, meaningOf(key)) {
			return ""
		}
		found, meant = key, meaningOf(key)
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
