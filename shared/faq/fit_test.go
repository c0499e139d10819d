package faq

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var fit = flag.Bool("fit", false, "find the weights of the facts anew, and say how well they answer companies left out")

// lists is where the labelled lists are. Those that are held back choose no weights, ever.
const lists = "../../infra/assistant/testdata"

var heldBack = []string{"cowork", "tiffin"}

// example is a labelled question with its facts: of each way to ask for each answer, and of no answer.
type example struct {
	company int
	ways    [][][facts]float64 // by answer that may be meant
	none    [noneFacts]float64
	right   int // the answer; -1 for one that may not be meant
	answer  bool
}

// TestFit finds the weights by which the likelihood of the right answers is highest, with every company left out in
// turn, and those held back: go test ./shared/faq -run TestFit -fit -v.
func TestFit(t *testing.T) {
	if !*fit {
		t.Skip("only with -fit")
	}
	held := func(name string) bool { return slices.Contains(heldBack, name) }
	all, companies := examples(t, func(name string) bool { return !held(name) })
	var outcomes []outcome
	for c := range companies {
		w := fitted(slices.DeleteFunc(slices.Clone(all), func(e example) bool { return e.company == c }))
		for _, e := range all {
			if e.company == c {
				outcomes = append(outcomes, w.outcome(e))
			}
		}
	}
	report(t, outcomes)
	w := fitted(all)
	others, _ := examples(t, held)
	outcomes = nil
	for _, e := range others {
		outcomes = append(outcomes, w.outcome(e))
	}
	t.Log("those held back:")
	report(t, outcomes)
	t.Logf("weights: %.2f\nnoneWeights: %.2f", w.ways, w.none)
}

// examples returns the labelled questions of companies.
func examples(t *testing.T, of func(name string) bool) (all []example, companies []string) {
	t.Helper()
	files, err := filepath.Glob(lists + "/*.csv")
	if err != nil || len(files) == 0 {
		t.Fatal("no lists", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".csv")
		if !of(filepath.Base(name)) {
			continue
		}
		list, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := Read(bytes.NewReader(list))
		if err != nil {
			t.Fatal(err)
		}
		questions, err := os.ReadFile(name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		x := open(t, entries)
		for line := range bytes.Lines(questions) {
			var q struct{ Text, Entry string }
			if err := json.Unmarshal(line, &q); err != nil {
				t.Fatal(err)
			}
			all = append(all, x.example(len(companies), q.Text, q.Entry))
		}
		companies = append(companies, name)
	}
	return all, companies
}

func (x *Index) example(company int, text, entry string) example {
	s, m := x.read(distinct(x.corrected(terms(text))))
	e := example{company: company, none: m.none(), right: -1, answer: entry != ""}
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

// model is the weights of the facts.
type model struct {
	ways [facts]float64
	none [noneFacts]float64
}

// read returns how likely each answer is and which way to ask for it fits best, and how likely no answer is.
func (w *model) read(e example) (likely []float64, best []int, none float64) {
	sum := math.Exp(dot(e.none[:], w.none[:]))
	none, likely, best = sum, make([]float64, len(e.ways)), make([]int, len(e.ways))
	for n, ways := range e.ways {
		for i, way := range ways {
			if value := math.Exp(dot(way[:], w.ways[:])); value > likely[n] {
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
	steps   = 500
	shrinks = 0.0015 // how much a weight costs
	// leastForeign is more than the lists show: they have few questions about other trades, and an answer to one of
	// those is the worst of wrong answers.
	leastForeign = 5
)

// fitted returns the weights by which the right answers of examples are likeliest, by Adam.
func fitted(all []example) *model {
	w := &model{}
	copy(w.ways[:], weights[:])
	copy(w.none[:], noneWeights[:])
	var slope, first, second [int(facts) + int(noneFacts)]float64
	for step := 1.0; step <= steps; step++ {
		n := w.slope(all, &slope)
		rate := 0.08
		if step > steps*2/3 {
			rate = 0.02
		}
		for k := range slope {
			value := &w.none[max(0, k-int(facts))]
			if k < int(facts) {
				value = &w.ways[k]
			}
			g := slope[k]/n + shrinks**value
			first[k], second[k] = 0.9*first[k]+0.1*g, 0.99*second[k]+0.01*g*g
			*value -= rate * first[k] / (1 - math.Pow(0.9, step)) /
				(math.Sqrt(second[k]/(1-math.Pow(0.99, step))) + 1e-8)
		}
		w.none[isForeign] = max(w.none[isForeign], leastForeign)
	}
	return w
}

// slope sets how the likelihood changes with each weight, and returns the number of examples.
func (w *model) slope(all []example, slope *[int(facts) + int(noneFacts)]float64) (n float64) {
	clear(slope[:])
	for _, e := range all {
		if e.answer && e.right < 0 {
			continue
		}
		n++
		likely, best, none := w.read(e)
		for a, p := range likely {
			if a == e.right {
				p--
			}
			for k, f := range e.ways[a][best[a]] {
				slope[k] += p * f
			}
		}
		if !e.answer {
			none--
		}
		for k, f := range e.none {
			slope[int(facts)+k] += none * f
		}
	}
	return n
}

// outcome is what becomes of a question.
type outcome struct {
	likely      float64 // the likeliest answer
	none        float64
	right, good bool // it is the right one; it is among the three likeliest
	answer      bool // there is a right one
}

func (w *model) outcome(e example) outcome {
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
	for _, enough := range []float64{0.6, 0.65, 0.7, 0.74, 0.76, 0.78, 0.8, 0.82, 0.85, 0.9} {
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
