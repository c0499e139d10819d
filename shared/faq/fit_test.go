package faq

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand"
	"os"
	"slices"
	"sync"
	"testing"
)

var fit = flag.Bool("fit", false, "find the weights of the facts anew, and say how well they answer companies left out")

// example is a labelled question with its facts: of each way to ask for each answer, and of no answer.
type example struct {
	trade  bool
	ways   [][][facts]float64 // by answer that may be meant
	none   [noneFacts]float64
	right  int // the answer; -1 for one that may not be meant
	answer bool
}

// folds is in how many parts the lists are divided. What answers those of one part is learned from all others.
const folds = 5

// TestFit finds the weights by which the likelihood of the right answers is highest, with every part of the companies
// left out in turn, and those held back: go test ./shared/faq -run TestFit -fit -v.
func TestFit(t *testing.T) {
	if !*fit {
		t.Skip("only with -fit")
	}
	var known, held []labelled
	for _, c := range append(labelledLists(t), tradeLists(t)...) {
		if isHeldBack(c) {
			held = append(held, c)
		} else {
			known = append(known, c)
		}
	}
	rand.New(rand.NewSource(1)).Shuffle(len(known), func(i, j int) { known[i], known[j] = known[j], known[i] })
	parts := parted(t, known)
	outcomes := map[bool][]outcome{}
	for part := range parts {
		w := fitted(slices.Concat(slices.Delete(slices.Clone(parts), part, part+1)...))
		for i := range parts[part] {
			e := &parts[part][i]
			outcomes[e.trade] = append(outcomes[e.trade], w.outcome(e))
		}
	}
	for trade, all := range outcomes {
		t.Logf("trades %v:", trade)
		report(t, all)
	}
	w := fitted(slices.Concat(parts...))
	var others []outcome
	learned := learned(lessonsOf(known))
	for _, c := range held {
		var of []outcome
		for _, e := range examples(t, c, learned) {
			of = append(of, w.outcome(&e))
		}
		t.Log(c.name + ":")
		report(t, of)
		others = append(others, of...)
	}
	t.Log("those held back:")
	report(t, others)
	w.write(t)
}

