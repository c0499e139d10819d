package faq

import (
	_ "embed" // meaning.bin
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/haatline/haatline/shared/lazy"
)

// The size of the table of meanings: how many rows it has, and how many numbers a row has.
const (
	meaningRows = 1 << 14
	meaningSize = 64
)

// traits are the features of a word, by their rows in the table of meanings.
type traits []int32

// traitsOf returns the features of each word of a text: the word itself, the parts of it, what it means, and the word
// with the one before it. Of its terms, those that are no single word are read as words too.
func traitsOf(text string, found []term, known map[string]traits) (all []traits) {
	words := strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
	before := ""
	for _, w := range words[:min(len(words), maxWords)] {
		of, has := known[w]
		if !has {
			of = traitsOfWord(english(w))
			known[w] = of
		}
		key := keyOf(english(w))
		if before != "" {
			of = append(slices.Clone(of), row("b", before+" "+key))
		}
		before = key
		all = append(all, of)
	}
	for _, t := range found {
		if t.isIntent() || t.pair {
			of := traits{row("i", t.key)}
			for _, idea := range t.ideas {
				of = append(of, row("i", idea))
			}
			all = append(all, of)
		}
	}
	return all
}

func traitsOfWord(word string) traits {
	key := keyOf(word)
	of := traits{row("w", key)}
	if t, says := single(word); says {
		of = append(of, row("r", t.root))
		for _, idea := range t.ideas[:min(2, len(t.ideas))] {
			of = append(of, row("i", idea))
		}
	}
	padded := "<" + key + ">"
	for n := 3; n <= 4; n++ {
		for at := 0; at+n <= len(padded) && len(padded) > n; at++ {
			of = append(of, row("n", padded[at:at+n]))
		}
	}
	return of
}

// row returns the place of a feature in the table, by its hash, which is FNV-1a and then mixed.
func row(kind, of string) int32 {
	hash := uint32(2166136261)
	for i := range len(kind) {
		hash = (hash ^ uint32(kind[i])) * 16777619
	}
	for i := range len(of) {
		hash = (hash ^ uint32(of[i])) * 16777619
	}
	hash ^= hash >> 15
	hash *= 0x2c1b3c6d
	hash ^= hash >> 12
	return int32(hash % meaningRows)
}

// vector is a text's meaning.
type vector [meaningSize]float32

func (v *vector) dot(o *vector) (sum float32) {
	for i := range v {
		sum += v[i] * o[i]
	}
	return sum
}

func (v *vector) length() float32 { return float32(math.Sqrt(float64(v.dot(v)))) }

// meanings is what was learned: a row for each feature, and how much the likeness of two texts counts.
type meanings struct {
	rows []int8
	// way and told are what the likeness of a message to a way to ask and to an answer counts, and nothing is how
	// likely it is that no entry is meant.
	way, told, nothing float32
}

// of returns the meaning of a text, as a vector of length 1, and that of each of its words.
func (m *meanings) of(text []traits) (v vector, words []wordMeaning) {
	for _, word := range text {
		of := m.ofWord(word)
		v.add(&of, 1)
		length := of.length()
		of.toUnit()
		words = append(words, wordMeaning{of, length})
	}
	v.toUnit()
	return v, words
}

// wordMeaning is the meaning of a word in a text, as a vector of length 1, and how much it adds to that of the text.
type wordMeaning struct {
	vector vector
	weight float32
}

func (m *meanings) ofWord(word traits) (v vector) {
	part := partOf(word)
	for i, r := range word {
		weight := part
		if i == 0 {
			weight = 1
		}
		at := m.rows[int(r)*meaningSize : (int(r)+1)*meaningSize]
		for k := range v {
			v[k] += weight * float32(at[k])
		}
	}
	return v
}

// byMeaning returns how much of some words others explain, from 0 to 1: each by the one that is most like it.
func byMeaning(words, by []wordMeaning) float64 {
	var sum, all float32
	for i := range words {
		best := float32(0)
		for k := range by {
			best = max(best, words[i].vector.dot(&by[k].vector))
		}
		sum, all = sum+best*words[i].weight, all+words[i].weight
	}
	return share(float64(sum), float64(all))
}

// partOf returns how much each feature of a word counts beside the word itself.
func partOf(word traits) float32 {
	return 1 / float32(math.Sqrt(float64(max(1, len(word)-3))))
}

func (v *vector) scale(by float32) {
	for k := range v {
		v[k] *= by
	}
}

func (v *vector) add(o *vector, by float32) {
	for k := range v {
		v[k] += by * o[k]
	}
}

// toUnit makes the vector's length 1.
func (v *vector) toUnit() { v.scale(1 / (v.length() + 1e-4)) }

// mostMeaning is the highest number of a row. Numbers are from -mostMeaning to mostMeaning.
const mostMeaning = 7

// meaningFile is what TestLearn writes: three scales, and the rows, two numbers a byte.
//
//go:embed meaning.bin
var meaningFile string

var learnedMeanings = lazy.Of[*meanings]{Make: func() *meanings {
	at := func(n int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32([]byte(meaningFile[4*n : 4*n+4])))
	}
	m := &meanings{way: at(0), told: at(1), nothing: at(2), rows: make([]int8, 0, meaningRows*meaningSize)}
	for _, two := range []byte(meaningFile[3*4:]) {
		m.rows = append(m.rows, int8(two>>4)-mostMeaning, int8(two&15)-mostMeaning)
	}
	return m
}}

// meant is what a message means by its words' meanings, in one list.
type meant struct {
	vector  vector
	words   []wordMeaning
	shares  []float64 // how likely each answer is meant
	nothing float64   // how likely none is
	near    float64   // from how likely an answer on its words are compared one by one
	most    float64   // how much likelier the likeliest is than nothing
}

const (
	leastMeant   = 0.03 // how likely an answer is, from which on it may be meant though it has none of the words
	mostCompared = 64   // answers whose words are compared one by one
	meantUnit    = 10   // of a likelihood's logarithm
)

// likelihood returns how much likelier than nothing an answer is meant, by how alike the meanings are.
func (m *meanings) likelihood(way, told float64) float64 {
	return (float64(m.way)*way + float64(m.told)*told - float64(m.nothing)) / meantUnit
}

// meant reads the meaning of a message.
func (x *Index) meant(text []traits) meant {
	m := meant{shares: make([]float64, len(x.answers)), most: math.Inf(-1)}
	m.vector, m.words = x.learned.of(text)
	sum := 1.0
	for n, a := range x.answers {
		way, told := float32(-1), a.meaning.dot(&m.vector)
		for _, at := range a.asks {
			way = max(way, x.asks[at].meaning.dot(&m.vector))
		}
		likelihood := x.learned.likelihood(float64(way), float64(told))
		m.most = max(m.most, likelihood)
		m.shares[n] = math.Exp(meantUnit * likelihood)
		sum += m.shares[n]
	}
	for n := range m.shares {
		m.shares[n] /= sum
	}
	m.nothing = 1 / sum
	if len(m.shares) > mostCompared {
		m.near = slices.Sorted(slices.Values(m.shares))[len(m.shares)-mostCompared]
	}
	return m
}
