package faq

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/haatline/haatline/shared/lazy"
)

// How much the forms of a term say of a situation, and what makes a text like one.
const (
	byStem, byRoot  = 1.0, 0.85
	byIdea, byNext  = 1.3, 0.42 // by the usual idea, and by each further one as a share of the one before
	bySynonym       = 0.6       // by a word for the very same thing
	ofMiddle        = 0.5       // what the middle of all ways to write of a situation adds
	mostMiddle      = 0.7       // how like the middle a text is that is as like as can be
	middleSmoothing = 0.3
	ofSecond        = 0.25 // what the second way to write of a situation adds to the best one
	leastLike       = 0.15 // how like a situation a text is at least
	unheard         = 1.5  // what a word weighs of which no situation has anything
	smoothing       = 0.5
	mostTold        = 40  // words of an answer that are looked at
	leastAlike      = 0.3 // how much alike the situations are of a message and of an answer that has none of its words
)

// bank is the situations, by the terms of the ways to write of them.
type bank struct {
	names    []string
	of       []int     // the situation of each way
	lengths  []float64 // of each way
	middles  []float64 // of the sum of the ways of each situation
	terms    map[string][]said
	rarities map[string]float64 // of each form
}

// said says how much a form says of a way to write.
type said struct {
	way    int32
	weight float64
}

// situations reads the rows at first use.
var situations = lazy.Of[*bank]{Make: func() *bank {
	b := &bank{terms: map[string][]said{}, rarities: map[string]float64{}}
	in := map[string]map[int]bool{} // the situations that have a form
	var ways [][]term
	for row := range strings.Lines(usualSituations + toldSituations + everydaySituations) {
		name, texts, is := strings.Cut(row, ":")
		if !is {
			continue
		}
		n := slices.Index(b.names, name)
		if n < 0 {
			n, b.names = len(b.names), append(b.names, name)
		}
		for text := range strings.SplitSeq(texts, ";") {
			way := distinct(terms(text))
			ways, b.of = append(ways, way), append(b.of, n)
			for _, f := range b.weights(way, func(string) float64 { return 1 }) {
				if in[f.name] == nil {
					in[f.name] = map[int]bool{}
				}
				in[f.name][n] = true
			}
		}
	}
	for form, some := range in {
		b.rarities[form] = math.Log(float64(len(b.names)) / float64(len(some)))
	}
	middles := make([]map[string]float64, len(b.names))
	for i, way := range ways {
		sum := 0.0
		weights := b.weights(way, b.rarity)
		for _, f := range weights {
			b.terms[f.name] = append(b.terms[f.name], said{int32(i), f.match})
			sum += f.match * f.match
		}
		b.lengths = append(b.lengths, math.Sqrt(sum))
		if middles[b.of[i]] == nil {
			middles[b.of[i]] = map[string]float64{}
		}
		for _, f := range weights {
			middles[b.of[i]][f.name] += f.match / (math.Sqrt(sum) + smoothing)
		}
	}
	for _, middle := range middles {
		sum := 0.0
		for _, name := range slices.Sorted(maps.Keys(middle)) { // a sum does not depend on the order of a map
			sum += middle[name] * middle[name]
		}
		b.middles = append(b.middles, math.Sqrt(sum))
	}
	return b
}}

func (b *bank) rarity(form string) float64 { return b.rarities[form] }

// weights returns the forms of terms, in the order of their names, with how much each says.
func (b *bank) weights(all []term, rarity func(string) float64) []form {
	weights := map[string]float64{}
	for _, t := range all {
		if t.isIntent() {
			continue
		}
		whole := 1.0
		if t.part {
			whole = ofPart
		}
		set := func(form string, weight float64) {
			if weight *= rarity(form) * whole; weight > 0 {
				weights[form] = max(weights[form], weight)
			}
		}
		if t.isIntent() {
			continue
		}
		set("s"+t.stem, byStem)
		if t.root != "" && t.root != t.stem {
			set("r"+t.root, byRoot)
		}
		if t.same != "" {
			set("y"+t.same, bySynonym)
		}
		weight := byIdea
		for _, idea := range t.ideas[:min(3, len(t.ideas))] {
			set("i"+idea, weight)
			weight *= byNext
		}
	}
	forms := make([]form, 0, len(weights))
	for name, weight := range weights {
		forms = append(forms, form{name, weight})
	}
	slices.SortFunc(forms, func(a, b form) int { return strings.Compare(a.name, b.name) })
	return forms
}

// likeness is how like the situations a text is.
type likeness struct {
	of     []like
	length float64
	top    int     // the situation that it is most like; -1 for none
	value  float64 // how like that one it is
}

type like struct {
	situation int
	value     float64
}

// scratch holds the products of the ways to write with a text, which a list of many entries needs for each.
var scratch = sync.Pool{New: func() any { return new([]float64) }}

// likenessOf returns how like the situations a text is.
func likenessOf(all []term) likeness {
	b := situations.Get()
	weights := b.weights(all, b.rarity)
	l := likeness{top: -1}
	if len(weights) == 0 {
		return l
	}
	sum := 0.0
	for _, t := range all {
		if b.unheard(t) {
			sum += unheard * unheard
		}
	}
	products := scratch.Get().(*[]float64)
	defer scratch.Put(products)
	*products = append((*products)[:0], make([]float64, len(b.of))...)
	for _, f := range weights {
		sum += f.match * f.match
		for _, s := range b.terms[f.name] {
			(*products)[s.way] += f.match * s.weight
		}
	}
	length := math.Sqrt(sum)
	best, second, sums := make([]float64, len(b.names)), make([]float64, len(b.names)), make([]float64, len(b.names))
	for way, product := range *products {
		if product == 0 {
			continue
		}
		value, n := product/(length*b.lengths[way]+smoothing), b.of[way]
		sums[n] += product / (length + smoothing) / (b.lengths[way] + smoothing)
		if value > best[n] {
			best[n], second[n] = value, best[n]
		} else if value > second[n] {
			second[n] = value
		}
	}
	for n := range best {
		l.add(n, (best[n]+ofSecond*second[n]+ofMiddle*sums[n]/(b.middles[n]+middleSmoothing))/(1+ofMiddle*mostMiddle))
	}
	l.length = math.Sqrt(l.length)
	return l
}

// add notes how like a situation the text is. What is very like counts for much more than what is somewhat like.
func (l *likeness) add(situation int, value float64) {
	if value < leastLike {
		return
	}
	if value > l.value {
		l.top, l.value = situation, value
	}
	cubed := value * value * value
	l.of = append(l.of, like{situation, cubed})
	l.length += cubed * cubed
}

// unheard reports whether no situation has anything of a term.
func (b *bank) unheard(t term) bool {
	return !t.isIntent() && !t.part && b.rarities["s"+t.stem] == 0 &&
		(len(t.ideas) == 0 || b.rarities["i"+t.ideas[0]] == 0)
}

// spread returns the values of all situations in their order, as to needs them.
func (l likeness) spread() []float64 {
	values := make([]float64, len(situations.Get().names))
	for _, s := range l.of {
		values[s.situation] = s.value
	}
	return values
}

// to returns how much alike the situations of two texts are, from 0 to 1. values is the spread of the other one.
func (l likeness) to(values []float64, length float64) float64 {
	if l.length == 0 || length == 0 {
		return 0
	}
	sum := 0.0
	for _, s := range l.of {
		sum += s.value * values[s.situation]
	}
	return sum / (l.length * length)
}
