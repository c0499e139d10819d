package faq

import (
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// leastStem is how long a word without its ending is at least if it stands for the word.
const leastStem = 4

// dictionary is what is known of words.
type dictionary struct {
	empty map[string]bool   // words that say nothing, as they are written
	mute  map[string]bool   // keys that say nothing, but for the words in said
	said  map[string]bool   // words for something, as they are written
	ideas map[string]string // by key, and by two keys with a space between them
	loans map[string]string // by skeleton, of words that are long enough
	// common are the stems of words that say nothing, or what is asked. Another word that is written alike is none.
	common map[string]bool
	usual  map[string]bool // these words, as they are written
}

// known reads the words at first use.
var known = lazy.Of[dictionary]{Make: func() dictionary {
	d := dictionary{
		empty: map[string]bool{}, mute: map[string]bool{}, said: map[string]bool{}, ideas: map[string]string{},
		loans: map[string]string{}, common: map[string]bool{},
		usual: map[string]bool{}}
	for _, w := range strings.Fields(emptyWords) {
		d.empty[w], d.mute[keyOf(w)] = true, true
		d.common[language.Stem(keyOf(w))], d.usual[w] = true, true
	}
	for row := range strings.Lines(askRows + ideaRows) {
		words := strings.Fields(row)
		if len(words) == 0 {
			continue
		}
		for _, w := range words {
			first, second, two := strings.Cut(w, "-")
			if two {
				d.ideas[keyOf(first)+" "+keyOf(second)] = words[0]
				continue
			}
			key := keyOf(w)
			if d.ideas[key] == "" {
				d.ideas[key] = words[0]
			}
			if stem := language.Stem(key); len(stem) >= leastStem && d.ideas[stem] == "" {
				d.ideas[stem] = words[0]
			}
			if s := skeleton(key); s != "" && d.loans[s] == "" {
				d.loans[s] = words[0]
			}
			d.said[w] = true
			if words[0][0] == '?' {
				d.common[language.Stem(key)], d.usual[w] = true, true
			}
		}
	}
	return d
}}
