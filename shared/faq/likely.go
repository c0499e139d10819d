package faq

import (
	"math"
	"slices"
)

// message is what is asked, and what its words say.
type message struct {
	asked          []term
	named, besides float64 // the weights of the words that entries have: of what it names, and of the rest
	unknown        float64 // the weights of the others
	things         bool    // it names something of which an entry speaks
	foreign        bool    // it names what another trade sells
	other          bool    // it names something that is known, and of which no entry speaks
}

// fact is one number by which a way to ask for an answer fits a message, or by which no entry answers it.
type fact int

// The facts of a way to ask.
const (
	explains      fact = iota // how much of the message it explains
	explainsNamed             // how much of what the message names
	explainsRest              // how much of the rest of the message
	isSaid                    // how much of the way to ask the message says
	explainsAtAll             // how much it explains, however much the message says beside
	shares                    // what people ask of any business: how many of them both have
	asksMore                  // the same, of the entry alone
	ofPeople                  // it is about people of whom the message does not speak
	isUncommon                // it is about something uncommon of which the message does not speak
	isCommon                  // it is not about something uncommon of which the message speaks
	facts
)

// The facts of a message that no entry may answer.
const (
	always    fact = iota
	namesElse      // it names something that is known, and of which no entry speaks
	isForeign      // it names what another trade sells
	noneFacts
)

// Weights of the facts. They are those by which lists are answered best of which nothing was used to choose them.
var (
	weights     = [facts]float64{4.63, 1.67, -0.95, 4.5, 0.97, 0.28, -0.13, -0.62, -0.6, -0.33}
	noneWeights = [noneFacts]float64{4.1, 1.05, 5.08}
)

// read reads a message's words in all entries.
func (x *Index) read(asked []term) (*sheet, message) {
	s, m := x.sheet(), message{asked: asked}
	for _, t := range asked {
		r := s.read(x, t)
		if r.asked == 0 && t.foreign() {
			r, m.foreign = reach{}, true
		}
		weight := x.weight(t, r)
		said := func(intent term) bool { return intent.ways[t.stem] && x.has(intent) }
		switch {
		case t.asks() && slices.ContainsFunc(asked, said):
		case r.known() || r.kin > 0:
			if t.isIntent() || t.asks() {
				m.besides += weight
			} else {
				m.named += weight
				m.things = m.things || r.known()
			}
			s.note(x, t, weight)
		case slices.ContainsFunc(asked, said):
		default:
			m.other = m.other || len(t.ideas) > 0 && !t.asks() && !t.isManner()
			m.unknown += weight
		}
	}
	m.unknown = min(m.unknown, mostUnknown*x.rarity(1))
	return s, m
}

// scores returns how likely each answer is meant, by the way to ask for it that fits best. They and the likelihood that
// no entry answers the message are 1 together.
func (x *Index) scores(asked []term) []float64 {
	s, m := x.read(asked)
	none := m.none()
	sum := math.Exp(dot(none[:], noneWeights[:]))
	scores := make([]float64, len(x.answers))
	for n, any := range s.all {
		if !any {
			continue
		}
		best := math.Inf(-1)
		for _, a := range x.answers[n].asks {
			fits := x.fits(s, m, a)
			best = max(best, dot(fits[:], weights[:]))
		}
		scores[n] = math.Exp(best)
		sum += scores[n]
	}
	for n := range scores {
		scores[n] /= sum
	}
	return scores
}

func dot(values, weights []float64) (sum float64) {
	for i, v := range values {
		sum += v * weights[i]
	}
	return sum
}

// none returns the facts by which no entry answers a message.
func (m message) none() (f [noneFacts]float64) {
	f[always], f[namesElse], f[isForeign] = 1, number(m.other), number(m.foreign)
	return f
}

// most bounds how much a way to ask explains, in words as rare as can be.
const most = 2

// fits returns the facts by which a way to ask for an answer fits a message.
func (x *Index) fits(s *sheet, m message, a int) (f [facts]float64) {
	way, rest, said := x.asks[a], 1.0, 0.0
	if m.things {
		rest = besides
	}
	for i := way.first; i < way.end; i++ {
		said += s.said[i] * x.weights[i]
	}
	explained := s.named[a] + rest*s.besides[a]
	f[explains] = share(explained, m.named+rest*m.besides+m.unknown)
	f[explainsNamed], f[explainsRest] = share(s.named[a], m.named), share(s.besides[a], m.besides)
	f[isSaid], f[explainsAtAll] = share(said, way.weight), min(most, explained/x.rarity(1))
	for _, t := range m.asked {
		if t.isIntent() && slices.Contains(way.intents, t.key) {
			f[shares]++
		}
		same := func(idea string) bool { return slices.Contains(way.marked, idea) }
		if t.marked() && !slices.ContainsFunc(t.ideas, same) {
			f[isCommon] = 1
		}
	}
	for _, intent := range way.intents {
		f[asksMore] += number(!m.speaksOf(intent))
	}
	f[ofPeople] = number(slices.ContainsFunc(way.people, func(key string) bool { return !m.speaksOf(key) }))
	f[isUncommon] = number(slices.ContainsFunc(way.marked, func(idea string) bool { return !m.means(idea) }))
	return f
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// share returns a part of a whole; 0 of nothing.
func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

func (m message) speaksOf(key string) bool {
	return slices.ContainsFunc(m.asked, func(t term) bool { return t.key == key })
}

// means reports whether a word of the message has an idea.
func (m message) means(idea string) bool {
	return slices.ContainsFunc(m.asked, func(t term) bool { return slices.Contains(t.ideas, idea) })
}

// has reports whether an entry has a term.
func (x *Index) has(t term) bool {
	return slices.ContainsFunc(t.forms(), func(f form) bool { return len(x.terms[f.name]) > 0 })
}

// people are the intents that say whom an entry is about, and what it is without.
var people = map[string]bool{"!without": true, "!women": true, "!children": true, "!seniors": true, "!pets": true}

// marked reports whether a term is about something uncommon.
func (t term) marked() bool {
	return len(t.ideas) > 0 && marks[t.ideas[0]]
}

// foreign reports whether a term is what some trade sells.
func (t term) foreign() bool {
	return slices.ContainsFunc(t.ideas, func(idea string) bool { return trades[idea] })
}

// trades are ideas of what a trade sells.
var trades = setOf(`weather cricket news joke stockmarket petrol iphone astrology love groceries pizza cycle train bus hotel
	flight taxi gold goldloan loan job homeloan rent rentout insurance cashless insured electric electricity power bijli light painting music
	mobile laptop tv fridge spectacles medicine doctor car scooter flat plot visa passport exchange farmer tattoo pets
	vet wedding cake temple greeting restaurant gas tailor shoes sweets recharge books haircut salon school hospital`)

// marks are ideas of the uncommon.
var marks = setOf(`cancel change refund lost broken damaged wrong reject missed miss late second extra small old alone abroad
	sameday discount fail failed expiry renewal duplicate exchange return complaint slow forgot blocked block second move shift
	early urgent emergency free less used surrender wholesale corporate death upgrade pause bad less fraud stuck missing
	reschedule postpone senior woman child pets away nobody`)
