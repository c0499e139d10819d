package faq

import (
	"math"
	"slices"
	"strings"
)

// How well two words match, from 0 to 1.
const (
	sameKey, sameStem, sameIdea, otherIdea, samePrefix, sameSkeleton, sameRoot = 1.0, 0.99, 0.88, 0.95, 0.7, 0.6, 0.6

	sameMeaning  = 0.98 // a word for the very same thing
	sameKin      = 0.3
	ofOtherThing = 0.6  // of a match with a word that stands for another thing
	besideWord   = 0.75 // of a match by an idea, where another way to ask has the very word
	ofAnswer     = 1.0  // of a match in the answer
)

// How much words say, beside 1 for a word as rare among the entries.
const (
	ofAsking    = 0.55 // a word such as when or how much
	ofIntent    = 1.1  // what people ask of any business
	besides     = 0.5  // both of these, in a message that names a thing
	ofUnknown   = 0.72 // a word that no entry has, against an entry
	ofOther     = 1.5  // the same, of a word that is known to mean something else
	ofKin       = 2    // a word that belongs to one matter with a word of an entry
	ofItself    = 0.68 // a word for the business itself
	ofPart      = 0.6  // one of two words that together stand for something
	ofManner    = 0.38 // a word that no entry has for a place, a time or a size, or that only asks
	mostUnknown = 0.96 // all words that no entry has, at most
)

// sheet is what one message says of the ways to ask and of the answers, term by term.
type sheet struct {
	asks, answers []float64 // how well a term matches a word of a way to ask, and of an answer with all its text
	asked         []bool    // the answers of which it is a word of a way to ask
	reached       []int32   // the ways to ask that it matches
	touched       []int32   // the answers that it matches
	said          []float64 // how well each word of the ways to ask is said by any term
	named         []float64 // how much each way to ask explains of what the message names
	besides       []float64 // the same, of the rest of the message
	all           []bool    // the answers that any term matches
	strong        []float64 // how much each way to ask explains by the very words
	rarest        []float64 // how much the word says most of all by which it matches
	// matched is how many terms of a kind each way to ask or its answer has.
	matched [kinds][]float64
}

func (x *Index) sheet() *sheet {
	s := &sheet{
		asks: make([]float64, len(x.asks)), answers: make([]float64, len(x.answers)),
		asked: make([]bool, len(x.answers)), said: make([]float64, len(x.weights)), named: make([]float64, len(x.asks)),
		besides: make([]float64, len(x.asks)), all: make([]bool, len(x.answers)),
		strong: make([]float64, len(x.asks)), rarest: make([]float64, len(x.asks)),
	}
	for i := range s.matched {
		s.matched[i] = make([]float64, len(x.asks))
	}
	return s
}

// note adds what a term explains that weighs so much.
func (s *sheet) note(x *Index, t term, weight float64) {
	of := s.named
	if t.isIntent() || t.asks() {
		of = s.besides
	}
	for _, n := range s.touched {
		s.all[n] = true
		for _, a := range x.answers[n].asks {
			match := max(s.asks[a], min(s.answers[n], ofAnswer))
			of[a] += weight * match
			s.rarest[a] = max(s.rarest[a], weight*s.asks[a])
			if s.asks[a] >= sameMeaning {
				s.strong[a] += weight
			}
			if !t.isIntent() {
				s.matched[t.kind()][a] += match
			}
		}
	}
}

// reach is of how many answers a term is a word of the ways to ask, of the text, and in how many it has kin.
// exact is how many answers have the very word in the ways to ask; 0 if none has.
type reach struct{ asked, told, kin, exact int }

// known reports whether any answer has the term.
func (r reach) known() bool { return r.asked+r.told > 0 }

// read reads where a term stands.
func (s *sheet) read(x *Index, t term) (r reach) {
	for _, n := range s.touched {
		s.answers[n], s.asked[n] = 0, false
	}
	for _, a := range s.reached {
		s.asks[a] = 0
	}
	s.touched, s.reached = s.touched[:0], s.reached[:0]
	for _, form := range t.forms() {
		s.match(x, t.same, x.terms[form.name], form.match)
	}
	if s.word(x) {
		r.exact = s.weaken(x)
	}
	for _, n := range s.touched {
		if s.asked[n] {
			r.asked++
		} else {
			r.told++
		}
	}
	if t.isIntent() {
		return r
	}
	for _, form := range t.kin() {
		s.match(x, "", x.terms[form.name], form.match)
	}
	r.kin = len(s.touched) - r.asked - r.told
	return r
}

// word reports whether a way to ask has the very word, or one for the same thing.
func (s *sheet) word(x *Index) bool {
	return slices.ContainsFunc(s.reached, func(a int32) bool { return s.asks[a] >= sameMeaning })
}

// weaken makes less of the ways to ask that have only a word of the same idea, beside those that have the very word.
// It returns how many answers have that.
func (s *sheet) weaken(x *Index) (exact int) {
	best := map[int]float64{}
	for _, a := range s.reached {
		if s.asks[a] < sameMeaning {
			s.asks[a] *= besideWord
		}
		n := x.asks[a].answer
		best[n] = max(best[n], s.asks[a])
	}
	for _, n := range s.touched {
		if best[int(n)] >= sameMeaning {
			exact++
		} else {
			s.answers[n] *= besideWord
		}
	}
	return exact
}

// match notes that a term matches words. A word that is known to stand for another thing matches less: a bike is no
// car, though both are vehicles.
func (s *sheet) match(x *Index, same string, all []posting, match float64) {
	for _, p := range all {
		of := match
		if same != "" && p.word != inText && x.sames[p.word] != "" && x.sames[p.word] != same {
			of *= ofOtherThing
		}
		if p.asking == inText {
			of *= ofAnswer
		} else {
			if s.asks[p.asking] == 0 {
				s.reached = append(s.reached, p.asking)
			}
			s.asks[p.asking], s.asked[p.answer] = max(s.asks[p.asking], of), true
			s.said[p.word] = max(s.said[p.word], of)
		}
		if s.answers[p.answer] == 0 {
			s.touched = append(s.touched, p.answer)
		}
		s.answers[p.answer] = max(s.answers[p.answer], of)
	}
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
	move limit help travel start city weekday area friend`)

// rarity returns how much a word says that some of the answers have: the more, the fewer they are, as in BM25.
func (x *Index) rarity(in int) float64 {
	n := float64(len(x.answers))
	return math.Log(1 + (n-float64(in)+0.5)/(float64(in)+0.5))
}

// weight returns how much a term says that some of the answers have.
func (x *Index) weight(t term, r reach) float64 {
	in := r.asked
	if r.exact > 0 {
		in = r.exact
	}
	if in == 0 {
		in = r.told
	}
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
	case in == 0 && (t.asks() || t.isManner()):
		return weight * ofManner
	case in == 0 && r.kin > 0:
		return x.rarity(r.kin) * ofKin
	case in == 0 && len(t.ideas) > 0:
		return weight * ofOther
	case in == 0:
		return weight * ofUnknown
	}
	return weight
}
