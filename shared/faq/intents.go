package faq

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// way is the words of one way to ask, of which each is one of several.
type way struct {
	intent *intent
	parts  []map[string]bool
}

// intent is what people ask of any business, and the words in the ways to ask it.
type intent struct {
	name  string
	words map[string]bool
}

// intents reads the rows at first use.
var intents = lazy.Of[map[string][]*way]{Make: func() map[string][]*way {
	all := map[string][]*way{}
	var in *intent
	for row := range strings.SplitSeq(intentRows, "\n") {
		name, ways, begins := strings.Cut(row, ":")
		if begins {
			in = &intent{name: "!" + name, words: map[string]bool{}}
		} else {
			ways = row
		}
		for text := range strings.SplitSeq(ways, ";") {
			w := &way{intent: in}
			for _, words := range strings.Fields(text) {
				w.parts = append(w.parts, in.part(words))
			}
			if len(w.parts) > 0 {
				for stem := range w.parts[0] {
					all[stem] = append(all[stem], w)
				}
			}
		}
	}
	return all
}}

// part returns the words of which one stands in a text, as stems.
func (in *intent) part(words string) map[string]bool {
	some := map[string]bool{}
	for word := range strings.SplitSeq(words, "|") {
		stem := ""
		for part := range strings.SplitSeq(word, "-") {
			stem += language.Stem(keyOf(english(part)))
		}
		if known.Get().common[stem] && !known.Get().usual[word] {
			continue // khana, food, is written like can
		}
		some[stem], in.words[stem] = true, true
	}
	return some
}

// figure stands for a number of one or two digits, such as an age.
const figure = "#"

// intentsOf returns the intents of a text, by all its words in order.
func intentsOf(words []string) []term {
	stems := make([]string, len(words), 3*len(words))
	for i, w := range words {
		stems[i] = language.Stem(keyOf(w))
	}
	for i := range len(stems) - 1 {
		stems = append(stems, stems[i]+stems[i+1])
	}
	for _, w := range words {
		if len(w) <= 2 && strings.Trim(w, "0123456789") == "" {
			stems = append(stems, figure)
		}
	}
	var all []term
	for _, stem := range stems {
		for _, w := range intents.Get()[stem] {
			said := slices.ContainsFunc(all, func(t term) bool { return t.key == w.intent.name })
			if !said && w.in(stems) {
				all = append(all, term{key: w.intent.name, stem: w.intent.name, ways: w.intent.words})
			}
		}
	}
	return all
}

// in reports whether a text has a way's words: each part by a word of its own.
func (w *way) in(stems []string) bool {
	used := make([]int, 0, 8)
	for _, some := range w.parts {
		at := -1
		for i, s := range stems {
			if some[s] && !slices.Contains(used, i) {
				at = i
				break
			}
		}
		if at < 0 {
			return false
		}
		used = append(used, at)
	}
	return true
}
