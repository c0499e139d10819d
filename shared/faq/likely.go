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

	words         float64        // how many words say something
	kinds, absent [kinds]float64 // how many words there are of each kind, and how many of them no entry has
	like          likeness       // how like the situations it is
	scope         scope          // its fields of meaning
	values        []float64      // the spread of like
	nearest       float64        // how much alike it and the way to ask are that is most like it
	meant         meant
}

// read reads a message's words in all entries.
func (x *Index) read(text []traits, asked []term) (*sheet, message) {
	s, m := x.sheet(), message{asked: asked, like: likenessOf(asked), scope: scopeOf(asked), meant: x.meant(text)}
	m.values = m.like.spread()
	for _, t := range asked {
		r := s.read(x, t)
		if r.asked == 0 && t.foreign() {
			r, m.foreign = reach{}, true
		}
		if t.pair && !r.known() && r.kin == 0 {
			continue // its two words count
		}
		m.count(t, r)
		weight := x.weight(t, r)
		if t.part {
			weight *= ofPart
		}
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
	x.compare(s, &m)
	return s, m
}

// count counts a term of the message by its kind.
func (m *message) count(t term, r reach) {
	if t.isIntent() {
		return
	}
	m.words++
	m.kinds[t.kind()]++
	if !r.known() {
		m.absent[t.kind()]++
	}

}

// compare finds the ways to ask whose situations are those of the message. An answer to one of them may be meant though
// it has none of the words.
func (x *Index) compare(s *sheet, m *message) {
	for _, way := range x.asks {
		near := way.like.to(m.values, m.like.length)
		m.nearest = max(m.nearest, near)
		if near > leastAlike {
			s.all[way.answer] = true
		}
	}
	for n, share := range m.meant.shares {
		if share > leastMeant {
			s.all[n] = true
		}
	}
}

// scores returns how likely each answer is meant, by the way to ask for it that fits best, and how likely no entry
// answers the message. They are 1 together.
func (x *Index) scores(text []traits, asked []term) (scores []float64, nothing float64) {
	s, m := x.read(text, asked)
	none := m.none()
	w := fittedModel.Get()
	nothing = math.Exp(w.None.score(none[:]))
	sum := nothing
	scores = make([]float64, len(x.answers))
	for n, ways := range x.allFits(s, m) {
		best := math.Inf(-1)
		for _, f := range ways {
			value := w.Ways.score(f[:])
			if len(x.answers) < shortList && m.misses(f) {
				value -= ofMissed
			}
			best = max(best, value)
		}
		scores[n] = math.Exp(best)
		sum += scores[n]
	}
	for n := range scores {
		scores[n] /= sum
	}
	return scores, nothing / sum
}

// In a list of few answers one is near by chance. It is less likely if it has nothing of a word of the message.
const (
	shortList = 8
	ofMissed  = 4.0 // of the logarithm of how likely it is
)

// misses reports whether a way to ask has nothing of a word of the message that says what it is about.
func (m message) misses(f [facts]float64) bool {
	return f[misses+fact(aThing)]+f[misses+fact(aName)]+f[misses+fact(anAction)] >= 0.9
}

func dot(values, weights []float64) (sum float64) {
	for i, v := range values {
		sum += v * weights[i]
	}
	return sum
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
