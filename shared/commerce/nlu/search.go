package nlu

import (
	"cmp"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/sorting"
)

// Search returns the ids of the products that a query finds, best first: those with more of its words, in any spelling.
func (x *Index) Search(query string, limit int) []string {
	return x.ranked(x.wordsOf(query), limit, true)
}

// Near returns the ids of products that are like a thing that is not sold: the same thing of another kind before
// others.
func (x *Index) Near(text string, limit int) []string {
	words := x.wordsOf(text)
	near := x.ranked(words, len(x.products), false)
	if head := known.Get().headOf(words); head != "" {
		if same := x.ranked([]string{head}, len(x.products), false); len(same) > 0 {
			near = same
		}
	}
	said := setOf(strings.ToLower(text))
	for _, w := range words {
		said[w] = true
	}
	near = slices.DeleteFunc(near, func(id string) bool { return x.byID[id].opposes(said) })
	return near[:min(limit, len(near))]
}

// opposites are kinds of which nobody takes one for the other, in words of either language.
var opposites = []struct{ one, other *wordSet }{
	{&wordSet{of: "veg vegetarian paneer shakahari eggless वेज शाकाहारी"},
		&wordSet{of: "nonveg non-veg chicken murgh murga mutton gosht keema fish machli machhli prawn egg " +
			"anda ande meat " +
			"चिकन मटन मछली अंडा अंडे"},
	},
	{&wordSet{of: "sugarfree diabetic"}, &wordSet{of: "sweetened"}},
	{&wordSet{of: "men gents boys mardana"}, &wordSet{of: "women ladies girls zanana"}},
	{&wordSet{of: "left baya"}, &wordSet{of: "right daya"}},
}

// opposes reports whether a product is of a kind that nobody takes for what is said.
func (p *product) opposes(said map[string]bool) bool {
	own := setOf(strings.ToLower(p.Name + " " + p.Category))
	has := func(words, of map[string]bool) bool {
		for w := range of {
			if words[w] {
				return true
			}
		}
		return false
	}
	for _, o := range opposites {
		if has(said, o.one.Set()) && has(own, o.other.Set()) || has(said, o.other.Set()) && has(own, o.one.Set()) {
			return true
		}
	}
	return false
}

// wordsOf returns the words of goods in a text. A word that is not known is taken for the beginning of one of the
// catalogue.
func (x *Index) wordsOf(text string) []string {
	x = x.remembering()
	tokens := tokenise(normalise(text))
	for i, t := range tokens {
		if t.kind == word && !known.Get().keys[t.key] && !x.vocab[t.key] {
			tokens[i].key = cmp.Or(x.beginningWith(t.key), t.key)
		}
	}
	x.correct(tokens)
	var words []string
	for _, e := range x.scan(tokens) {
		if e.kind == goodsElement {
			words = append(words, e.words...)
		} else if key := tokens[e.from].key; x.vocab[key] {
			words = append(words, key)
		}
	}
	return sorted(words)
}

// beginningWith returns the first word of the catalogue that begins with a key; "" if none does.
func (x *Index) beginningWith(key string) string {
	if len(key) < 2 {
		return ""
	}
	words := x.byLetter[key[0]][:x.own[key[0]]]
	if at, _ := slices.BinarySearch(words, key); at < len(words) && strings.HasPrefix(words[at], key) {
		return words[at]
	}
	return ""
}

// ranked returns the products that have some of the words: more words first, then those that are the thing, then the
// order of the catalogue.
func (x *Index) ranked(words []string, limit int, allOfThem bool) []string {
	scores := map[int]int{}
	for _, w := range words {
		for _, at := range x.byWord[w] {
			p := x.products[at]
			scores[at] += 4
			if p.heads[w] {
				scores[at] += 2
			}
			if p.proper[w] {
				scores[at]++
			}
		}
	}
	found := make([]int, 0, len(scores))
	for at := range scores {
		found = append(found, at)
	}
	sorting.Func(found, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	ids := make([]string, 0, min(limit, len(found)))
	for _, at := range found[:min(max(limit, 0), len(found))] {
		if allOfThem && 2*scores[at] < scores[found[0]] {
			break
		}
		ids = append(ids, x.products[at].ID)
	}
	return ids
}