// write writes the weights for the package to read.
func (w *model) write(t *testing.T) {
	t.Helper()
	for _, s := range []scorer{w.Ways, w.None} {
		for _, weights := range newFitter(&s).weights() {
			for i := range weights {
				weights[i] = math.Round(weights[i]*1000) / 1000
			}
		}
	}
	all, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("weights.json", append(all, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// parted returns the examples of each part of the companies, by what is learned from all other parts.
func parted(t *testing.T, all []labelled) [][]example {
	t.Helper()
	parts := make([][]example, folds)
	var done sync.WaitGroup
	for part := range folds {
		done.Go(func() {
			var others []labelled
			for i, c := range all {
				if i%folds != part {
					others = append(others, c)
				}
			}
			learned := learned(lessonsOf(others))
			for i, c := range all {
				if i%folds == part && !c.words {
					few := c.few(rand.New(rand.NewSource(int64(i))))
					parts[part] = append(parts[part], examples(t, c, learned)...)
					parts[part] = append(parts[part], examples(t, few, learned)...)
				}
			}
		})
	}
	done.Wait()
	return parts
}

// few returns a list with a few of its entries, and questions. Nothing in it answers what only another entry answers.
func (c labelled) few(random *rand.Rand) labelled {
	var ids []string
	for _, e := range c.entries {
		if !slices.Contains(ids, e.ID) {
			ids = append(ids, e.ID)
		}
	}
	random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	ids = ids[:min(len(ids), leastFew+random.Intn(moreFew))]
	few := labelled{name: c.name, trade: c.trade}
	for _, e := range c.entries {
		if slices.Contains(ids, e.ID) {
			few.entries = append(few.entries, e)
		}
	}
	for _, q := range c.questions {
		has := slices.Contains(ids, q.Entry)
		if !has {
			q.Entry = ""
		}
		if has || random.Float64() < ofOthers {
			few.questions = append(few.questions, q)
		}
	}
	return few
}

// The few entries of a list: at least and how many more, and how many of the questions are asked that they leave open.
const (
	leastFew, moreFew = 4, 8
	ofOthers          = 0.25
)

// examples returns the labelled questions of a company.
func examples(t *testing.T, c labelled, learned *meanings) (all []example) {
	x, err := newIndex(c.entries, learned)
	if err != nil {
		t.Error(err)
		return nil
	}
	for _, q := range c.questions {
		e := x.example(q.Text, q.Entry)
		e.trade = c.trade
		all = append(all, e)
	}
	return all
}

func (x *Index) example(text, entry string) example {
	s, m := x.read(read(text), distinct(x.corrected(terms(text))))
	e := example{none: m.none(), right: -1, answer: entry != ""}
	for n, ways := range x.allFits(s, m) {
		if len(ways) == 0 {
			continue
		}
		if x.answers[n].id == entry {
			e.right = len(e.ways)
		}
		e.ways = append(e.ways, ways)
	}
	return e
}

// read returns how likely each answer is and which way to ask for it fits best, and how likely no answer is.
func (w *model) read(e *example) (likely []float64, best []int, none float64) {
	sum := math.Exp(w.None.score(e.none[:]))
	none, likely, best = sum, make([]float64, len(e.ways)), make([]int, len(e.ways))
	for n, ways := range e.ways {
		for i := range ways {
			if value := math.Exp(w.Ways.score(ways[i][:])); value > likely[n] {
				likely[n], best[n] = value, i
			}
		}
		sum += likely[n]
	}
	for n := range likely {
		likely[n] /= sum
	}
	return likely, best, none / sum
}

const (
	rounds    = 16     // how often each example is looked at
	together  = 16     // examples that move the weights at once
	units     = 12     // of the facts of ways to ask
	noneUnits = 4      // of the facts by which no entry answers
	fitRate   = 0.004  // how far a weight moves at first
	shrinks   = 0.0003 // how much a weight costs
	// leastForeign is more than the lists show: they have few questions about other trades, and an answer to one of
	// those is the worst of wrong answers.
	leastForeign = 5
)

// fitted returns the weights by which the right answers of examples are likeliest, by Adam.
func fitted(all []example) *model {
	random := rand.New(rand.NewSource(3))
	w := &model{newScorer(int(facts), units, random), newScorer(int(noneFacts), noneUnits, random)}
	ways, none := newFitter(&w.Ways), newFitter(&w.None)
	order := random.Perm(len(all))
	steps := 0.0
	for round := range rounds {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for some := range slices.Chunk(order, together) {
			for _, n := range some {
				w.slope(&all[n], ways, none)
			}
			steps++
			rate := fitRate * (1 - 0.95*float64(round)/rounds)
			ways.move(rate, steps)
			none.move(rate, steps)
		}
	}
	w.None.Linear[isForeign] = max(w.None.Linear[isForeign], leastForeign)
	for _, unit := range w.None.Hidden {
		unit[isForeign] = 0
	}
	return w
}

// slope adds how the likelihood of an example changes with each weight.
func (w *model) slope(e *example, ways, none *fitter) {
	if e.answer && e.right < 0 {
		return
	}
	likely, best, nothing := w.read(e)
	for a, p := range likely {
		if p -= number(a == e.right); math.Abs(p) > 1e-4 {
			ways.add(e.ways[a][best[a]][:], p/together)
		}
	}
	none.add(e.none[:], (nothing-number(!e.answer))/together)
}

func newScorer(inputs, units int, random *rand.Rand) scorer {
	s := scorer{Linear: make([]float64, inputs), Out: make([]float64, units)}
	for range units {
		unit := make([]float64, inputs+1)
		for i := range unit {
			unit[i] = random.NormFloat64() / math.Sqrt(float64(inputs))
		}
		s.Hidden = append(s.Hidden, unit)
	}
	return s
}

// fitter fits a scorer. Its slopes are in the order of the scorer's weights.
type fitter struct {
	of                   *scorer
	slope, first, second [][]float64
}

func newFitter(of *scorer) *fitter {
	f := &fitter{of: of}
	for _, weights := range f.weights() {
		f.slope = append(f.slope, make([]float64, len(weights)))
		f.first = append(f.first, make([]float64, len(weights)))
		f.second = append(f.second, make([]float64, len(weights)))
	}
	return f
}

func (f *fitter) weights() [][]float64 {
	return append([][]float64{f.of.Linear, f.of.Out}, f.of.Hidden...)
}

func (f *fitter) add(facts []float64, by float64) {
	addTo(f.slope[0], facts, by)
	for i := range f.of.Hidden {
		unit := f.of.unit(i, facts)
		f.slope[1][i] += by * unit
		back := by * f.of.Out[i] * (1 - unit*unit)
		addTo(f.slope[2+i], facts, back)
		f.slope[2+i][len(facts)] += back
	}
}

func addTo(sum, values []float64, by float64) {
	for i, v := range values {
		sum[i] += by * v
	}
}

// move moves the weights against the slopes.
func (f *fitter) move(rate, steps float64) {
	for p, weights := range f.weights() {
		for i := range weights {
			g := f.slope[p][i] + shrinks*weights[i]
			first, second := &f.first[p][i], &f.second[p][i]
			*first, *second = 0.9**first+0.1*g, 0.999**second+0.001*g*g
			weights[i] -= rate * *first / (1 - math.Pow(0.9, steps)) /
				(math.Sqrt(*second/(1-math.Pow(0.999, steps))) + 1e-8)
		}
		clear(f.slope[p])
	}
}

// outcome is what becomes of a question.
type outcome struct {
	likely      float64 // the likeliest answer
	none        float64
	right, good bool // it is the right one; it is among the three likeliest
	answer      bool // there is a right one
}

func (w *model) outcome(e *example) outcome {
	likely, _, none := w.read(e)
	best := likeliest(likely, mostNear)
	o := outcome{none: none, answer: e.answer, good: slices.Contains(best, e.right)}
	if len(best) > 0 {
		o.likely, o.right = likely[best[0]], best[0] == e.right
	}
	return o
}

// report says how many questions are answered right and wrong if the likeliest answer is given from several likelihoods
// on.
func report(t *testing.T, all []outcome) {
	t.Helper()
	for _, enough := range []float64{0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95} {
		var right, wrong, quiet, first, answers int
		for _, o := range all {
			if o.answer {
				answers++
			}
			if o.answer && o.right {
				first++
			}
			switch {
			case o.likely >= enough && o.right:
				right++
			case o.likely >= enough:
				wrong++
			case !o.answer && (o.likely < worth || o.none > mostNothing):
				quiet++
			}
		}
		of := func(n, all int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(all)) }
		t.Logf("from %.2f on: right %s (%s of them nothing), wrong %s; the likeliest is right in %s", enough,
			of(right+quiet, len(all)), of(quiet, len(all)), of(wrong, len(all)), of(first, answers))
	}
}
