package faq

import (
	"math"
	"slices"
	"strings"
)

// How well two words match, from 0 to 1.
const (
	sameKey, sameStem, sameSkeleton, sameRoot, sameIdea, samePrefix = 1.0, 0.99, 0.95, 0.92, 0.88, 0.7
	ofAnswer                                                        = 0.8 // of a match in the answer
)

// How much words say, beside 1 for a word as rare among the entries.
const (
	ofAsking    = 0.97 // a word such as when or how much
	ofIntent    = 0.89 // what people ask of any business
	besides     = 0.73 // both of these, in a message that names a thing
	ofUnknown   = 0.72 // a word that no entry has, against an entry
	ofOther     = 1.5  // the same, of a word that is known to mean something else
	ofItself    = 0.5  // a word for the business itself
	ofManner    = 0.36 // the same, of a word for a place, a time or a size, or of one that only asks
	mostUnknown = 1.5  // all words that no entry has, at most
)

// ofMessage weighs how much of the message an entry explains against how much of the entry's question the message says.
const ofMessage = 0.83

// ofOthers is what the score counts of an entry about some people, for a message that does not speak of them, and of an
// entry that has none of the things of a message on something else.
const ofOthers = 0.58

// scores returns how well each answer fits what is asked, by the way to ask for it that fits best, and reports whether
// the message names something of which no entry speaks.
func (x *Index) scores(asked []term) (scores []float64, other bool) {
	scores = make([]float64, len(x.answers))
	m := message{asked: asked}
	touched := map[int]bool{}
	things := slices.ContainsFunc(asked, func(t term) bool {
		_, in := x.matches(t)
		return in > 0 && !t.isIntent() && !t.asks()
	})
	for _, t := range asked {
		matched, in := x.matches(t)
		weight := x.weight(t, in)
		if things && (t.isIntent() || t.asks()) {
			weight *= besides
		}
		said := func(intent term) bool { return intent.ways[t.stem] && x.has(intent) }
		if in == 0 && slices.ContainsFunc(asked, said) {
			weight = 0
		} else if in == 0 {
			m.other = m.other || t.idea != "" && !t.asks() && !manner[t.idea]
			m.unknown += weight
		} else {
			m.all += weight
		}
		m.weights, m.matched = append(m.weights, weight), append(m.matched, matched)
		for n := range matched {
			touched[n] = true
		}
	}
	m.unknown = min(m.unknown, mostUnknown*x.rarity(1))
	for n := range touched {
		for _, question := range x.answers[n].questions {
			scores[n] = max(scores[n], m.score(n, question))
		}
	}
	return scores, m.other
}

// itself are the keys of words for a business, by which its customers mean this one.
var itself = keysOf(`gym clinic hospital salon parlour hotel shop store showroom office coaching institute agency company
	centre center school restaurant cafe bank outlet branch dukan dukaan sansthan kampani company`)

// keysOf returns the keys of words, in either script.
func keysOf(text string) map[string]bool {
	keys := map[string]bool{}
	for _, w := range strings.Fields(text) {
		keys[keyOf(w)] = true
	}
	return keys
}

// manner are ideas that say how, where or when, and not what.
var manner = setOf(`address time reach change open date today morning evening night more less small big week
	month year second new money pay price phone status person start join bring wait late due alone far safe family free
	move limit help travel start`)

// has reports whether an entry has a term.
func (x *Index) has(t term) bool {
	_, in := x.matches(t)
	return in > 0
}

// message is what is asked, and what its words say.
type message struct {
	asked        []term
	weights      []float64
	matched      []map[int]float64 // by term, how well it matches a word of each answer
	all, unknown float64           // the weights of the words that entries have, and of the others
	other        bool              // it names something that is known, and of which no entry speaks
}

// score returns how well one way to ask for an answer fits the message.
func (m message) score(n int, question []weighed) float64 {
	explained, thing := 0.0, 0.0
	for i, t := range m.asked {
		best := min(m.matched[i][n], ofAnswer)
		for _, word := range question {
			best = max(best, t.like(word.term))
		}
		explained += m.weights[i] * best
		if !t.isIntent() && !t.asks() {
			thing = max(thing, best)
		}
	}
	score := ofMessage*explained/(m.all+m.unknown) + (1-ofMessage)*said(question, m.asked)
	others := slices.ContainsFunc(question, func(w weighed) bool { return people[w.key] && !m.speaksOf(w.key) })
	if others || m.other && thing == 0 {
		return score * ofOthers
	}
	return score
}

func (m message) speaksOf(key string) bool {
	return slices.ContainsFunc(m.asked, func(t term) bool { return t.key == key })
}

// people are the intents that say whom an entry is about, and what it is without.
var people = map[string]bool{"!without": true, "!women": true, "!children": true, "!seniors": true, "!pets": true}

// matches returns how well a term matches a word of each answer that has one, and of how many answers it is a word.
func (x *Index) matches(t term) (matched map[int]float64, in int) {
	matched = map[int]float64{}
	asides := map[int]float64{}
	for _, form := range t.forms() {
		for _, p := range x.terms[form.name] {
			of := asides
			if p.question {
				of = matched
			}
			of[p.answer] = max(of[p.answer], form.match)
		}
	}
	if in = len(matched); in == 0 {
		in = len(asides)
	}
	for n, match := range asides {
		matched[n] = max(matched[n], match*ofAnswer)
	}
	return matched, in
}

// rarity returns how much a word says that some of the answers have: the more, the fewer they are, as in BM25.
func (x *Index) rarity(in int) float64 {
	n := float64(len(x.answers))
	return math.Log(1 + (n-float64(in)+0.5)/(float64(in)+0.5))
}

// weight returns how much a term says that some of the answers have.
func (x *Index) weight(t term, in int) float64 {
	weight := x.rarity(max(in, 1))
	switch {
	case itself[t.key]:
		return weight * ofItself
	case t.isIntent() && in == 0:
		return 0
	case t.isIntent():
		return weight * ofIntent
	case t.asks() && in > 0:
		return weight * ofAsking
	case in == 0 && (t.asks() || manner[t.idea]):
		return weight * ofManner
	case in == 0 && t.idea != "":
		return weight * ofOther
	case in == 0:
		return weight * ofUnknown
	}
	return weight
}

// said returns how much of a way to ask the message says.
func said(question []weighed, asked []term) float64 {
	sum, all := 0.0, 0.0
	for _, word := range question {
		best := 0.0
		for _, t := range asked {
			best = max(best, t.like(word.term))
		}
		sum, all = sum+best*word.weight, all+word.weight
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// like returns how well two terms match.
func (t term) like(other term) float64 {
	switch {
	case t.key == other.key:
		return sameKey
	case t.stem == other.stem:
		return sameStem
	case t.skeleton != "" && t.skeleton == other.skeleton:
		return sameSkeleton
	case t.root != "" && t.root == other.root:
		return sameRoot
	case t.idea != "" && t.idea == other.idea:
		return sameIdea
	case t.prefix != "" && t.prefix == other.prefix:
		return samePrefix
	}
	return 0
}
