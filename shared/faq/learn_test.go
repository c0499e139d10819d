package faq

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
)

var learn = flag.Bool("learn", false, "learn anew what words mean, and write it")

// TestLearn learns what words mean from all lists that are not held back:
// go test ./shared/faq -run TestLearn -learn -timeout 30m.
func TestLearn(t *testing.T) {
	if !*learn {
		t.Skip("only with -learn")
	}
	all := slices.DeleteFunc(append(labelledLists(t), tradeLists(t)...), isHeldBack)
	if err := os.WriteFile("meaning.bin", learned(lessonsOf(all)).bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// lesson is a labelled list in the features of its texts.
type lesson struct {
	entries []entryLesson
	none    [][]traits
}

// entryLesson is an answer with the ways to ask for it: first those of the list, then those of people.
type entryLesson struct {
	ways   [][]traits
	listed int
	answer []traits
}

func lessonsOf(all []labelled) (lessons []lesson) {
	for _, c := range all {
		lessons = append(lessons, lessonOf(c))
	}
	return lessons
}

func lessonOf(c labelled) (l lesson) {
	at := map[string]int{}
	for _, e := range c.entries {
		n, has := at[e.ID]
		if !has {
			n = len(l.entries)
			at[e.ID], l.entries = n, append(l.entries, entryLesson{})
		}
		of := &l.entries[n]
		of.answer = append(of.answer, read(e.Answer)...)
		for way := range strings.Lines(e.Question) {
			of.ways = append(of.ways, read(way))
		}
		of.listed = len(of.ways)
	}
	for _, q := range c.questions {
		if n, has := at[q.Entry]; has {
			l.entries[n].ways = append(l.entries[n].ways, read(q.Text))
		} else {
			l.none = append(l.none, read(q.Text))
		}
	}
	return l
}

func read(text string) []traits { return traitsOf(text, terms(text), map[string]traits{}) }

const (
	epochs    = 20
	batch     = 6    // questions of one list that are asked of the same ways
	leftOut   = 0.3  // of the words, and of the features of each, so that no single one is relied on
	firstRate = 0.2  // how far a number moves at first
	scaleRate = 0.01 // the same, of the scales
	leastText = 2    // words of a text from which on any is left out
	ofListed  = 3    // how much oftener a list's own question is taken than another way to ask
)

// learner is meanings that are learned.
type learner struct {
	rows, squares      []vector // of the slopes, for Adagrad
	way, told, nothing float32
	random             *rand.Rand
}

// learned returns what lessons teach. The same lessons teach the same.
func learned(lessons []lesson) *meanings {
	l := &learner{rows: make([]vector, meaningRows), squares: make([]vector, meaningRows), way: 8, told: 2, nothing: 2,
		random: rand.New(rand.NewSource(7))}
	for i := range l.rows {
		for k := range l.rows[i] {
			l.rows[i][k] = float32(l.random.NormFloat64()) * 0.3
		}
	}
	for epoch := range epochs {
		var batches []questions
		for i := range lessons {
			batches = append(batches, l.batches(&lessons[i])...)
		}
		l.random.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
		rate := firstRate * (1 - 0.9*float32(epoch)/epochs)
		for _, b := range batches {
			l.batch(b, rate)
		}
	}
	return l.meanings()
}

// questions are some of a lesson's, by answer and way; the answer is -1 for none.
type questions struct {
	of  *lesson
	all [][2]int
}

func (l *learner) batches(of *lesson) (all []questions) {
	var every [][2]int
	for n, e := range of.entries {
		for q := range e.ways {
			if len(e.ways) > 1 {
				every = append(every, [2]int{n, q})
			}
		}
	}
	for q := range of.none {
		every = append(every, [2]int{-1, q})
	}
	l.random.Shuffle(len(every), func(i, j int) { every[i], every[j] = every[j], every[i] })
	for some := range slices.Chunk(every, batch) {
		all = append(all, questions{of, some})
	}
	return all
}

// batch moves the rows so that each question is likelier to mean its answer, and less likely another of its list.
func (l *learner) batch(b questions, rate float32) {
	ways, answers := make([]*coded, len(b.of.entries)), make([]*coded, len(b.of.entries))
	for n, e := range b.of.entries {
		ways[n], answers[n] = l.code(l.pick(e, n, b.all)), l.code(e.answer)
	}
	for _, of := range b.all {
		text := func() []traits {
			if of[0] < 0 {
				return b.of.none[of[1]]
			}
			return b.of.entries[of[0]].ways[of[1]]
		}()
		q := l.code(text)
		l.ask(q, ways, answers, of[0])
		l.move(q, rate)
	}
	for n := range ways {
		l.move(ways[n], rate)
		l.move(answers[n], rate)
	}
}

// pick returns one way to ask for an answer that is none of some questions; nil if it has none.
func (l *learner) pick(e entryLesson, n int, but [][2]int) []traits {
	var from [][]traits
	for q, way := range e.ways {
		if slices.Contains(but, [2]int{n, q}) {
			continue
		}
		from = append(from, way)
		for range ofListed - 1 {
			if q < e.listed {
				from = append(from, way)
			}
		}
	}
	if len(from) == 0 {
		return nil
	}
	return from[l.random.Intn(len(from))]
}

// ask notes how the vectors of a question and of the answers it is asked of have to change.
func (l *learner) ask(q *coded, ways, answers []*coded, right int) {
	likely, top := make([]float64, len(ways)), float64(l.nothing)
	for n := range ways {
		likely[n] = float64(l.way*q.unit.dot(&ways[n].unit) + l.told*q.unit.dot(&answers[n].unit))
		top = max(top, likely[n])
	}
	nothing := math.Exp(float64(l.nothing) - top)
	sum := nothing
	for n := range likely {
		likely[n] = math.Exp(likely[n] - top)
		sum += likely[n]
	}
	l.nothing -= scaleRate * float32(nothing/sum-number(right < 0))
	for n := range likely {
		slope := float32(likely[n]/sum - number(n == right))
		q.slope.add(&ways[n].unit, slope*l.way)
		q.slope.add(&answers[n].unit, slope*l.told)
		ways[n].slope.add(&q.unit, slope*l.way)
		answers[n].slope.add(&q.unit, slope*l.told)
		l.way -= scaleRate * slope * q.unit.dot(&ways[n].unit)
		l.told -= scaleRate * slope * q.unit.dot(&answers[n].unit)
	}
}

// coded is a text's vector with the rows that made it, and how it has to change.
type coded struct {
	rows        []int32
	weights     []float32
	unit, slope vector
	length      float32
}

func (l *learner) code(text []traits) *coded {
	c := &coded{}
	for _, word := range text {
		if len(text) > leastText && l.random.Float64() < leftOut {
			continue
		}
		part := partOf(word)
		for i, r := range word {
			if l.random.Float64() < leftOut {
				continue
			}
			weight := part
			if i == 0 {
				weight = 1
			}
			c.rows, c.weights = append(c.rows, r), append(c.weights, weight)
			c.unit.add(&l.rows[r], weight)
		}
	}
	c.length = c.unit.length() + 1e-4
	c.unit.scale(1 / c.length)
	return c
}

// move moves the rows of a text against its slope, by Adagrad.
func (l *learner) move(c *coded, rate float32) {
	along := c.slope.dot(&c.unit)
	slope := c.slope
	slope.add(&c.unit, -along)
	slope.scale(1 / c.length)
	for i, r := range c.rows {
		row, squares := &l.rows[r], &l.squares[r]
		for k := range row {
			g := slope[k] * c.weights[i]
			squares[k] += g * g
			row[k] -= rate * g / (float32(math.Sqrt(float64(squares[k]))) + 1e-3)
		}
	}
}

// mostSpread is how many times the usual size of a number is the highest that a row keeps.
const mostSpread = 2.5

// meanings returns the rows in whole numbers. Only their proportions count.
func (l *learner) meanings() *meanings {
	var squares float64
	for i := range l.rows {
		squares += float64(l.rows[i].dot(&l.rows[i]))
	}
	unit := float32(mostSpread*math.Sqrt(squares/(meaningRows*meaningSize))) / mostMeaning
	m := &meanings{way: l.way, told: l.told, nothing: l.nothing}
	for i := range l.rows {
		for _, v := range l.rows[i] {
			whole := math.Round(float64(v / unit))
			m.rows = append(m.rows, int8(max(-mostMeaning, min(mostMeaning, whole))))
		}
	}
	return m
}

// bytes returns meanings as the package reads them.
func (m *meanings) bytes() []byte {
	var out bytes.Buffer
	var rows []byte
	for i := 0; i < len(m.rows); i += 2 {
		rows = append(rows, byte(m.rows[i]+mostMeaning)<<4|byte(m.rows[i+1]+mostMeaning))
	}
	for _, part := range []any{m.way, m.told, m.nothing, rows} {
		if err := binary.Write(&out, binary.LittleEndian, part); err != nil {
			panic(err)
		}
	}
	return out.Bytes()
}
